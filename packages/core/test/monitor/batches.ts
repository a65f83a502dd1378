// Batches of one world, in which one region may go wrong, and what tests do with them.

import { makeRandom } from '../../src/common/random.ts'
import { gatherColumn } from '../../src/data/column.ts'
import { type Monitor, makeTable, type Table, type TableSource } from '../../src/index.ts'

interface Drawn {
  readonly seed: number
  readonly rows?: number
  /** Added to the truth of region a. */
  readonly shift?: number
  readonly older?: number
  readonly words?: boolean
}

export function draw({ older = 0, rows = 400, seed, shift = 0, words = false }: Drawn): Table {
  const random = makeRandom(seed)
  const region = Array.from({ length: rows }, () => 'abc'[random.integer(3)])
  const score = region.map(() => 0.2 + 0.5 * random.next())
  const outcome = score.map((p, row) => random.next() < p + (region[row] === 'a' ? shift : 0))
  return makeTable({
    region,
    age: region.map(() => (random.integer(9) === 0 ? null : 20 + older + random.integer(50))),
    member: region.map(() => random.integer(2) === 1),
    sex: region.map(() => 'fm'[random.integer(2)]),
    w: region.map(() => 1 + random.integer(3)),
    score,
    y: outcome.map(is => (words ? (is ? 'bad' : 'good') : Number(is))),
  })
}

/** Scores as they are: no round is made. */
export const PLAIN = {
  ...{ label: 'y', prediction: 'score', features: ['region', 'age', 'member'], threads: 1, holdout: 0 },
  ...({ method: 'rounds', roundLimit: 0, stop: 'certificate' } as const),
} as const

export const without = ({ columns, rowCount }: Table, ...names: string[]): Table => ({
  rowCount,
  columns: columns.filter(({ name }) => !names.includes(name)),
})

export const reordered = ({ columns, rowCount }: Table, rows: Int32Array): Table => ({
  rowCount,
  columns: columns.map(column => gatherColumn(column, rows)),
})

export const reversed = (table: Table): Table =>
  reordered(
    table,
    Int32Array.from({ length: table.rowCount }, (_, row) => table.rowCount - 1 - row),
  )

export const inChunks = (table: Table, size: number): TableSource => ({
  *chunks() {
    for (let from = 0; from < table.rowCount; from += size) {
      const count = Math.min(size, table.rowCount - from)
      yield {
        ...reordered(
          table,
          Int32Array.from({ length: count }, (_, row) => from + row),
        ),
        rowCount: count,
      }
    }
  },
})

export async function addAll(monitor: Monitor, tables: readonly Table[]): Promise<Monitor> {
  let last = monitor
  for (const table of tables) last = await last.add(table)
  return last
}
