// Predicates as the WHERE of a standard SQL query: names quoted, strings escaped, missing values NULL.

import type { Bound, Predicate } from './auditors.ts'

export function whereOf(predicates: readonly Predicate[]): string {
  return predicates.length === 0 ? 'TRUE' : predicates.map(conditionOf).join(' AND ')
}

function conditionOf(predicate: Predicate): string {
  const column = quoteName(predicate.column)
  if ('missing' in predicate) return `${column} IS ${predicate.missing ? '' : 'NOT '}NULL`
  const test = testOf(column, predicate)
  return predicate.orMissing ? `(${test} OR ${column} IS NULL)` : test
}

function testOf(column: string, predicate: Exclude<Predicate, { missing: boolean }>): string {
  if ('atMost' in predicate) return `${column} <= ${boundLiteral(predicate.atMost)}`
  if ('below' in predicate) return `${column} < ${boundLiteral(predicate.below)}`
  if ('atLeast' in predicate) return `${column} >= ${boundLiteral(predicate.atLeast)}`
  if ('above' in predicate) return `${column} > ${boundLiteral(predicate.above)}`
  if ('is' in predicate)
    return predicate.is === null ? `${column} IS NULL` : `${column} = ${literal(predicate.is)}`
  const [values, operator] = 'in' in predicate ? [predicate.in, 'IN'] : [predicate.notIn, 'NOT IN']
  if (values.length === 1) return `${column} ${operator === 'IN' ? '=' : '<>'} ${literal(values[0])}`
  return `${column} ${operator} (${values.map(literal).join(', ')})`
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Dates and times say what they are. */
function boundLiteral(bound: Bound): string {
  if (typeof bound === 'number') return String(bound)
  const type = bound.includes('-') ? (bound.includes(':') ? 'TIMESTAMP' : 'DATE') : 'TIME'
  return `${type} ${literal(bound)}`
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  return value === null ? 'NULL' : String(value)
}
