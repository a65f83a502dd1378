// The worst errors of a score over a class of auditors, each with an interval that holds for the worst auditor on new rows. The
// score was fixed before the rows were seen, so one mean bounds each error from above, and all auditors at once from below.
//
// What is measured is the score rounded to bins, each standing for the mean score in it on these rows; the target is the same with the
// means of the population. A bin's mean moves what is measured in it by no more than the bin's weight times its own error, and the
// sum over bins of these is a mean of 2^K signed sums of values within a range of 1/K: Hoeffding's inequality bounds it.

import type { CompiledClass } from '../classes/compile.ts'
import type { FoldUnits } from '../data/foldUnits.ts'
import type { Engine } from '../engine/engine.ts'
import { levelSetError, type WorstTree } from '../measures/class/levelSet.ts'
import type { AuditScope, Measured } from '../measures/class/measured.ts'
import { multiaccuracyError } from '../measures/class/multiaccuracy.ts'
import { multicalibrationError } from '../measures/class/multicalibration.ts'
import { swapRegret } from '../measures/class/swapRegret.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import type { Rounding } from '../round/discretize.ts'
import { countAuditors } from './auditorCount.ts'
import { areEqual, roundUp } from './oneMean.ts'
import { evidenceOf, limitAbove, limitBelow, type RowEvidence } from './rowEvidence.ts'

export interface WorstError extends Estimate {
  /** No auditor of the class has a larger error on these rows; `value` itself, where that is exact. */
  readonly atMost: number
  /** The worst auditor that was found, in words. */
  readonly worst: string
}

export interface WorstErrors {
  readonly multiaccuracy: WorstError
  readonly multicalibration: WorstError
  readonly levelSet: WorstError
  readonly swapRegret: Estimate
}

interface WorstErrorOptions extends AuditScope {
  readonly confidence: number
  /** The level-set error, where it has been found before. */
  readonly levelSet?: WorstTree | undefined
}

/** For trees and groups, whose number is finite. */
export async function worstErrors(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  options: WorstErrorOptions,
): Promise<WorstErrors> {
  const { logAuditors } = countAuditors(compiled)!
  const evidence = await evidenceOf(engine, options.fold, undefined)
  const accuracy = await multiaccuracyError(engine, compiled, options)
  return {
    multiaccuracy: intervalOf(evidence, accuracy, {
      failure: 1 - options.confidence,
      logMeans: logAuditors,
      rounding: 0,
    }),
    ...(await worstCalibration(engine, compiled, rounding, options)),
    swapRegret: await estimateRegret(engine, compiled, rounding.bins, options),
  }
}

/** Only those of the rounded score. */
export async function worstCalibration(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  options: WorstErrorOptions,
): Promise<Pick<WorstErrors, 'multicalibration' | 'levelSet'>> {
  const { leaves, logAuditors, logPartitions } = countAuditors(compiled)!
  const evidence = await evidenceOf(engine, options.fold, rounding)
  const levelSet = options.levelSet ?? (await levelSetError(engine, compiled, rounding, options))!
  const error = await multicalibrationError(engine, compiled, rounding, options, levelSet)
  const { bins } = rounding
  const failure = 1 - options.confidence
  const paid = { failure: 0.9 * failure, rounding: roundingSlack(evidence.units, bins, 0.1 * failure) }
  return {
    multicalibration: intervalOf(evidence, error, { ...paid, logMeans: logAuditors + bins * Math.LN2 }),
    levelSet: intervalOf(evidence, levelSet, { ...paid, logMeans: logPartitions + leaves * bins * Math.LN2 }),
  }
}

/**
 * How far the means of bins can move a sum over bins: for n equal rows, (1/K) sqrt((K ln 2 + ln(1/delta)) / 2n). FoldUnits of more
 * than one row have values within twice that range.
 */
function roundingSlack(
  { count, largestWeight, rows, weight }: FoldUnits,
  bins: number,
  failure: number,
): number {
  const range = count === rows ? largestWeight : 2 * largestWeight
  const exponent = bins * Math.LN2 + Math.log(1 / failure)
  return roundUp((range * Math.sqrt((exponent * count) / 2)) / weight / bins)
}

/** Half of the failures on either side. */
export function intervalOf(
  evidence: RowEvidence,
  { atMost, error, worst }: Measured,
  { failure, logMeans, rounding }: { failure: number; logMeans: number; rounding: number },
): WorstError {
  const low = Math.max(0, limitBelow(evidence, error, failure / 2, logMeans) - rounding)
  const high = Math.min(1, limitAbove(evidence, atMost, failure / 2) + rounding)
  return { value: error, low: Math.min(low, error), high: Math.max(high, atMost), atMost, worst }
}

/**
 * The root of swap regret is the largest of norms sqrt(sum of D^2 / P) over leaves and levels, linear in the residuals, so
 * it is off by no more than the norm of the noise. Labels given their rows are sub-Gaussian with variance 1/4, and the
 * squared norm over d cells exceeds (d + 2 sqrt(d t) + 2t) / 4n with probability exp(-t) (Hsu, Kakade and Zhang); t pays
 * for every tree at every level. The shares P are taken as those of the rows. Where units weigh differently nothing is said.
 */
async function estimateRegret(
  engine: Engine,
  compiled: CompiledClass,
  levels: number,
  { confidence, ...scope }: WorstErrorOptions,
): Promise<Estimate> {
  const { leaves, logPartitions } = countAuditors(compiled)!
  const units = engine.shape.units[scope.fold]
  const value = (await swapRegret(engine, compiled, levels, scope))!
  if (!areEqual(units)) return { value, low: 0, high: 1 }
  const t = logPartitions + Math.log(levels / (1 - confidence))
  const noise = Math.sqrt((levels * (leaves + 2 * Math.sqrt(leaves * t) + 2 * t)) / (4 * units.count))
  const root = Math.sqrt(value)
  return { value, low: Math.max(0, root - noise) ** 2, high: Math.min(1, (root + noise) ** 2) }
}
