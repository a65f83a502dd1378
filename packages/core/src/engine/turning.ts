// An engine that lets others have a turn. Few rows are counted without threads, and then nothing ever lets the event loop
// turn: a wish to stop would wait for the end of the work. So every question waits for one turn first.

import type { Engine, MakeEngine } from './engine.ts'

/** `turn` ends when the event loop has gone round. */
export function turningEngine(make: MakeEngine, turn: () => Promise<unknown>): MakeEngine {
  return async rows => turning(await make(rows), turn)
}

/** Turns come in the order of the questions, so the answers are those of the engine itself. */
function turning(engine: Engine, turn: () => Promise<unknown>): Engine {
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
