// An engine that tells when it was closed, and which predictions it held then.

import { type MakeEngine, referenceEngine } from '../../src/index.ts'
import { passOn } from '../support/passOn.ts'

export interface Watch {
  made: number
  closed: number
  /** In units, as they were when the last engine was closed. */
  predictions: Int32Array
}

export function watchEngines(): { watch: Watch; engine: MakeEngine } {
  const watch: Watch = { made: 0, closed: 0, predictions: new Int32Array() }
  const engine: MakeEngine = async rows => {
    const inner = await referenceEngine(rows)
    watch.made++
    return {
      ...passOn(inner),
      name: 'watched',
      close: async () => {
        watch.closed++
        watch.predictions = await inner.snapshot()
        await inner.close()
      },
    }
  }
  return { watch, engine }
}
