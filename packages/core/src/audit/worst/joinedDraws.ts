// Columns of few bins, counted together in draws of the noise: one pass over the rows gives the cells of two joined columns, and these add
// up to the cells of every pair of their members (forest/joined.ts; kernels/joinedCells.ts). That pays where a level has many more rows
// than the joined columns have cells. Which columns are joined changes how long a draw takes, and nothing else.

import { type JoinedColumn, joinColumns } from '../../forest/joined.ts'

/** A bin is a byte. */
const MOST_BINS = 256

/** What it costs to touch a cell of a table, in rows counted: two at a time while lines are added up, then one by one. */
const LINE_CELL = 0.5
const SINGLE_CELL = 1
/** In a joined column itself, where digits are divided out. */
const DIVIDED_CELL = 4

/** A table for every level, and one for all of them together where there are several. */
interface DrawnSize {
  readonly rowCount: number
  readonly tables: number
}

/** How columns of so many bins are joined at the least cost: perhaps not at all. */
export function planJoined(bins: readonly number[], size: DrawnSize): JoinedColumn[] {
  let best = joinColumns(bins, 1)
  let least = costOfDraw(best, size)
  for (let most = 4; most <= MOST_BINS; most *= 2) {
    const columns = joinColumns(bins, most)
    const cost = costOfDraw(columns, size)
    if (cost >= least) continue
    ;[best, least] = [columns, cost]
  }
  return best
}

/** In rows counted, for the pairs of all columns, each with itself included. */
export function costOfDraw(columns: readonly JoinedColumn[], size: DrawnSize): number {
  let cost = 0
  for (const [index, a] of columns.entries()) {
    for (const b of columns.slice(index)) cost += Math.min(costTogether(a, b, size), costApart(a, b, size))
  }
  return cost
}

/** Is a table of all cells of two joined columns less work than counting every pair of their members? */
export const isJoinedLess = (a: JoinedColumn, b: JoinedColumn, size: DrawnSize): boolean =>
  costTogether(a, b, size) < costApart(a, b, size)

function pairsOf(a: JoinedColumn, b: JoinedColumn): number {
  const count = a.members.length
  return a === b ? (count * (count + 1)) / 2 : count * b.members.length
}

const costApart = (a: JoinedColumn, b: JoinedColumn, { rowCount }: DrawnSize): number =>
  pairsOf(a, b) * rowCount

function costTogether(a: JoinedColumn, b: JoinedColumn, { rowCount, tables }: DrawnSize): number {
  if (a === b) return rowCount + tables * a.size * (LINE_CELL + DIVIDED_CELL * pairsOf(a, b))
  const cells = a.size * b.size
  const lines = LINE_CELL * cells * (a.members.length === 1 ? 1 : 1 + a.members.length)
  const used = a.members.reduce((sum, { bins }) => sum + bins, 0)
  return rowCount + tables * (lines + SINGLE_CELL * used * b.size * b.members.length)
}
