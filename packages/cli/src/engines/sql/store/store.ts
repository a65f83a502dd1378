// Rows of a table or a query in a database elsewhere (core's store/store.ts). They are copied once, in one form, beside where they
// are: whatever happens to the table meanwhile, all that follows is of the same rows. Checks, hashes, the split, copies and bins are
// SQL; sums come back, and at most 2^17 rows, chosen by their keys, from which cuts are learned.

import { type Engine, FeatureBoostError, type RowStore } from '@featureboost/core'
import {
  checkFolds,
  checkRowCount,
  checkSplit,
  chooseScaleBy,
  constantLabel,
  type RowEncoding as Encoding,
  type FoldUnits,
  foldHint,
  learnEncoding,
  makeSorter,
  type OpenOptions,
  observationWeight,
  type ProfileOptions,
  type Roles,
  type RowProfile,
  type StartKind,
} from '@featureboost/core/internal'
import { hasOwnCoarse, SqlEngine } from '../engine.ts'
import { fingerprintSql, fingerprintText } from '../fingerprint.ts'
import { type Columns, cast } from '../select.ts'
import { makeStates } from '../states.ts'
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
import { assumedRoles, type CheckedRows, checkRows, givenNames } from './checkRows.ts'
import { encodedShape, encodedSql } from './encodeRows.ts'
import { type GivenRoles, givenRoles } from './givenColumns.ts'
import { type FeatureColumn, type LearnedRows, readLearnable } from './learn.ts'
import { noteRowsSql } from './noteRows.ts'
import { readScores } from './scores.ts'
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

/** `query`: a SELECT, or the name of a table in brackets. */
export function sqlStore(place: StorePlace, query: string): RowStore {
  return { profile: (roles, options) => profileRows(place, query, roles, options) }
}

