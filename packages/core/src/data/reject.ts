// Rejecting rows: one error names the first bad row, counts all of them and shows the first three.

import { type ErrorCode, FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import { type Column, columnLength, type Value, valueAt } from './column.ts'

export interface Rejection {
  readonly code: ErrorCode
  readonly bad: (value: Value) => boolean
  readonly message: (value: Value) => string
  readonly expected?: string
  /** Asked for only where a value is bad. */
  readonly hint?: () => string | undefined
}

/** Throws if any value of the column is bad. `before`: rows that came before this column's, in earlier chunks. */
export function rejectRows(column: Column, rejection: Rejection, before = 0): void {
  const first: number[] = []
  let count = 0
  const length = columnLength(column)
  for (let row = 0; row < length; row++) {
    if (!rejection.bad(valueAt(column, row))) continue
    count++
    if (first.length < 3) first.push(before + row)
  }
  if (count === 0) return
  const found = valueAt(column, first[0] - before)
  const hint = [countRows(count, first), rejection.hint?.()].filter(part => part !== undefined).join(' ')
  throw new FeatureBoostError(rejection.code, rejection.message(found), {
    column: column.name,
    row: first[0] + 1,
    found,
    ...(rejection.expected === undefined ? {} : { expected: rejection.expected }),
    hint,
  })
}

export function rejectMissing(
  column: Column,
  role: string,
  before = 0,
  hint = 'Fill these rows in or remove them first.',
): void {
  const rejection: Rejection = {
    code: 'FB_MISSING_VALUE',
    bad: value => value === null,
    message: () => `the ${role} is missing.`,
    hint: () => hint,
  }
  rejectRows(column, rejection, before)
}

/** Row numbers carry thousands commas, so semicolons stand between them. */
function countRows(count: number, first: readonly number[]): string {
  const shown = first.map(row => formatCount(row + 1)).join('; ')
  const more = count > first.length ? '; ...' : ''
  return `Bad rows: ${formatCount(count)} (row ${shown}${more}).`
}
