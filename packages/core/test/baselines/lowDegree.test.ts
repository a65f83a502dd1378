// Low-degree multicalibration: all moments, by enumeration, and what every step gains.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { correctMoments, lowDegree } from '../../src/baselines/lowDegree.ts'
import { fitPolynomials, residualMoments } from '../../src/baselines/regressions/polynomials.ts'
import type { PolynomialUpdate } from '../../src/update/update.ts'
import {
  drawPopulation,
  everyRow,
  groupSides,
  hiddenGroup,
  ONE,
  populationArbitrary,
  repeatRows,
  splitSides,
  squaredError,
  statesOf,
  takeRows,
  totalOf,
  weigh,
} from './populations.ts'
import { predictionsOf, shuffled } from './rows.ts'

/** Powers and moves are rounded to units, a few times a row. */
const ROUNDING = 1e-6

const demands = fc.record({
  alpha: fc.constantFrom(0.005, 0.02, 0.1),
  degree: fc.integer({ min: 1, max: 4 }),
})

/** |E[c(x) u^k (y - u)]| for c = 1 or -1 on either side of every split and every group, and k up to the degree. */
function momentErrors(rows: BaselineRows, p: Int32Array, degree: number): number[] {
  const sides = [...splitSides(rows), ...groupSides(rows)]
  return Array.from({ length: degree + 1 }, (_, power) => {
    const moments = sides.map(side =>
      weigh(rows, side, row => ((p[row] / ONE) ** power * (rows.label[row] - p[row])) / ONE),
    )
    return moments.flatMap((moment, index) =>
      index % 2 === 0 ? [(Math.abs(moment) + Math.abs(moments[index + 1])) / totalOf(rows)] : [],
    )
  }).flat()
}

describe('low-degree multicalibration', () => {
  it('ends with every moment of every group and every split within alpha', () => {
    fc.assert(
      fc.property(populationArbitrary(60), demands, (kind, demand) => {
        const rows = drawPopulation(kind)
        const { predictions } = correctMoments(rows, { seed: 1 }, demand)
        const worst = Math.max(...momentErrors(rows, predictions, demand.degree))
        expect(worst).toBeLessThanOrEqual(demand.alpha + ROUNDING)
      }),
      { numRuns: 50 },
    )
  })

  it('lowers the mean squared error by alpha squared in every step, so that there are few', () => {
    let steps = 0
    fc.assert(
      fc.property(populationArbitrary(100), demands, (kind, demand) => {
        const rows = drawPopulation(kind)
        const { updates } = correctMoments(rows, { seed: 1 }, demand)
        const errors = statesOf(rows, updates).map(p => squaredError(rows, p) / totalOf(rows))
        const least = demand.alpha ** 2 - ROUNDING
        for (let step = 1; step < errors.length; step++) {
          expect(errors[step - 1] - errors[step]).toBeGreaterThanOrEqual(least)
        }
        expect(updates.length).toBeLessThanOrEqual(errors[0] / least)
        steps += updates.length
      }),
      { numRuns: 40 },
    )
    expect(steps).toBeGreaterThan(100)
  })

  it('moves by the best polynomial of every leaf, by least squares', () => {
    const rows = drawPopulation({ rowCount: 400, seed: 8, weighted: true, steps: 0 })
    // Away from 0 and 1, so that nothing is clipped.
    const towardsHalf = (column: Int32Array) => Int32Array.from(column, units => 0.25 * ONE + 0.5 * units)
    const middle = { ...rows, start: towardsHalf(rows.start), label: towardsHalf(rows.label) }
    const { tree } = rows.groups[3]
    const update = fitPolynomials(middle, middle.start, residualMoments(middle.label, middle.start, 2), tree)
    expect(update.values).toHaveLength(6)
    const moved = predictionsOf(middle, [update])
    expect(Math.min(...moved)).toBeGreaterThan(0)
    expect(Math.max(...moved)).toBeLessThan(ONE)
    // What is left does not correlate with any power of what was there, inside the group or outside.
    for (const inside of [1, 0]) {
      const members = everyRow(rows).filter(row => rows.groups[3].member[row] === inside)
      for (const power of [0, 1, 2]) {
        const left = weigh(
          middle,
          members,
          row => (middle.start[row] / ONE) ** power * (middle.label[row] - moved[row]),
        )
        expect(Math.abs(left) / ONE / totalOf(middle)).toBeLessThan(1e-5)
      }
    }
  })

  it('corrects a declared group that no split of a column shows', () => {
    const rows = hiddenGroup()
    expect(correctMoments({ ...rows, groups: [] }, { seed: 1 }).updates).toEqual([])
    const { updates } = correctMoments(rows, { seed: 1 })
    expect(updates.map(({ tree }) => tree)).toEqual([rows.groups[0].tree])
  })

  it('needs no tree to repair a score that bends away from the truth', () => {
    const rows = drawPopulation({ rowCount: 2000, seed: 10, weighted: false, steps: 0 })
    const updates = lowDegree.run(rows, { seed: 1 }) as PolynomialUpdate[]
    expect(updates.every(({ degree, kind }) => kind === 'polynomial' && degree === 2)).toBe(true)
    const p = predictionsOf(rows, updates)
    expect(Math.max(...momentErrors(rows, rows.start, 2))).toBeGreaterThan(0.05)
    expect(Math.max(...momentErrors(rows, p, 2))).toBeLessThanOrEqual(0.01 + ROUNDING)
  })

  it('has a model that predicts its own state, and stops after the rounds it is given', () => {
    fc.assert(
      fc.property(populationArbitrary(100), fc.nat(5), demands, (kind, roundLimit, demand) => {
        const rows = drawPopulation(kind)
        const rounds: number[] = []
        const settings = { seed: 1, roundLimit, onRound: (round: number) => rounds.push(round) }
        const { predictions, updates } = correctMoments(rows, settings, demand)
        expect(predictionsOf(rows, updates)).toEqual(predictions)
        expect(updates.length).toBeLessThanOrEqual(roundLimit)
        expect(rounds).toHaveLength(updates.length)
      }),
      { numRuns: 40 },
    )
  })

  it('depends neither on the order of rows nor on whether copies are weights', () => {
    fc.assert(
      fc.property(populationArbitrary(100), kind => {
        const rows = drawPopulation(kind)
        const { updates } = correctMoments(rows, { seed: 1 })
        expect(correctMoments(takeRows(rows, shuffled(everyRow(rows))), { seed: 2 }).updates).toEqual(updates)
        expect(correctMoments(repeatRows(rows), { seed: 1 }).updates).toEqual(updates)
      }),
      { numRuns: 20 },
    )
  })
})
