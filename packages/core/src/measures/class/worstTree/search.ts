// The declared tree of depth 1 or 2, with leaf values of -1 and 1, whose multicalibration error K1 is largest: exactly, or as far
// as a stated amount of work goes, with a bound for what was not looked at.
//
// Root splits are bounded first (rootBounds.ts), in one pass over all pairs of features, and then searched (roots.ts), the largest
// bounds first, until no bound is larger than what was found. Everything is computed from whole numbers in a fixed order, so the
// answer, and where the work ends, are the same on every engine.

import { emptyCells, setDiagonal } from '../../../kernels/pairs/cells.ts'
import { sumSides } from '../../../oracle/channel.ts'
import { jointPairs, pairCount } from '../../../oracle/pairs.ts'
import { type OpenSplits, openSplits } from '../../../oracle/search.ts'
import { numberLeaves, ROOT } from '../../../update/update.ts'
import { type NormSide, scanNorms, wholeNorms } from './rootBounds.ts'
import { normOf, RootSearch, sumBins, type WorstSigned } from './roots.ts'
import { askSide, KEPT_CELLS, KeptPairs, type RootSplit, type TreeRequest } from './sides.ts'

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
}

export async function findWorstSigned(
  request: TreeRequest,
  { keptCells = KEPT_CELLS, work = WORST_TREE_WORK }: WorstTreeLimits = {},
): Promise<WorstSigned> {
  const { engine, features, levels } = request
  const splits = await openSplits(request)
  const total = sumBins(splits.marginals[0].residuals, levels)
  const sides = splits.marginals.map((marginal, index) => {
    const yes = sumSides(marginal, splits.steps[index], levels).residuals
    return { steps: splits.steps[index], sides: yes, norms: wholeNorms(yes, total) }
  })
  const stump = worstStump(splits, sides, total)
  if (request.depth === 1) return stump
  const kept = pairCount(engine, features, levels) <= keptCells ? new KeptPairs() : undefined
  await boundRoots(request, splits, sides, total, kept)
  const search = new RootSearch(splits, sides, total, stump, { left: work })
  const roots = orderRoots(sides)
  if (kept === undefined) await searchAsked(search, roots, splits, request)
  else searchKept(search, roots, splits, kept, levels)
  return search.answer
}

/** Depth 0 and 1. Of one root split there are two auditors: equal signs, which is everyone, and opposite ones. */
function worstStump({ steps }: OpenSplits, features: readonly NormSide[], total: Float64Array): WorstSigned {
  const levels = total.length
  let best = { tree: ROOT, error: normOf(total) }
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
  { marginals }: OpenSplits,
  sides: readonly NormSide[],
  total: Float64Array,
  kept: KeptPairs | undefined,
): Promise<void> {
  const rows = marginals.map(({ residuals }) => new Float64Array(residuals.length))
  marginals.forEach(({ residuals }, index) => {
    const joint = emptyCells(residuals.length ** 2 / levels).residuals
    setDiagonal(joint, residuals, levels)
    scanNorms(sides[index], sides[index], joint, total, rows[index])
  })
  const question = { fold, levels, ...(levelValues !== undefined && { levelValues }) }
  for await (const { a, b, cells } of jointPairs(engine, features, question)) {
    scanNorms(sides[a], sides[b], cells.residuals, total, rows[b])
    kept?.keep(a, b, cells.residuals)
  }
}

/** The largest bound first; of equal ones the first. */
function orderRoots(sides: readonly NormSide[]): BoundedRoot[] {
  const roots = sides.flatMap(({ norms }, feature) =>
    Array.from({ length: norms.length / 2 }, (_, split) => ({
      feature,
      split,
      bound: norms[2 * split] + norms[2 * split + 1],
    })),
  )
  return roots.sort((a, b) => b.bound - a.bound)
}

/** From the pairs that were kept, feature by feature: some roots first, so that most of the others can be passed over. */
function searchKept(
  search: RootSearch,
  roots: readonly BoundedRoot[],
  splits: OpenSplits,
  kept: KeptPairs,
  levels: number,
): void {
  for (const part of [roots.slice(0, FIRST_ROOTS), roots.slice(FIRST_ROOTS)]) {
    const climbs = part[0] === roots[0]
    for (const feature of new Set(part.map(root => root.feature))) {
      const own = part.filter(root => root.feature === feature)
      if (!own.some(({ bound }) => search.wants(bound))) continue
      const bySplit = new Map(own.map(root => [root.split, root]))
      for (const { cells, split } of kept.walk(feature, splits, levels)) {
        const root = bySplit.get(split)
        if (root !== undefined && search.wants(root.bound)) search.search(root, cells, climbs)
      }
    }
  }
}

/** Where pairs were not kept: one pass over the rows for each root, and not many. */
async function searchAsked(
  search: RootSearch,
  roots: readonly BoundedRoot[],
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
    search.search(root, await askSide(request, root, splits), true)
  }
}
