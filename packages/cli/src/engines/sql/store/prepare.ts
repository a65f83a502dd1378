// Rows of a table or a query, made ready where they are: copied in one form, looked at one by one, and noted with their hashes and their side
// of the split.

import {
  checkRowCount,
  checkRowLimit,
  checkSplit,
  type ProfileOptions,
  type Roles,
} from '@featureboost/core/internal'
import { readRow } from '../survey.ts'
import { assumedRoles, type CheckedRows, checkRows, givenNames } from './checkRows.ts'
import { type GivenRoles, givenRoles } from './givenColumns.ts'
import type { FeatureColumn } from './learn.ts'
import { type NoteRule, noteRowsSql } from './noteRows.ts'
import type { StoreDriver } from './storeDialect.ts'
import { textTableSql } from './textTable.ts'

/** Where a store works: names of tables that nobody else has, and what is done when they are no longer needed. */
export interface StorePlace {
  readonly driver: StoreDriver
  newPrefix(): string
  drop(table: string): Promise<void>
  /** Says what is done next, in a word or two. */
  onStage?(stage: string): void
}

/** Rows with everything that is known of each by itself. */
export interface NotedRows {
  readonly table: string
  /** For the table of copies. */
  readonly prefix: string
  readonly given: GivenRoles
  readonly rule: NoteRule
  readonly rowCount: number
  readonly features: readonly FeatureColumn[]
}

/** Copies rows, looks at each of them, and notes what they are. */
export async function prepareRows(
  place: StorePlace,
  query: string,
  roles: Roles,
  rule: NoteRule,
): Promise<NotedRows> {
  const { driver } = place
  const { dialect } = driver
  const { holdout } = rule
  const given = givenRoles(dialect, await driver.describe(query), roles, holdout?.groupBy)
  const prefix = place.newPrefix()
  const tables = tablesOf(prefix)
  place.onStage?.('counting rows')
  checkRowLimit((await readRow(driver, ['COUNT(*)'], `(${query})`))[0])
  place.onStage?.('copying rows')
  await driver.run(dialect.createTable(tables.given, givenSql(place, query, given)))
  place.onStage?.('checking rows')
  const splitsById = given.fold === undefined && holdout?.groupBy !== undefined
  const checked = await checkRows(driver, { table: tables.given, roles: given, splitsById })
  checkRowCount(checked.rowCount)
  place.onStage?.('hashing rows')
  for (const statement of noteSql(driver, tables, checked.roles, rule)) await driver.run(statement)
  await place.drop(tables.given)
  await place.drop(tables.texts)
  const features = checked.roles.features.map(({ isEmpty, kind, time }, index) => ({
    ...{ name: given.features[index].name, kind, isEmpty },
    ...(time !== undefined && { time }),
  }))
  return { table: tables.noted, prefix, given, rule, rowCount: checked.rowCount, features }
}

function givenSql({ driver: { dialect } }: StorePlace, query: string, roles: GivenRoles): string {
  const { features, ...others } = givenNames(roles)
  const all = [...features, ...Object.values(others)].filter(each => each !== undefined)
  const columns = all.map(({ column, given, name }) => `${given.sql(dialect.quoteName(name))} AS ${column}`)
  return `SELECT ${dialect.rowNumber} AS place, ${columns.join(', ')} FROM (${query})`
}

/** Tables that rows are prepared in. */
interface PreparedTables {
  readonly given: string
  readonly texts: string
  readonly noted: string
}

const tablesOf = (prefix: string): PreparedTables => ({
  given: `${prefix}given`,
  texts: `${prefix}texts`,
  noted: `${prefix}noted`,
})

/** The statements that note rows, once it is known what columns hold. */
function noteSql(
  { dialect }: Pick<StorePlace['driver'], 'dialect'>,
  tables: PreparedTables,
  roles: CheckedRows['roles'],
  rule: NoteRule,
): string[] {
  const columns = [...roles.features, roles.label, roles.prediction, roles.weight, roles.group].flatMap(
    each => (each?.texts === undefined ? [] : [{ column: each.column, number: each.texts }]),
  )
  return [
    ...(columns.length === 0
      ? []
      : [dialect.createTable(tables.texts, textTableSql(dialect, tables.given, columns))]),
    dialect.createTable(tables.noted, noteRowsSql(dialect, tables, roles, rule)),
  ]
}

/** The statements that copy and hash rows, as far as they are known before a row is looked at. Nothing is run but what describes the query. */
export async function explainRows(
  place: StorePlace,
  query: string,
  roles: Roles,
  { holdout }: Pick<ProfileOptions, 'holdout'> = {},
): Promise<string[]> {
  const { driver } = place
  checkSplit(roles, holdout)
  const given = givenRoles(driver.dialect, await driver.describe(query), roles, holdout?.groupBy)
  const tables = tablesOf(place.newPrefix())
  const rule = { copies: roles.copies ?? 'one', holdout, seed: holdout?.seed ?? 0 }
  return [
    driver.dialect.createTable(tables.given, givenSql(place, query, given)),
    ...noteSql(driver, tables, assumedRoles(driver, given), rule),
  ]
}
