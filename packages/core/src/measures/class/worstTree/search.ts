// The declared tree of depth 1 or 2, with leaf values of -1 and 1, whose multicalibration error K1 is largest: exactly, or as far
// as a stated amount of work goes, with a bound for what was not looked at.
//
// Root splits are bounded first, in one pass over all pairs of features, and then searched (roots.ts), the largest bounds first,
// until no bound is larger than what was found. Everything is computed from whole numbers in a fixed order, so the
// answer, and where the work ends, are the same on every engine.

import type { KernelChoice } from '../../../kernels/load.ts'
import { jointPairs, pairCount } from '../../../oracle/pairs.ts'
import { type OpenSplits, openSplits, type SearchRequest } from '../../../oracle/search.ts'
import { numberLeaves, ROOT } from '../../../update/update.ts'
import { SearchRoom } from './room.ts'
import { RootSearch, type RootSplit, type WorstSigned } from './roots.ts'

type TreeRequest = Omit<SearchRequest, 'channels' | 'levelSigns'>

/** Numbers looked at, at most: a fraction of a second. What a root costs before its signs are searched counts, too. */
export const WORST_TREE_WORK = 2 ** 27

/** Where pairs are not kept, each root is a pass over the rows: so many of them, or as many as there are features. */
const LEAST_PASSES = 32

/** Roots that are searched first, for something to compare the bounds of the others with. */
const FIRST_ROOTS = 16

interface BoundedRoot extends RootSplit {
  readonly bound: number
}

export interface WorstTreeLimits {
  /** Numbers looked at. */
  readonly work?: number
  /** Cells of pairs that are kept. */
  readonly keptCells?: number
  readonly kernels?: KernelChoice
}

/** Cells of pairs that are kept, at most: 64 MiB. */
const KEPT_CELLS = 2 ** 23

export async function findWorstSigned(
  request: TreeRequest,
  { keptCells = KEPT_CELLS, kernels = 'auto', work = WORST_TREE_WORK }: WorstTreeLimits = {},
): Promise<WorstSigned> {
  const { engine, features, levels } = request
  const splits = await openSplits(request)
  const keepsPairs = request.depth === 2 && pairCount(engine, features, levels) <= keptCells
  const room = new SearchRoom(splits, levels, { keepsPairs, kernels })
  const stump = worstStump(splits, room)
  if (request.depth === 1) return stump
  await boundRoots(request, room)
  const search = new RootSearch(splits, room, stump, { left: work })
  const roots = orderRoots(room)
  if (keepsPairs) searchKept(search, roots, room)
  else await searchAsked(search, roots, room, splits, request)
  return search.answer
}

/** Depth 0 and 1. Of one root split there are two auditors: equal signs, which is everyone, and opposite ones. */
function worstStump({ steps }: OpenSplits, { features, levels, total }: SearchRoom): WorstSigned {
  let best = { tree: ROOT, error: total.reduce((sum, value) => sum + Math.abs(value), 0) }
  features.forEach(({ sides }, feature) => {
    steps[feature].splits.forEach((split, index) => {
      let error = 0
      for (let level = 0; level < levels; level++)
        error += Math.abs(2 * sides[index * levels + level] - total[level])
      if (error > best.error) best = { tree: numberLeaves({ split, yes: ROOT, no: ROOT }), error }
    })
  })
  return { ...best, atMost: best.error }
}

/** Raises the norms of all sides to those of their best splits. */
async function boundRoots(
  { engine, features, fold, levels, levelValues }: TreeRequest,
  room: SearchRoom,
): Promise<void> {
  for (let feature = 0; feature < features.length; feature++) room.scanSelf(feature)
  const question = { fold, levels, ...(levelValues !== undefined && { levelValues }) }
  for await (const { a, b, cells } of jointPairs(engine, features, question))
    room.scanPair(a, b, cells.residuals)
}

/** The largest bound first; of equal ones the first. */
function orderRoots({ features }: SearchRoom): BoundedRoot[] {
  const roots = features.flatMap(({ norms }, feature) =>
    Array.from({ length: norms.length / 2 }, (_, split) => ({
      feature,
      split,
      bound: norms[2 * split] + norms[2 * split + 1],
    })),
  )
  return roots.sort((a, b) => b.bound - a.bound)
}

/** From the pairs that were kept, feature by feature: some roots first, so that most of the others can be passed over. */
function searchKept(search: RootSearch, roots: readonly BoundedRoot[], room: SearchRoom): void {
  for (const part of [roots.slice(0, FIRST_ROOTS), roots.slice(FIRST_ROOTS)]) {
    const climbs = part[0] === roots[0]
    for (const feature of new Set(part.map(root => root.feature))) {
      const own = part.filter(root => root.feature === feature)
      if (!own.some(({ bound }) => search.wants(bound))) continue
      const bySplit = new Map(own.map(root => [root.split, root]))
      for (const split of room.walk(feature)) {
        const root = bySplit.get(split)
        if (root !== undefined && search.wants(root.bound)) search.search(root, climbs)
      }
    }
  }
}

/** Where pairs were not kept: one pass over the rows for each root, and not many. */
async function searchAsked(
  search: RootSearch,
  roots: readonly BoundedRoot[],
  room: SearchRoom,
  splits: OpenSplits,
  request: TreeRequest,
): Promise<void> {
  const passes = Math.max(LEAST_PASSES, request.features.length)
  for (const [index, root] of roots.entries()) {
    if (!search.wants(root.bound)) return
    if (index === passes) {
      search.leave(root.bound)
      return
    }
    room.setCells(await askSide(request, root, splits))
    search.search(root, true)
  }
}

/** The residuals on the yes side of a root split, counted anew: of every feature at [bin * levels + level]. */
async function askSide(
  { engine, features, fold, levels, levelValues }: TreeRequest,
  { feature, split }: RootSplit,
  { steps }: OpenSplits,
): Promise<Float64Array[]> {
  const tree = numberLeaves({ split: steps[feature].splits[split], yes: ROOT, no: ROOT })
  const residualsOf = levelValues === undefined ? {} : { levelValues }
  const question = { fold, levels, tree, leaves: [0], features, resolution: 'coarse' } as const
  const { offsets, residuals } = await engine.histogram({ ...question, ...residualsOf })
  return features.map((index, place) => {
    const size = engine.shape.coarseCounts[index] * levels
    return residuals.subarray(offsets[place], offsets[place] + size)
  })
}
