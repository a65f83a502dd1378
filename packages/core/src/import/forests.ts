// Rounds of MCGrad as forest updates: the steps of their trees in units, and what they ask of the running log odds as what is asked of
// the prediction. LightGBM's numbers are doubles; ours are units of 2^-24.

import { MAX_SCALE, MAX_STEP } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import { probabilityOf } from '../data/scoreScale.ts'
import { type ForestTree, type ForestUpdate, numberLeaves, type Tree } from '../update/update.ts'
import type { ImportedColumn } from './columns.ts'
import type { BoosterNode, BoosterTree } from './lightgbm.ts'
import { notImportable, notReadable } from './refuse.ts'

/** One round: log odds F become scale * (F + the sum of the trees). */
export interface McgradRound {
  readonly trees: readonly BoosterTree[]
  readonly scale: number
}

export function forestOf(
  { scale, trees }: McgradRound,
  columns: readonly ImportedColumn[],
  path: string,
): ForestUpdate {
  const units = Math.round(scale * ONE)
  if (!(units > 0 && units <= MAX_SCALE)) throw notReadable(path, `${scale} cannot be a factor of log odds`)
  const farthest = trees.reduce((sum, { leafValues }) => sum + Math.max(...leafValues.map(Math.abs)), 0)
  if (!(farthest * ONE < MAX_STEP))
    throw notImportable(
      path,
      `its steps add up to ${farthest.toPrecision(3)} on the logit scale, and at most 32 can be said`,
    )
  const made = trees.map((tree, index) => treeOf(tree, columns, `${path}, tree ${index}`))
  return {
    kind: 'forest',
    clip: 1,
    trees: made.filter(({ steps }) => steps.some(step => step !== 0)),
    scale: units,
  }
}

function treeOf(
  { leafValues, nodes }: BoosterTree,
  columns: readonly ImportedColumn[],
  path: string,
): ForestTree {
  const leaves: number[] = []
  const walk = (child: number): Tree => {
    if (child < 0 || nodes.length === 0) {
      const leaf = child < 0 ? ~child : child
      leaves.push(leaf)
      return { leaf }
    }
    const node = nodes[child]
    const units = node.feature === columns.length ? unitsBelow(node) : undefined
    // Above every prediction there is: all rows take the yes side.
    if (units !== undefined && units > ONE) return walk(node.yes)
    const split =
      units === undefined
        ? columns[node.feature].split(node.test, node.feature, path)
        : ({ kind: 'below', units } as const)
    const yes = walk(node.yes)
    return { split, yes, no: walk(node.no) }
  }
  const tree = numberLeaves(walk(0))
  return { tree, steps: leaves.map(leaf => Math.round(leafValues[leaf] * ONE) + 0) }
}

/** Log odds up to the threshold are predictions below these units, to the unit. */
function unitsBelow({ test }: BoosterNode): number {
  if (test.kind !== 'atMost') throw notImportable('trees', 'the prediction is asked for categories')
  return Math.floor(probabilityOf(test.threshold, 'logit')! * ONE) + 1
}
