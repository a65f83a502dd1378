// Multicalibration error K1 of the rounded predictor (Definition 2.3): the sum over prediction bins S of
// |E[b(x)(y - v_S) 1(f in S)]|, for the worst auditor b with values in [-1,1].
//
// K1 is convex in b, so leaf values of +-1 are enough. Of groups, functions and small partitions every auditor is measured; of
// trees every one is measured or shown to have no more (worstTree/search.ts). Where the work for that does not suffice, `error`
// is attained and `atMost` is proven; else they are the same.

import type { CompiledClass, Partition, SpaceOf } from '../../classes/compile.ts'
import { describeLeaves } from '../../classes/describe.ts'
import type { Engine, LevelSums } from '../../engine/engine.ts'
import { dot, solveSymmetric } from '../../oracle/linearAlgebra.ts'
import { fitLevels, type LevelStatistics, signalStatistics } from '../../oracle/signals.ts'
import type { Encoding } from '../../quantize/encoding.ts'
import type { Rounding } from '../../round/discretize.ts'
import { leafCount, type Tree } from '../../update/update.ts'
import type { WorstTree } from './levelSet.ts'
import { type AuditScope, errorOf, type Measured, sumAbsolute } from './measured.ts'
import { findWorstSigned } from './worstTree/search.ts'

/** `known`: the level-set error, where it has been found before; no K1 exceeds it. */
export async function multicalibrationError(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  scope: AuditScope,
  known?: WorstTree,
): Promise<Measured> {
  const { encoding, space } = compiled
  if (space.kind === 'trees') {
    return worstTree(engine, compiled, space, rounding, scope, known?.error)
  }
  if (space.kind === 'partitions') return worstPartition(engine, space.partitions, rounding, scope.fold)
  return worstSignal(engine, encoding, space, rounding, scope.fold)
}

/** The best signs of the leaves and bins of one partition, from D at [leaf * levels + level]. */
interface SignedError {
  /** sum_S |sum_l b_l D_lS|, in residual units times weight. */
  readonly error: number
  readonly leafSigns: readonly number[]
  readonly levelSigns: readonly number[]
}

/** Up to this many leaves all sign patterns are tried; beyond, only those that repeat the first ones. */
const EXACT_LEAVES = 12

/** Exact for up to 12 leaves (all sign patterns up to a common sign); beyond, the best of the patterns of 12. */
export function worstSigns(residuals: ArrayLike<number>, leaves: number, levels: number): SignedError {
  const free = EXACT_LEAVES - 1
  let best: SignedError = { error: -1, leafSigns: [], levelSigns: [] }
  for (let pattern = 0; pattern < 2 ** Math.min(leaves - 1, free); pattern++) {
    const leafSigns = Array.from({ length: leaves }, (_, leaf) =>
      leaf > 0 && (pattern >> ((leaf - 1) % free)) & 1 ? -1 : 1,
    )
    const sums = levelSumsOf(residuals, leafSigns, levels)
    const error = sums.reduce((total, sum) => total + Math.abs(sum), 0)
    if (error > best.error) best = { error, leafSigns, levelSigns: sums.map(sum => (sum < 0 ? -1 : 1)) }
  }
  return best
}

function levelSumsOf(residuals: ArrayLike<number>, leafSigns: readonly number[], levels: number): number[] {
  return Array.from({ length: levels }, (_, level) =>
    leafSigns.reduce((sum, sign, leaf) => sum + sign * residuals[leaf * levels + level], 0),
  )
}

async function worstTree(
  engine: Engine,
  compiled: CompiledClass,
  space: SpaceOf<'trees'>,
  rounding: Rounding,
  scope: AuditScope,
  cap = Number.POSITIVE_INFINITY,
): Promise<Measured> {
  const best = await findWorstTree(engine, compiled, space, rounding, scope)
  const words = describeLeaves({ tree: best.tree }, compiled.encoding.features)
  const worst = words.map((leaf, index) => `${best.leafSigns[index] < 0 ? '-' : '+'} ${leaf}`).join('; ')
  return {
    error: errorOf(best.error, best.weight),
    atMost: Math.min(cap, errorOf(best.atMost, best.weight)),
    worst,
  }
}

/** The tree with the largest K1 that was found, its signs, and what none exceeds. */
async function findWorstTree(
  engine: Engine,
  { encoding }: CompiledClass,
  space: SpaceOf<'trees'>,
  rounding: Rounding,
  scope: AuditScope,
): Promise<SignedTree & { readonly atMost: number }> {
  const levelValues = Int32Array.from(rounding.values)
  const { work, ...asked } = scope
  const request = {
    ...asked,
    engine,
    levels: rounding.bins,
    levelValues,
    depth: space.depth === 1 ? (1 as const) : (2 as const),
    schemas: encoding.features,
    features: space.features,
  }
  const found = await findWorstSigned(request, work === undefined ? {} : { work })
  const { tree } = found
  const question = { fold: scope.fold, levels: rounding.bins, levelValues, trees: [tree] }
  const [sums] = await engine.levelSums(question)
  const weight = sums.counts.reduce((sum, count) => sum + count, 0)
  return { ...worstSigns(sums.residuals, leafCount(tree), rounding.bins), tree, weight, atMost: found.atMost }
}

