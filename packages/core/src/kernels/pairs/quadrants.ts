// All splits of one feature against all splits of another. Two splits part the rows into four quadrants, and whichever
// of the two is the root, the leaves are these four. So each quadrant is scored once and serves twice: for the root split
// on A continued on B, and for the root split on B continued on A. Only for sums of whole numbers: three of the quadrants
// come by subtraction, and the result must not depend on the order of sums.

import {
  addCells,
  type CellSums,
  cellGain,
  clearCells,
  joinScores,
  type ScoreKind,
  type SideBests,
  type Steps,
} from './cells.ts'

/** One feature of the pair: its splits, the sums of their yes sides at [split * levels + level], the bests to improve. */
export interface PairSide {
  readonly feature: number
  readonly steps: Steps
  readonly sides: CellSums
  readonly bests: SideBests
}

/** Scratch: the cells of B's bins on the yes side of A, the yes-yes quadrant per level, and four scores. */
interface PairScratch {
  readonly row: CellSums
  readonly yesYes: CellSums
  readonly scores: Float64Array
}

/** `joint` holds cells at [(binA * binsB + binB) * levels + level], `total` their sums per level. */
export function scanQuadrants(
  a: PairSide,
  b: PairSide,
  kind: ScoreKind,
  joint: CellSums,
  total: CellSums,
  levels: number,
  floor: number,
  { row, scores, yesYes }: PairScratch,
): void {
  const scoreQuadrants = QUADRANT_SCORES[kind]
  const { bins, resets, splitIndexes } = b.steps
  clearCells(row)
  for (let stepA = 0; stepA < a.steps.bins.length; stepA++) {
    if (a.steps.resets[stepA] === 1) clearCells(row)
    addCells(row, joint, a.steps.bins[stepA] * row.counts.length)
    const splitA = a.steps.splitIndexes[stepA]
    if (splitA < 0) continue
    clearCells(yesYes)
    for (let stepB = 0; stepB < bins.length; stepB++) {
      if (resets[stepB] === 1) clearCells(yesYes)
      const splitB = splitIndexes[stepB]
      if (splitB < 0) {
        addCells(yesYes, row, bins[stepB] * levels)
        continue
      }
      scoreQuadrants(
        scores,
        yesYes,
        row,
        bins[stepB] * levels,
        a.sides,
        splitA * levels,
        b.sides,
        splitB * levels,
        total,
        levels,
        floor,
      )
      improve(a.bests, 2 * splitA, joinScores(kind, scores[0], scores[1]), b.feature, splitB)
      improve(a.bests, 2 * splitA + 1, joinScores(kind, scores[2], scores[3]), b.feature, splitB)
      improve(b.bests, 2 * splitB, joinScores(kind, scores[0], scores[2]), a.feature, splitA)
      improve(b.bests, 2 * splitB + 1, joinScores(kind, scores[1], scores[3]), a.feature, splitA)
    }
  }
}

function improve(bests: SideBests, slot: number, score: number, feature: number, split: number): void {
  if (score <= bests.scores[slot]) return
  bests.scores[slot] = score
  bests.features[slot] = feature
  bests.splits[slot] = split
}

/**
 * Adds a bin of B to yes-yes; then scores yes-yes, yes-no, no-yes and no-no, each in the order in which scoreLeaf does. One
 * loop per kind.
 */
const QUADRANT_SCORES = { squares: squaresOf, largest: largestOf, absolute: absoluteOf }

function squaresOf(
  scores: Float64Array,
  yesYes: CellSums,
  row: CellSums,
  at: number,
  sidesA: CellSums,
  atA: number,
  sidesB: CellSums,
  atB: number,
  total: CellSums,
  levels: number,
  floor: number,
): void {
  let [yy, yn, ny, nn] = [0, 0, 0, 0]
  for (let level = 0; level < levels; level++) {
    const count = yesYes.counts[level] + row.counts[at + level]
    const residual = yesYes.residuals[level] + row.residuals[at + level]
    yesYes.counts[level] = count
    yesYes.residuals[level] = residual
    const countA = sidesA.counts[atA + level]
    const residualA = sidesA.residuals[atA + level]
    const countNo = sidesB.counts[atB + level] - count
    const residualNo = sidesB.residuals[atB + level] - residual
    yy += cellGain(count, residual, floor)
    yn += cellGain(countA - count, residualA - residual, floor)
    ny += cellGain(countNo, residualNo, floor)
    nn += cellGain(
      total.counts[level] - countA - countNo,
      total.residuals[level] - residualA - residualNo,
      floor,
    )
  }
  setScores(scores, yy, yn, ny, nn)
}

function largestOf(
  scores: Float64Array,
  yesYes: CellSums,
  row: CellSums,
  at: number,
  sidesA: CellSums,
  atA: number,
  sidesB: CellSums,
  atB: number,
  total: CellSums,
  levels: number,
  floor: number,
): void {
  let [yy, yn, ny, nn] = [0, 0, 0, 0]
  for (let level = 0; level < levels; level++) {
    const count = yesYes.counts[level] + row.counts[at + level]
    const residual = yesYes.residuals[level] + row.residuals[at + level]
    yesYes.counts[level] = count
    yesYes.residuals[level] = residual
    const countA = sidesA.counts[atA + level]
    const residualA = sidesA.residuals[atA + level]
    const countNo = sidesB.counts[atB + level] - count
    const residualNo = sidesB.residuals[atB + level] - residual
    yy = Math.max(yy, cellGain(count, residual, floor))
    yn = Math.max(yn, cellGain(countA - count, residualA - residual, floor))
    ny = Math.max(ny, cellGain(countNo, residualNo, floor))
    const residualRest = total.residuals[level] - residualA - residualNo
    nn = Math.max(nn, cellGain(total.counts[level] - countA - countNo, residualRest, floor))
  }
  setScores(scores, yy, yn, ny, nn)
}

function absoluteOf(
  scores: Float64Array,
  yesYes: CellSums,
  row: CellSums,
  at: number,
  sidesA: CellSums,
  atA: number,
  sidesB: CellSums,
  atB: number,
  total: CellSums,
  levels: number,
): void {
  let [yy, yn, ny, nn] = [0, 0, 0, 0]
  for (let level = 0; level < levels; level++) {
    const residual = yesYes.residuals[level] + row.residuals[at + level]
    yesYes.residuals[level] = residual
    const residualA = sidesA.residuals[atA + level]
    const residualNo = sidesB.residuals[atB + level] - residual
    yy += Math.abs(residual)
    yn += Math.abs(residualA - residual)
    ny += Math.abs(residualNo)
    nn += Math.abs(total.residuals[level] - residualA - residualNo)
  }
  setScores(scores, yy, yn, ny, nn)
}

function setScores(scores: Float64Array, yy: number, yn: number, ny: number, nn: number): void {
  scores[0] = yy
  scores[1] = yn
  scores[2] = ny
  scores[3] = nn
}
