// How many rows are held out where nobody said how many: fewer where they are worth more for learning.

import { describe, expect, it } from 'vitest'
import { type FitOptions, fit, type TableSource, tableFromRows } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'

const random = makeRandom(5)
const people = Array.from({ length: 10_000 }, (_, index) => {
  const score = random.next()
  return {
    age: random.integer(60),
    person: `p${index >> 1}`,
    score,
    y: random.next() < score ** 2 ? 1 : 0,
  }
})
/** A method that takes no time. */
const base: FitOptions = { label: 'y', prediction: 'score', except: ['person'], method: 'platt' }
const fitTo = (count: number, options: Partial<FitOptions> = {}) =>
  fit(tableFromRows(people.slice(0, count)), { ...base, ...options })
const shareOf = async (count: number, options?: Partial<FitOptions>) =>
  (await fitTo(count, options)).data.roles.holdout?.fraction

describe('the share of rows held out by default', () => {
  it('is a twentieth of few rows, and a tenth of fewer or more', async () => {
    expect(await shareOf(1999)).toBe(0.1)
    expect(await shareOf(2000)).toBe(0.05)
    expect(await shareOf(9999)).toBe(0.05)
    expect(await shareOf(10_000)).toBe(0.1)
  })

  it('counts ids where rows have ids, and one for all copies of a row', async () => {
    expect(await shareOf(3000, { except: [], groupBy: 'person' })).toBe(0.1)
    expect(await shareOf(4000, { except: [], groupBy: 'person' })).toBe(0.05)
    const twice = tableFromRows([...people.slice(0, 1500), ...people.slice(0, 1500)])
    expect((await fit(twice, base)).data.roles.holdout?.fraction).toBe(0.1)
    expect((await fit(twice, { ...base, copies: 'independent' })).data.roles.holdout?.fraction).toBe(0.05)
  })

  it('is what was asked for where it was, also where that is the usual one', async () => {
    expect(await shareOf(3000, { holdout: 0.1 })).toBe(0.1)
    expect(await shareOf(3000, { holdout: 0 })).toBeUndefined()
  })

  it('stays a tenth for rounds, which held-out rows stop', async () => {
    expect(await shareOf(2500, { method: 'rounds', roundLimit: 1 })).toBe(0.1)
  })

  it('is that of the rows that are held out and certified', async () => {
    const { fitWeight, holdoutWeight = 0, split } = (await fitTo(4000)).certificate.rows
    expect(split).toMatchObject({ fraction: 0.05 })
    expect(fitWeight + holdoutWeight).toBe(4000)
    expect(holdoutWeight).toBeGreaterThan(140)
    expect(holdoutWeight).toBeLessThan(260)
  })

  it('gives the same model from rows in chunks, byte for byte', async () => {
    const rows = people.slice(0, 2400)
    const source: TableSource = {
      async *chunks() {
        for (let from = 0; from < rows.length; from += 700) yield tableFromRows(rows.slice(from, from + 700))
      },
    }
    expect((await fit(source, base)).toText()).toBe((await fitTo(2400)).toText())
  })
})
