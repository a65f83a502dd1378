// SELECTs around SELECTs: each layer adds columns that the next one may use. And the few expressions that every question needs.

import { ONE } from '../../common/units.ts'
import { isLeaf, type Split, type Tree } from '../../update/update.ts'
import type { Arithmetic, Columns } from './arithmetic.ts'

export type { Columns } from './arithmetic.ts'

export const addColumns = (source: string, ...layers: readonly Columns[]): string =>
  layers.reduce(
    (inner, columns) =>
      Object.keys(columns).length === 0 ? inner : `SELECT *, ${columnList(columns)} FROM (${inner})`,
    source,
  )

export const columnList = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')

export const cast = (value: string | number, type: string): string => `CAST(${value} AS ${type})`

/** A double as SQL: every dialect reads a number with an exponent as one, and none as a decimal. */
export function doubleSql(value: number): string {
  const text = String(value)
  return text.includes('e') ? text.replace('e+', 'e').replace('e', 'E') : `${text}E0`
}

export const within = (value: string, low: number, high: number): string =>
  `GREATEST(${low}, LEAST(${high}, ${value}))`

/** Math.round of a double: halves go up. */
export const roundSql = (dialect: Arithmetic, x: string): string =>
  `(${dialect.floor(x)} + CASE WHEN (${x}) - ${cast(dialect.floor(x), dialect.doubleType)} >= 0.5E0 THEN 1 ELSE 0 END)`

/** levelOf (common/units.ts) of the prediction p. */
export function levelSql(dialect: Arithmetic, levels: number): string {
  if (levels === 1) return cast(0, dialect.wordType)
  const product = `${cast('p', dialect.longType)} * ${levels}`
  return cast(`LEAST(${levels - 1}, ${dialect.shiftRight(product, 24)})`, dialect.wordType)
}

/** levelAmong (common/units.ts) of the prediction p: a search among the cuts. */
export function levelAmongSql(cuts: ArrayLike<number>): string {
  const between = (low: number, high: number): string => {
    if (low === high) return String(low)
    const middle = (low + high) >> 1
    return `CASE WHEN p >= ${cuts[middle]} THEN ${between(middle + 1, high)} ELSE ${between(low, middle)} END`
  }
  return between(0, cuts.length)
}

/** Does a row take the yes side? */
export function conditionSql(split: Split, binCounts: readonly number[]): string {
  if (split.kind === 'below') return `p < ${split.units}`
  const column = `f${split.feature}`
  const missing = binCounts[split.feature] - 1
  if (split.kind === 'missing') return `${column} = ${missing}`
  if (split.kind === 'in')
    return split.bins.length === 0 ? '1 = 0' : `${column} IN (${split.bins.join(', ')})`
  const last = Math.min(split.bin, missing - 1)
  return split.missing ? `(${column} <= ${last} OR ${column} = ${missing})` : `${column} <= ${last}`
}

/** What the leaf of a row says. */
export function treeSql(
  tree: Tree,
  binCounts: readonly number[],
  says: (leaf: number) => number = leaf => leaf,
): string {
  if (isLeaf(tree)) return String(says(tree.leaf))
  const [yes, no] = [tree.yes, tree.no].map(side => treeSql(side, binCounts, says))
  return `CASE WHEN ${conditionSql(tree.split, binCounts)} THEN ${yes} ELSE ${no} END`
}

/** Units in a double. */
export const ONE_SQL = doubleSql(ONE)
