// What must be known of all rows before they are in bins, as SQL over a table with a row for each of them: weights as they were given
// (gw), the side of the split (fold), hashes of copies (ca, cb) and ids (ia, ib), the key, and `place`, which tells rows apart.

import {
  cast,
  doubleSql,
  type FoldUnits,
  MAX_TOTAL_WEIGHT,
  roundSql,
  type WeightFacts,
} from '@featureboost/core/internal'
import type { Dialect } from './dialect.ts'
import type { SqlDriver } from './driver.ts'

/** Who can be asked. */
export type Asking = Pick<SqlDriver, 'dialect' | 'query'>

/** One row of numbers. */
export async function readRow(driver: Asking, sql: readonly string[], from: string): Promise<number[]> {
  const { doubleType } = driver.dialect
  const columns = await driver.query(
    `SELECT ${sql.map((each, index) => `${cast(`COALESCE(${each}, 0)`, doubleType)} AS n${index}`).join(', ')} FROM ${from}`,
    sql.map(() => 'double' as const),
  )
  return columns.map(column => column[0])
}

export const countWhere = (condition: string): string => `COUNT(CASE WHEN ${condition} THEN 1 END)`

/** Of rows that have weights. */
export async function weightFacts(driver: Asking, rows: string): Promise<WeightFacts> {
  const whole = `(floor(gw) = gw AND gw <= ${MAX_TOTAL_WEIGHT})`
  const { longType } = driver.dialect
  const [other, notOne, parts, largest, total] = await readRow(
    driver,
    [
      countWhere('gw <> 0'),
      countWhere('gw <> 1'),
      countWhere(`NOT ${whole}`),
      'MAX(gw)',
      `SUM(CASE WHEN ${whole} THEN ${cast('gw', longType)} ELSE 0 END)`,
    ],
    rows,
  )
  return {
    areZero: other === 0,
    areOne: notOne === 0,
    areWhole: parts === 0 && total <= MAX_TOTAL_WEIGHT,
    largest,
  }
}

/** scaleWeight (core's data/weights.ts): a positive weight never becomes nothing. */
export const scaledSql = (dialect: Dialect, scale: number): string =>
  `(CASE WHEN gw = 0 THEN 0 ELSE GREATEST(1, ${roundSql(dialect, `gw * ${doubleSql(scale)}`)}) END)`

export async function scaledFacts(
  driver: Asking,
  rows: string,
  scale: number,
): Promise<{ largest: number; total: number }> {
  const scaled = scaledSql(driver.dialect, scale)
  const [largest, total] = await readRow(driver, [`MAX(${scaled})`, `SUM(${scaled})`], rows)
  return { largest, total }
}

/** Rows of each side, and those that weigh something. */
export async function foldFacts(
  driver: Asking,
  rows: string,
  weighted: boolean,
): Promise<{ rows: [number, number]; weighing: [number, number] }> {
  const weighs = weighted ? 'gw > 0' : '1 = 1'
  const sides = [0, 1].flatMap(side => [
    countWhere(`fold = ${side}`),
    countWhere(`fold = ${side} AND ${weighs}`),
  ])
  const [fit, fitWeighing, held, heldWeighing] = await readRow(driver, sides, rows)
  return { rows: [fit, held], weighing: [fitWeighing, heldWeighing] }
}

/** Copies of which each kind has at least two that weigh something: the first of them, and what all weigh together; `n` of them. */
export const copiesSql = (rows: string, own: string, weighted: boolean): string =>
  `SELECT ca AS dca, cb AS dcb, MIN(place) AS first, SUM(${own}) AS total, COUNT(*) AS n FROM ${rows} ${weighted ? 'WHERE gw > 0 ' : ''}GROUP BY ca, cb HAVING COUNT(*) > 1`

/** Rows with `w`, what they weigh: of copies that are one the first has all. */
export const mergedSql = (
  rows: string,
  copies: string,
  own: string,
  columns: string,
  wordType: string,
): string =>
  `SELECT place, ${cast('CASE WHEN first IS NULL OR ow = 0 THEN ow WHEN first = place THEN total ELSE 0 END', wordType)} AS w, ${columns} FROM (SELECT *, ${own} AS ow FROM ${rows}) LEFT JOIN ${copies} ON ca = dca AND cb = dcb`

/** Sums over units; `source` has their `side` and their weight, `unit`. */
export async function unitFacts(driver: Asking, source: string, folded: boolean): Promise<FoldUnits[]> {
  const { doubleType, longType } = driver.dialect
  const unit = cast('unit', longType)
  const sums = ['side', 'COUNT(*)', `SUM(${unit})`, 'MAX(unit)', `SUM(${unit} * ${unit})`]
  const [sides, counts, totals, largest, squares] = await driver.query(
    `SELECT ${sums.map((sum, index) => `${cast(sum, doubleType)} AS n${index}`).join(', ')} FROM (${source}) GROUP BY side`,
    ['double', 'double', 'double', 'double', 'double'],
  )
  return [0, 1].slice(0, folded ? 2 : 1).map(side => {
    const at = sides.indexOf(side)
    const read = (column: Float64Array) => (at < 0 ? 0 : column[at])
    return {
      rows: read(counts),
      count: read(counts),
      weight: read(totals),
      largestWeight: read(largest),
      squaredWeight: read(squares),
    }
  })
}

/** Units are ids where rows share them. `merged`: rows with w; `weighs`: which of them had a weight when they were given. */
export async function idUnitFacts(
  driver: Asking,
  merged: string,
  weighs: string | undefined,
  rows: readonly FoldUnits[],
  folded: boolean,
): Promise<readonly FoldUnits[]> {
  const all = `(SELECT * FROM (${merged})${weighs === undefined ? '' : ` WHERE ${weighs}`})`
  const [shared] = await readRow(driver, ['SUM(n - 1)'], `(SELECT COUNT(*) AS n FROM ${all} GROUP BY ia, ib)`)
  if (shared === 0) return rows
  const ids = await unitFacts(
    driver,
    `SELECT side, unit FROM (SELECT min_by(fold, place) AS side, SUM(w) AS unit FROM ${all} GROUP BY ia, ib) WHERE unit > 0`,
    folded,
  )
  return ids.map((units, side) => ({ ...units, rows: rows[side].count }))
}

/** The largest power of two such that at most so many rows of the source have a key below it. */
export async function sampleBound(
  driver: Asking,
  source: string,
  key: string,
  most: number,
): Promise<number> {
  const { dialect } = driver
  const unsigned = cast(dialect.unsigned(key), dialect.longType)
  // A key below 2^n has at most n binary digits.
  const [digits, counts] = await driver.query(
    `SELECT ${cast('digits', dialect.doubleType)} AS d, ${cast('COUNT(*)', dialect.doubleType)} AS n FROM (SELECT CASE WHEN k = 0 THEN 0 ELSE length(bin(k)) END AS digits FROM (SELECT ${unsigned} AS k FROM (${source}))) GROUP BY digits`,
    ['double', 'double'],
  )
  const below = (power: number) =>
    digits.reduce((sum, count, index) => (count <= power ? sum + counts[index] : sum), 0)
  let power = 32
  while (below(power) > most) power--
  return 2 ** power
}
