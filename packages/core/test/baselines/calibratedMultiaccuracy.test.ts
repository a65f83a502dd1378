// Calibrated multiaccuracy: both errors, by enumeration, and what every step gains.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { alternate, calibratedMultiaccuracy } from '../../src/baselines/calibratedMultiaccuracy.ts'
import type { TableUpdate } from '../../src/update/update.ts'
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

/** Rounding to units, in means. */
const ROUNDING = 1e-6

const alphas = fc.constantFrom(0.005, 0.02, 0.1)

/** |E[b(x) (y - p)]| for b = 1 or -1 on either side of every split and every group. */
function multiaccuracyErrors(rows: BaselineRows, p: Int32Array): number[] {
  const missing = (side: number[]) => Math.abs(weigh(rows, side, row => (rows.label[row] - p[row]) / ONE))
  const sides = [...splitSides(rows), ...groupSides(rows)].map(missing)
  return sides.flatMap((side, index) => (index % 2 === 0 ? [(side + sides[index + 1]) / totalOf(rows)] : []))
}

function calibrationError(rows: BaselineRows, p: Int32Array, bins: number): number {
  const gaps = Array.from({ length: bins }, (_, bin) => {
    const members = everyRow(rows).filter(
      row => Math.min(bins - 1, Math.floor((p[row] * bins) / ONE)) === bin,
    )
    return Math.abs(weigh(rows, members, row => (rows.label[row] - p[row]) / ONE))
  })
  return gaps.reduce((sum, gap) => sum + gap, 0) / totalOf(rows)
}

describe('calibrated multiaccuracy', () => {
  it('ends with both errors within alpha, for every group and every split of a column', () => {
    fc.assert(
      fc.property(populationArbitrary(80), alphas, fc.constantFrom(1, 5, 10), (kind, alpha, bins) => {
        const rows = drawPopulation(kind)
        const { predictions } = alternate(rows, { seed: 1, bins }, alpha)
        expect(Math.max(...multiaccuracyErrors(rows, predictions))).toBeLessThanOrEqual(alpha + 1e-12)
        expect(calibrationError(rows, predictions, bins)).toBeLessThanOrEqual(alpha + 1e-12)
      }),
      { numRuns: 50 },
    )
  })

  it('lowers the mean squared error by alpha squared in every step, so that there are few', () => {
    let steps = 0
    fc.assert(
      fc.property(populationArbitrary(120), alphas, (kind, alpha) => {
        const rows = drawPopulation(kind)
        const { updates } = alternate(rows, { seed: 1 }, alpha)
        const errors = statesOf(rows, updates).map(p => squaredError(rows, p) / totalOf(rows))
        for (let step = 1; step < errors.length; step++) {
          expect(errors[step - 1] - errors[step]).toBeGreaterThanOrEqual(alpha ** 2 - ROUNDING)
        }
        expect(updates.length).toBeLessThanOrEqual(errors[0] / (alpha ** 2 - ROUNDING))
        steps += updates.length
      }),
      { numRuns: 40 },
    )
    expect(steps).toBeGreaterThan(100)
  })

  it('corrects a declared group that no split of a column shows', () => {
    const rows = hiddenGroup()
    expect(alternate({ ...rows, groups: [] }, { seed: 1 }).updates).toEqual([])
    const { predictions } = alternate(rows, { seed: 1 })
    const inside = everyRow(rows).filter(row => rows.groups[0].member[row] === 1)
    const missing = weigh(rows, inside, row => rows.label[row] - predictions[row])
    expect(Math.abs(missing) / ONE).toBeLessThanOrEqual(0.01 * rows.rowCount)
  })

  it('takes steps of both kinds, and shifts a bin without making its predictions equal', () => {
    const rows = drawPopulation({ rowCount: 1500, seed: 3, weighted: false, steps: 0 })
    const updates = calibratedMultiaccuracy.run(rows, { seed: 1 }) as TableUpdate[]
    expect(new Set(updates.map(({ levels }) => levels))).toEqual(new Set([1, 10]))
    expect(new Set(predictionsOf(rows, updates)).size).toBeGreaterThan(1000)
  })

  it('has a model that predicts its own state, and stops after the rounds it is given', () => {
    fc.assert(
      fc.property(populationArbitrary(100), fc.nat(5), (kind, roundLimit) => {
        const rows = drawPopulation(kind)
        const rounds: number[] = []
        const settings = { seed: 1, roundLimit, onRound: (round: number) => rounds.push(round) }
        const { predictions, updates } = alternate(rows, settings)
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
        const { updates } = alternate(rows, { seed: 1 })
        expect(alternate(takeRows(rows, shuffled(everyRow(rows))), { seed: 2 }).updates).toEqual(updates)
        expect(alternate(repeatRows(rows), { seed: 1 }).updates).toEqual(updates)
      }),
      { numRuns: 20 },
    )
  })
})
