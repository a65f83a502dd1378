// Brier score, log loss, AUC and average precision: values, influence values, and the intervals made of them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalMassBins, equalWidthBins } from '../../../src/measures/score/bins.ts'
import { binnedBrierParts, brierParts, brierScore, labelVariance } from '../../../src/measures/score/brier.ts'
import { type SmoothMeasure, standardError } from '../../../src/measures/score/interval.ts'
import { logLoss } from '../../../src/measures/score/logLoss.ts'
import { averagePrecision, rocAuc } from '../../../src/measures/score/ranking.ts'
import { effectiveCount, makeSteps, type Steps } from '../../../src/measures/score/steps.ts'
import { expectClose } from '../../support/close.ts'
import { type Row, repeated, rowArrays, toRows, total, totalWeight } from './rowsArbitrary.ts'

const MEASURES: Record<string, (steps: Steps) => SmoothMeasure | undefined> = {
  brierScore,
  labelVariance,
  logLoss: steps => logLoss(steps, 0.01),
  rocAuc,
  averagePrecision,
}
const named = Object.entries(MEASURES)

describe('every smooth measure', () => {
  it.each(named)('%s counts a weight of two like the row twice, to 1e-12', (_, measure) => {
    const property = fc.property(rowArrays({ fractional: true }), rows => {
      const [weighted, copied] = [measure(makeSteps(toRows(rows))), measure(makeSteps(repeated(rows)))]
      expect(weighted === undefined).toBe(copied === undefined)
      if (weighted !== undefined) expectClose(weighted.value, copied!.value, 1e-12)
    })
    fc.assert(property)
  })

  it.each(named)('%s has the influence values of its own derivative', (_, measure) => {
    const property = fc.property(rowArrays({ fractional: true, minLength: 4 }), fc.nat(), (rows, pick) => {
      const steps = makeSteps(toRows(rows))
      const measured = measure(steps)
      fc.pre(measured?.influence.every(Number.isFinite) === true)
      const index = pick % rows.length
      const row = steps.rows[index]
      const nudge = 1e-6
      const nudged = (by: number) => {
        const moved = rows.map((each, at) => (at === row ? { ...each, weight: each.weight + by } : each))
        return measure(makeSteps(toRows(moved)))!.value
      }
      const slope = ((nudged(nudge) - nudged(-nudge)) / (2 * nudge)) * steps.weight
      // Ranking measures carry sqrt(n/(n-1)) of a class, which is no part of the derivative.
      const factor = 'positives' in measured! ? classFactor(measure, rows, steps, index) : 1
      if (factor !== undefined) expect(measured!.influence[index]).toBeCloseTo(slope * factor, 4)
    })
    fc.assert(property)
  })

  it.each(named)('%s has influence values of mean 0', (_, measure) => {
    const property = fc.property(rowArrays({ minLength: 4 }), rows => {
      const steps = makeSteps(toRows(rows))
      const measured = measure(steps)
      fc.pre(measured?.influence.every(Number.isFinite) === true)
      const sum = total([...measured!.influence].map((psi, index) => psi * steps.weights[index]))
      expect(sum / steps.weight).toBeCloseTo(0, 9)
    })
    fc.assert(property)
  })
})

/** Undefined where a fractional label mixes the factors of both classes. */
function classFactor(
  measure: unknown,
  rows: readonly Row[],
  steps: Steps,
  index: number,
): number | undefined {
  const factor = (of: (row: Row) => number) => {
    const masses = rows.map(row => row.weight * of(row))
    const count = total(masses) ** 2 / total(masses.map(mass => mass * mass))
    return Math.sqrt(count / (count - 1))
  }
  if (measure === averagePrecision) return factor(row => row.label)
  if (steps.labels[index] === 1) return factor(row => row.label)
  return steps.labels[index] === 0 ? factor(row => 1 - row.label) : undefined
}

describe('the Brier score', () => {
  it('is reliability - resolution + uncertainty on distinct predictions', () => {
    const property = fc.property(rowArrays({ fractional: true }), rows => {
      const steps = makeSteps(toRows(rows))
      const { reliability, resolution, uncertainty } = brierParts(steps)
      expectClose(reliability - resolution + uncertainty, brierScore(steps).value)
    })
    fc.assert(property)
  })

  it('adds up on bins with the two terms within bins, and not without them', () => {
    const bins = fc.constantFrom(equalWidthBins, equalMassBins)
    const property = fc.property(
      rowArrays({ fractional: true }),
      bins,
      fc.integer({ min: 1, max: 6 }),
      (rows, cut, count) => {
        const steps = makeSteps(toRows(rows))
        const parts = binnedBrierParts(steps, cut(steps, count))
        const murphy = parts.reliability - parts.resolution + parts.uncertainty
        expectClose(murphy + parts.withinVariance - parts.withinCovariance, brierScore(steps).value)
      },
    )
    fc.assert(property)
    const steps = makeSteps({ predictions: [0.1, 0.4], labels: [0, 1] })
    const parts = binnedBrierParts(steps, equalWidthBins(steps, 1))
    expect(parts.reliability - parts.resolution + parts.uncertainty).not.toBeCloseTo(
      brierScore(steps).value,
      3,
    )
  })

  it('of a constant is its variance and its squared bias', () => {
    const steps = makeSteps({ predictions: [0.5, 0.5, 0.5, 0.5], labels: [1, 0, 0, 0] })
    expect(brierScore(steps).value).toBeCloseTo(0.25, 15)
    expect(brierParts(steps)).toEqual({ reliability: 0.0625, resolution: 0, uncertainty: 0.1875 })
  })
})