async function profileRows(
  place: StorePlace,
  query: string,
  roles: Roles,
  { holdout, learned = true }: ProfileOptions = {},
): Promise<RowProfile> {
  const { driver } = place
  const { dialect } = driver
  checkSplit(roles, holdout)
  const rule = roles.copies ?? 'one'
  if (rule === 'unsaid') throw oldModel()
  const given = givenRoles(dialect, await driver.describe(query), roles, holdout?.groupBy)
  const prefix = place.newPrefix()
  const [givenTable, texts, noted, copies] = ['given', 'texts', 'noted', 'copies'].map(
    name => `${prefix}${name}`,
  )
  place.onStage?.('copying rows')
  await driver.run(dialect.createTable(givenTable, givenSql(place, query, given)))
  place.onStage?.('checking rows')
  const splitsById = given.fold === undefined && holdout?.groupBy !== undefined
  const checked = await checkRows(driver, { table: givenTable, roles: given, splitsById })
  checkRowCount(checked.rowCount)
  place.onStage?.('hashing rows')
  const { rowCount } = checked
  const noting = { copies: rule, holdout, seed: holdout?.seed ?? 0 }
  for (const statement of noteSql(driver, { given: givenTable, texts, noted }, checked.roles, noting))
    await driver.run(statement)
  await place.drop(givenTable)
  await place.drop(texts)
  place.onStage?.('summing up rows')
  const hasSides = given.fold !== undefined || holdout !== undefined
  const weighted = given.weight !== undefined
  const [low, high, later] = await readRow(
    driver,
    ['MIN(y)', 'MAX(y)', rule === 'independent' ? countWhere('later > 0') : '0'],
    noted,
  )
  if (low === high) throw constantLabel(given.label.name)
  const weights = weighted ? await weightFacts(driver, noted) : undefined
  const scale =
    weights === undefined
      ? undefined
      : await chooseScaleBy(given.weight!.name, weights, each => scaledFacts(driver, noted, each))
  const folded = hasSides && (await checkSides(place, noted, given, roles, holdout, weighted))
  const own = scale === undefined ? cast(1, dialect.longType) : scaledSql(dialect, scale)
  let copyCount = later
  if (rule === 'one') {
    await driver.run(dialect.createTable(copies, copiesSql(noted, own, weighted)))
    const [found] = await readRow(driver, ['SUM(n - 1)'], copies)
    copyCount = found
  }
  const isMerged = rule === 'one' && copyCount > 0
  const isWeighted = scale !== undefined || isMerged
  const hasGroup = given.group !== undefined
  const features: FeatureColumn[] = checked.roles.features.map(({ isEmpty, kind, time }, index) => ({
    ...{ name: given.features[index].name, kind, isEmpty },
    ...(time !== undefined && { time }),
  }))
  const columns = [
    ...features.map((_, index) => `v${index}`),
    'y',
    'key',
    folded ? 'fold' : `${cast(0, dialect.wordType)} AS fold`,
    'outcome',
    ...(given.prediction === undefined ? [] : ['score', 'start']),
    ...(weighted ? ['gw'] : []),
    ...(hasGroup ? ['ia', 'ib'] : []),
  ].join(', ')
  const merged = isMerged
    ? mergedSql(noted, copies, own, columns, dialect.wordType)
    : `SELECT place, ${cast(own, dialect.wordType)} AS w, ${columns} FROM ${noted}`
  const units = await unitsOf(place, merged, { folded, hasGroup, weighted })
  const startKind = await startOf(place, merged, given)
  const used = `SELECT * FROM (${merged}) WHERE fold = 0 AND w > 0`
  const facts = { startKind, weighted: isWeighted }
  const learnedRows = learned ? await readLearnable(driver, used, features, facts) : undefined
  const isWhole = scale === undefined || weights!.areWhole
  const known: KnownRows = {
    ...{ place, merged, features, rowCount, folded, hasGroup, startKind, units: units.units },
    ...{ weighted: isWeighted, countedRows: units.countedRows },
    ...(rule === 'one' &&
      isWhole &&
      learnedRows !== undefined && {
        observationWeight: observationWeight(learnedRows.learnable, learnedRows.keys, startKind),
      }),
  }
  return {
    ...{ rowCount, copyCount, startKind, folded, weighted: isWeighted, weightScale: scale ?? 1 },
    ...{ countedRows: units.countedRows, units: units.units },
    ...(known.observationWeight !== undefined && { observationWeight: known.observationWeight }),
    learn: async (auditors, options) => learnFrom(learnedRows, auditors, options),
    open: (encoding, options) => openEngine(known, encoding, options),
    fingerprint: (encoding, options) => fingerprintOf(known, encoding, options),
    ...(given.prediction !== undefined &&
      learnedRows !== undefined && {
        scores: async () => ({
          learnable: learnedRows.learnable,
          ...(await readScores(driver, merged, {
            scale: scale ?? 1,
            weight: rule === 'one' ? (isWeighted ? 'w' : undefined) : weighted ? 'gw' : undefined,
          })),
        }),
      }),
  }
}

const oldModel = (): FeatureBoostError =>
  new FeatureBoostError('FB_ENGINE_ROWS', 'the model does not say what copies of a row are.', {
    expected: 'a model of version 0.2 or later',
    hint: 'It was fitted when rows had an order, and rows of a database have none: verify it with --engine memory, or fit it again.',
  })

type LearnArguments = Parameters<RowProfile['learn']>

