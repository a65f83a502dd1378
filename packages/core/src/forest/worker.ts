// Forests of some parts, grown in a thread of their own. Bundled into worker.generated.ts as one script.

import { serveTask } from '../common/task.ts'
import { type ForestQuestion, type GrowthNews, growParts } from './growParts.ts'

serveTask<ForestQuestion, GrowthNews, void>((question, tell) => {
  for (const news of growParts(question)) tell(news)
})
