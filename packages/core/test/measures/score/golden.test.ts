// Agreement with the peers, as bench/versus/measures.ts wrote it down: 1e-9 relative, unless a test says why not.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { equalMassBins, equalWidthBins } from '../../../src/measures/score/bins.ts'
import { brierScore } from '../../../src/measures/score/brier.ts'
import { ecce, ecceByRow, successiveSigma } from '../../../src/measures/score/ecce.ts'
import { expectedCalibrationError, reliabilityBins } from '../../../src/measures/score/ece.ts'
import { logLoss } from '../../../src/measures/score/logLoss.ts'
import { MCGRAD_RULES, segmentError } from '../../../src/measures/score/mce.ts'
import { averagePrecision, rocAuc } from '../../../src/measures/score/ranking.ts'
import type { SegmentColumn } from '../../../src/measures/score/segments.ts'
import { smoothEce } from '../../../src/measures/score/smoothEce.ts'
import { makeSteps } from '../../../src/measures/score/steps.ts'
import { expectClose } from '../../support/close.ts'
import { type PeerData, peerData } from './populations.ts'
import { relplotAtWidth, relplotSmoothEce } from './relplot.ts'

interface Curve {
  readonly labels: readonly number[]
  readonly predictions: readonly number[]
}

interface PeerResults {
  readonly sklearn?: Record<'brier' | 'logLoss' | 'auc' | 'prAuc', number> & {
    readonly curveWidth?: Curve
    readonly curveMass?: Curve
  }
  readonly relplot?: Record<'smoothEce' | 'width' | 'atFixedWidth' | 'ece', number>
  readonly mcgrad?: Record<'ecce' | 'ratio' | 'pValue', number> & { readonly successiveRatio?: number }
  readonly segments?: Record<
    | 'count'
    | 'sigma'
    | 'value'
    | 'relative'
    | 'pValue'
    | 'detectable'
    | 'sumOfRatios'
    | 'cappedSigma'
    | 'cappedSum',
    number
  > & { readonly largestRatios: readonly number[] }
}

const golden = JSON.parse(readFileSync(new URL('golden.json', import.meta.url), 'utf8')) as {
  readonly real: readonly PeerData[]
  readonly results: Readonly<Record<string, PeerResults>>
}

const sets = [...peerData(), ...golden.real]

/** Data sets that a peer scored, with its answers. */
function scoredBy<K extends keyof PeerResults>(peer: K): [string, PeerData, NonNullable<PeerResults[K]>][] {
  return sets.flatMap(data => {
    const found = golden.results[data.name][peer]
    return found === undefined
      ? []
      : [[data.name, data, found] as [string, PeerData, NonNullable<typeof found>]]
  })
}

/** MCGrad gives no p-value below this. */
const SMALLEST_P = 2 ** -52

it('every data set was scored by some peer', () => {
  expect(Object.keys(golden.results).sort()).toEqual(sets.map(({ name }) => name).sort())
  expect(sets.length).toBeGreaterThanOrEqual(22)
  expect(scoredBy('sklearn').length).toBeGreaterThanOrEqual(20)
  expect(scoredBy('relplot').length).toBeGreaterThanOrEqual(16)
  expect(scoredBy('mcgrad').length).toBeGreaterThanOrEqual(16)
  expect(scoredBy('segments').length).toBeGreaterThanOrEqual(5)
})

describe('scikit-learn', () => {
  it.each(scoredBy('sklearn'))('agrees on %s', (_, data, theirs) => {
    const steps = makeSteps(data)
    expectClose(brierScore(steps).value, theirs.brier)
    expectClose(logLoss(steps).value, theirs.logLoss)
    expectClose(rocAuc(steps)!.value, theirs.auc)
    expectClose(averagePrecision(steps)!.value, theirs.prAuc)
    for (const [curve, bins] of [
      [theirs.curveWidth, equalWidthBins(steps, 10)],
      [theirs.curveMass, equalMassBins(steps, 10)],
    ] as const) {
      if (curve === undefined) continue
      const ours = reliabilityBins(steps, bins, 0.95)
      expect(ours.length).toBe(curve.labels.length)
      ours.forEach((bin, index) => {
        expectClose(bin.meanLabel.value, curve.labels[index])
        expectClose(bin.meanPrediction, curve.predictions[index])
      })
    }
  })
})

