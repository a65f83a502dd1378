// The inner loops of the exhaustive search: one side of a root split against every declared split of one feature.
// Plain loops over typed arrays given by the caller; nothing is allocated.

import type { SplitStep } from '../classes/splits.ts'
import type { CellSums } from '../engine/engine.ts'
import { cellGain, clearCells, type ScoreKind, type SideBests, type Steps } from '../kernels/pairs/cells.ts'
import type { FeatureSplit } from '../update/update.ts'

/** The declared splits of a feature as running sums (classes/splits.ts), flat. */
export interface FlatSteps extends Steps {
  readonly splits: readonly FeatureSplit[]
}

export function flattenSteps(steps: readonly SplitStep[]): FlatSteps {
  const splits: FeatureSplit[] = []
  const splitIndexes = steps.map(({ split }) => (split === undefined ? -1 : splits.push(split) - 1))
  return {
    bins: Int32Array.from(steps, step => step.bin),
    resets: Uint8Array.from(steps, step => (step.reset ? 1 : 0)),
    splitIndexes: Int32Array.from(splitIndexes),
    splits,
  }
}

/**
 * Scores every split of `side` (cells at [bin * levels + level], `total` their sums per level) and keeps the best in
 * `bests[slot]`; the first best wins. Counts up to `floor` are taken for empty. `yes` is scratch.
 */
export function scanSide(
  bests: SideBests,
  slot: number,
  kind: ScoreKind,
  side: CellSums,
  total: CellSums,
  levels: number,
  steps: FlatSteps,
  feature: number,
  floor: number,
  yes: CellSums,
): void {
  const { bins, resets, splitIndexes } = steps
  const score = STEP_SCORES[kind]
  let best = bests.scores[slot]
  clearCells(yes)
  for (let step = 0; step < bins.length; step++) {
    if (resets[step] === 1) clearCells(yes)
    const found = score(yes, side, bins[step] * levels, total, levels, floor)
    if (splitIndexes[step] < 0 || found <= best) continue
    best = found
    bests.features[slot] = feature
    bests.splits[slot] = splitIndexes[step]
  }
  bests.scores[slot] = best
}

/** Adds one bin to the yes side and scores both sides, each in the order in which scoreLeaf does. One loop per kind. */
const STEP_SCORES = { squares: squaresOfStep, largest: largestOfStep, absolute: absoluteOfStep }

function squaresOfStep(
  yes: CellSums,
  side: CellSums,
  offset: number,
  total: CellSums,
  levels: number,
  floor: number,
): number {
  const { counts, residuals } = side
  const { counts: yesCounts, residuals: yesResiduals } = yes
  const { counts: totalCounts, residuals: totalResiduals } = total
  let [yesScore, noScore] = [0, 0]
  for (let level = 0; level < levels; level++) {
    const yesCount = yesCounts[level] + counts[offset + level]
    const yesResidual = yesResiduals[level] + residuals[offset + level]
    yesCounts[level] = yesCount
    yesResiduals[level] = yesResidual
    yesScore += cellGain(yesCount, yesResidual, floor)
    noScore += cellGain(totalCounts[level] - yesCount, totalResiduals[level] - yesResidual, floor)
  }
  return yesScore + noScore
}

function largestOfStep(
  yes: CellSums,
  side: CellSums,
  offset: number,
  total: CellSums,
  levels: number,
  floor: number,
): number {
  const { counts, residuals } = side
  const { counts: yesCounts, residuals: yesResiduals } = yes
  const { counts: totalCounts, residuals: totalResiduals } = total
  let score = 0
  for (let level = 0; level < levels; level++) {
    const yesCount = yesCounts[level] + counts[offset + level]
    const yesResidual = yesResiduals[level] + residuals[offset + level]
    yesCounts[level] = yesCount
    yesResiduals[level] = yesResidual
    score = Math.max(score, cellGain(yesCount, yesResidual, floor))
    score = Math.max(
      score,
      cellGain(totalCounts[level] - yesCount, totalResiduals[level] - yesResidual, floor),
    )
  }
  return score
}

function absoluteOfStep(
  yes: CellSums,
  side: CellSums,
  offset: number,
  total: CellSums,
  levels: number,
): number {
  let [yesScore, noScore] = [0, 0]
  for (let level = 0; level < levels; level++) {
    const yesResidual = yes.residuals[level] + side.residuals[offset + level]
    yes.residuals[level] = yesResidual
    yesScore += Math.abs(yesResidual)
    noScore += Math.abs(total.residuals[level] - yesResidual)
  }
  return yesScore + noScore
}

/** Scores cells at [offset, offset + levels) as one leaf. */
export function scoreLeaf(
  kind: ScoreKind,
  cells: CellSums,
  offset: number,
  levels: number,
  floor: number,
): number {
  let score = 0
  for (let cell = offset; cell < offset + levels; cell++) {
    const residual = cells.residuals[cell]
    if (kind === 'absolute') score += Math.abs(residual)
    else {
      const gain = cellGain(cells.counts[cell], residual, floor)
      score = kind === 'squares' ? score + gain : Math.max(score, gain)
    }
  }
  return score
}

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
