// The work of a search, planned before it starts: the same on every machine, whatever the clock says.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audit } from '../../../src/audit/audit.ts'
import { affordableDraws } from '../../../src/audit/worst/plan.ts'
import type { SearchProgress } from '../../../src/audit/worst/progress.ts'
import { makeRandom } from '../../../src/common/random.ts'
import { makeTable } from '../../../src/data/table.ts'

function makeRows(rowCount: number, gap: number) {
  const random = makeRandom(4)
  const draw = () => Array.from({ length: rowCount }, () => random.integer(12))
  const [a, b, c] = [draw(), draw(), draw()]
  const score = a.map(() => 0.1 + 0.7 * random.next())
  const y = score.map((chance, row) => Number(random.next() < chance + (a[row] > 7 && b[row] < 4 ? gap : 0)))
  return makeTable({ a, b, c, score, y })
}

const ROLES = { label: 'y', prediction: 'score' } as const

describe('the plan of a search', () => {
  it('has room for as many draws as the budget pays for, or for none where these would settle nothing', () => {
    const cost = fc.record({
      rank: fc.double({ min: 0, max: 100, noNaN: true }),
      draw: fc.double({ min: 1e-6, max: 1, noNaN: true }),
    })
    const options = fc.record({
      budget: fc.double({ min: 1, max: 1000, noNaN: true }),
      draws: fc.integer({ min: 0, max: 1000 }),
      significance: fc.constantFrom(0.001, 0.01, 0.05, 0.5),
    })
    fc.assert(
      fc.property(cost, options, (each, asked) => {
        const draws = affordableDraws(each, asked)
        expect(draws).toBeLessThanOrEqual(asked.draws)
        if (draws > 0) expect(each.rank + draws * each.draw).toBeLessThanOrEqual(asked.budget * (1 + 1e-9))
        // With so many draws, p-values can be as small as is asked for, unless no more were wanted.
        if (draws > 0 && draws < asked.draws) expect(1 / (draws + 1)).toBeLessThanOrEqual(asked.significance)
        const more = affordableDraws(each, { ...asked, budget: 2 * asked.budget })
        expect(more).toBeGreaterThanOrEqual(draws)
      }),
    )
  })

  it('is not noticed where there is room for everything', async () => {
    const table = makeRows(1500, 0)
    const found = await audit(table, ROLES)
    expect(found.significance.limited).toBeUndefined()
    expect(await audit(table, { ...ROLES, budget: 1000 })).toEqual(found)
  })

  it('says which draws there was no room for, and gives the same on any number of threads', async () => {
    const table = makeRows(1500, 0.3)
    const options = { ...ROLES, draws: 100_000, budget: 1 }
    const found = await audit(table, { ...options, significance: 1e-5 })
    expect(found.significance).toMatchObject({ draws: 0, limited: { budget: 1, draws: 0, of: 100_000 } })
    expect(found.significance.sentence).toContain(
      'A budget of 1 s has room for no draws of the noise that would settle anything, so p-values are union bounds.',
    )
    const calm = makeRows(1500, 0)
    const one = await audit(calm, { ...options, threads: 1 })
    const { limited, sentence } = one.significance
    expect(limited!.draws).toBeGreaterThan(99)
    expect(sentence).toContain(
      `has room for ${limited!.draws.toLocaleString('en-US')} of 100,000 draws of the noise.`,
    )
    for (const threads of [2, 4]) expect(await audit(calm, { ...options, threads })).toEqual(one)
  })

  it('refuses a budget that is no time at all', async () => {
    await expect(audit(makeRows(100, 0), { ...ROLES, budget: 0 })).rejects.toMatchObject({
      code: 'FB_OPTION_VALUE',
    })
  })

  it('tells how much of it is done', async () => {
    const told: SearchProgress[] = []
    const onProgress = (progress: SearchProgress) => void told.push(progress)
    // A group that is off a little, so that draws are needed and none of them reaches it soon.
    const { significance } = await audit(makeRows(3000, 0.1), { ...ROLES, draws: 30, onProgress })
    const pairs = told.filter(({ task }) => task === 'pairs of columns')
    expect(pairs.map(({ done, of }) => [done, of])).toEqual([1, 2, 3, 4, 5, 6].map(done => [done, 6]))
    const draws = told.filter(({ task }) => task === 'draws of the noise')
    expect(draws).toHaveLength(significance.draws)
    expect(draws.length).toBeGreaterThan(8)
    const shares = told.map(({ share }) => share)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBeLessThanOrEqual(1)
  })
})