describe('relplot', () => {
  it.each(scoredBy('relplot'))('agrees on %s when its discretization is used', (_, data, theirs) => {
    const steps = makeSteps(data)
    const ours = relplotSmoothEce(steps)
    expectClose(ours.value, theirs.smoothEce)
    expect(ours.width).toBe(theirs.width)
    expectClose(relplotAtWidth(steps, 0.05), theirs.atFixedWidth)
  })

  // Its kernel ends at distance 1/2, which the width of "reversed", 0.35, reaches after 1.4 standard deviations; and masses
  // within a node of 0 or 1, 608 of the 1,000 rows of "extreme", are smoothed without their mirror images.
  const OFF: Readonly<Record<string, number>> = { reversed: 0.0433, extreme: 0.0042 }

  it.each(scoredBy('relplot'))(
    'is near the exact smooth ECE on %s, or off for a known reason',
    (name, data, theirs) => {
      const difference = theirs.smoothEce - smoothEce(makeSteps(data))
      if (OFF[name] === undefined) expect(Math.abs(difference)).toBeLessThan(0.002)
      else expect(difference).toBeCloseTo(OFF[name], 4)
    },
  )

  it.each(scoredBy('relplot'))(
    'has the same binned ECE on %s, but for a prediction of 1',
    (_, data, theirs) => {
      // A prediction of exactly 1 has a bin of its own there; here it belongs to [0.9, 1].
      const steps = makeSteps(data)
      const ofStep = Uint32Array.from(steps.predictions, prediction => Math.floor(10 * prediction))
      expectClose(expectedCalibrationError(steps, { ofStep, count: 11 }), theirs.ece)
      if (!data.predictions.includes(1)) {
        expectClose(expectedCalibrationError(steps, equalWidthBins(steps, 10)), theirs.ece)
      }
    },
  )
})

describe('MCGrad', () => {
  it.each(scoredBy('mcgrad'))('agrees on ECCE of %s', (_, data, theirs) => {
    const byRow = ecceByRow(data)
    expectClose(byRow.value, theirs.ecce)
    expectClose(byRow.ratio, theirs.ratio)
    expectClose(Math.max(SMALLEST_P, byRow.pValue), theirs.pValue)
    // No two scores are equal in these data sets, so looking at whole steps is looking at rows.
    expectClose(ecce(makeSteps(data)).value, theirs.ecce)
    if (theirs.successiveRatio !== undefined) {
      expectClose(byRow.value / successiveSigma(data), theirs.successiveRatio)
    }
  })

  it.each(scoredBy('segments'))('agrees on MCE of %s', (_, data, theirs) => {
    const ours = segmentError(data, columnsOf(data))
    const ratios = ours.segments.map(({ ratio }) => ratio).sort((a, b) => b - a)
    expect(ours.segments.length).toBe(theirs.count)
    expectClose(ours.sigma.value, theirs.sigma)
    expectClose(ours.value.value, theirs.value)
    expectClose(ours.relative!, theirs.relative)
    expectClose(ours.detectable, theirs.detectable)
    expectClose(Math.max(SMALLEST_P, ours.pValue), theirs.pValue)
    theirs.largestRatios.forEach((ratio, index) => {
      expectClose(ratios[index], ratio)
    })
    expectClose(
      ratios.reduce((sum, ratio) => sum + ratio, 0),
      theirs.sumOfRatios,
    )
    const capped = segmentError(data, columnsOf(data), { ...MCGRAD_RULES, maxSegments: 300 })
    expectClose(capped.sigma.value, theirs.cappedSigma)
    expectClose(
      capped.segments.reduce((sum, { ratio }) => sum + ratio, 0),
      theirs.cappedSum,
    )
  })
})

/** Categories first, as MCGrad orders them. */
function columnsOf({ columns }: PeerData): SegmentColumn[] {
  const { categorical, numerical } = columns!
  return [
    ...Object.entries(categorical).map(([name, categories]) => ({ name, categories })),
    ...Object.entries(numerical).map(([name, numbers]) => ({ name, numbers })),
  ]
}
