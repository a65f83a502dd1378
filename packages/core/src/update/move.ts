// How far one update moves one prediction, and where it lands. Engines, baselines and the model's own `predict` share this,
// so a prediction made in an engine and one made from a model file are the same number.

import { clipStep, moveOdds, scaleOdds } from '../common/logistic.ts'
import { clipUnits, levelOf, ONE } from '../common/units.ts'
import type { CurveUpdate, ForestUpdate, PolynomialUpdate, TableUpdate, Update } from './update.ts'
import { visitUpdate } from './visit.ts'
import { findLeaf, flattenTree } from './walk.ts'

export type Mover = (
  bins: readonly ArrayLike<number>[],
  signals: readonly ArrayLike<number>[],
  row: number,
  prediction: number,
) => number

/** A function from a row and its prediction (in units) to its next prediction (in units, clipped). */
export const makeMover = (update: Update, binCounts: readonly number[]): Mover =>
  visitUpdate<Mover>(update, {
    table: table => tableMover(table, binCounts),
    forest: forest => forestMover(forest, binCounts),
    curve: curve => (_bins, _signals, _row, prediction) => alongCurve(curve, prediction),
    polynomial: polynomial => polynomialMover(polynomial, binCounts),
    linear: linearMover,
  })

/** Predictions of all rows after the updates, in order; `start` stays as it is. Linear updates need signals. */
export function applyUpdates(
  updates: readonly Update[],
  rows: { readonly bins: readonly ArrayLike<number>[]; readonly binCounts: readonly number[] },
  start: Int32Array,
  signals: readonly ArrayLike<number>[] = [],
): Int32Array {
  const moved = Int32Array.from(start)
  for (const update of updates) {
    const move = makeMover(update, rows.binCounts)
    for (let row = 0; row < moved.length; row++) moved[row] = move(rows.bins, signals, row, moved[row])
  }
  return moved
}

function tableMover({ levels, tree, values }: TableUpdate, binCounts: readonly number[]): Mover {
  const flat = flattenTree(tree, binCounts)
  return (bins, _signals, row, prediction) => {
    const leaf = findLeaf(flat, bins, row, prediction)
    return clipUnits(prediction + values[leaf * levels + levelOf(prediction, levels)])
  }
}

function linearMover({ coefficients, levels, signals: indexes }: Update & { kind: 'linear' }): Mover {
  return (_bins, signals, row, prediction) => {
    const offset = levelOf(prediction, levels) * indexes.length
    // Doubles, but added in a fixed order within one row: the same bits on every engine.
    let move = 0
    for (let k = 0; k < indexes.length; k++) move += coefficients[offset + k] * signals[indexes[k]][row]
    return clipUnits(prediction + Math.round(move))
  }
}

function forestMover(update: ForestUpdate, binCounts: readonly number[]): Mover {
  const walks = update.trees.map(({ steps, tree }) => ({ steps, tree: flattenTree(tree, binCounts) }))
  const land = forestLanding(update)
  return (bins, _signals, row, prediction) => {
    let step = 0
    for (const { steps, tree } of walks) step += steps[findLeaf(tree, bins, row, prediction)]
    return land(prediction, step)
  }
}

/** Where a prediction lands whose trees say this step. */
export function forestLanding({
  clip,
  link,
  scale,
}: ForestUpdate): (prediction: number, step: number) => number {
  const inside = (prediction: number) => Math.max(clip, Math.min(ONE - clip, prediction))
  if (link === 'identity') return (prediction, step) => clipUnits(inside(prediction) + step)
  if (scale === undefined) return (prediction, step) => moveOdds(inside(prediction), clipStep(step))
  return (prediction, step) => scaleOdds(inside(prediction), clipStep(step), scale)
}

/** The place of a prediction on the curve, exact in whole numbers: products stay below 2^50. */
export function alongCurve({ from, to }: CurveUpdate, prediction: number): number {
  let [low, high] = [0, from.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (from[middle] <= prediction) low = middle
    else high = middle
  }
  const width = from[high] - from[low]
  const rise = (to[high] - to[low]) * (prediction - from[low])
  return to[low] + Math.floor((2 * rise + width) / (2 * width))
}

function polynomialMover({ degree, tree, values }: PolynomialUpdate, binCounts: readonly number[]): Mover {
  const flat = flattenTree(tree, binCounts)
  return (bins, _signals, row, prediction) => {
    const offset = findLeaf(flat, bins, row, prediction) * (degree + 1)
    const u = prediction / ONE
    let move = values[offset + degree]
    for (let power = degree - 1; power >= 0; power--) move = move * u + values[offset + power]
    return clipUnits(prediction + Math.floor(move + 0.5))
  }
}
