// The worst errors of a score over a class of auditors, each with an interval that holds for all auditors at once. The
// score was fixed before the rows were seen, so the slack of the held-out certificate applies, on both sides.

import type { CompiledClass } from '../classes/compile.ts'
import { type Engine, meanLoss } from '../engine/engine.ts'
import { levelSetError } from '../measures/class/levelSet.ts'
import { multiaccuracyError } from '../measures/class/multiaccuracy.ts'
import { swapRegret } from '../measures/class/swapRegret.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import type { Rounding } from '../round/discretize.ts'
import { smallerSlack } from './heldOut.ts'
import {
  countAuditors,
  foldRows,
  type Judged,
  type JudgeOptions,
  judgeLevelSets,
  judgeMulticalibration,
  largestBound,
  leastError,
} from './heldOutBound.ts'

export interface WorstError extends Estimate {
  /** The worst auditor that was found, in words. */
  readonly worst: string
}

export interface WorstErrors {
  readonly multiaccuracy: WorstError
  readonly multicalibration: WorstError
  readonly levelSet: WorstError
  readonly swapRegret: Estimate
}

/** For trees and groups, whose number is finite. */
export async function worstErrors(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  options: JudgeOptions,
): Promise<WorstErrors> {
  const count = countAuditors(compiled)!
  const { effectiveRows, weighted } = await foldRows(engine, options.fold)
  const { candidates, confidence } = options
  const secondMoment = weighted ? undefined : meanLoss((await engine.losses())[options.fold])
  const paid = { rows: effectiveRows, logAuditors: count.logAuditors, bins: 1, confidence, candidates }
  const accuracy = await multiaccuracyError(engine, compiled, options)
  return {
    multiaccuracy: estimateOf([{ ...accuracy, ...smallerSlack({ ...paid, secondMoment }) }]),
    ...(await worstCalibration(engine, compiled, rounding, options)),
    swapRegret: await estimateRegret(engine, compiled, rounding.bins, options, effectiveRows, count),
  }
}

/** Only those of the rounded score. */
export async function worstCalibration(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  options: JudgeOptions,
): Promise<Pick<WorstErrors, 'multicalibration' | 'levelSet'>> {
  const levelSet = options.levelSet ?? (await levelSetError(engine, compiled, rounding, options))
  const known = { ...options, levelSet }
  return {
    multicalibration: estimateOf((await judgeMulticalibration(engine, compiled, rounding, known))!),
    levelSet: estimateOf((await judgeLevelSets(engine, compiled, rounding, known))!),
  }
}

function estimateOf(judged: readonly Judged[]): WorstError {
  const { error, worst } = judged.reduce((a, b) => (b.error > a.error ? b : a))
  return { value: error, low: leastError(judged), high: Math.min(1, largestBound(judged).bound), worst }
}

/**
 * The root of swap regret is the largest of norms sqrt(sum of D^2 / P) over leaves and levels, linear in the residuals, so
 * it is off by no more than the norm of the noise. Labels given their rows are sub-Gaussian with variance 1/4, and the
 * squared norm over d cells exceeds (d + 2 sqrt(d t) + 2t) / 4n with probability exp(-t) (Hsu, Kakade and Zhang); t pays
 * for every tree at every level. The shares P are taken as those of the rows.
 */
async function estimateRegret(
  engine: Engine,
  compiled: CompiledClass,
  levels: number,
  { candidates, confidence, ...scope }: JudgeOptions,
  rows: number,
  { leaves, logPartitions }: { leaves: number; logPartitions: number },
): Promise<Estimate> {
  const value = (await swapRegret(engine, compiled, levels, scope))!
  const t = logPartitions + Math.log((levels * candidates) / (1 - confidence))
  const noise = Math.sqrt((levels * (leaves + 2 * Math.sqrt(leaves * t) + 2 * t)) / (4 * rows))
  const root = Math.sqrt(value)
  return { value, low: Math.max(0, root - noise) ** 2, high: Math.min(1, (root + noise) ** 2) }
}