describe('the log loss', () => {
  it('is clipped at the epsilon of doubles, and infinite if nothing is clipped', () => {
    const wrong = makeSteps({ predictions: [1, 0.5], labels: [0, 1] })
    expect(logLoss(wrong).value).toBeCloseTo((52 * Math.LN2 + Math.LN2) / 2, 10)
    expect(logLoss(wrong, 0).value).toBe(Number.POSITIVE_INFINITY)
    expect(logLoss(makeSteps({ predictions: [1, 0], labels: [1, 0] }), 0).value).toBeCloseTo(0, 15)
  })

  it('of a fractional label is the mean of both losses', () => {
    const steps = makeSteps({ predictions: [0.2], labels: [0.25] })
    expect(logLoss(steps).value).toBeCloseTo(-0.25 * Math.log(0.2) - 0.75 * Math.log(0.8), 14)
  })
})

describe('the AUC', () => {
  const pairs = (rows: readonly Row[]) => {
    let [won, all] = [0, 0]
    for (const one of rows) {
      for (const zero of rows) {
        const weight = one.weight * one.label * zero.weight * (1 - zero.label)
        all += weight
        if (one.prediction > zero.prediction) won += weight
        else if (one.prediction === zero.prediction) won += weight / 2
      }
    }
    return won / all
  }

  it('is the share of pairs in the right order, ties counting half', () => {
    const property = fc.property(rowArrays({ fractional: true }), rows => {
      const measured = rocAuc(makeSteps(toRows(rows)))
      if (measured === undefined) expect(pairs(rows)).toBeNaN()
      else expectClose(measured.value, pairs(rows))
    })
    fc.assert(property)
  })

  it('has the variance of DeLong, DeLong and Clarke-Pearson', () => {
    const property = fc.property(rowArrays({ minLength: 6 }), given => {
      const rows = given.map(row => ({ ...row, weight: 1 }))
      const [ones, zeros] = [rows.filter(row => row.label === 1), rows.filter(row => row.label === 0)]
      fc.pre(ones.length > 1 && zeros.length > 1)
      const score = (a: Row, b: Row) =>
        Number(a.prediction > b.prediction) + Number(a.prediction === b.prediction) / 2
      const variance = (values: number[]) => {
        const mean = total(values) / values.length
        return total(values.map(value => (value - mean) ** 2)) / (values.length - 1) / values.length
      }
      const ofOnes = variance(ones.map(one => total(zeros.map(zero => score(one, zero))) / zeros.length))
      const ofZeros = variance(zeros.map(zero => total(ones.map(one => score(one, zero))) / ones.length))
      const steps = makeSteps(toRows(rows))
      const count = effectiveCount(steps)
      const error = standardError(steps, rocAuc(steps)!.influence) * Math.sqrt((count - 1) / count)
      expectClose(error ** 2, ofOnes + ofZeros)
    })
    fc.assert(property)
  })

  it('and the average precision are undefined with one class only', () => {
    for (const label of [0, 1]) {
      const steps = makeSteps({ predictions: [0.2, 0.4], labels: [label, label] })
      expect(rocAuc(steps)).toBeUndefined()
      expect(averagePrecision(steps)).toBeUndefined()
    }
  })
})

describe('the average precision', () => {
  it('is the mean, over positives, of the precision at their prediction', () => {
    const property = fc.property(rowArrays({ fractional: true }), rows => {
      const measured = averagePrecision(makeSteps(toRows(rows)))
      fc.pre(measured !== undefined)
      const positives = (of: readonly Row[]) => total(of.map(row => row.weight * row.label))
      const sum = total(
        rows.map(row => {
          const above = rows.filter(other => other.prediction >= row.prediction)
          return (row.weight * row.label * positives(above)) / totalWeight(above)
        }),
      )
      expectClose(measured!.value, sum / positives(rows))
    })
    fc.assert(property)
  })
})
