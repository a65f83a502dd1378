// Forests of some parts, grown in a thread of their own. Bundled into worker.generated.ts as one script.

import { serveTask } from '../../common/task.ts'
import { type ForestQuestion, type GrownPart, growParts, type TreeGrown } from './growParts.ts'

serveTask<ForestQuestion, TreeGrown, GrownPart[]>(growParts)
