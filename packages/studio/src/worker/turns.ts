// An engine that lets messages in. Few rows are counted without threads, and then nothing ever lets the event loop turn: a
// wish to stop would wait for the end of the work. So every question to the engine waits for one turn first.

import { type Engine, type MakeEngine, memoryEngine } from '@featureboost/core'

export function turningEngine(options: Parameters<typeof memoryEngine>[0]): MakeEngine {
  const make = memoryEngine(options)
  return async rows => turning(await make(rows))
}

/** Turns come in the order of the questions, so the answers are those of the engine itself. */
function turning(engine: Engine): Engine {
  return new Proxy(engine, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      // Nobody waits for these two: what is released must be free at once, and closing must not be put off.
      if (key === 'release' || key === 'close') return value.bind(target)
      return async (...asked: unknown[]) => {
        await turn()
        return await value.apply(target, asked)
      }
    },
  })
}

const waiting: (() => void)[] = []
const channel = new MessageChannel()
channel.port1.onmessage = () => waiting.shift()?.()

/** setTimeout would wait for milliseconds. */
export const turn = (): Promise<void> =>
  new Promise(resolve => {
    waiting.push(resolve)
    channel.port2.postMessage(undefined)
  })
