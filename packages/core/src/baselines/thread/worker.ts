// A baseline in a thread of its own. Bundled into worker.generated.ts as one script.

import { serveTask } from '../../common/task.ts'
import type { Update } from '../../update/update.ts'
import { answerBaseline, type BaselineQuestion } from './answer.ts'

serveTask<BaselineQuestion, number, readonly Update[]>((question, tell) =>
  answerBaseline(question, { onRound: tell }),
)
