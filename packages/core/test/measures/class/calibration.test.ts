import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groups, trees } from '../../../src/classes/auditors.ts'
import { FIT, HOLDOUT } from '../../../src/engine/engine.ts'
import {
  calibrationError,
  continuousCalibrationError,
  continuousMulticalibrationError,
} from '../../../src/measures/class/calibration.ts'
import { multicalibrationError } from '../../../src/measures/class/multicalibration.ts'
import { scoreMeasures } from '../../../src/measures/score/scoreMeasures.ts'
import { discretize } from '../../../src/round/discretize.ts'
import { countedRows, levelOfRow, range, sum, totalWeight } from '../../support/bruteForce.ts'
import { expectAtMost, expectClose } from '../../support/close.ts'
import { prepare, tablesArbitrary } from '../../support/tables.ts'

const anyBins = fc.integer({ min: 1, max: 12 })

describe('the calibration error', () => {
  it('is the sum over bins of |E[(y - v_S) 1(f in S)]|', async () => {
    const fold = fc.constantFrom(FIT, HOLDOUT)
    const property = fc.asyncProperty(
      tablesArbitrary({ folds: true }),
      anyBins,
      fold,
      async (table, bins, fold) => {
        const prepared = prepare(table, trees(), 'table')
        const rounding = await discretize(prepared.engine, bins)
        const rows = await countedRows(prepared, fold)
        const parts = range(bins).map(bin => {
          const within = rows.filter(row => levelOfRow(row, bins) === bin)
          return Math.abs(sum(within.map(row => row.weight * (row.label - rounding.values[bin] / 2 ** 24))))
        })
        expectClose(await calibrationError(prepared.engine, rounding, fold), sum(parts) / totalWeight(rows))
      },
    )
    await fc.assert(property)
  })

  it('is at most the multicalibration error, since everyone is a group', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyBins, async (table, bins) => {
      const { compiled, engine } = prepare(table, groups(['member']), 'table')
      const rounding = await discretize(engine, bins)
      const scope = { fold: FIT, cellBudget: 1e6 }
      const { error } = await multicalibrationError(engine, compiled, rounding, scope)
      expectAtMost(await calibrationError(engine, rounding, FIT), error)
    })
    await fc.assert(property)
  })
})

describe('the continuous calibration error', () => {
  it('conditions on equal predictions', () => {
    // At 0.5: labels 1 and 0 cancel. At 0.25: 0.75 too low. At 1: 1 too high.
    expect(continuousCalibrationError([0.5, 0.25, 0.5, 1], [1, 1, 0, 0])).toBe((0.75 + 1) / 4)
  })

  it('counts a weight of two like the row twice', () => {
    const row = fc.record({
      prediction: fc.integer({ min: 0, max: 4 }).map(fourths => fourths / 4),
      label: fc.constantFrom(0, 1),
      weight: fc.integer({ min: 1, max: 3 }),
    })
    const property = fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), rows => {
      const copies = rows.flatMap(each => new Array<typeof each>(each.weight).fill(each))
      const weighted = continuousCalibrationError(
        rows.map(({ prediction }) => prediction),
        rows.map(({ label }) => label),
        rows.map(({ weight }) => weight),
      )
      const repeated = continuousCalibrationError(
        copies.map(({ prediction }) => prediction),
        copies.map(({ label }) => label),
      )
      expect(weighted).toBe(repeated)
    })
    fc.assert(property)
  })

  it('is the sum of |E[(y - r) 1(f = r)]| over the predictions r', () => {
    const value = fc.integer({ min: 0, max: 6 }).map(sixths => sixths / 6)
    const property = fc.property(fc.array(fc.tuple(value, value), { minLength: 1 }), rows => {
      const parts = [...new Set(rows.map(([prediction]) => prediction))].map(at =>
        Math.abs(sum(rows.map(([prediction, label]) => (prediction === at ? label - at : 0)))),
      )
      const predictions = rows.map(([prediction]) => prediction)
      const labels = rows.map(([, label]) => label)
      expectClose(continuousCalibrationError(predictions, labels), sum(parts) / rows.length)
    })
    fc.assert(property)
  })

  it('jumps when equal predictions are moved apart by next to nothing', () => {
    expect(continuousCalibrationError([0.5, 0.5], [0, 1])).toBe(0)
    expect(continuousCalibrationError([0.5, 0.5 + 2 ** -40], [0, 1])).toBeCloseTo(0.5, 9)
  })
})

describe('the continuous multicalibration error', () => {
  const row = fc.record({
    prediction: fc.integer({ min: 0, max: 6 }).map(sixths => sixths / 6),
    label: fc.constantFrom(0, 1),
    weight: fc.integer({ min: 1, max: 3 }),
    values: fc.array(fc.constantFrom(-1, -0.5, 0, 1), { minLength: 2, maxLength: 2 }),
  })
  const rowsArbitrary = fc.array(row, { minLength: 1, maxLength: 20 })

  it('is the largest over the auditors of the sum over distinct predictions, and that of everyone for b = 1', () => {
    const property = fc.property(rowsArbitrary, rows => {
      const [predictions, labels, weights] = [
        rows.map(each => each.prediction),
        rows.map(each => each.label),
        rows.map(each => each.weight),
      ]
      const auditors = [0, 1].map(index => rows.map(each => each.values[index]))
      const errors = auditors.map(values =>
        sum(
          [...new Set(predictions)].map(prediction => {
            const at = range(rows.length).filter(index => predictions[index] === prediction)
            return Math.abs(sum(at.map(i => weights[i] * values[i] * (labels[i] - prediction))))
          }),
        ),
      )
      const found = continuousMulticalibrationError(predictions, labels, auditors, weights)
      expectClose(found.error, Math.max(...errors) / sum(weights))
      const everyone = continuousMulticalibrationError(predictions, labels, [rows.map(() => 1)], weights)
      expect(everyone.error).toBe(continuousCalibrationError(predictions, labels, weights))
      // No auditor with values in [-1,1] leaves the two ends that a score's measures state.
      const { atLeast, atMost } = scoreMeasures({ predictions, labels, weights }).continuousMulticalibration
      expectClose(atLeast, everyone.error)
      expectAtMost(found.error, atMost)
    })
    fc.assert(property, { numRuns: 50 })
  })

  it('reaches its upper end by auditors that know the outcome, and always where all predictions differ', () => {
    const [predictions, labels] = [
      [0.5, 0.5, 0.25],
      [1, 0, 1],
    ]
    const { atLeast, atMost } = scoreMeasures({ predictions, labels }).continuousMulticalibration
    expectClose(atLeast, 0.25)
    const knowing = continuousMulticalibrationError(predictions, labels, [[1, -1, 1]])
    expectClose(knowing.error, atMost)
    const apart = scoreMeasures({ predictions: [0.5, 0.4, 0.25], labels }).continuousMulticalibration
    expectClose(apart.atLeast, apart.atMost)
  })
})
