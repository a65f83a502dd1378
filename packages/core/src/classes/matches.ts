// Which rows of a table satisfy predicates: the meaning that groups.ts gives to bins and sql.ts to databases, row by row.

import { type Column, type Value, valueAt } from '../data/column.ts'
import { findColumn, type Table } from '../data/table.ts'
import type { Predicate, ValueTest } from './auditors.ts'
import { boundOf } from './bounds.ts'

/** 1 for every row that satisfies all of them. */
export function matchRows(table: Table, predicates: readonly Predicate[]): Uint8Array {
  const matched = new Uint8Array(table.rowCount).fill(1)
  for (const predicate of predicates) {
    const passes = matcherOf(predicate, findColumn(table, predicate.column))
    for (let row = 0; row < matched.length; row++) if (matched[row] === 1 && !passes(row)) matched[row] = 0
  }
  return matched
}

function matcherOf(predicate: Predicate, column: Column): (row: number) => boolean {
  const test: (value: Value) => boolean =
    'missing' in predicate
      ? value => (value === null) === predicate.missing
      : value => (value === null ? (predicate.orMissing ?? false) : holds(predicate, value, predicate.column))
  if (column.kind !== 'categorical') return row => test(valueAt(column, row))
  // One answer for each category, and the last for missing values.
  const answers = [...column.categories, null].map(test)
  const { codes } = column
  return row => answers[codes[row] < 0 ? answers.length - 1 : codes[row]]
}

function holds(test: ValueTest, value: Exclude<Value, null>, column: string): boolean {
  if ('is' in test) return value === test.is
  if ('in' in test) return test.in.includes(value)
  if ('notIn' in test) return !test.notIn.includes(value)
  if ('atMost' in test) return Number(value) <= boundOf(test.atMost, column)
  if ('below' in test) return Number(value) < boundOf(test.below, column)
  if ('atLeast' in test) return Number(value) >= boundOf(test.atLeast, column)
  return Number(value) > boundOf(test.above, column)
}
