// What a certificate says of protected groups, counted anew from the rows.

import { expect, it } from 'vitest'
import { fit, tableFromRows } from '../../src/index.ts'

/** Group c has fitting rows alone, and group d held-out rows alone. */
const rows = Array.from({ length: 400 }, (_, row) => {
  const group = row < 20 ? 'c' : row < 40 ? 'd' : 'ab'[row % 2]
  const fold = group === 'c' || (group !== 'd' && row % 3 > 0) ? 'fit' : 'holdout'
  const score = 0.2 + 0.1 * (row % 5)
  return { group, fold, score, y: Number(((row * 7919) % 100) / 100 < score), age: row }
})

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

it('says of each group how far off it is on both sides, and bounds it where rows are held out', async () => {
  const table = tableFromRows(rows)
  const model = await fit(table, {
    ...{ label: 'y', prediction: 'score', fold: 'fold', protect: ['group'], features: ['group', 'age'] },
    ...{ method: 'platt', threads: 1, copies: 'independent' },
  })
  const predictions = model.predict(table)
  const gapIn = (group: string, fold: string) =>
    mean(
      rows.flatMap((row, index) =>
        row.group === group && row.fold === fold ? [row.y - predictions[index]] : [],
      ),
    )
  const countIn = (group: string, fold: string) =>
    rows.filter(row => row.group === group && row.fold === fold).length
  const told = model.certificate.protected!
  expect(told.map(({ group }) => group)).toEqual(['group = a', 'group = b', 'group = c'])
  for (const { gap, group, heldOut, weight } of told) {
    const name = group.at(-1)!
    expect(weight).toBe(countIn(name, 'fit'))
    expect(gap).toBeCloseTo(gapIn(name, 'fit'), 6)
    if (name === 'c') {
      expect(heldOut).toBeUndefined()
      continue
    }
    expect(heldOut!.weight).toBe(countIn(name, 'holdout'))
    expect(heldOut!.gap).toBeCloseTo(gapIn(name, 'holdout'), 6)
    expect(heldOut!.bound).toBeGreaterThan(Math.abs(heldOut!.gap))
  }
})
