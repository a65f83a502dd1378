import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calibrationError } from '../../src/audit/calibration.ts'
import { trees } from '../../src/classes/auditors.ts'
import { FIT } from '../../src/engine/engine.ts'
import { CURVE_BINS, errorCurve, roundingsFor } from '../../src/round/curve.ts'
import { discretize } from '../../src/round/discretize.ts'
import { prepare, tablesArbitrary } from '../support/tables.ts'

const [table] = fc.sample(tablesArbitrary(), { numRuns: 1, seed: 3 })
const { engine } = prepare(table, trees(), 'table')

describe('the roundings of a model', () => {
  it('are those of the curve and the planned one, ascending, each once', async () => {
    const binsOf = async (planned: number) => (await roundingsFor(engine, planned)).map(({ bins }) => bins)
    expect(await binsOf(20)).toEqual(CURVE_BINS)
    expect(await binsOf(7)).toEqual([1, 2, 3, 4, 5, 6, 7, ...CURVE_BINS.filter(bins => bins > 7)])
    expect(await binsOf(640)).toEqual([...CURVE_BINS, 640])
  })

  it('are discretizations of the same predictions', async () => {
    for (const rounding of await roundingsFor(engine, 7)) {
      expect(rounding).toEqual(await discretize(engine, rounding.bins))
    }
  })
})

describe('the error curve', () => {
  it('has the error at every number of bins, in the order given', async () => {
    const roundings = [await discretize(engine, 5), await discretize(engine, 1)]
    const curve = await errorCurve(roundings, rounding => calibrationError(engine, rounding, FIT))
    expect(curve).toEqual([
      { bins: 5, error: await calibrationError(engine, roundings[0], FIT) },
      { bins: 1, error: await calibrationError(engine, roundings[1], FIT) },
    ])
    expect(curve[0].error).not.toBe(curve[1].error)
  })
})
