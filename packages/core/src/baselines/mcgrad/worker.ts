// Some runs of MCGrad in a thread of their own. Bundled into worker.generated.ts as one script.

import { serveTask } from '../../common/task.ts'
import { growRuns, type RoundNews, type RunsQuestion } from './runs.ts'

serveTask<RunsQuestion, RoundNews, void>((question, tell) => {
  for (const news of growRuns(question)) tell(news)
})
