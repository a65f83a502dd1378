// What a search costs, known before it starts, from numbers of rows, pairs and sums alone. A budget in seconds is turned into work by
// nominal rates, so that it decides the same on every machine: an audit never looks at a clock (docs/decisions/0016).

import { type Family, pairCells } from '../../oracle/groups/family.ts'
import { widthOf } from '../../oracle/groups/splitSums.ts'
import { fitsOneMemory } from './drawnRows.ts'
import { costOfDraw, planJoined } from './joinedDraws.ts'

/**
 * Nanoseconds, rounded up from what one core of an AMD EPYC takes (bench/wide.ts, bench/audit.ts): a row counted for one pair of
 * columns, or walked down one declared group; a sum of a pair ranked; a sum of a pair looked at in one draw.
 */
const COUNTED_ROW = 2
const WALKED_ROW = 10
const RANKED_SUM = 100
const DRAWN_SUM = 4

/** What is left for the draws, at least, of a budget. */
const DRAWS_SHARE = 0.5

/** Nominal seconds: of the ranking, and of one draw of the noise. */
export interface SearchCost {
  readonly rank: number
  readonly draw: number
}

/** Of all axes, and of the pairs of some, each with itself included. */
export const costOfPairs = (family: Family, places: readonly number[]): SearchCost => ({
  rank: costOfRanking(family, places),
  draw: drawSeconds(drawnRows(family, places), pairCells(family, places)),
})

export const costOfRanking = (family: Family, places: readonly number[]): number =>
  rankingSeconds(
    family.engine.shape.rowCount * (family.axes.length + pairsOf(places)),
    pairCells(family, places),
  )

/** Ranking counts labels and variances. `counted`: rows, for every column and pair. */
export const rankingSeconds = (counted: number, sums: number): number =>
  nanoseconds(2 * COUNTED_ROW * counted + RANKED_SUM * sums)

/** Of one draw that is counted pair by pair. */
export const drawSeconds = (counted: number, sums: number): number =>
  nanoseconds(COUNTED_ROW * counted + DRAWN_SUM * sums)

const pairsOf = ({ length }: readonly number[]): number => (length * (length + 1)) / 2

/** Rows that one draw counts; columns of few bins are counted together where all rows fit into one memory. */
function drawnRows({ axes, engine, levels }: Family, places: readonly number[]): number {
  const { rowCount } = engine.shape
  const alone = rowCount * axes.length
  if (!fitsOneMemory(rowCount, places.length)) return alone + rowCount * pairsOf(places)
  const size = { rowCount, tables: widthOf(levels) }
  const used = places.map(place => axes[place].used)
  return alone + costOfDraw(planJoined(used, size), size)
}

export function costOfGroups(rowCount: number, groups: number): SearchCost {
  const walked = WALKED_ROW * rowCount * groups
  return { rank: nanoseconds(2 * walked), draw: nanoseconds(walked) }
}

const nanoseconds = (count: number): number => count / 1e9

/** Is there room in the budget to rank all of it, in so many seconds, and to draw? */
export const isAffordable = (rank: number, budget: number): boolean => rank <= (1 - DRAWS_SHARE) * budget

/**
 * How many draws there is room for, up to those asked for. Fewer than can show the significance that is asked for show nothing: then
 * none, and p-values are union bounds.
 */
export function affordableDraws(
  { draw, rank }: SearchCost,
  { budget, draws, significance }: { budget: number; draws: number; significance: number },
): number {
  const room = Math.floor(Math.max(0, budget - rank) / draw)
  if (room >= draws) return draws
  return room >= Math.ceil(1 / significance) - 1 ? room : 0
}
