// From an update class to the oracle that searches it.

import type { CompiledClass } from '../classes/compile.ts'
import type { FactorKind } from '../classes/factors.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import type { EngineShape } from '../engine/engine.ts'
import { finiteOracle } from './finite.ts'
import { greedyOracle } from './greedy.ts'
import type { Oracle } from './oracle.ts'
import { searchCells } from './search.ts'
import { functionOracle, leastSquaresOracle } from './signals.ts'
import { treeOracle } from './trees.ts'

export interface OracleOptions {
  /** Prediction levels K; constant factors use one level whatever this is. */
  readonly levels: number
  readonly cellBudget: number
  /** `auto` is exhaustive for depth 1 and 2, greedy for deeper trees, and greedy, loudly, beyond the cell budget. */
  readonly search: 'auto' | 'exhaustive' | 'greedy'
  readonly warn: (sentence: string) => void
}

/** Constant factors do not see the prediction: one level. */
export const levelsFor = (factors: FactorKind, levels: number): number =>
  factors === 'constant' ? 1 : levels

export function chooseOracle(compiled: CompiledClass, shape: EngineShape, options: OracleOptions): Oracle {
  const { factors, space } = compiled
  const levels = levelsFor(factors, options.levels)
  if (space.kind === 'partitions') return finiteOracle(space.partitions, factors, levels)
  if (space.kind === 'signals') {
    const make = space.span ? leastSquaresOracle : functionOracle
    return make(space.signals, factors, levels)
  }
  const schemas = compiled.encoding.features
  const { depth, features } = space
  const growth = { schemas, features, depth, levels }
  if (options.search === 'greedy' || (depth > 2 && options.search === 'auto'))
    return greedyOracle(growth, factors)
  if (depth > 2) throw tooDeep(depth)
  const cells = searchCells(shape.coarseCounts, features, levels)
  if (options.search === 'auto' && depth === 2 && cells > options.cellBudget) {
    options.warn(
      `The exhaustive depth-2 search would need ${formatCount(cells)} cells, more than the budget of ${formatCount(options.cellBudget)}: trees are grown greedily instead, and their slack is unknown.`,
    )
    return greedyOracle(growth, factors)
  }
  return treeOracle({ ...growth, depth: depth === 1 ? 1 : 2, cellBudget: options.cellBudget }, factors)
}

const tooDeep = (depth: number) =>
  new FeatureBoostError('FB_COMBINATION', `trees of depth ${depth} cannot be searched exhaustively.`, {
    hint: 'Use a depth of 1 or 2, or search "auto" or "greedy".',
  })
