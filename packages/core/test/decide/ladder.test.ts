// Decisions at every threshold of a ladder, against a loop over the rows.

import { describe, expect, it } from 'vitest'
import { bestThreshold, decisionLadder, factsAt, THRESHOLDS } from '../../src/decide/ladder.ts'
import { fit, makeTable, type Table } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'

const ROWS = 600

function drawTable(): Table {
  const random = makeRandom(8)
  const group = Array.from({ length: ROWS }, () => 'ab'[random.integer(2)])
  const truth = group.map(() => 0.1 + 0.8 * random.next())
  return makeTable({
    group,
    old: truth.map(() => (random.integer(5) === 0 ? null : random.next() < 0.4)),
    score: truth.map((p, row) => (group[row] === 'a' ? p * 0.6 : p)),
    y: truth.map(p => Number(random.next() < p)),
    w: truth.map(() => 1 + random.integer(3)),
  })
}

const numbers = (table: Table, name: string): ArrayLike<number> =>
  (table.columns.find(column => column.name === name) as { values: ArrayLike<number> }).values

describe('the ladder of thresholds', () => {
  it('has, at every threshold, what a loop over the rows counts, for everyone and for every value', async () => {
    const table = drawTable()
    const model = await fit(table, {
      ...{ label: 'y', prediction: 'score', weight: 'w', method: 'rounds', roundLimit: 2 },
      ...{ epsilon: 0.2, threads: 1, holdout: 0, stop: 'certificate' },
    })
    const ladder = await decisionLadder(model, table, { columns: ['group', 'old'] })
    const scores = { before: numbers(table, 'score'), after: model.predict(table) }
    const [y, w] = [numbers(table, 'y'), numbers(table, 'w')]
    const costs = { falsePositive: 1, falseNegative: 4 }
    expect(ladder.groups.map(({ column, value }) => [column, value])).toEqual([
      [undefined, undefined],
      ['group', 'a'],
      ['group', 'b'],
      ['old', 'false'],
      ['old', 'missing'],
      ['old', 'true'],
    ])
    const everyone = ladder.groups[0]
    expect(everyone.rowCount).toBe(ROWS)
    for (const side of ['before', 'after'] as const) {
      for (const rung of [0, 19, 49, 98]) {
        const sums = { all: 0, selected: 0, hits: 0, misses: 0, alarms: 0, positives: 0 }
        for (let row = 0; row < ROWS; row++) {
          const isSelected = scores[side][row] >= THRESHOLDS[rung]
          sums.all += w[row]
          sums.positives += w[row] * y[row]
          if (isSelected) sums.selected += w[row]
          if (isSelected) sums[y[row] === 1 ? 'hits' : 'alarms'] += w[row]
          else if (y[row] === 1) sums.misses += w[row]
        }
        const facts = factsAt(everyone[side], rung, costs)
        expect(facts.selected).toBeCloseTo(sums.selected / sums.all, 12)
        expect(facts.falsePositiveRate).toBeCloseTo(sums.alarms / (sums.all - sums.positives), 12)
        expect(facts.falseNegativeRate).toBeCloseTo(sums.misses / sums.positives, 12)
        expect(facts.netBenefit).toBeCloseTo((sums.hits - sums.alarms / 4) / sums.all, 12)
      }
      const parts = ladder.groups.filter(({ column }) => column === 'old')
      for (const [level, weight] of everyone[side].weights.entries())
        expect(parts.reduce((sum, group) => sum + group[side].weights[level], 0)).toBe(weight)
    }
  })

  it('has nothing to say of errors where one outcome is missing', () => {
    const sums = { weights: new Float64Array(100).fill(1), outcomes: new Float64Array(100) }
    const facts = factsAt(sums, 49, { falsePositive: 1, falseNegative: 1 })
    expect(facts).toMatchObject({ selected: 0.5, falsePositiveRate: 0.5, netBenefit: -0.5 })
    expect(facts.falseNegativeRate).toBeUndefined()
  })

  it('is best where both actions cost the same', () => {
    expect(bestThreshold({ falsePositive: 1, falseNegative: 4 })).toBe(0.2)
  })
})
