// Rows of a table or a query in a database elsewhere (core's store/store.ts). They are copied once, in one form, beside where they
// are: whatever happens to the table meanwhile, all that follows is of the same rows. Checks, hashes, the split, copies and bins are
// SQL; sums come back, and at most 2^17 rows, chosen by their keys, from which cuts are learned.

import { type Engine, FeatureBoostError, type RowStore } from '@featureboost/core'
import {
  type Columns,
  cast,
  checkSplit,
  type RowEncoding as Encoding,
  type FoldUnits,
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
import { makeStates } from '../states.ts'
import { encodedShape, encodedSql } from './encodeRows.ts'
import { type FeatureColumn, type LearnedRows, readLearnable } from './learn.ts'
import { mergeRows, startOf, unitsOf } from './merge.ts'
import { prepareRows, type StorePlace } from './prepare.ts'
import { readScores } from './scores.ts'

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
  checkSplit(roles, holdout)
  const rule = roles.copies ?? 'one'
  if (rule === 'unsaid') throw oldModel()
  const noted = await prepareRows(place, query, roles, { copies: rule, holdout, seed: holdout?.seed ?? 0 })
  const { driver } = place
  const { given, rowCount } = noted
  place.onStage?.('summing up rows')
  const merged = await mergeRows(place, noted, roles, holdout)
  const { folded, weighted, weightScale } = merged
  const { countedRows, units } = await unitsOf(place, noted, merged)
  const startKind = await startOf(place, merged.sql, given)
  const used = `SELECT * FROM (${merged.sql}) WHERE fold = 0 AND w > 0`
  const { features } = noted
  const rows = learned ? await readLearnable(driver, used, features, { startKind, weighted }) : undefined
  const isCounted = rule === 'one' && merged.isWhole && rows !== undefined
  const facts = {
    ...{ rowCount, countedRows, units, startKind, folded, weighted },
    ...(isCounted && { observationWeight: observationWeight(rows.learnable, rows.keys, startKind) }),
  }
  const known: KnownRows = {
    ...facts,
    ...{ place, features, merged: merged.sql, hasGroup: given.group !== undefined },
  }
  // Copies that are one are told by whole weights, which are the same for all.
  const weightOfScores = rule === 'one' ? (weighted ? 'w' : undefined) : merged.isGiven ? 'gw' : undefined
  const scores = async (learnable: LearnedRows['learnable']) => ({
    learnable,
    ...(await readScores(driver, merged.sql, { scale: weightScale, weight: weightOfScores })),
  })
  return {
    ...{ ...facts, copyCount: merged.copyCount, weightScale },
    learn: async (auditors, options) => learnFrom(rows, auditors, options),
    open: (encoding, options) => openEngine(known, encoding, options),
    fingerprint: (encoding, options) => fingerprintOf(known, encoding, options),
    ...(given.prediction !== undefined && rows !== undefined && { scores: () => scores(rows.learnable) }),
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
