// The trees of Jin et al. grown on every row, none held apart and none left out: what decides them is then known to
// LightGBM too, and the two can be compared tree by tree.

import type { BaselineRows } from '../../../packages/core/src/baselines/baseline.ts'
import { CellCounter } from '../../../packages/core/src/baselines/trees/cellCounter.ts'
import {
  findJinSplit,
  jinColumns,
  jinStep,
  plantJinTree,
} from '../../../packages/core/src/baselines/trees/jinTrees.ts'
import { growSquaredTree, partByLeaf } from '../../../packages/core/src/baselines/trees/squaredTree.ts'
import { fromUnits, toUnits } from '../../../packages/core/src/common/units.ts'
import { applyUpdates } from '../../../packages/core/src/update/move.ts'
import type { ForestTree, ForestUpdate } from '../../../packages/core/src/update/update.ts'
import type { ParityData, ParityRow } from './rows.ts'

const [TREES, RATE, DEPTH] = [200, 0.0316, 2]

export function everyRowJin({ fitted, unseen }: ParityData): Float64Array {
  const regions = [...new Set(fitted.map(({ region }) => region))].sort()
  const rows = rowsOf(fitted, regions)
  const update: ForestUpdate = { kind: 'forest', link: 'identity', clip: 0, trees: growTrees(rows) }
  const others = rowsOf(unseen, regions)
  const binCounts = others.features.map(({ bins }) => bins)
  return Float64Array.from(applyUpdates([update], { bins: others.bins, binCounts }, others.start), fromUnits)
}

function growTrees(rows: BaselineRows): ForestTree[] {
  const columns = jinColumns(rows)
  const counter = new CellCounter(columns)
  const prediction = Int32Array.from(rows.start)
  return Array.from({ length: TREES }, () => {
    const target = rows.label.map((label, row) => label - prediction[row])
    const learn = Int32Array.from(prediction.keys())
    const grown = growSquaredTree(counter, target, learn, DEPTH, cells => findJinSplit(cells))
    partByLeaf(grown, columns.columns, learn, (leaf, members) => {
      for (const row of members) prediction[row] += jinStep(leaf, RATE)
    })
    return plantJinTree(grown, columns, rows.groups, RATE)
  })
}

/** Regions and members, each value a group, in the order of parity.py. */
function rowsOf(given: readonly ParityRow[], regions: readonly string[]): BaselineRows {
  const bins = [
    Uint8Array.from(given, ({ region }) => regions.indexOf(region)),
    Uint8Array.from(given, ({ member }) => Number(member)),
  ]
  const binCounts = [regions.length + 1, 3]
  const groups = bins.flatMap((column, feature) =>
    Array.from({ length: binCounts[feature] - 1 }, (_, bin) => ({
      name: `${feature}: ${bin}`,
      tree: { split: { kind: 'in', feature, bins: [bin] }, yes: { leaf: 0 }, no: { leaf: 1 } } as const,
      member: column.map(one => Number(one === bin)),
    })),
  )
  return {
    rowCount: given.length,
    bins,
    features: binCounts.map(count => ({ bins: count, ordered: false })),
    label: Int32Array.from(given, ({ label }) => toUnits(label)),
    start: Int32Array.from(given, ({ score }) => toUnits(score)),
    part: new Uint8Array(given.length),
    groups,
  }
}
