// What rows prove about the worst error of a predictor that was fixed before they were seen: an upper limit, which costs one
// mean (oneMean.ts), and a lower limit, which pays for every auditor and every sign.

import type { FoldUnits } from '../data/foldUnits.ts'
import { type Engine, FIT, HOLDOUT, meanLoss } from '../engine/engine.ts'
import type { Rounding } from '../round/discretize.ts'
import { areEqual, bestTilt, lowerLimit, roundDown, roundUp, upperLimit } from './oneMean.ts'
import { meanSquaredResidual } from './secondMoment.ts'

export interface RowEvidence {
  readonly units: FoldUnits
  /** Does every unit weigh the same? */
  readonly equal: boolean
  /** The mean of (y - v_S)^2, or more: no auditor's z has a larger mean square. */
  readonly meanSquare: number
  /** What other rows let one expect of these; absent: nothing is known beforehand. */
  readonly prior?: Prior | undefined
}

/** The tilt is best for these. */
export interface Prior {
  /** How many of the heaviest units the rows are worth. */
  readonly rows: number
  readonly meanSquare: number
}

/** Of predictions, rounded or as they are. */
export async function evidenceOf(
  engine: Engine,
  fold: number,
  rounding: Rounding | undefined,
): Promise<RowEvidence> {
  const units = engine.shape.units[fold]
  const meanSquare =
    rounding === undefined
      ? meanLoss((await engine.losses())[fold])
      : await meanSquaredResidual(engine, rounding, fold)
  return { units, equal: areEqual(units), meanSquare: Math.min(1, roundUp(meanSquare)) }
}

/** Of the held-out rows: the fitting rows say what to expect. */
export async function heldOutEvidence(engine: Engine, rounding?: Rounding): Promise<RowEvidence> {
  const fitting = await evidenceOf(engine, FIT, rounding)
  const { meanSquare, units } = await evidenceOf(engine, HOLDOUT, rounding)
  const largestWeight = Math.max(units.largestWeight, fitting.units.largestWeight)
  const heaviest = { ...units, largestWeight }
  return { units: heaviest, equal: areEqual(heaviest), meanSquare, prior: priorFrom(fitting, heaviest) }
}

/** What an error may be, where only the choice of the tilt depends on it. */
const EXPECTED_ERROR = 0.1

/** From the fitting rows, the number of the other units and the largest weight: nothing else about the others may be used. */
export function priorFrom(fitting: RowEvidence, { count, largestWeight }: FoldUnits): Prior {
  const { equal, meanSquare, units } = fitting
  const rows = (count * units.weight) / units.count / largestWeight
  const weights = units.squaredWeight / (largestWeight * units.weight)
  if (equal) return { rows, meanSquare }
  const root = EXPECTED_ERROR * Math.sqrt(weights) + Math.sqrt(Math.min(meanSquare, weights))
  return { rows, meanSquare: root ** 2 }
}

/** The worst error on new rows is at most this, but for a chance of `failure`. `measured`: the largest error on these rows. */
export function limitAbove(evidence: RowEvidence, measured: number, failure: number): number {
  const { equal, meanSquare, units } = evidence
  const limits = tiltsFor(evidence, Math.log(1 / failure)).map(paid =>
    upperLimit({ mean: measured, meanSquare, units, equal, ...paid }),
  )
  return Math.min(1, roundUp(Math.min(...limits)))
}

/**
 * The worst error on new rows is at least this, but for a chance of `failure`; it may be negative. `logMeans`: ln of the number of
 * means, any of which might be the measured one.
 */
export function limitBelow(
  evidence: RowEvidence,
  measured: number,
  failure: number,
  logMeans: number,
): number {
  const { equal, meanSquare, units } = evidence
  const limits = tiltsFor(evidence, Math.log(1 / failure) + logMeans).map(paid =>
    lowerLimit({ mean: measured, meanSquare, units, equal, ...paid }),
  )
  return roundDown(Math.max(...limits))
}

interface PaidTilt {
  readonly exponent: number
  readonly tilt: number
}

/** Tried where nothing is known beforehand: the mean squares of labels like coins, and of rarer ones. */
const MEAN_SQUARES = [0.2, 0.02, 0.002]

/** A predictor without an error on the fitting rows may make some on others. */
const LEAST_MEAN_SQUARE = 1e-6

function tiltsFor({ prior, units }: RowEvidence, exponent: number): PaidTilt[] {
  if (prior !== undefined) {
    const meanSquare = Math.max(prior.meanSquare, LEAST_MEAN_SQUARE)
    return [{ exponent, tilt: bestTilt(exponent, prior.rows, meanSquare) }]
  }
  const paid = exponent + Math.log(MEAN_SQUARES.length)
  return MEAN_SQUARES.map(meanSquare => ({
    exponent: paid,
    tilt: bestTilt(paid, units.count, meanSquare),
  }))
}
