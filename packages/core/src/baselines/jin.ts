// Discretization-free multicalibration (Jin, Ding, Ngo, Wu 2025): one ensemble of depth-2 trees on the groups and the score,
// by squared loss, added to the score. It ends when rows held apart no longer gain. If a second ensemble on top gains next to
// nothing, the loss is "saturated", and that is what their guarantee hangs on.
//
// Where it differs from the original recipe for LightGBM: the rows held apart, and those that each tree may see, are chosen by
// what rows hold, the latter part by part; weights count as repetition; the score has at most 8192 bins, at even places.

import { throwIfCancelled } from '../common/cancel.ts'
import { makeRandom, type Random } from '../common/random.ts'
import { clipUnits, ONE } from '../common/units.ts'
import type { CellSums } from '../engine/engine.ts'
import { alongCurve } from '../update/move.ts'
import type { CurveUpdate, ForestTree, Update } from '../update/update.ts'
import { BASELINE_PARTS, type Baseline, type BaselineRows, type BaselineSettings } from './baseline.ts'
import { rowsWhere } from './rows/memberships.ts'
import { meanSquare, stepCurve } from './rows/scores.ts'
import { CellCounter } from './trees/cellCounter.ts'
import { findJinSplit, type JinColumns, jinColumns, jinStep, plantJinTree } from './trees/jinTrees.ts'
import { growSquaredTree, partByLeaf, type SquaredTree } from './trees/squaredTree.ts'

/** What their search over settings chose for incomes; the search itself is not repeated. */
const RATE = 0.0316
const SUBSAMPLE = 0.7
const TREE_LIMIT = 2000
const PATIENCE = 50
const DEPTH = 2

export const jin: Baseline = {
  name: 'jin',
  title: 'Jin et al., depth-2 trees',
  help: 'One ensemble of depth-2 trees on the groups and the score, added to the score (Jin, Ding, Ngo, Wu 2025).',
  reads: ['learningRate', 'roundLimit'],
  run: (rows, settings) => runJin(rows, settings).updates,
}

interface JinRun {
  readonly updates: readonly Update[]
  /** Mean squared error of the rows held apart, unclipped: at the start, and after each tree tried. */
  readonly losses: readonly number[]
  /** Of the fitting rows, in units. */
  readonly prediction: Int32Array
}

export function runJin(rows: BaselineRows, settings: BaselineSettings): JinRun {
  const { losses, prediction, trees } = growEnsemble(rows, settings)
  const updates: Update[] = trees.length === 0 ? [] : [{ kind: 'forest', link: 'identity', clip: 0, trees }]
  const moved = prediction.map(clipUnits)
  if (settings.bins === undefined) return { updates, losses, prediction: moved }
  const rounding = roundToCentres(settings.bins)
  return {
    updates: [...updates, rounding],
    losses,
    prediction: moved.map(score => alongCurve(rounding, score)),
  }
}

/** A curve to the nearest of the middles of so many bins. */
export function roundToCentres(bins: number): CurveUpdate {
  return stepCurve(
    Array.from({ length: bins }, (_, bin) => ({
      start: Math.ceil((bin * ONE) / bins),
      value: Math.floor(((bin + 0.5) * ONE) / bins + 0.5),
    })),
  )
}

/** Mean squared errors on the fitting rows: as given, after one ensemble, and after a second on top of it. */
interface Saturation {
  readonly given: number
  readonly once: number
  readonly twice: number
}

/** Their test: how much is left to gain for the same recipe. */
export function measureSaturation(rows: BaselineRows, settings: BaselineSettings): Saturation {
  const plain = { ...settings, bins: undefined }
  const once = runJin(rows, plain).prediction
  const twice = runJin({ ...rows, start: once }, plain).prediction
  const error = (prediction: Int32Array) => meanSquare(rows, prediction)
  return { given: error(rows.start), once: error(once), twice: error(twice) }
}

function growEnsemble(
  rows: BaselineRows,
  { learningRate: rate = RATE, onRound, roundLimit = TREE_LIMIT, seed, signal }: BaselineSettings,
): { trees: ForestTree[]; losses: number[]; prediction: Int32Array } {
  const columns = jinColumns(rows)
  const prediction = Int32Array.from(rows.start)
  const kept = Int32Array.from(rows.start)
  const held = rowsWhere(rows.rowCount, row => isHeld(rows.part[row]))
  const lossNow = () => meanSquare(rows, prediction, held)
  const takeSteps = stepper(prediction, columns, rate)
  const growOne = treeGrower(rows, columns, prediction, makeRandom(seed))
  const losses = [lossNow()]
  const trees: ForestTree[] = []
  let best = 0
  while (trees.length < roundLimit && trees.length - best < PATIENCE) {
    throwIfCancelled(signal, 'the growing of trees')
    const tree = growOne()
    takeSteps(tree)
    trees.push(plantJinTree(tree, columns, rows.groups, rate))
    losses.push(lossNow())
    onRound?.(trees.length)
    if (losses[trees.length] >= losses[best]) continue
    best = trees.length
    kept.set(prediction)
  }
  return { trees: trees.slice(0, best), losses, prediction: kept }
}

/** Grows a tree on what is left at the present predictions, each time on other parts. */
function treeGrower(
  { label, part, rowCount, weight, weightScale }: BaselineRows,
  { binCounts, columns }: JinColumns,
  prediction: Int32Array,
  random: Random,
): () => SquaredTree {
  const [target, learn] = [new Int32Array(rowCount), new Int32Array(rowCount)]
  const counter = new CellCounter({ columns, binCounts, weight })
  const find = (cells: readonly CellSums[]) => findJinSplit(cells, weightScale)
  return () => {
    const drawn = drawParts(random)
    let count = 0
    for (let row = 0; row < rowCount; row++) {
      target[row] = label[row] - prediction[row]
      learn[count] = row
      count += drawn[part[row]]
    }
    return growSquaredTree(counter, target, learn.subarray(0, count), DEPTH, find)
  }
}

/** Moves the predictions of all rows. */
function stepper(prediction: Int32Array, { columns }: JinColumns, rate: number): (tree: SquaredTree) => void {
  const ascending = rowsWhere(prediction.length, () => true)
  const rows = new Int32Array(prediction.length)
  return tree => {
    rows.set(ascending)
    partByLeaf(tree, columns, rows, (leaf, members) => {
      const step = jinStep(leaf, rate)
      for (let index = 0; index < members.length; index++) prediction[members[index]] += step
    })
  }
}

/** Three tenths are held apart. */
const isHeld = (part: number): boolean => part % 10 < 3

/** Per part: 1 for those that one tree may see, of those that are not held apart. */
function drawParts(random: Random): Uint8Array {
  const parts = Array.from({ length: BASELINE_PARTS }, (_, part) => part).filter(part => !isHeld(part))
  const drawn = new Uint8Array(BASELINE_PARTS)
  for (let left = Math.round(SUBSAMPLE * parts.length); left > 0; left--) {
    drawn[parts.splice(random.integer(parts.length), 1)[0]] = 1
  }
  return drawn
}
