import { describe, expect, it } from 'vitest'
import {
  type FitOptions,
  fit,
  functions,
  linear,
  memoryEngine,
  referenceEngine,
  type TableSource,
  tableFromRows,
  trees,
  verify,
} from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { failureOf } from '../support/failure.ts'

const random = makeRandom(11)
const rows = Array.from({ length: 700 }, (_, index) => {
  const score = random.next()
  return {
    age: random.next() < 0.1 ? null : random.integer(60),
    region: 'nesw'[random.integer(4)],
    member: random.next() < 0.5,
    person: `p${index >> 2}`,
    weight: random.integer(3) / 2 + 0.5,
    score,
    y: random.next() < score ** 2 ? 1 : 0,
  }
})
const inChunks = (size: number): TableSource => ({
  async *chunks() {
    for (let from = 0; from < rows.length; from += size) yield tableFromRows(rows.slice(from, from + size))
  },
})

const base: FitOptions = {
  label: 'y',
  prediction: 'score',
  except: ['person', 'weight'],
  epsilon: 0.2,
  method: 'rounds',
  roundLimit: 4,
}
const cases: [string, FitOptions][] = [
  ['the defaults', base],
  ['weights', { ...base, weight: 'weight', except: ['person'] }],
  [
    'no prediction',
    { ...base, except: ['person', 'weight', 'score'], prediction: undefined } as unknown as FitOptions,
  ],
  ['a split by id', { ...base, except: ['weight'], groupBy: 'person' }],
  ['linear auditors', { ...base, auditors: linear(), stop: 'certificate' }],
  ['functions', { ...base, auditors: functions({ old: row => (Number(row.age) > 40 ? 1 : -1) }) }],
  ['greedy trees', { ...base, auditors: trees({ depth: 3 }) }],
]

describe('a fit to rows that come in chunks', () => {
  it.each(cases)('gives the model of the table, byte for byte: %s', async (_, options) => {
    const expected = (await fit(tableFromRows(rows), options)).toText()
    for (const size of [1, 64, 333, 5000]) {
      expect((await fit(inChunks(size), options)).toText()).toBe(expected)
    }
    expect((await fit(inChunks(100), { ...options, engine: referenceEngine })).toText()).toBe(expected)
    const engine = memoryEngine({ threads: 2, chunkRows: 50 })
    expect((await fit(inChunks(100), { ...options, engine })).toText()).toBe(expected)
  })

  it('is verified from chunks, too', async () => {
    const model = await fit(inChunks(90), { ...base, except: ['weight'], groupBy: 'person' })
    expect((await verify(model, inChunks(41))).matches).toBe(true)
    expect((await verify(model, tableFromRows(rows))).matches).toBe(true)
    expect((await verify(model, tableFromRows(rows.slice(1)))).matches).toBe(false)
  })

  it('ends with the error of a source that fails', async () => {
    let reading = 0
    const failing: TableSource = {
      async *chunks() {
        yield* [tableFromRows(rows)]
        if (reading++ > 0) throw new RangeError('the disk is gone')
      },
    }
    await expect(fit(failing, base)).rejects.toThrow('the disk is gone')
  })

  it('refuses groupBy where nothing is held out', async () => {
    const error = await failureOf(
      fit(inChunks(50), { ...base, method: 'rounds', stop: 'certificate', groupBy: 'person' }),
    )
    expect(error.message).toContain('groupBy says how rows are held out, and none are.')
  })
})
