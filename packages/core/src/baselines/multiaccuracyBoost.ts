// Multiaccuracy Boost: Kim, Ghorbani, Zou 2019. An auditor, here a tree of depth 2, is fitted to the residual p - y on everyone and
// on either side of a score of 1/2 as it was at the start. The one that agrees most with the residuals of rows held apart moves the
// logits of its set against it, by a tenth, until none agrees. Splits of the sets by the first score make it do little harm to
// decisions at 1/2. The published notebook fits an unsigned target and stops after any step for everyone; this is the paper.

import { throwIfCancelled } from '../common/cancel.ts'
import { clipStep, moveOdds } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import { type ForestTree, type ForestUpdate, leafCount, type Tree } from '../update/update.ts'
import { findLeaf, flattenTree } from '../update/walk.ts'
import { BASELINE_PARTS, type Baseline, type BaselineRows, type BaselineSettings } from './baseline.ts'
import { rowsWhere } from './rows/memberships.ts'
import { sumLeaves, sumTargets, targetGrower } from './trees/targetTree.ts'

export const multiaccuracyBoost: Baseline = {
  name: 'multiaccuracy-boost',
  title: 'Multiaccuracy Boost',
  help: 'Small trees of the residuals move logits by a tenth while rows held apart agree (Kim, Ghorbani, Zou 2019).',
  reads: ['learningRate', 'roundLimit'],
  run: (rows, settings) => {
    const { update } = boostAccuracy(rows, settings)
    return update.trees.length === 0 ? [] : [update]
  },
}

const RATE = 0.1
const ROUND_LIMIT = 100

/** An auditor has to correlate more than this with the residuals held apart. */
const LEAST_CORRELATION = 1e-4

const HELD_PARTS = 0.3 * BASELINE_PARTS
const CLIP = 1

/** On the logit scale, where the steps of all trees together have to stay within 32 bits; none is larger than the rate. */
const FARTHEST = 127

/** Rows that an auditor is fitted to and rows it is tried on; `within` makes its tree hold on this set alone. */
interface AuditedSet {
  readonly fitted: Int32Array
  readonly held: Int32Array
  readonly within: (tree: Tree, outside: number) => Tree
}

interface Auditor {
  readonly tree: ForestTree
  readonly correlation: number
}

export function boostAccuracy(
  rows: BaselineRows,
  { learningRate = RATE, onRound, roundLimit = ROUND_LIMIT, signal }: BaselineSettings,
): { update: ForestUpdate; predictions: Int32Array } {
  const fitAuditors = auditorsOf(rows, learningRate)
  const most = Math.min(roundLimit, Math.floor(FARTHEST / learningRate))
  const trees: ForestTree[] = []
  const steps = new Int32Array(rows.rowCount)
  let predictions = rows.start
  while (trees.length < most) {
    throwIfCancelled(signal, 'multiaccuracy boost')
    const residuals = rows.label.map((label, row) => label - predictions[row])
    const best = fitAuditors(residuals).reduce((one, other) =>
      other.correlation > one.correlation ? other : one,
    )
    if (best.correlation <= LEAST_CORRELATION) break
    trees.push(best.tree)
    takeSteps(rows, best.tree, steps)
    predictions = rows.start.map((start, row) => moveOdds(clip(start), clipStep(steps[row])))
    onRound?.(trees.length)
  }
  return { update: { kind: 'forest', clip: CLIP, trees }, predictions }
}

const clip = (prediction: number): number => Math.max(CLIP, Math.min(ONE - CLIP, prediction))

/** Everyone, those with a start of more than 1/2, and the others. */
function auditedSets({ part, rowCount, start }: BaselineRows): AuditedSet[] {
  const half = ONE / 2
  const make = (inSet: (row: number) => boolean, within: AuditedSet['within']): AuditedSet => ({
    fitted: rowsWhere(rowCount, row => inSet(row) && part[row] >= HELD_PARTS),
    held: rowsWhere(rowCount, row => inSet(row) && part[row] < HELD_PARTS),
    within,
  })
  const split = { kind: 'below', units: half + 1 } as const
  return [
    make(
      () => true,
      tree => tree,
    ),
    make(
      row => start[row] > half,
      (tree, leaf) => ({ split, yes: { leaf }, no: tree }),
    ),
    make(
      row => start[row] <= half,
      (tree, leaf) => ({ split, yes: tree, no: { leaf } }),
    ),
  ]
}

/** An auditor for each set. Its correlation is with all rows held apart: outside its set it is 0. */
function auditorsOf(rows: BaselineRows, rate: number): (residuals: Int32Array) => Auditor[] {
  const sets = auditedSets(rows)
  const grow = targetGrower(rows, 'squares')
  const heldWeight = Math.max(1, sumTargets(rows, sets[0].held, rows.label).count)
  return residuals =>
    sets.map(({ fitted, held, within }) => {
      const { leaves, tree } = grow(fitted, residuals)
      const means = leaves.map(({ count, sum }) => (count === 0 ? 0 : sum / count))
      const agreement = sumLeaves(rows, held, residuals, tree).reduce(
        (total, { sum }, leaf) => total + (means[leaf] / ONE) * (sum / ONE),
        0,
      )
      const whole = within(tree, leaves.length)
      const steps = [...means.map(mean => Math.round(rate * mean) + 0), 0].slice(0, leafCount(whole))
      return { tree: { tree: whole, steps }, correlation: agreement / heldWeight }
    })
}

/** Adds the steps of a tree; its splits look at the scores of the start. */
function takeSteps(rows: BaselineRows, { steps, tree }: ForestTree, sums: Int32Array): void {
  const flat = flattenTree(
    tree,
    rows.features.map(feature => feature.bins),
  )
  for (let row = 0; row < rows.rowCount; row++)
    sums[row] += steps[findLeaf(flat, rows.bins, row, rows.start[row])]
}
