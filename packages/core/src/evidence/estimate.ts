// About how long an audit and its figures will take, from the shape of a table alone, before a row is looked at. An estimate and no
// more: at the nominal rates of the plan (audit/worst/plan.ts), of a machine that has nothing else to do.

import { affordableDraws, drawSeconds, isAffordable, rankingSeconds } from '../audit/worst/plan.ts'
import { PAIR_CELLS } from '../audit/worst/screen.ts'
import { AUDIT_OPTIONS } from '../options/options.ts'
import { widthOf } from '../oracle/groups/splitSums.ts'
import { SHOWN_CURVE } from './engines.ts'

export interface TableShape {
  readonly rowCount: number
  /** Of each feature, how many values are told apart. */
  readonly distinct: readonly number[]
  readonly threads: number
}

interface Limits {
  readonly budget?: number
  readonly cellBudget?: number
}

/** Fewer pairs of columns, and worst errors over one condition at a time: most of the time of a wide or long table is theirs. */
export const QUICKER_AUDIT = { budget: 5, cellBudget: 2 ** 20 } as const

/**
 * Nanoseconds, rounded up from what one core of an AMD EPYC takes: a cell that is read, cut into bins and loaded, twice; a cell of a pair of
 * columns at a level in a search for the worst error; a row counted for a pair there.
 */
const LOADED_CELL = 500
const SEARCHED_CELL = 30
const COUNTED_ROW = 4

/** Draws that it takes on average until it is settled whether there is more than noise. */
const USUAL_DRAWS = 40

/** In seconds. */
export function estimateAudit(shape: TableShape, limits: Limits = {}): number {
  const { bins, budget, cellBudget, coarseBins, draws, significance } = AUDIT_OPTIONS
  const sizes = shape.distinct.map(count => Math.min(count, coarseBins.default))
  const work = pairWork(sizes, shape)
  const search = searchSeconds(work, widthOf(bins.default), {
    budget: limits.budget ?? budget.default,
    draws: Math.min(USUAL_DRAWS, draws.default),
    significance: significance.default,
  })
  const most = limits.cellBudget ?? cellBudget.default
  const errors = [bins.default, ...SHOWN_CURVE].reduce(
    (sum, levels) => sum + errorSeconds(work, levels, most),
    0,
  )
  return (LOADED_CELL * shape.rowCount * sizes.length) / 1e9 + search + errors
}

interface PairWork {
  /** Rows times columns and pairs of columns, of each thread. */
  readonly counted: number
  /** Pairs of values of two columns. */
  readonly cells: number
}

function pairWork(sizes: readonly number[], { rowCount, threads }: TableShape): PairWork {
  const sum = sizes.reduce((total, size) => total + size, 0)
  const pairs = (sizes.length * (sizes.length + 1)) / 2
  return { counted: (rowCount * (sizes.length + pairs)) / Math.max(1, threads), cells: sum ** 2 / 2 }
}

/** Where not all pairs can be ranked, as many as there is room and time for, and nothing is drawn. */
function searchSeconds(
  { cells, counted }: PairWork,
  width: number,
  plan: { budget: number; draws: number; significance: number },
): number {
  const rank = rankingSeconds(counted, cells * width)
  const room = Math.min(1, PAIR_CELLS / (cells * width))
  if (room < 1 || !isAffordable(rank, plan.budget)) return Math.min(plan.budget / 2, rank * room)
  const draw = drawSeconds(counted, cells * width)
  return rank + draw * affordableDraws({ rank, draw }, plan)
}

/** Beyond the budget of cells the worst error is that of one condition at a time, which takes next to no time. */
function errorSeconds({ cells, counted }: PairWork, levels: number, most: number): number {
  if (cells * levels > most) return 0
  return (SEARCHED_CELL * cells * levels + COUNTED_ROW * counted) / 1e9
}
