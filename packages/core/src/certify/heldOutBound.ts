// A simultaneous bound from rows: every auditor's measured error plus a slack of its own, and the auditor for which the
// sum is largest. No auditor of the class exceeds that one's bound.

import type { CompiledClass, Partition, SpaceOf } from '../classes/compile.ts'
import { declaredSplitCount } from '../classes/splits.ts'
import { ONE } from '../common/units.ts'
import type { Engine } from '../engine/engine.ts'
import { levelSetError, type WorstTree } from '../measures/class/levelSet.ts'
import { type AuditScope, errorOf, type Measured, sumAbsolute } from '../measures/class/measured.ts'
import { multicalibrationError } from '../measures/class/multicalibration.ts'
import { signalStatistics } from '../oracle/signals.ts'
import type { Rounding } from '../round/discretize.ts'
import { leafCount, ROOT } from '../update/update.ts'
import { effectiveRows, type Inequality, logTrees, type Slack, smallerSlack } from './heldOut.ts'
import { meanSquaredResidual, squaresAtMost } from './secondMoment.ts'

export interface HeldOutBound {
  /** The error on the held-out rows of the auditor with the largest bound; of trees the level-set error, which none exceeds. */
  readonly measured: number
  readonly slack: number
  /** With the stated confidence, the error of every auditor on new rows is at most this. */
  readonly bound: number
  readonly inequality: Inequality
  /** The auditor with the largest bound among those found, in words. */
  readonly worst: string
}

/** An auditor, or all auditors that share one slack, with what was measured and how far the truth can be from it. */
export interface Judged extends Measured, Slack {}

export interface JudgeOptions extends AuditScope {
  readonly confidence: number
  readonly candidates: number
  /** The level-set error, where it has been found before. */
  readonly levelSet?: WorstTree | undefined
}

/** Rows of a fold: what they are worth, and whether they all weigh the same. */
interface FoldRows {
  readonly weight: number
  readonly effectiveRows: number
  /** Weights are whole numbers: their squares sum to as much as they do only where each is 0 or 1. */
  readonly weighted: boolean
}

export async function foldRows(engine: Engine, fold: number): Promise<FoldRows> {
  const { squaredWeight, weight } = (await engine.losses())[fold]
  return { weight, effectiveRows: effectiveRows(weight, squaredWeight), weighted: weight !== squaredWeight }
}

/** Undefined for linear auditors, which no finite count covers. */
export async function judgeMulticalibration(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  options: JudgeOptions,
): Promise<Judged[] | undefined> {
  const count = countAuditors(compiled)
  if (count === undefined) return undefined
  const { effectiveRows: rows, weighted } = await foldRows(engine, options.fold)
  const measured = await measureAuditors(engine, compiled, rounding, options)
  const { confidence, candidates } = options
  const paid = { rows, logAuditors: count.logAuditors, bins: rounding.bins, confidence, candidates }
  return measured.map(({ secondMoment, ...each }) => ({
    ...each,
    ...smallerSlack({ ...paid, secondMoment: weighted ? undefined : secondMoment }),
  }))
}

/** Signs of leaves times bins; every sum is a mean of values y - v_S with signs, whatever the partition. */
export async function judgeLevelSets(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  options: JudgeOptions,
): Promise<Judged[] | undefined> {
  const count = countAuditors(compiled)
  const found = options.levelSet ?? (await levelSetError(engine, compiled, rounding, options))
  if (count === undefined || found === undefined) return undefined
  const { effectiveRows: rows, weighted } = await foldRows(engine, options.fold)
  const { confidence, candidates, fold } = options
  const secondMoment = weighted ? undefined : await meanSquaredResidual(engine, rounding, fold)
  const paid = { logAuditors: count.logPartitions, bins: rounding.bins * count.leaves }
  const slack = smallerSlack({ ...paid, rows, confidence, candidates, secondMoment })
  return [{ error: found.error, atMost: found.atMost, worst: found.worst, ...slack }]
}

export function largestBound(judged: readonly Judged[]): HeldOutBound {
  const reach = ({ atMost, slack }: Judged) => atMost + slack
  const { atMost, inequality, slack, worst } = judged.reduce((a, b) => (reach(b) > reach(a) ? b : a))
  return { measured: atMost, slack, bound: atMost + slack, inequality, worst }
}

/** The worst auditor's error on new rows is at least this: each error that was attained, less its slack. */
export const leastError = (judged: readonly Judged[]): number =>
  judged.reduce((least, { error, slack }) => Math.max(least, error - slack), 0)

