// An audit of rows that stay where they are: a store says what is needed of each, and the audit is that of a table.

import { describe, expect, it } from 'vitest'
import { openRows } from '../../src/data/openRows.ts'
import { audit, memoryEngine, type RowStore, tableFromRows } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { storeOf } from '../../src/store/store.ts'

const random = makeRandom(8)
const rows = Array.from({ length: 600 }, () => {
  const score = random.next()
  const city = ['Aachen', 'Bonn', 'Celle'][random.integer(3)]
  return {
    age: random.integer(40),
    city,
    score,
    y: Number(random.next() < score ** (city === 'Bonn' ? 2 : 1)),
  }
})
// No two are alike: copies would have weights.
const table = tableFromRows(rows)
const options = { label: 'y', prediction: 'score', bins: 4, draws: 19 }

/** A table, as a store that gives scores in another order, or none. */
function makeStore(givesScores: boolean): RowStore {
  const local = storeOf(table, memoryEngine({ threads: 1 }))
  return {
    async profile(roles, asked) {
      const profile = await local.profile(roles, asked)
      const { learnable } = await openRows(table, roles, { keyed: true })
      const scores = async () => ({
        learnable,
        predictions: Float64Array.from(rows.toReversed(), ({ score }) => score),
        labels: Float64Array.from(rows.toReversed(), ({ y }) => y),
      })
      return { ...profile, ...(givesScores && { scores }) }
    },
  }
}

describe('rows in a store', () => {
  it('are audited as the same rows in a table', async () => {
    expect(await audit(makeStore(true), options)).toEqual(await audit(table, options))
  })

  it('are refused where the store gives no scores, and for measures that need rows', async () => {
    await expect(audit(makeStore(false), options)).rejects.toThrow(
      /^FB_ENGINE_ROWS: an audit measures every score/,
    )
    await expect(audit(makeStore(true), { ...options, segmentDepth: 1 })).rejects.toThrow(
      /^FB_ENGINE_ROWS: the MCE/,
    )
  })
})
