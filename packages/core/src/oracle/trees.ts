// The oracle for trees of depth 1 and 2: exhaustive over the declared class, whatever the factors. Only rank-one
// moves (signed and weighted bins) are not exact; their slack is measured against the table class, which
// contains them.

import type { FactorKind } from '../classes/factors.ts'
import type { Engine } from '../engine/engine.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import { leafCount, type Tree } from '../update/update.ts'
import { type CellFit, fitCells } from './cells.ts'
import type { Channel, Found } from './channel.ts'
import { tableUpdate } from './finite.ts'
import { gainOf, type Oracle, type Proposal } from './oracle.ts'
import { type CellTable, fitRankOne } from './rankOne.ts'
import { type SearchRequest, searchTrees } from './search.ts'

interface TreeSearch {
  readonly schemas: readonly FeatureSchema[]
  readonly features: readonly number[]
  readonly depth: 1 | 2
  readonly levels: number
  readonly cellBudget: number
}

export function treeOracle(search: TreeSearch, factors: FactorKind): Oracle {
  if (factors === 'signed' || factors === 'weighted') return rankOneOracle(search, factors)
  return {
    kind: 'exhaustive',
    async propose(engine, fold) {
      const found = await searchTrees({
        ...search,
        engine,
        fold,
        channels: CHANNELS[factors](search.levels),
      })
      const best = found.reduce((a, b) => (b.score > a.score ? b : a))
      const { fit, weight } = await fitTree(engine, fold, best.tree, search.levels, factors)
      return proposalOf(best.tree, search.levels, fit, weight, 0)
    },
  }
}

/** A constant is a table of one level (choose.ts asks for one); intervals ask about every level alone. */
const CHANNELS: Readonly<Record<FactorKind, (levels: number) => Channel[]>> = {
  constant: () => [{ score: 'squares' }],
  intervals: levels =>
    Array.from({ length: levels }, (_, only) => ({
      score: 'squares',
      projection: Float64Array.from({ length: levels }, (_, level) => (level === only ? 1 : 0)),
    })),
  signed: () => [{ score: 'squares' }],
  weighted: () => [{ score: 'squares' }],
  'level-sets': () => [{ score: 'largest' }],
  table: () => [{ score: 'squares' }],
}

/** Alternates: the best tree for given level factors (exhaustive), the best factors on that tree. */
function rankOneOracle(search: TreeSearch, factors: 'signed' | 'weighted'): Oracle {
  return {
    kind: 'rank one',
    async propose(engine, fold) {
      const request = { ...search, engine, fold }
      const [table, constant] = await searchTrees({
        ...request,
        channels: [
          { score: 'squares' },
          { score: 'squares', projection: new Float64Array(search.levels).fill(1) },
        ],
      })
      const starts = [await climb(request, table, factors), await climb(request, constant, factors)]
      const best = starts.reduce((a, b) => (b.fit.drop > a.fit.drop ? b : a))
      const slack = gainOf(Math.max(0, table.score - best.fit.drop), best.weight)
      return proposalOf(best.tree, search.levels, best.fit, best.weight, slack)
    },
  }
}

interface TreeFit {
  readonly tree: Tree
  readonly fit: CellFit
  readonly weight: number
}

async function climb(
  request: Omit<SearchRequest, 'channels'>,
  start: Found,
  factors: 'signed' | 'weighted',
): Promise<TreeFit> {
  const { engine, fold, levels } = request
  let best = await fitTree(engine, fold, start.tree, levels, factors)
  for (;;) {
    const projection = scaledToOne(fitRankOne(best.cells, factors === 'signed').levelFactors)
    const [found] = await searchTrees({
      ...request,
      channels: [{ score: 'squares', projection }],
    })
    const next = await fitTree(engine, fold, found.tree, levels, factors)
    if (next.fit.drop <= best.fit.drop * (1 + 1e-9)) return best
    best = next
  }
}

/** The scale of level factors is free; a common one keeps the projected sums well conditioned. */
function scaledToOne(factors: Float64Array): Float64Array {
  const largest = factors.reduce((most, factor) => Math.max(most, Math.abs(factor)), 0)
  return largest === 0 ? factors.map(() => 1) : factors.map(factor => factor / largest)
}

export async function fitTree(
  engine: Engine,
  fold: number,
  tree: Tree,
  levels: number,
  factors: FactorKind,
): Promise<TreeFit & { cells: CellTable }> {
  const [sums] = await engine.levelSums({ fold, levels, trees: [tree] })
  const cells = { ...sums, leaves: leafCount(tree), levels }
  const weight = sums.counts.reduce((total, count) => total + count, 0)
  return { tree, fit: fitCells(factors, cells), weight, cells }
}

export function proposalOf(
  tree: Tree,
  levels: number,
  fit: CellFit,
  weight: number,
  slack?: number,
): Proposal {
  return {
    update: tableUpdate(tree, levels, fit),
    gain: gainOf(fit.drop, weight),
    ...(slack !== undefined && { slack }),
    importance: fit.importance,
  }
}
