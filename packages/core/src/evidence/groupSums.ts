// Sums of one score in many groups: groups of one condition at every level of the score, and the overlaps of two of them.
// All sums are the engine's, so they are exact and the same in any order of the rows.

import { squareToZ } from '../audit/worst/findings.ts'
import { type Group, groupTree } from '../classes/groups.ts'
import { ONE } from '../common/units.ts'
import { type CellSums, type Engine, FIT, type Noise } from '../engine/engine.ts'
import { LABEL, type Outcome, shiftFor } from '../engine/outcome.ts'
import { jointPairs } from '../oracle/pairs.ts'
import { ROOT } from '../update/update.ts'

/** A score's rows in an engine, and how noise is measured in it. */
export interface ScoreRows {
  readonly engine: Engine
  readonly noise: Noise
}

/** In the engine's sums. */
export interface Sums {
  readonly weight: number
  readonly residual: number
  readonly variance: number
  /** Sum of w y. */
  readonly labels: number
}

/** One entry for every level of the score. */
export interface LevelSums {
  readonly weights: Float64Array
  readonly residuals: Float64Array
  readonly variances: Float64Array
  readonly labels: number
}

export interface Yardstick {
  readonly shift: number
  readonly noise: Noise
  /** What a row weighs on average. */
  readonly perRow: number
}

export async function yardstickOf({ engine, noise }: ScoreRows): Promise<Yardstick> {
  const { squaredWeight, weight } = (await engine.losses())[FIT]
  return { noise, shift: shiftFor(squaredWeight), perRow: weight / engine.shape.rowCount }
}

const varianceOf = ({ noise, shift }: Yardstick): Outcome => ({ kind: 'variance', noise, shift })

/** A label less a prediction of 0 is the label. */
const FROM_ZERO = Int32Array.of(0)

/** Every coarse bin of every feature, the missing one last. */
export async function sumBins(engine: Engine, levels: number, yardstick: Yardstick): Promise<LevelSums[][]> {
  const features = engine.shape.coarseCounts.map((_, feature) => feature)
  const question = { fold: FIT, tree: ROOT, features, resolution: 'coarse' } as const
  const observed = await engine.histogram({ ...question, levels, outcome: LABEL })
  const spread = await engine.histogram({ ...question, levels, outcome: varianceOf(yardstick) })
  const labels = await engine.histogram({ ...question, levels: 1, levelValues: FROM_ZERO })
  return features.map((_, feature) =>
    Array.from({ length: engine.shape.coarseCounts[feature] }, (_, bin) => {
      const from = observed.offsets[feature] + bin * levels
      return {
        weights: observed.counts.slice(from, from + levels),
        residuals: observed.residuals.slice(from, from + levels),
        variances: spread.residuals.slice(from, from + levels),
        labels: labels.residuals[labels.offsets[feature] + bin],
      }
    }),
  )
}

export async function sumDeclared(
  engine: Engine,
  groups: readonly Group[],
  levels: number,
  yardstick: Yardstick,
): Promise<LevelSums[]> {
  const trees = groups.map(({ path }) => groupTree(path))
  const question = { fold: FIT, trees, levels }
  const observed = await engine.levelSums(question)
  const spread = await engine.levelSums({ ...question, outcome: varianceOf(yardstick) })
  return observed.map(({ counts, predictions, residuals }, group) => ({
    weights: counts.slice(0, levels),
    residuals: residuals.slice(0, levels),
    variances: spread[group].residuals.slice(0, levels),
    labels: total(predictions.subarray(0, levels)) + total(residuals.subarray(0, levels)),
  }))
}

/** One pair of features: sums of the overlap of bin a and bin b at [a * binsB + b]. */
export interface PairCells {
  readonly a: number
  readonly b: number
  readonly weights: Float64Array
  readonly residuals: Float64Array
  readonly variances: Float64Array
  readonly labels: Float64Array
}

export async function* sumOverlaps(
  engine: Engine,
  features: readonly number[],
  yardstick: Yardstick,
): AsyncGenerator<PairCells> {
  const question = { fold: FIT, levels: 1 }
  const spread = jointPairs(engine, features, { ...question, outcome: varianceOf(yardstick) })
  const labels = jointPairs(engine, features, { ...question, levelValues: FROM_ZERO })
  for await (const { a, b, cells } of jointPairs(engine, features, question)) {
    const { counts, residuals } = copy(cells)
    const variances = copy((await spread.next()).value!.cells).residuals
    const sums = copy((await labels.next()).value!.cells).residuals
    yield { a: features[a], b: features[b], weights: counts, residuals, variances, labels: sums }
  }
}

/** Sums that a generator hands out may be overwritten when it goes on. */
const copy = ({ counts, residuals }: CellSums): CellSums => ({
  counts: counts.slice(),
  residuals: residuals.slice(),
})

export function overLevels({ labels, residuals, variances, weights }: LevelSums): Sums {
  return { weight: total(weights), residual: total(residuals), variance: total(variances), labels }
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

/** 0 where nothing is left to chance. */
export function zOf(residual: number, variance: number, { shift }: Yardstick): number {
  return variance > 0 ? Math.sign(residual) * squareToZ((residual * residual) / variance, shift) : 0
}

/** Of the mean residual. */
export const standardErrorOf = ({ variance, weight }: Sums, { shift }: Yardstick): number =>
  Math.sqrt((variance * 2 ** shift) / ONE) / weight
