import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trees } from '../../src/classes/auditors.ts'
import { FIT } from '../../src/engine/engine.ts'
import { calibrationError } from '../../src/measures/class/calibration.ts'
import { CURVE_BINS, errorCurve, roundingsFor, supportedBins } from '../../src/round/curve.ts'
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
    const curve = await errorCurve(roundings, async rounding => ({
      error: await calibrationError(engine, rounding, FIT),
    }))
    expect(curve).toEqual([
      { bins: 5, error: await calibrationError(engine, roundings[0], FIT) },
      { bins: 1, error: await calibrationError(engine, roundings[1], FIT) },
    ])
    expect(curve[0].error).not.toBe(curve[1].error)
  })
})

describe('the supported bins', () => {
  const point = (bins: number, slack: number) => ({ bins, error: 0, low: 0, high: slack, slack })

  it('are the most whose slack is at most the width of a bin', () => {
    const curve = [point(1, 0.05), point(5, 0.1), point(8, 0.125), point(10, 0.11), point(20, 0.2)]
    expect(supportedBins(curve)).toBe(8)
    expect(supportedBins([...curve].reverse())).toBe(8)
  })

  it('are none where one bin is too many, or nothing is known of the slack', () => {
    expect(supportedBins([point(1, 1.2), point(2, 1.3)])).toBeUndefined()
    expect(supportedBins([{ bins: 4, error: 0.1 }])).toBeUndefined()
  })
})
