// Rows that stay where they are: a store answers with a profile, an encoding and an engine of sums.

import { describe, expect, it } from 'vitest'
import { fit, type RowStore, referenceEngine, type Table, verify } from '../../src/index.ts'
import { storeOf } from '../../src/store/store.ts'
import { makePopulation } from '../evidence/population.ts'
import { failureOf } from '../support/failure.ts'
import { passOn } from '../support/passOn.ts'

/** Its engine gives no row away. */
function distantStore(table: Table): RowStore {
  return storeOf(table, async rows => {
    const { sample: _, snapshot: __, ...sums } = passOn(await referenceEngine(rows))
    return { ...sums, name: 'distant' }
  })
}

describe('a store', () => {
  const table = makePopulation({ rows: 800 })
  const roles = { label: 'y', prediction: 'score', except: ['fold'], holdout: 0.25 }

  it('gives the model that its rows give, by sums alone', async () => {
    const options = { ...roles, method: 'rounds' } as const
    const model = await fit(distantStore(table), options)
    expect(model.hash).toBe((await fit(table, options)).hash)
    expect((await verify(model, distantStore(table))).matches).toBe(true)
  })

  it('refuses methods that learn from rows, by name, and says what to do', async () => {
    for (const method of ['forest-rounds', 'forest', 'mcgrad', 'isotonic'] as const) {
      const failure = await failureOf(fit(distantStore(table), { ...roles, method }))
      expect(failure.code).toBe('FB_ENGINE_ROWS')
      expect(failure.message).toContain(`"${method}"`)
      expect(failure.message).toContain('method "rounds"')
    }
  })

  it('has the checksum of the engine that it opens', async () => {
    const profile = await distantStore(table).profile({ label: 'y', prediction: 'score', except: ['fold'] })
    const { encoding } = (await fit(table, { ...roles, method: 'rounds', roundLimit: 0 })).data
    const engine = await profile.open(encoding)
    expect(await profile.fingerprint(encoding)).toBe(await engine.fingerprint())
    await engine.close()
  })
})
