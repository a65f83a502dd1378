// The measures of one score in a thread of their own. Bundled into worker.generated.ts as one script.

import { serveTask } from '../../common/task.ts'
import { scoreMeasures } from './scoreMeasures.ts'
import type { MeasureQuestion } from './thread.ts'

serveTask(({ rows, options }: MeasureQuestion) => scoreMeasures(rows, options))
