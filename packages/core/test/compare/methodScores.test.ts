// Scores of the same rows: worst errors as means over rows, and what pairs of rows say of their differences.

import { describe, expect, it } from 'vitest'
import { readAuditSettings } from '../../src/audit/settings.ts'
import { ScoreBoard } from '../../src/compare/methodScores.ts'
import { groups, makeTable, type Table } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'

const ROWS = 2000

interface Drawn {
  readonly table: Table
  readonly truth: Float64Array
  readonly region: readonly string[]
  readonly weight: Float64Array
}

/** The score of the table is the truth. */
function draw(seed: number): Drawn {
  const random = makeRandom(seed)
  const truth = Float64Array.from({ length: ROWS }, () => 0.1 + 0.8 * random.next())
  const region = Array.from(truth, () => 'abc'[random.integer(3)])
  const weight = truth.map(() => random.integer(4) / 2)
  const age = truth.map(() => random.integer(60))
  const y = truth.map(p => Number(random.next() < p))
  return { table: makeTable({ age, region, weight, score: truth, y }), truth, region, weight }
}

const openBoard = (table: Table, more: object = {}) =>
  ScoreBoard.open(
    table,
    readAuditSettings({
      label: 'y',
      prediction: 'score',
      except: ['weight'],
      bins: 5,
      confidence: 0.975,
      ...more,
    }),
    0.95,
  )

describe('the shares of rows in the worst errors', () => {
  it.each([
    ['trees', {}],
    ['trees, with weights', { weight: 'weight', except: [] }],
    ['groups', { auditors: groups(['region', { column: 'age', atMost: 30 }]) }],
    ['groups, with weights', { auditors: groups(['region']), weight: 'weight', except: [] }],
  ])('average to the errors: %s', async (_, more) => {
    const { table, weight } = draw(1)
    const { shares, worst } = await (await openBoard(table, more)).add()
    const weights = 'weight' in more ? weight : weight.map(() => 1)
    const total = weights.reduce((sum, each) => sum + each, 0)
    for (const name of ['multicalibration', 'levelSet'] as const) {
      const mean = shares[name].reduce((sum, share, row) => sum + weights[row] * share, 0) / total
      // Labels and scores are rounded to units of 2^-24.
      expect(mean).toBeCloseTo(worst[name]!.value, 6)
      expect(mean).toBeGreaterThan(0)
    }
  })
})

describe('differences of worst errors', () => {
  it('are zero, for sure, between a score and itself', async () => {
    const board = await openBoard(draw(2).table)
    const score = await board.add()
    const { differences } = board.compare(score, score)
    for (const name of ['multicalibration', 'levelSet'] as const)
      expect(differences[name]).toEqual({ value: 0, low: 0, high: 0 })
  })

  it('tell a score that is wrong for a group from the truth, in both directions', async () => {
    const { region, table, truth } = draw(3)
    const board = await openBoard(table)
    const [right, wrong] = [
      await board.add(),
      await board.add(truth.map((p, row) => (region[row] === 'a' ? Math.max(0, p - 0.3) : p))),
    ]
    for (const name of ['multicalibration', 'levelSet'] as const) {
      expect(board.compare(wrong, right).differences[name]!.low).toBeGreaterThan(0)
      expect(board.compare(right, wrong).differences[name]!.high).toBeLessThan(0)
    }
  })

  it('of two scores that are equally wrong hold 0, but for chance', async () => {
    let misses = 0
    for (let seed = 10; seed < 40; seed++) {
      const { region, table, truth } = draw(seed)
      const board = await openBoard(table, { auditors: groups(['region']) })
      const off = (which: string) =>
        board.add(truth.map((p, row) => (region[row] === which ? Math.max(0, p - 0.1) : p)))
      const { high, low } = board.compare(await off('a'), await off('b')).differences.multicalibration!
      if (low > 0 || high < 0) misses++
    }
    // Of 30 intervals of 95 %; 6 or more miss once in 300 times.
    expect(misses).toBeLessThan(6)
  })
})
