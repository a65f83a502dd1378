// LSBoost (Globus-Harris, Harrison, Kearns, Roth, Sorrell 2023): predictions lie on a grid; each round fits a small
// regression tree to the labels of every level set, takes its predictions and rounds them to the grid again.
//
// As their program has it: levels are the ends of the bins, from the least label to the largest; the first two rounds always
// run; it ends when the squared error of the fitting rows falls by less than gamma over the number of bins; and then one
// more round is taken that is not rounded. The weak learner, which they leave open, is a tree.

import { throwIfCancelled } from '../common/cancel.ts'
import { alongCurve } from '../update/move.ts'
import type { CurveUpdate, Update } from '../update/update.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { meanSquare, stepCurve } from './rows/scores.ts'
import { levelRefitter } from './trees/levelTrees.ts'

const BINS = 10
const ROUND_LIMIT = 100
const GAMMA = 0.1
const DEPTH = 2

export const lsboost: Baseline = {
  name: 'lsboost',
  title: 'LSBoost, depth-2 trees',
  help: 'Trees fitted to the labels of every level set, rounded to a grid after each round (Globus-Harris et al. 2023).',
  reads: ['learningRate', 'roundLimit'],
  run: (rows, settings) => runLsboost(rows, settings).updates,
}

interface LsboostRun {
  readonly updates: readonly Update[]
  /** Mean squared error of the fitting rows: as given, and after each round. */
  readonly losses: readonly number[]
  /** Of the fitting rows, in units. */
  readonly prediction: Int32Array
}

export function runLsboost(rows: BaselineRows, settings: BaselineSettings, depth = DEPTH): LsboostRun {
  const { bins = BINS, learningRate = 1, onRound, roundLimit = ROUND_LIMIT, signal } = settings
  if (rows.rowCount === 0) return { updates: [], losses: [], prediction: rows.start }
  const grid = makeGrid(rows.label, bins)
  const round = roundToGrid(grid)
  const starts = grid.map((_, level) => levelStart(grid, level))
  const refit = levelRefitter(rows, { grid, starts, depth, rate: learningRate })
  const updates: Update[] = [round]
  const losses = [meanSquare(rows, rows.start)]
  let prediction: Int32Array = rows.start.map(score => alongCurve(round, score))
  for (let done = 0, last = false; !last && done < roundLimit; done++) {
    throwIfCancelled(signal, 'LSBoost')
    last = done === roundLimit - 1 || (done >= 2 && fallOf(losses) <= GAMMA / bins)
    const grown = refit(prediction)
    updates.push(grown.update)
    prediction = last ? grown.prediction : grown.prediction.map(score => alongCurve(round, score))
    if (!last) updates.push(round)
    losses.push(meanSquare(rows, prediction))
    onRound?.(done + 1)
  }
  return { updates, losses, prediction }
}

const fallOf = (losses: readonly number[]): number => losses[losses.length - 2] - losses[losses.length - 1]

/** The ends of so many bins from the least to the largest label, in units. */
export function makeGrid(label: Int32Array, bins: number): number[] {
  const least = label.reduce((low, one) => Math.min(low, one), label[0])
  const largest = label.reduce((high, one) => Math.max(high, one), label[0])
  const points = Array.from({ length: bins + 1 }, (_, point) =>
    Math.floor(least + ((largest - least) * point) / bins + 0.5),
  )
  return [...new Set(points)]
}

/** To the nearest point, halves up. */
export function roundToGrid(grid: readonly number[]): CurveUpdate {
  return stepCurve(grid.map((value, level) => ({ start: levelStart(grid, level), value })))
}

/** The first prediction of a level set. */
const levelStart = (grid: readonly number[], level: number): number =>
  level === 0 ? 0 : Math.ceil((grid[level - 1] + grid[level]) / 2)
