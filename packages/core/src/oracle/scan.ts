// The inner loops of the exhaustive search: one side of a root split against every declared split of one feature.
// Plain loops over typed arrays given by the caller; nothing is allocated.

import type { SplitStep } from '../classes/splits.ts'
import type { CellSums } from '../engine/engine.ts'
import type { Split } from '../engine/update.ts'

/**
 * How a leaf is scored from its cells, and how the two leaves of a split become one score:
 * squares   the sum of R^2/N over levels and leaves: what the best table gains
 * largest   the largest R^2/N: what the best single cell gains
 * absolute  the sum of |R|: the leaves' part of a calibration error
 */
export type ScoreKind = 'squares' | 'largest' | 'absolute'

/** The declared splits of a feature as running sums (classes/splits.ts), flat. */
export interface FlatSteps {
  readonly bins: Int32Array
  readonly resets: Uint8Array
  /** Which split a step stands for; -1: none. */
  readonly splitIndexes: Int32Array
  readonly splits: readonly Split[]
}

export function flattenSteps(steps: readonly SplitStep[]): FlatSteps {
  const splits: Split[] = []
  const splitIndexes = steps.map(({ split }) => (split === undefined ? -1 : splits.push(split) - 1))
  return {
    bins: Int32Array.from(steps, step => step.bin),
    resets: Uint8Array.from(steps, step => (step.reset ? 1 : 0)),
    splitIndexes: Int32Array.from(splitIndexes),
    splits,
  }
}

/** Scratch for one scan: sums per level of the yes side and of both sides. */
export interface ScanScratch {
  readonly yes: CellSums
  readonly total: CellSums
}

/** The best score so far of each root split and side, and the child split (feature, index) that reaches it. */
export interface SideBests {
  readonly scores: Float64Array
  readonly features: Int32Array
  readonly splits: Int32Array
}

/**
 * Scores every split of `side` (cells at [bin * levels + level]) and keeps the best in `bests[slot]`; the first best
 * wins. Counts up to `floor` are taken for empty.
 */
export function scanSide(
  bests: SideBests,
  slot: number,
  kind: ScoreKind,
  side: CellSums,
  levels: number,
  steps: FlatSteps,
  feature: number,
  floor: number,
  scratch: ScanScratch,
): void {
  sumLevels(scratch.total, side, levels)
  const { bins, resets, splitIndexes } = steps
  let best = bests.scores[slot]
  scratch.yes.counts.fill(0)
  scratch.yes.residuals.fill(0)
  for (let step = 0; step < bins.length; step++) {
    if (resets[step] === 1) {
      scratch.yes.counts.fill(0)
      scratch.yes.residuals.fill(0)
    }
    const score = scoreStep(kind, side, bins[step] * levels, levels, floor, scratch)
    if (splitIndexes[step] < 0 || score <= best) continue
    best = score
    bests.features[slot] = feature
    bests.splits[slot] = splitIndexes[step]
  }
  bests.scores[slot] = best
}

/** Adds one bin to the yes side and scores both sides, each in the order in which scoreLeaf does. */
function scoreStep(
  kind: ScoreKind,
  side: CellSums,
  offset: number,
  levels: number,
  floor: number,
  scratch: ScanScratch,
): number {
  const { counts, residuals } = side
  const { counts: yesCounts, residuals: yesResiduals } = scratch.yes
  const { counts: totalCounts, residuals: totalResiduals } = scratch.total
  let [yesScore, noScore] = [0, 0]
  for (let level = 0; level < levels; level++) {
    const yesCount = yesCounts[level] + counts[offset + level]
    const yesResidual = yesResiduals[level] + residuals[offset + level]
    yesCounts[level] = yesCount
    yesResiduals[level] = yesResidual
    const noCount = totalCounts[level] - yesCount
    const noResidual = totalResiduals[level] - yesResidual
    if (kind === 'absolute') {
      yesScore += Math.abs(yesResidual)
      noScore += Math.abs(noResidual)
      continue
    }
    const yes = yesCount > floor ? (yesResidual * yesResidual) / yesCount : 0
    const no = noCount > floor ? (noResidual * noResidual) / noCount : 0
    yesScore = kind === 'squares' ? yesScore + yes : Math.max(yesScore, yes)
    noScore = kind === 'squares' ? noScore + no : Math.max(noScore, no)
  }
  return joinScores(kind, yesScore, noScore)
}

/** Scores cells at [0, levels) as one leaf. */
export function scoreLeaf(kind: ScoreKind, cells: CellSums, levels: number, floor: number): number {
  let score = 0
  for (let level = 0; level < levels; level++) {
    const count = cells.counts[level]
    const residual = cells.residuals[level]
    if (kind === 'absolute') score += Math.abs(residual)
    else {
      const gain = count > floor ? (residual * residual) / count : 0
      score = kind === 'squares' ? score + gain : Math.max(score, gain)
    }
  }
  return score
}

export const joinScores = (kind: ScoreKind, a: number, b: number): number =>
  kind === 'largest' ? Math.max(a, b) : a + b

export function sumLevels(total: CellSums, side: CellSums, levels: number): void {
  total.counts.fill(0)
  total.residuals.fill(0)
  for (let from = 0; from < side.counts.length; from += levels) {
    for (let level = 0; level < levels; level++) {
      total.counts[level] += side.counts[from + level]
      total.residuals[level] += side.residuals[from + level]
    }
  }
}

export const emptyCells = (size: number): CellSums => ({
  counts: new Float64Array(size),
  residuals: new Float64Array(size),
})
