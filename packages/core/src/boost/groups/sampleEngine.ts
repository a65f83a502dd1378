// The rows that forests learn from, in an engine of their own, with the part of the cross-fit as one more column: so one update
// moves every row by the forest that did not see it.

import type { CancelSignal } from '../../common/cancel.ts'
import { FIT, HOLDOUT, type LocalEngine } from '../../engine/engine.ts'
import { sourceOf } from '../../engine/engineRows.ts'
import { defaultEngine } from '../../engine/engines.ts'
import { type ForestRows, partCount } from '../../forest/forestRows.ts'
import { binCount, coarseCount, coarseMap, type FeatureSchema } from '../../quantize/schema.ts'
import { type ForestTree, type ForestUpdate, isLeaf, ROOT, type Tree } from '../../update/update.ts'

/** Cuts of a number that a search over pairs of columns tries: whatever it finds is then looked at between finer ones. */
const SEARCHED_CUTS = 15

/** Columns with no more cuts than a search tries. */
export const searchedSchemas = (schemas: readonly FeatureSchema[]): FeatureSchema[] =>
  schemas.map(schema => {
    if (schema.kind !== 'numeric' || schema.coarse.length <= SEARCHED_CUTS) return schema
    const every = schema.coarse.length / SEARCHED_CUTS
    const kept = Array.from({ length: SEARCHED_CUTS }, (_, index) => Math.floor((index + 0.5) * every))
    return { ...schema, coarse: kept.map(index => schema.coarse[index]) }
  })

export interface SampleOptions {
  readonly schemas: readonly FeatureSchema[]
  readonly threads?: number | undefined
  readonly signal?: CancelSignal | undefined
}

/** Predictions start at `start`; rows of the parts in `held` are held out. The part is the column after those of the schemas. */
export async function openSample(
  rows: ForestRows,
  start: Int32Array,
  { schemas, ...options }: SampleOptions,
  held: readonly number[] = [],
): Promise<LocalEngine> {
  const { bins, label, observationWeight, part, rowCount, weight } = rows
  // Of every column the last bin is for missing values, which parts have none of.
  const partBins = partCount(rows) + 1
  const sample = sourceOf({
    rowCount,
    ...(observationWeight !== undefined && { observationWeight }),
    bins: [...bins, part],
    binCounts: [...schemas.map(binCount), partBins],
    coarseOf: [...schemas.map(coarseMap), Uint8Array.from({ length: partBins }, (_, bin) => bin)],
    coarseCounts: [...schemas.map(coarseCount), partBins],
    signals: [],
    label,
    start,
    ...(weight !== undefined && { weight }),
    ...(held.length > 0 && { fold: part.map(one => (held.includes(one) ? HOLDOUT : FIT)) }),
  })
  return await defaultEngine(options)(sample)
}

/** Moves every row by the forest of its part; `feature` is the column of parts. */
export function apartUpdate(
  apart: ReadonlyMap<number, ForestUpdate>,
  clip: number,
  feature: number,
): ForestUpdate {
  const parts = [...apart.keys()].sort((a, b) => a - b)
  const rounds = Math.max(0, ...[...apart.values()].map(({ trees }) => trees.length))
  const trees = Array.from({ length: rounds }, (_, round) =>
    joinTrees(
      parts.map(part => ({ part, own: apart.get(part)!.trees[round] ?? STILL })),
      feature,
    ),
  )
  return { kind: 'forest', clip, trees }
}

/** A forest that has ended moves nothing more. */
const STILL: ForestTree = { tree: ROOT, steps: [0] }

interface PartTree {
  readonly part: number
  readonly own: ForestTree
}

/** One tree that asks for the part first. */
function joinTrees(trees: readonly PartTree[], feature: number): ForestTree {
  const steps = trees.flatMap(({ own }) => own.steps)
  let first = 0
  const leaves = trees.map(({ own }) => {
    const tree = shiftLeaves(own.tree, first)
    first += own.steps.length
    return tree
  })
  const between = (from: number, to: number): Tree => {
    if (to - from === 1) return leaves[from]
    const middle = (from + to) >> 1
    const bin = trees[middle - 1].part
    return {
      split: { kind: 'atMost', feature, bin, missing: false },
      yes: between(from, middle),
      no: between(middle, to),
    }
  }
  return { tree: between(0, trees.length), steps }
}

function shiftLeaves(tree: Tree, by: number): Tree {
  if (isLeaf(tree)) return { leaf: tree.leaf + by }
  return { split: tree.split, yes: shiftLeaves(tree.yes, by), no: shiftLeaves(tree.no, by) }
}
