// What noted rows weigh, and what they come to: whole weights, copies that are one, the sides of the split, units, and where predictions start.

import {
  cast,
  checkFolds,
  chooseScaleBy,
  constantLabel,
  type FoldUnits,
  foldHint,
  type ProfileOptions,
  type Roles,
  type StartKind,
} from '@featureboost/core/internal'
import {
  copiesSql,
  countWhere,
  foldFacts,
  idUnitFacts,
  mergedSql,
  readRow,
  scaledFacts,
  scaledSql,
  unitFacts,
  weightFacts,
} from '../survey.ts'
import type { GivenRoles } from './givenColumns.ts'
import type { NotedRows, StorePlace } from './prepare.ts'

export interface MergedRows {
  /** Rows with `w`, what they weigh. */
  readonly sql: string
  readonly copyCount: number
  readonly folded: boolean
  /** Is there a row that does not weigh 1? */
  readonly weighted: boolean
  readonly weightScale: number
  /** Have rows weights of their own? */
  readonly isGiven: boolean
  readonly isWhole: boolean
}

/** Whole weights; of copies that are one the first has all. */
export async function mergeRows(
  place: StorePlace,
  noted: NotedRows,
  roles: Roles,
  holdout: ProfileOptions['holdout'],
): Promise<MergedRows> {
  const { driver } = place
  const { dialect } = driver
  const { features, given, prefix, rule, table } = noted
  const isOne = rule.copies === 'one'
  const later = isOne ? '0' : countWhere('later > 0')
  const [low, high, laterCount] = await readRow(driver, ['MIN(y)', 'MAX(y)', later], table)
  if (low === high) throw constantLabel(given.label.name)
  const isGiven = given.weight !== undefined
  const facts = isGiven ? await weightFacts(driver, table) : undefined
  const scale =
    facts && (await chooseScaleBy(given.weight!.name, facts, each => scaledFacts(driver, table, each)))
  const hasSides = given.fold !== undefined || holdout !== undefined
  const folded = hasSides && (await checkSides(place, table, given, roles, holdout))
  const own = scale === undefined ? cast(1, dialect.longType) : scaledSql(dialect, scale)
  const copies = `${prefix}copies`
  if (isOne) await driver.run(dialect.createTable(copies, copiesSql(table, own, isGiven)))
  const copyCount = isOne ? (await readRow(driver, ['SUM(n - 1)'], copies))[0] : laterCount
  const columns = [
    ...features.map((_, index) => `v${index}`),
    ...['y', 'key', 'outcome', folded ? 'fold' : `${cast(0, dialect.wordType)} AS fold`],
    ...(given.prediction === undefined ? [] : ['score', 'start']),
    ...(isGiven ? ['gw'] : []),
    ...(given.group === undefined ? [] : ['ia', 'ib']),
  ].join(', ')
  const isMerged = isOne && copyCount > 0
  return {
    sql: isMerged
      ? mergedSql(table, copies, own, columns, dialect.wordType)
      : `SELECT place, ${cast(own, dialect.wordType)} AS w, ${columns} FROM ${table}`,
    ...{ copyCount, folded, isGiven, weighted: scale !== undefined || isMerged, weightScale: scale ?? 1 },
    isWhole: scale === undefined || facts!.areWhole,
  }
}

/** Do rows lie on two sides? Then each has to have something to say. */
async function checkSides(
  { driver }: StorePlace,
  noted: string,
  given: GivenRoles,
  roles: Roles,
  holdout: ProfileOptions['holdout'],
): Promise<boolean> {
  const tally = await foldFacts(driver, noted, given.weight !== undefined)
  if (given.fold !== undefined && tally.rows[1] === 0) return false
  checkFolds(tally, foldHint(given, holdout, roles.copies))
  return true
}

export async function unitsOf(
  { driver }: StorePlace,
  { given }: NotedRows,
  { folded, isGiven, sql }: MergedRows,
): Promise<{ units: readonly FoldUnits[]; countedRows: number }> {
  const rows = await unitFacts(driver, `SELECT fold AS side, w AS unit FROM (${sql}) WHERE w > 0`, folded)
  const countedRows = rows.reduce((sum, { count }) => sum + count, 0)
  if (given.group === undefined) return { units: rows, countedRows }
  const units = await idUnitFacts(driver, sql, isGiven ? 'gw > 0' : undefined, rows, folded)
  return { units, countedRows }
}

export async function startOf(
  { driver }: StorePlace,
  merged: string,
  { prediction }: GivenRoles,
): Promise<StartKind> {
  if (prediction !== undefined) return { kind: 'column', column: prediction.name }
  const { longType } = driver.dialect
  const [sum, total] = await readRow(
    driver,
    [`SUM(${cast('w', longType)} * y)`, `SUM(${cast('w', longType)})`],
    `(SELECT * FROM (${merged}) WHERE fold = 0)`,
  )
  return { kind: 'constant', units: Math.round(sum / total) }
}
