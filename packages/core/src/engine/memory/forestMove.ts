// A forest applied to the rows of a segment: the steps of all trees are added up, block by block so that a block's bins stay
// in the cache from tree to tree, and then every prediction moves once. Forests with a link or a scale, which only baselines
// make, land in a plain loop.

import type { Kernels, SegmentRows } from '../../kernels/kernels.ts'
import type { Scratch } from '../../kernels/scratch.ts'
import { forestLanding } from '../../update/move.ts'
import type { ForestUpdate, Tree } from '../../update/update.ts'

const BLOCK_ROWS = 4096

interface WrittenForest {
  /** Writes moved predictions to `target`, an address as that of the predictions. */
  move(rows: SegmentRows, target: number): void
}

/** Writes the trees down once. */
export function writeForest(
  kernels: Kernels,
  scratch: Scratch,
  update: ForestUpdate,
  writeTree: (scratch: Scratch, tree: Tree) => number,
  capacity: number,
): WrittenForest {
  const { clip, trees } = update
  const plain = update.link === undefined && update.scale === undefined
  const land = forestLanding(update)
  const written = trees.map(({ steps, tree }) => ({
    tree: writeTree(scratch, tree),
    table: scratch.write(steps),
  }))
  const sums = scratch.take(4 * capacity)
  const leaves = scratch.take(8 * BLOCK_ROWS)
  return {
    move([from, to, base, , prediction], target) {
      for (let start = from; start < to; start += BLOCK_ROWS) {
        const end = Math.min(to, start + BLOCK_ROWS)
        scratch.clear(sums + 4 * start, 4 * (end - start))
        for (const { table, tree } of written) {
          kernels.forestWalk(start, end, base, prediction, tree, table, sums, leaves)
        }
        if (plain) kernels.forestMove(start, end, prediction, sums, clip, target)
        else {
          const ints = scratch.ints()
          const [at, sum, into] = [prediction >>> 2, sums >>> 2, target >>> 2]
          for (let row = start; row < end; row++) ints[into + row] = land(ints[at + row], ints[sum + row])
        }
      }
    },
  }
}