interface AuditorCount {
  /** ln of the number of partitions. */
  readonly logPartitions: number
  /** ln R: the same with a sign for every leaf, where leaves have values of their own. */
  readonly logAuditors: number
  /** Of the largest partition. */
  readonly leaves: number
}

/** Undefined for linear auditors, which no finite count covers. */
export function countAuditors({ encoding, space }: CompiledClass): AuditorCount | undefined {
  switch (space.kind) {
    case 'trees': {
      const splits = space.features.reduce(
        (sum, feature) => sum + declaredSplitCount(encoding.features[feature]),
        0,
      )
      return countSigned(logTrees(splits, space.depth), 2 ** space.depth)
    }
    case 'partitions': {
      const leaves = Math.max(...space.partitions.map(partition => leafCount(partition.tree)))
      const logPartitions = Math.log(space.partitions.length)
      // A group is one function; on other partitions any function that is constant on the leaves counts.
      if (areGroups(space.partitions)) return { logPartitions, logAuditors: logPartitions, leaves }
      return countSigned(logPartitions, leaves)
    }
    case 'signals': {
      const logPartitions = Math.log(space.signals.length)
      return space.span ? undefined : { logPartitions, logAuditors: logPartitions, leaves: 1 }
    }
  }
}

const countSigned = (logPartitions: number, leaves: number): AuditorCount => ({
  logPartitions,
  logAuditors: logPartitions + leaves * Math.LN2,
  leaves,
})

const areGroups = (partitions: readonly Partition[]): boolean =>
  partitions.every(partition => partition.indicator)

interface MeasuredAuditor extends Measured {
  /** The mean of b(x)^2 (y - v_S)^2 on the rows, or more. */
  readonly secondMoment: number
}

/** Groups and functions one by one. Auditors with leaf values of -1 and 1 have one second moment: they go together. */
async function measureAuditors(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  scope: JudgeOptions,
): Promise<MeasuredAuditor[]> {
  const { encoding, space } = compiled
  const secondMoment = await meanSquaredResidual(engine, rounding, scope.fold)
  if (space.kind === 'partitions' && areGroups(space.partitions)) {
    return measureGroups(engine, space.partitions, rounding, scope.fold, secondMoment)
  }
  if (space.kind === 'signals') {
    return measureFunctions(engine, encoding.functions, space, rounding, scope.fold, secondMoment)
  }
  const error = await multicalibrationError(engine, compiled, rounding, scope, scope.levelSet)
  return [{ ...error, secondMoment }]
}

async function measureGroups(
  engine: Engine,
  partitions: readonly Partition[],
  rounding: Rounding,
  fold: number,
  everyone: number,
): Promise<MeasuredAuditor[]> {
  const levels = rounding.bins
  const levelValues = Int32Array.from(rounding.values)
  const trees = partitions.map(partition => partition.tree)
  const sums = await engine.levelSums({ fold, levels, levelValues, trees })
  const weight = sums[0].counts.reduce((sum, count) => sum + count, 0)
  return sums.map((group, index) => {
    const error = errorOf(sumAbsolute(group.residuals, levels), weight)
    const squares = rounding.values.reduce((sum, _, level) => sum + squaresAtMost(group, rounding, level), 0)
    const secondMoment = Math.min(everyone, squares / weight)
    return { error, atMost: error, worst: partitions[index].words, secondMoment }
  })
}

/**
 * No sum of b^2 (y - v_S)^2 is to be had, but two that are no smaller, bin by bin: that of (y - v_S)^2, and that of b^2
 * times the largest (y - v_S)^2 there can be.
 */
async function measureFunctions(
  engine: Engine,
  names: readonly string[],
  { signals }: SpaceOf<'signals'>,
  rounding: Rounding,
  fold: number,
  everyone: number,
): Promise<MeasuredAuditor[]> {
  const levelValues = Int32Array.from(rounding.values)
  const statistics = await signalStatistics(engine, fold, rounding.bins, signals, levelValues)
  const [sums] = await engine.levelSums({ fold, levels: rounding.bins, levelValues, trees: [ROOT] })
  const weight = sums.counts.reduce((sum, count) => sum + count, 0)
  return signals.map((_, index) => {
    let [error, squares] = [0, 0]
    statistics.forEach(({ cross, gram }, level) => {
      const value = rounding.values[level] / ONE
      error += Math.abs(cross[index])
      squares += Math.min(
        squaresAtMost(sums, rounding, level) / weight,
        gram[index * signals.length + index] * Math.max(value, 1 - value) ** 2,
      )
    })
    return { error, atMost: error, worst: names[index], secondMoment: Math.min(everyone, squares) }
  })
}
