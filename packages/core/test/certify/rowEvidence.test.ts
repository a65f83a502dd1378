// What rows prove about a worst error, by the formulas of oneMean.ts, put together by hand.

import { describe, expect, it } from 'vitest'
import { bestTilt, psi } from '../../src/certify/oneMean.ts'
import {
  evidenceOf,
  heldOutEvidence,
  limitAbove,
  limitBelow,
  priorFrom,
  type RowEvidence,
} from '../../src/certify/rowEvidence.ts'
import { ONE } from '../../src/common/units.ts'
import type { FoldUnits } from '../../src/data/foldUnits.ts'
import { type EngineRows, FIT, HOLDOUT } from '../../src/engine/engine.ts'
import { referenceEngine } from '../../src/index.ts'

const equalUnits = (count: number, weight = 1): FoldUnits => ({
  ...{ rows: count, count, weight: count * weight, largestWeight: weight },
  squaredWeight: count * weight ** 2,
})

/** How far one mean of equal units can be off. */
const slackOf = (exponent: number, rows: number, meanSquare: number, tilt: number) =>
  (psi(tilt) * meanSquare + exponent / rows) / tilt

describe('where nothing is known beforehand', () => {
  const evidence: RowEvidence = { units: equalUnits(2000), equal: true, meanSquare: 0.1 }
  /** Three tilts are tried, and each of them is paid for. */
  const leastSlack = (exponent: number) => {
    const paid = exponent + Math.log(3)
    return Math.min(
      ...[0.2, 0.02, 0.002].map(square => slackOf(paid, 2000, 0.1, bestTilt(paid, 2000, square))),
    )
  }

  it('the limit above is the measured error and the least slack of three, rounded up', () => {
    const limit = limitAbove(evidence, 0.03, 0.05)
    expect(limit).toBe(Math.ceil((0.03 + leastSlack(Math.log(20))) * 1e9) / 1e9)
  })

  it('the limit below is the measured error less the least slack of three, of which every mean is paid for, rounded down', () => {
    const logMeans = Math.log(40)
    const limit = limitBelow(evidence, 0.2, 0.05, logMeans)
    expect(limit).toBe(Math.floor((0.2 - leastSlack(Math.log(20) + logMeans)) * 1e9) / 1e9)
    expect(limitBelow(evidence, 0.2, 0.05, 0)).toBeGreaterThan(limit)
    expect(limitBelow(evidence, 0.01, 0.05, logMeans)).toBeLessThan(0)
  })

  it('more certainty costs more, on either side', () => {
    expect(limitAbove(evidence, 0.03, 0.01)).toBeGreaterThan(limitAbove(evidence, 0.03, 0.05))
    expect(limitBelow(evidence, 0.2, 0.01, 1)).toBeLessThan(limitBelow(evidence, 0.2, 0.05, 1))
  })
})

describe('where other rows say what to expect', () => {
  it('one tilt is taken, the best for what is expected, and nothing is paid for others', () => {
    const prior = { rows: 700, meanSquare: 0.15 }
    const evidence: RowEvidence = { units: equalUnits(2000), equal: true, meanSquare: 0.1, prior }
    const exponent = Math.log(20)
    const slack = slackOf(exponent, 2000, 0.1, bestTilt(exponent, 700, 0.15))
    expect(limitAbove(evidence, 0.03, 0.05)).toBe(Math.ceil((0.03 + slack) * 1e9) / 1e9)
    expect(limitBelow(evidence, 0.3, 0.05, 0)).toBe(Math.floor((0.3 - slack) * 1e9) / 1e9)
  })

  it('no error at all on other rows is not taken for certain', () => {
    const limit = (meanSquare: number) =>
      limitAbove(
        { units: equalUnits(500), equal: true, meanSquare: 0.001, prior: { rows: 500, meanSquare } },
        0,
        0.05,
      )
    expect(limit(0)).toBe(limit(1e-6))
    expect(limit(0)).toBeLessThan(1)
  })

  it('as many of the heaviest units are expected as the others weigh', () => {
    const fitting: RowEvidence = { units: equalUnits(300, 2), equal: true, meanSquare: 0.07 }
    const others = { ...equalUnits(50), largestWeight: 4 }
    expect(priorFrom(fitting, others)).toEqual({ rows: (50 * 600) / 300 / 4, meanSquare: 0.07 })
  })

  it('where weights differ, squares of weights and of errors go into what is expected', () => {
    const units = { rows: 40, count: 40, weight: 100, largestWeight: 5, squaredWeight: 340 }
    const others = { ...equalUnits(10), largestWeight: 8 }
    const relative = 340 / (8 * 100)
    for (const [meanSquare, values] of [
      [0.2, 0.2],
      [0.9, relative],
    ]) {
      const prior = priorFrom({ units, equal: false, meanSquare }, others)
      expect(prior.rows).toBeCloseTo((10 * 100) / 40 / 8, 12)
      expect(prior.meanSquare).toBeCloseTo((0.1 * Math.sqrt(relative) + Math.sqrt(values)) ** 2, 12)
    }
  })
})

describe('the evidence of rows in an engine', () => {
  /** Three fitting rows and two held-out ones; scores of one quarter. */
  const rows = (weight: readonly number[]): EngineRows => ({
    rowCount: 5,
    bins: [new Uint8Array(5)],
    binCounts: [2],
    coarseOf: [Uint8Array.of(0, 1)],
    coarseCounts: [2],
    signals: [],
    label: Int32Array.from([1, 0, 0, 1, 0], value => value * ONE),
    start: new Int32Array(5).fill(ONE / 4),
    weight: Int32Array.from(weight),
    fold: Uint8Array.of(0, 0, 0, 1, 1),
  })
  const up = (value: number) => Math.ceil(value * 1e9) / 1e9
  const half = { bins: 1, values: [ONE / 2] }

  it('has the mean square of the score, or of what it is rounded to, of its own fold', async () => {
    const engine = referenceEngine(rows([1, 1, 1, 1, 1]))
    expect(await evidenceOf(engine, FIT, undefined)).toEqual({
      units: equalUnits(3),
      equal: true,
      meanSquare: up((9 / 16 + 2 / 16) / 3),
    })
    expect((await evidenceOf(engine, HOLDOUT, undefined)).meanSquare).toBe(up(10 / 16 / 2))
    expect((await evidenceOf(engine, FIT, half)).meanSquare).toBe(0.25)
  })

  it('says of held-out rows what fitting rows let one expect, with the heaviest unit of both', async () => {
    const engine = referenceEngine(rows([1, 4, 1, 2, 2]))
    const fitting = await evidenceOf(engine, FIT, undefined)
    const found = await heldOutEvidence(engine)
    expect(fitting.equal).toBe(false)
    expect(found).toMatchObject({ equal: false, meanSquare: up((2 * 9 + 2 * 1) / 16 / 4) })
    expect(found.units).toEqual({ ...equalUnits(2, 2), largestWeight: 4 })
    expect(found.prior).toEqual(priorFrom(fitting, found.units))
  })

  it('takes held-out rows for equal only where no fitting row is heavier', async () => {
    expect((await heldOutEvidence(referenceEngine(rows([2, 1, 1, 2, 2])))).equal).toBe(true)
    expect((await heldOutEvidence(referenceEngine(rows([3, 1, 1, 2, 2])))).equal).toBe(false)
    expect((await heldOutEvidence(referenceEngine(rows([1, 1, 1, 2, 2])), half)).meanSquare).toBe(0.25)
  })
})
