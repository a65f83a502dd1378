// Facts of the columns: what they hold, how much is missing, how it is spread. Values of few rows are counted, not named.

import { LEAST_ROWS } from '../compare/rareValues.ts'
import type { Column } from '../data/column.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { clipText } from './caps.ts'
import type { ColumnFacts, ColumnHistogram } from './evidence.ts'
import type { IsNamed } from './naming.ts'

const MAX_COLUMNS = 100
const NUMBER_BINS = 20
const MAX_VALUES = 8

const ROLES: readonly ColumnFacts['role'][] = ['label', 'score', 'weight', 'feature', 'other']

type RoleOf = (column: string) => ColumnFacts['role']

/**
 * `leaveOut`: a column that is not the user's. Columns come in the order of their roles; two readings, for the range of numbers
 * is needed before their bins.
 */
export async function columnFacts(
  rows: Table | TableSource,
  leaveOut: string | undefined,
  roleOf: RoleOf,
): Promise<{ columns: ColumnFacts[]; moreColumns: number; isNamed: IsNamed }> {
  const chunksOf = () => (isSource(rows) ? rows.chunks() : [rows])
  const ranges = new Map<string, { from: number; to: number }>()
  for await (const chunk of chunksOf()) for (const column of chunk.columns) widen(ranges, column)
  const tallies = new Map<string, Tally>()
  for await (const chunk of chunksOf()) {
    for (const column of chunk.columns) {
      const tally = tallies.get(column.name) ?? emptyTally(column, ranges.get(column.name))
      tallies.set(column.name, tally)
      addTo(tally, column)
    }
  }
  const names = [...tallies.keys()].filter(name => name !== leaveOut)
  const rank = (name: string) => ROLES.indexOf(roleOf(name))
  const ordered = names.toSorted((a, b) => rank(a) - rank(b))
  const columns = ordered.slice(0, MAX_COLUMNS).map(name => describe(tallies.get(name)!, roleOf(name)))
  return {
    columns,
    moreColumns: ordered.length - columns.length,
    isNamed: (column, value) => (tallies.get(column)?.values.get(value) ?? 0) >= LEAST_ROWS,
  }
}

interface Tally {
  readonly name: string
  kind: Column['kind']
  missing: number
  readonly from: number
  readonly to: number
  readonly bins: number[]
  readonly values: Map<string, number>
}

function widen(ranges: Map<string, { from: number; to: number }>, column: Column): void {
  if (column.kind !== 'numeric') return
  const range = ranges.get(column.name) ?? { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  for (const value of column.values) {
    if (value < range.from) range.from = value
    if (value > range.to) range.to = value
  }
  ranges.set(column.name, range)
}

const emptyTally = ({ kind, name }: Column, range?: { from: number; to: number }): Tally => ({
  name,
  kind,
  missing: 0,
  from: range !== undefined && range.from <= range.to ? range.from : 0,
  to: range !== undefined && range.from <= range.to ? range.to : 0,
  bins: new Array<number>(NUMBER_BINS).fill(0),
  values: new Map(),
})

function addTo(tally: Tally, column: Column): void {
  if (column.kind === 'numeric') addNumbers(tally, column.values)
  else addCodes(tally, column)
}

function addCodes(tally: Tally, column: Exclude<Column, { kind: 'numeric' }>): void {
  const names = column.kind === 'boolean' ? ['false', 'true'] : column.categories
  const codes = column.kind === 'boolean' ? column.values : column.codes
  const counts = new Float64Array(names.length)
  for (const code of codes) {
    if (code < 0) tally.missing++
    else counts[code]++
  }
  // A chunk in which everything is missing may be of any kind.
  if (counts.some(count => count > 0)) tally.kind = column.kind
  counts.forEach((count, code) => {
    if (count > 0) tally.values.set(names[code], (tally.values.get(names[code]) ?? 0) + count)
  })
}

function addNumbers(tally: Tally, values: Float64Array): void {
  const { bins, from, to } = tally
  const scale = to > from ? NUMBER_BINS / (to - from) : 0
  for (const value of values) {
    if (Number.isNaN(value)) tally.missing++
    else bins[Math.min(NUMBER_BINS - 1, Math.floor((value - from) * scale))]++
  }
}

const describe = (tally: Tally, role: ColumnFacts['role']): ColumnFacts => ({
  name: clipText(tally.name),
  kind: tally.kind,
  role,
  missing: tally.missing,
  histogram:
    tally.kind === 'numeric'
      ? { kind: 'numbers', from: tally.from, to: tally.to, counts: tally.bins }
      : valuesOf(tally.values),
})

function valuesOf(counts: ReadonlyMap<string, number>): ColumnHistogram {
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const named = byCount.slice(0, MAX_VALUES).filter(([, count]) => count >= LEAST_ROWS)
  const others = byCount.slice(named.length)
  return {
    kind: 'values',
    values: named.map(([value, count]) => ({ value: clipText(value, 60), count })),
    otherCount: others.length,
    otherRows: others.reduce((sum, [, count]) => sum + count, 0),
  }
}