/** An auditor and the signs of bins: the error is the mean of the residuals with the signs of their cells. */
export interface SignedCells {
  readonly tree: Tree
  /** -1, 0 or 1 at [leaf * levels + level]. */
  readonly signs: readonly number[]
}

/** The worst auditor that `multicalibrationError` finds. For trees and groups. */
export async function worstCells(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  scope: AuditScope,
): Promise<SignedCells> {
  const { space } = compiled
  if (space.kind === 'trees') {
    const found = await findWorstTree(engine, compiled, space, rounding, scope)
    const { leafSigns, levelSigns, tree } = found
    return { tree, signs: leafSigns.flatMap(leaf => levelSigns.map(level => leaf * level)) }
  }
  const partitions = space.kind === 'partitions' ? space.partitions : []
  const levels = rounding.bins
  const trees = partitions.map(({ tree }) => tree)
  const asked = { fold: scope.fold, levels, levelValues: Int32Array.from(rounding.values), trees }
  const sums = await engine.levelSums(asked)
  const errors = partitions.map((partition, index) => partitionError(partition, sums[index], levels))
  const worst = errors.reduce((best, error, index) => (error > errors[best] ? index : best), 0)
  return { tree: trees[worst], signs: partitionSigns(partitions[worst], sums[worst], levels) }
}

/** Of a group its own cells count, with the signs of their sums. */
function partitionSigns(partition: Partition, { residuals }: LevelSums, levels: number): number[] {
  const leaves = leafCount(partition.tree)
  if (partition.indicator)
    return Array.from({ length: leaves * levels }, (_, cell) => (cell < levels ? signOf(residuals[cell]) : 0))
  const { leafSigns, levelSigns } = worstSigns(residuals, leaves, levels)
  return leafSigns.flatMap(leaf => levelSigns.map(level => leaf * level))
}

const signOf = (sum: number): number => (sum < 0 ? -1 : 1)

interface SignedTree extends SignedError {
  readonly tree: Tree
  readonly weight: number
}

async function worstPartition(
  engine: Engine,
  partitions: readonly Partition[],
  rounding: Rounding,
  fold: number,
): Promise<Measured> {
  const levels = rounding.bins
  const levelValues = Int32Array.from(rounding.values)
  const trees = partitions.map(partition => partition.tree)
  const sums = await engine.levelSums({ fold, levels, levelValues, trees })
  const weight = sums[0].counts.reduce((sum, count) => sum + count, 0)
  let best = { error: 0, worst: 'none' }
  let atMost = 0
  partitions.forEach((partition, index) => {
    const units = partitionError(partition, sums[index], levels)
    const error = errorOf(units, weight)
    if (error > best.error) best = { error, worst: partition.words }
    atMost = Math.max(atMost, errorOf(partitionBound(partition, sums[index], levels, units), weight))
  })
  return { ...best, atMost }
}

/** A group's own error; for other partitions the worst function that is constant on the leaves. */
function partitionError(partition: Partition, sums: LevelSums, levels: number): number {
  if (partition.indicator) return sumAbsolute(sums.residuals, levels)
  return worstSigns(sums.residuals, leafCount(partition.tree), levels).error
}

/** The error itself where it is exact; else the level-set error, which is at least as large. */
function partitionBound(partition: Partition, sums: LevelSums, levels: number, error: number): number {
  const leaves = leafCount(partition.tree)
  if (partition.indicator || leaves <= EXACT_LEAVES) return error
  return sumAbsolute(sums.residuals, leaves * levels)
}

/**
 * One function: sum_S |E[b (y - v_S) 1_S]|, exactly. Linear functions with E[b^2] <= M: attained by alternating signs;
 * at most sqrt(M times the sum of what least squares gains in every bin), by Cauchy-Schwarz in each bin.
 */
async function worstSignal(
  engine: Engine,
  encoding: Encoding,
  space: SpaceOf<'signals'>,
  rounding: Rounding,
  fold: number,
): Promise<Measured> {
  const levelValues = Int32Array.from(rounding.values)
  const statistics = await signalStatistics(engine, fold, rounding.bins, space.signals, levelValues)
  if (space.span) return worstLinear(statistics, space.budget)
  const errors = space.signals.map((_, index) =>
    statistics.reduce((sum, level) => sum + Math.abs(level.cross[index]), 0),
  )
  const best = errors.reduce((worst, error, index) => (error > errors[worst] ? index : worst), 0)
  return { error: errors[best], atMost: errors[best], worst: encoding.functions[best] }
}

function worstLinear(statistics: readonly LevelStatistics[], budget: number): Measured {
  const size = statistics[0].cross.length
  const gram = new Float64Array(size * size)
  for (const level of statistics) for (let i = 0; i < gram.length; i++) gram[i] += level.gram[i]
  let signs = statistics.map(() => 1)
  let error = -1
  for (;;) {
    const cross = new Float64Array(size)
    statistics.forEach((level, index) => {
      for (let i = 0; i < size; i++) cross[i] += signs[index] * level.cross[i]
    })
    const direction = solveSymmetric(gram, cross)
    const reached = Math.sqrt(budget * Math.max(0, dot(direction, cross)))
    if (reached <= error) break
    error = reached
    signs = statistics.map(level => (dot(direction, level.cross) < 0 ? -1 : 1))
  }
  const atMost = Math.max(error, Math.sqrt(budget * Math.max(0, fitLevels(statistics, 'table').gain)))
  return { error, atMost, worst: 'a linear function of the columns' }
}
