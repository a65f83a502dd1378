// The worker's side: one shard, answering messages in turn. Bundled into worker.generated.ts as one script.

import { failureOf, listen } from '../../common/port.ts'
import { type Envelope, makeResponder, transfersOf } from './messages.ts'

const respond = makeResponder()
listen<Envelope>(({ id, question, spares }, post) => {
  try {
    const answer = respond(question, spares)
    post({ id, answer }, transfersOf(answer))
  } catch (error) {
    post({ id, failure: failureOf(error) }, [])
  }
})
