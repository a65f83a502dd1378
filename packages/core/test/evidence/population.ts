// A population whose score is too low for one region, with a missing age here and there, and rows in another order.

import { gatherColumn } from '../../src/data/column.ts'
import { makeTable, type Table } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'

export interface PopulationOptions {
  readonly rows?: number
  readonly seed?: number
  readonly weighted?: boolean
  /** Labels between 0 and 1. */
  readonly soft?: boolean
  /** Mean outcome, about. */
  readonly rate?: number
}

export function makePopulation(options: PopulationOptions = {}): Table {
  const { rate = 0.5, rows = 3000, seed = 4, soft = false, weighted = false } = options
  const random = makeRandom(seed)
  const region = Array.from({ length: rows }, () => ['east', 'north', 'south', 'west'][random.integer(4)])
  const truth = region.map(() => Math.min(1, rate * (0.6 + 0.8 * random.next())))
  return makeTable({
    region,
    age: truth.map(() => (random.integer(8) === 0 ? null : 20 + random.integer(40))),
    member: truth.map(() => random.next() < 0.3),
    score: truth.map((p, row) => (region[row] === 'east' ? p * 0.6 : p)),
    y: truth.map(p => (soft ? p : Number(random.next() < p))),
    fold: truth.map((_, row) => (row % 3 === 0 ? 'holdout' : 'fit')),
    ...(weighted && { w: truth.map(() => 1 + random.integer(3)) }),
  })
}

export function reordered({ columns, rowCount }: Table, seed = 9): Table {
  const random = makeRandom(seed)
  const keys = Array.from({ length: rowCount }, () => random.next())
  const order = Int32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b])
  return { rowCount, columns: columns.map(column => gatherColumn(column, order)) }
}

/** The table in pieces. */
export const inChunks = ({ columns, rowCount }: Table, size = 700) => ({
  *chunks() {
    for (let from = 0; from < rowCount; from += size) {
      const rows = Int32Array.from({ length: Math.min(size, rowCount - from) }, (_, row) => from + row)
      yield { rowCount: rows.length, columns: columns.map(column => gatherColumn(column, rows)) }
    }
  },
})
