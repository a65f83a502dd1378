// The worker's side: one shard, answering messages in turn. Bundled into worker.generated.ts as one script that runs in
// Node's worker threads and in browsers' classic workers alike.

import { type Envelope, failureOf, makeResponder, type Reply, transfersOf } from './messages.ts'

interface Port {
  postMessage(reply: Reply, transfer: ArrayBuffer[]): void
  listen(handle: (envelope: Envelope) => void): void
}

interface NodeGlobals {
  process?: { getBuiltinModule?(name: string): { parentPort: NodePort | null } }
}

interface NodePort {
  postMessage(reply: Reply, transfer: ArrayBuffer[]): void
  on(event: 'message', handle: (envelope: Envelope) => void): void
}

interface BrowserGlobals {
  postMessage(reply: Reply, transfer: ArrayBuffer[]): void
  onmessage: ((event: { data: Envelope }) => void) | null
}

function findPort(): Port {
  const nodePort = (globalThis as NodeGlobals).process?.getBuiltinModule?.('node:worker_threads').parentPort
  if (nodePort) {
    return {
      postMessage: (reply, transfer) => nodePort.postMessage(reply, transfer),
      listen: handle => nodePort.on('message', handle),
    }
  }
  const scope = globalThis as unknown as BrowserGlobals
  return {
    postMessage: (reply, transfer) => scope.postMessage(reply, transfer),
    listen: handle => {
      scope.onmessage = event => handle(event.data)
    },
  }
}

const port = findPort()
const respond = makeResponder()
port.listen(({ id, question, spares }) => {
  try {
    const answer = respond(question, spares)
    port.postMessage({ id, answer }, transfersOf(answer))
  } catch (error) {
    port.postMessage({ id, failure: failureOf(error) }, [])
  }
})
