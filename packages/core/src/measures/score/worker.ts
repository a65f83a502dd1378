// The measures of one score, or of two, in a thread of their own. Bundled into worker.generated.ts as one script.

import { serveTask } from '../../common/task.ts'
import { compareMeasures } from './compare.ts'
import { scoreMeasures } from './scoreMeasures.ts'
import type { MeasureQuestion } from './thread.ts'

serveTask(({ options, other, rows }: MeasureQuestion) =>
  other === undefined ? scoreMeasures(rows, options) : compareMeasures(rows, other, options),
)
