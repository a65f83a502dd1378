// The memory engine for commands. Few rows are counted without threads, and then nothing ever lets the event loop turn:
// Ctrl-C would wait for the end of the work. So every question to the engine waits for one turn first.

import { setImmediate } from 'node:timers/promises'
import { type Engine, type MakeEngine, type MemoryOptions, memoryEngine } from '@featureboost/core'

export function interruptibleEngine(
  options: Pick<MemoryOptions, 'onWarning' | 'signal'> & { readonly threads?: number | undefined },
): MakeEngine {
  const { threads, ...rest } = options
  const make = memoryEngine({ ...rest, ...(threads !== undefined && { mostThreads: threads }) })
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
        await setImmediate()
        return await value.apply(target, asked)
      }
    },
  })
}
