// Exhaustive search over the declared trees of depth 0, 1 and 2: every split of every feature at the root, and on
// each side every split of every feature again. The score of a tree is the sum (or the largest) of its leaves'
// scores, so the two sides are searched apart, from joint histograms of feature pairs, and nothing is missed.

import { declaredSteps } from '../classes/splits.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import type { CellSums, Engine, JointHistogramRequest } from '../engine/engine.ts'
import { sliceCells } from '../kernels/pairs/cells.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import { ROOT } from '../update/update.ts'
import { type Channel, ChannelSearch, type Found } from './channel.ts'
import { jointPairs } from './pairs.ts'
import { type FlatSteps, flattenSteps } from './scan.ts'

export interface SearchRequest {
  readonly engine: Engine
  readonly fold: number
  readonly levels: number
  readonly depth: 1 | 2
  readonly schemas: readonly FeatureSchema[]
  readonly features: readonly number[]
  readonly channels: readonly Channel[]
  readonly levelValues?: Int32Array
  /** Residuals with the signs of their levels, all levels together; `levels` is 1. */
  readonly levelSigns?: Int32Array
  readonly cellBudget: number
}

/** Cells of all joint histograms together, the measure of the search's cost. */
export function searchCells(
  coarseCounts: readonly number[],
  features: readonly number[],
  levels: number,
): number {
  const counts = features.map(feature => coarseCounts[feature])
  const sum = counts.reduce((total, count) => total + count, 0)
  const squares = counts.reduce((total, count) => total + count * count, 0)
  return ((sum * sum + squares) / 2) * levels
}

/** The best declared tree for every channel. Fixed order, the first best wins. */
export async function searchTrees(request: SearchRequest): Promise<Found[]> {
  const { depth, engine, features, fold, levels } = request
  checkBudget(request)
  const { marginals, steps } = await openSplits(request)
  const searches = request.channels.map(channel => new ChannelSearch(channel, marginals, steps, levels))
  if (depth === 2) {
    await searchPairs(engine, features, { fold, levels, ...residualsOf(request) }, searches)
  }
  return searches.map(search => search.best())
}

/** Of each feature its histogram, at [bin * levels + level], and the splits that it offers. */
export interface OpenSplits {
  readonly marginals: readonly CellSums[]
  readonly steps: readonly FlatSteps[]
}

export async function openSplits(request: Omit<SearchRequest, 'channels'>): Promise<OpenSplits> {
  const { engine, features, fold, levels, schemas } = request
  const question = { fold, levels, tree: ROOT, features, resolution: 'coarse' } as const
  const histogram = await engine.histogram({ ...question, ...residualsOf(request) })
  const marginals = features.map((feature, index) => {
    const size = engine.shape.coarseCounts[feature] * levels
    return sliceCells(histogram, histogram.offsets[index], size)
  })
  const steps = features.map((feature, index) =>
    flattenSteps(declaredSteps(schemas[feature], feature, hasMissing(marginals[index], levels))),
  )
  return { marginals, steps }
}

/** What residuals are taken from, as the request has it. */
function residualsOf({
  levelSigns,
  levelValues,
}: Omit<SearchRequest, 'channels'>): Pick<JointHistogramRequest, 'levelSigns' | 'levelValues'> {
  return {
    ...(levelValues !== undefined && { levelValues }),
    ...(levelSigns !== undefined && { levelSigns }),
  }
}

/** Roots and children: in the engine where it can, else here, pair after pair. Projected cells are made here. */
async function searchPairs(
  engine: Engine,
  features: readonly number[],
  question: Omit<JointHistogramRequest, 'pairs'>,
  searches: readonly ChannelSearch[],
): Promise<void> {
  const inEngine = engine.searchPairs?.bind(engine)
  if (inEngine !== undefined && !searches.some(search => search.projects)) {
    for (const search of searches) await search.searchPairs(inEngine, { ...question, features })
    return
  }
  for (const search of searches) search.scanDiagonals()
  for await (const { a, b, cells } of jointPairs(engine, features, question)) {
    for (const search of searches) search.scanPair(a, b, cells)
  }
}

function checkBudget({ cellBudget, depth, engine, features, levels }: Omit<SearchRequest, 'channels'>): void {
  const cells = searchCells(engine.shape.coarseCounts, features, levels)
  if (depth === 2 && cells > cellBudget) {
    throw new FeatureBoostError(
      'FB_CELL_BUDGET',
      `the exhaustive depth-2 search needs ${formatCount(cells)} cells for ${features.length} features and ${levels} levels; the budget is ${formatCount(cellBudget)}.`,
      { hint: 'Name fewer columns, lower coarseBins, raise epsilon (fewer levels), or raise cellBudget.' },
    )
  }
}

const hasMissing = (marginal: CellSums, levels: number): boolean =>
  marginal.counts.subarray(marginal.counts.length - levels).some(count => count > 0)
