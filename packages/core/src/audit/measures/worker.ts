// The measures of one score in a thread of their own. Bundled into worker.generated.ts as one script.

import { failureOf, listen } from '../../common/port.ts'
import { scoreMeasures } from './scoreMeasures.ts'
import type { MeasureAnswer, MeasureQuestion } from './thread.ts'

listen<MeasureQuestion>(({ rows, options }, post) => {
  const answer = (): MeasureAnswer => {
    try {
      return { measures: scoreMeasures(rows, options) }
    } catch (error) {
      return { failure: failureOf(error) }
    }
  }
  post(answer(), [])
})
