// What a certificate says of protected groups, counted anew from the rows.

import { expect, it } from 'vitest'
import { certifyProtected } from '../../src/certify/protectedGroups.ts'
import { limitAbove, priorFrom, type RowEvidence } from '../../src/certify/rowEvidence.ts'
import { ONE } from '../../src/common/units.ts'
import type { EngineRows } from '../../src/engine/engine.ts'
import { fit, referenceEngine, tableFromRows } from '../../src/index.ts'
import type { FeatureSchema } from '../../src/quantize/schema.ts'

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

interface Held {
  readonly flag: 0 | 1
  readonly score: number
  readonly label: number
  readonly weight: number
  readonly fold: 0 | 1
}

const FLAG: FeatureSchema = { name: 'flag', kind: 'boolean', missing: false }

const rowsOf = (rows: readonly Held[]): EngineRows => ({
  rowCount: rows.length,
  bins: [Uint8Array.from(rows, row => row.flag)],
  ...{ binCounts: [3], coarseOf: [Uint8Array.of(0, 1, 2)], coarseCounts: [3], signals: [] },
  label: Int32Array.from(rows, row => row.label * ONE),
  start: Int32Array.from(rows, row => row.score * ONE),
  weight: Int32Array.from(rows, row => row.weight),
  fold: Uint8Array.from(rows, row => row.fold),
})
const engineOf = (rows: readonly Held[]) => referenceEngine(rowsOf(rows))

/** Scores in the middle of a level of 1/64, and below the first and in the last. */
const SCORES = [0, 20.5 / 64, 40.5 / 64, 1]
const held = (weightOf: (row: number) => number): Held[] =>
  Array.from({ length: 1200 }, (_, row) => ({
    flag: row % 3 === 0 ? 1 : 0,
    score: SCORES[row % 4],
    label: (row * 7) % 10 < (row % 3 === 0 ? 6 : 4) ? 1 : 0,
    weight: weightOf(row),
    fold: row % 5 < 3 ? 0 : 1,
  }))

/** (y - f)^2 with f as far off as its level of 1/64 allows: a label of 1 from the lower end, of 0 from the upper. */
const squareAtMost = ({ label, score }: Held) => {
  const level = Math.min(63, Math.floor(score * 64))
  return label === 1 ? (1 - level / 64) ** 2 : ((level + 1) / 64) ** 2
}
const sum = (rows: readonly Held[], of: (row: Held) => number) =>
  rows.reduce((total, row) => total + row.weight * of(row), 0)
const CLAIM = { confidence: 0.9, candidates: 3 }

function evidence(
  own: readonly Held[],
  all: readonly Held[],
  largestWeight: number,
  equal: boolean,
): RowEvidence {
  const weight = sum(own, () => 1)
  const share = weight / sum(all, () => 1)
  return {
    units: {
      ...{ rows: all.length * share, count: all.length * share, weight, largestWeight },
      squaredWeight: Math.min(
        largestWeight * weight,
        all.reduce((total, row) => total + row.weight ** 2, 0),
      ),
    },
    equal,
    meanSquare: Math.min(1, Math.ceil((sum(own, squareAtMost) / weight) * 1e9) / 1e9),
  }
}

it('bounds the gap of a group by one mean of its held-out rows, all groups and candidates paid for', async () => {
  const cases = [
    { rows: held(() => 1), largest: 1, equal: true },
    { rows: held(row => 1 + (row % 7 === 0 ? 2 : 0)), largest: 3, equal: false },
    // The fitting rows are heavier than the held-out ones.
    { rows: held(row => (row % 5 < 3 ? 2 : 1)), largest: 2, equal: false },
  ]
  for (const { equal, largest, rows } of cases) {
    const told = await certifyProtected(engineOf(rows), ['flag'], [FLAG], CLAIM)
    expect(told).toHaveLength(2)
    const [fitting, heldOut] = [0, 1].map(fold => rows.filter(row => row.fold === fold))
    told.forEach((group, index) => {
      const [own, ownFit] = [heldOut, fitting].map(all => all.filter(row => row.flag === index))
      const gap = sum(own, row => row.label - row.score) / sum(own, () => 1)
      expect(group.heldOut!.weight).toBe(sum(own, () => 1))
      expect(group.heldOut!.gap).toBeCloseTo(gap, 7)
      const [within, expected] = [
        evidence(own, heldOut, largest, equal),
        evidence(ownFit, fitting, largest, equal || largest === 2),
      ]
      const share = sum(ownFit, () => 1) / sum(fitting, () => 1)
      const count = equal ? within.units.count : heldOut.length * share
      const prior = priorFrom(expected, { ...within.units, count })
      const bound = limitAbove({ ...within, prior }, Math.abs(gap), 0.1 / 3 / 2)
      expect(group.heldOut!.bound).toBeCloseTo(bound, 7)
      expect(bound).toBeLessThan(1)
      expect(bound).toBeGreaterThan(Math.abs(gap))
    })
  }
})

it('does not take ids of several rows for equal units within a group', async () => {
  const rows = held(() => 1)
  const [fit, heldOut] = [0, 1].map(fold => rows.filter(row => row.fold === fold).length)
  const units = [fit, heldOut].map(count => ({
    ...{ rows: count, count: count / 2, weight: count, largestWeight: 2, squaredWeight: 2 * count },
  }))
  const apart = await certifyProtected(engineOf(rows), ['flag'], [FLAG], CLAIM)
  const ids = await certifyProtected(referenceEngine({ ...rowsOf(rows), units }), ['flag'], [FLAG], CLAIM)
  for (const [index, { heldOut }] of ids.entries())
    expect(heldOut!.bound).toBeGreaterThan(apart[index].heldOut!.bound)
})

it('tells of a group of one row, and is silent on new rows where none are held out', async () => {
  const rows = held(() => 1)
  const one = rows.map((row, index): Held => ({ ...row, flag: index === 0 ? 1 : 0 }))
  const told = await certifyProtected(engineOf(one), ['flag'], [FLAG], CLAIM)
  expect(told.map(({ heldOut, weight }) => [weight, heldOut === undefined])).toEqual(
    expect.arrayContaining([[1, true]]),
  )
  const shared = rows.map((row, index): Held => ({ ...row, flag: index === 0 || index === 3 ? 1 : 0 }))
  const bounded = await certifyProtected(engineOf(shared), ['flag'], [FLAG], CLAIM)
  expect(bounded.find(({ weight }) => weight === 1)!.heldOut).toMatchObject({ weight: 1 })
  const { fold: _, ...fitOnly } = rowsOf(rows)
  for (const group of await certifyProtected(referenceEngine(fitOnly), ['flag'], [FLAG], CLAIM))
    expect(group).not.toHaveProperty('heldOut')
})
