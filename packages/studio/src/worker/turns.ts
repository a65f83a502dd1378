// One turn of a worker's event loop, in which messages come in. setTimeout would wait for milliseconds.

const waiting: (() => void)[] = []
const channel = new MessageChannel()
channel.port1.onmessage = () => waiting.shift()?.()

export const turn = (): Promise<void> =>
  new Promise(resolve => {
    waiting.push(resolve)
    channel.port2.postMessage(undefined)
  })