function learnFrom(
  rows: LearnedRows | undefined,
  auditors: LearnArguments[0],
  options: LearnArguments[1],
): Encoding {
  return learnEncoding(rows?.learnable ?? { features: [] }, auditors, { ...options, sort: makeSorter().sort })
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

/** The statements that note rows, once it is known what columns hold. */
function noteSql(
  { dialect }: Pick<StorePlace['driver'], 'dialect'>,
  tables: PreparedTables,
  roles: CheckedRows['roles'],
  rule: Parameters<typeof noteRowsSql>[3],
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
  const prefix = place.newPrefix()
  const tables = { given: `${prefix}given`, texts: `${prefix}texts`, noted: `${prefix}noted` }
  const rule = { copies: roles.copies ?? 'one', holdout, seed: holdout?.seed ?? 0 }
  return [
    driver.dialect.createTable(tables.given, givenSql(place, query, given)),
    ...noteSql(driver, tables, assumedRoles(driver, given), rule),
  ]
}

/** Do rows lie on two sides? Then each has to have something to say. */
async function checkSides(
  { driver }: StorePlace,
  noted: string,
  given: GivenRoles,
  roles: Roles,
  holdout: ProfileOptions['holdout'],
  weighted: boolean,
): Promise<boolean> {
  const tally = await foldFacts(driver, noted, weighted)
  if (given.fold !== undefined && tally.rows[1] === 0) return false
  checkFolds(tally, foldHint(given, holdout, roles.copies))
  return true
}

interface Sides {
  readonly folded: boolean
  readonly hasGroup: boolean
  readonly weighted: boolean
}

async function unitsOf(
  { driver }: StorePlace,
  merged: string,
  { folded, hasGroup, weighted }: Sides,
): Promise<{ units: readonly FoldUnits[]; countedRows: number }> {
  const rows = await unitFacts(driver, `SELECT fold AS side, w AS unit FROM (${merged}) WHERE w > 0`, folded)
  const countedRows = rows.reduce((sum, { count }) => sum + count, 0)
  if (!hasGroup) return { units: rows, countedRows }
  const units = await idUnitFacts(driver, merged, weighted ? 'gw > 0' : undefined, rows, folded)
  return { units, countedRows }
}

async function startOf(
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

interface KnownRows {
  readonly place: StorePlace
  /** SQL of rows with their weights. */
  readonly merged: string
  readonly features: readonly FeatureColumn[]
  readonly rowCount: number
  readonly countedRows: number
  readonly folded: boolean
  readonly weighted: boolean
  readonly hasGroup: boolean
  readonly startKind: StartKind
  readonly units: readonly FoldUnits[]
  readonly observationWeight?: number
}

function engineRowsSql(known: KnownRows, encoding: Encoding, { start }: OpenOptions = {}): string {
  const { features, folded, hasGroup, merged, place, startKind, weighted } = known
  const { dialect } = place.driver
  const units = start ?? (startKind.kind === 'constant' ? startKind.units : undefined)
  const kept: Columns = {
    y: 'y',
    start: units === undefined ? 'start' : cast(units, dialect.wordType),
    ...(weighted && { w: 'w' }),
    ...(folded && { fold: 'fold' }),
    key: hasGroup ? 'ib' : 'key',
  }
  return encodedSql(dialect, merged, features, encoding, kept)
}

async function openEngine(known: KnownRows, encoding: Encoding, options?: OpenOptions): Promise<Engine> {
  const { countedRows, folded, observationWeight, place, rowCount, units, weighted } = known
  const { driver } = place
  const prefix = place.newPrefix()
  const table = `${prefix}rows`
  place.onStage?.('cutting rows into bins')
  await driver.run(driver.dialect.createTable(table, engineRowsSql(known, encoding, options)))
  const { binCounts, coarseOf, signalCount } = encodedShape(encoding)
  const columns = [
    ...binCounts.map((_, feature) => `f${feature}`),
    ...coarseOf.flatMap((map, feature) => (hasOwnCoarse(map) ? [`g${feature}`] : [])),
    ...Array.from({ length: signalCount }, (_, signal) => `s${signal}`),
    ...['y', 'start', ...(weighted ? ['w'] : []), ...(folded ? ['fold'] : []), 'key'],
  ]
  place.onStage?.('counting')
  const states = makeStates(driver, { rows: table, columns, prefix })
  const shape = {
    ...{ rowCount, countedRows, units, binCounts, signalCount, foldCount: folded ? 2 : 1 },
    ...(observationWeight !== undefined && { observationWeight }),
    coarseCounts: coarseOf.map(map => Math.max(...map) + 1),
  }
  const own = { ...driver, close: () => place.drop(table) }
  return new SqlEngine(own, { shape, coarseOf, folded, keyed: true, weighted, states })
}

async function fingerprintOf(known: KnownRows, encoding: Encoding, options?: OpenOptions): Promise<string> {
  const { folded, place, weighted } = known
  const { driver } = place
  const { binCounts, signalCount } = encodedShape(encoding)
  const { queries } = fingerprintSql(
    driver.dialect,
    { table: `(${engineRowsSql(known, encoding, options)})`, binCounts, folded, weighted },
    { features: [0, binCounts.length], signals: [0, signalCount] },
    '',
  )
  const [, ...sums] = await driver.query(queries[0], ['double', 'double', 'double', 'double', 'double'])
  return fingerprintText(sums.map(sum => sum[0]))
}
