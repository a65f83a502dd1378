// The dialect of DuckDB.
//
// What is to be summed in several ways is written into a narrow temporary table first: of a stored column DuckDB knows the smallest and the largest
// value, so that it counts in plain arrays instead of hash tables: a fifth of the time (docs/decisions/0021). Sums of a few
// columns over so few values do not overflow: they are HUGEINT, and whole numbers below 2^53 once they are doubles.

import { DUCKDB_ARITHMETIC } from '@featureboost/core/internal'
import { type CellGroup, cellSql, type Dialect, sumSql } from './dialect.ts'

export const DUCKDB: Dialect = {
  ...DUCKDB_ARITHMETIC,
  name: 'duckdb',
  byteType: 'UTINYINT',
  xor: (a, b) => `xor(${a}, ${b})`,
  // Below 2^64, which fits the type.
  timesModulo: (value, constant) => `(((${value}) * ${constant >>> 0}::UBIGINT) & 4294967295::UBIGINT)`,
  modulo32: value => `((${value}) & 4294967295::UBIGINT)`,
  unsigned: word => `CAST(CAST(${word} AS BIGINT) & 4294967295 AS UBIGINT)`,
  cells({ groups, source, sums }, name) {
    const isStaged = groups.length > 1
    const from = isStaged ? name : `(${source})`
    const parts = groups.map(group => {
      const keys = group.keys.map(({ column }) => column).join(', ')
      const found = sums.map((column, index) => `CAST(${sumSql(column)} AS DOUBLE) AS s${index}`)
      const cell = `CAST(${cellSql(group, 'BIGINT')} AS DOUBLE) AS cell`
      return `SELECT ${[cell, ...sums.map((_, index) => `s${index}`)].join(', ')} FROM (SELECT ${keys}, ${found.join(', ')} FROM ${from} GROUP BY ${keys})`
    })
    return {
      before: isStaged ? [`CREATE TEMP TABLE ${name} AS ${source}`] : [],
      queries: inBatches(groups, parts).map(batch => batch.join(' UNION ALL ')),
      after: isStaged ? [`DROP TABLE IF EXISTS ${name}`] : [],
    }
  },
  states: 'beside',
  createTable: (name, select) => `CREATE TABLE ${name} AS ${select}`,
  beside: (rows, narrow) => `${rows} POSITIONAL JOIN ${narrow}`,
}

/** Places in the arrays of one query, of about 36 bytes for each thread: all groups of a query are counted at once. */
const PLACES_AT_ONCE = 2 ** 21

/** So many SELECTs at a time that their arrays are not too large together. */
function inBatches(groups: readonly CellGroup[], selects: readonly string[]): string[][] {
  const batches: string[][] = [[]]
  let places = 0
  for (const [index, { keys }] of groups.entries()) {
    // DuckDB has an array for each power of two that holds all values of a key and one that is missing.
    const own = keys.reduce((product, { size }) => product * 2 ** Math.ceil(Math.log2(size + 1)), 1)
    if (places > 0 && places + own > PLACES_AT_ONCE) {
      batches.push([])
      places = 0
    }
    places += own
    batches[batches.length - 1].push(selects[index])
  }
  return batches
}
