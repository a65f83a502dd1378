import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trees } from '../../src/classes/auditors.ts'
import { discretize, roundUnits } from '../../src/round/discretize.ts'
import { countedRows, range, sum } from '../support/bruteForce.ts'
import { naiveLevel } from '../support/naive.ts'
import { prepare, tablesArbitrary } from '../support/tables.ts'

const ONE = 2 ** 24
const anyBins = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 1000 }))
const folded = tablesArbitrary({ folds: true })

describe('discretization', () => {
  it('turns every prediction into the mean prediction of its bin, over the fitting rows', async () => {
    const property = fc.asyncProperty(folded, anyBins, async (table, bins) => {
      const prepared = prepare(table, trees(), 'table')
      const rounding = await discretize(prepared.engine, bins)
      const rows = await countedRows(prepared)
      expect(rounding.bins).toBe(bins)
      expect(rounding.values.length).toBe(bins)
      for (const { prediction } of rows) {
        const units = prediction * ONE
        const level = naiveLevel(units, bins)
        const within = rows.filter(row => naiveLevel(row.prediction * ONE, bins) === level)
        const total = sum(within.map(row => row.weight * row.prediction * ONE))
        const weight = sum(within.map(row => row.weight))
        expect(Math.abs(roundUnits(rounding, units) - total / weight)).toBeLessThanOrEqual(0.5)
      }
    })
    await fc.assert(property)
  })

  it('keeps every value in its bin, so that rounding twice changes nothing', async () => {
    const property = fc.asyncProperty(folded, anyBins, async (table, bins) => {
      const rounding = await discretize(prepare(table, trees(), 'table').engine, bins)
      rounding.values.forEach((value, bin) => {
        expect(naiveLevel(value, bins)).toBe(bin)
        expect(roundUnits(rounding, value)).toBe(value)
      })
    })
    await fc.assert(property)
  })

  it('represents an empty bin by its middle', async () => {
    const property = fc.asyncProperty(folded, anyBins, async (table, bins) => {
      const prepared = prepare(table, trees(), 'table')
      const { values } = await discretize(prepared.engine, bins)
      const met = new Set((await countedRows(prepared)).map(row => naiveLevel(row.prediction * ONE, bins)))
      for (const bin of range(bins).filter(each => !met.has(each))) {
        expect(Math.abs(values[bin] / ONE - (bin + 0.5) / bins)).toBeLessThanOrEqual(1 / ONE)
      }
    })
    await fc.assert(property)
  })

  it('moves no prediction by more than 1/K, whichever fold and whatever the prediction', async () => {
    const units = fc.array(fc.integer({ min: 0, max: ONE }))
    const property = fc.asyncProperty(folded, anyBins, units, async (table, bins, more) => {
      const { engine } = prepare(table, trees(), 'table')
      const rounding = await discretize(engine, bins)
      for (const prediction of [...(await engine.snapshot()), ...more, 0, ONE]) {
        expect(Math.abs(roundUnits(rounding, prediction) - prediction)).toBeLessThanOrEqual(ONE / bins)
      }
    })
    await fc.assert(property)
  })

  it('keeps the order of predictions', async () => {
    const property = fc.asyncProperty(folded, anyBins, async (table, bins) => {
      const { values } = await discretize(prepare(table, trees(), 'table').engine, bins)
      expect([...values].sort((a, b) => a - b)).toEqual(values)
    })
    await fc.assert(property)
  })
})
