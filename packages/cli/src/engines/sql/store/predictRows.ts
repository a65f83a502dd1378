// A model applied to rows where they are: a table with all of their columns and one more. Rows become bins, updates move the prediction a
// few at a time, and what was reached is written before the next ones, so that no statement grows with the model.

import { FeatureBoostError, type Model } from '@featureboost/core'
import {
  binCount,
  cast,
  didYouMean,
  doubleSql,
  levelSql,
  movedSql,
  ONE,
  type RowEncoding,
  roundSql,
  type Update,
} from '@featureboost/core/internal'
import { hasManyTrees, moveByParts } from '../manyTrees.ts'
import { countWhere, readRow } from '../survey.ts'
import { encodedSql } from './encodeRows.ts'
import type { FeatureColumn } from './learn.ts'
import type { StorePlace } from './prepare.ts'
import type { NamedType, StoreDialect } from './storeDialect.ts'

export interface PredictTarget {
  /** SQL of the table to be written, which is not there. */
  readonly table: string
  /** Of the corrected score. */
  readonly column: string
  /** Bins to round to; undefined: no rounding. */
  readonly bins: number | undefined
}

type Schema = RowEncoding['features'][number]

/** Small updates that are applied in one statement. A forest has one for itself, or some where it has many trees. */
const UPDATES_AT_ONCE = 6

/** Says how many rows there are. */
export async function predictRows(
  place: StorePlace,
  query: string,
  model: Model,
  { bins, column, table }: PredictTarget,
): Promise<number> {
  const { driver } = place
  const { dialect } = driver
  const { encoding, roundings, start, updates } = model.data
  const all = await driver.describe(query)
  if (all.some(({ name }) => name === column))
    throw new FeatureBoostError('FB_COLUMN_TWICE', 'the rows have a column of this name already.', {
      column,
      hint: 'Give the corrected score another name with --as.',
    })
  if (start.kind === 'column' && start.scale !== undefined) throw scaled(start.column, start.scale)
  const inputs = encoding.features.map(schema => inputOf(dialect, all, schema))
  const score = start.kind === 'column' ? scoreSql(dialect, all, start.column) : undefined
  place.onStage?.('checking rows')
  const rowCount = await checkInputs(place, query, inputs, score)
  const prefix = place.newPrefix()
  const given = all.map((_, index) => `o${index}`)
  const named = [
    ...all.map(({ name }, index) => `${dialect.quoteName(name)} AS o${index}`),
    ...inputs.map(({ sql }, index) => `${sql} AS v${index}`),
    `${score === undefined ? cast(start.kind === 'constant' ? start.units : 0, dialect.wordType) : cast(roundSql(dialect, `${score.sql} * ${doubleSql(ONE)}`), dialect.wordType)} AS p`,
  ]
  place.onStage?.('cutting rows into bins')
  const kept = Object.fromEntries([...given, 'p'].map(name => [name, name]))
  let current = await write(
    place,
    `${prefix}moved_0`,
    encodedSql(
      dialect,
      `SELECT ${named.join(', ')} FROM (${query})`,
      inputs.map(({ feature }) => feature),
      encoding,
      kept,
    ),
  )
  const names = [
    ...given,
    ...encoding.features.map((_, feature) => `f${feature}`),
    ...encoding.signals.map((_, signal) => `s${signal}`),
  ]
  const binCounts = encoding.features.map(binCount)
  for (const [index, batch] of inBatches(updates).entries()) {
    place.onStage?.(`applying updates, ${index + 1} of ${inBatches(updates).length}`)
    const next = `${prefix}moved_${index + 1}`
    const [first] = batch
    if (hasManyTrees(first)) {
      const rows = { source: `SELECT * FROM ${current}`, columns: names, binCounts, prefix }
      await moveByParts(driver, rows, first, async moved => {
        await write(place, next, `SELECT ${names.join(', ')}, q AS p FROM (${moved})`)
      })
    } else {
      const moved = batch.reduce(
        (source, update) =>
          `SELECT ${names.join(', ')}, q AS p FROM (${movedSql(dialect, source, update, binCounts)})`,
        `SELECT ${names.join(', ')}, p FROM ${current}`,
      )
      await write(place, next, moved)
    }
    await place.drop(current)
    current = next
  }
  place.onStage?.('writing')
  const values = bins === undefined ? undefined : roundings.find(each => each.bins === bins)?.values
  const units = values === undefined ? 'p' : dialect.lookUp(values, levelSql(dialect, values.length))
  const columns = [
    ...all.map(({ name }, index) => `o${index} AS ${dialect.quoteName(name)}`),
    `${cast(units, dialect.doubleType)} / ${doubleSql(ONE)} AS ${dialect.quoteName(column)}`,
  ]
  await driver.run(dialect.createTable(table, `SELECT ${columns.join(', ')} FROM ${current}`))
  await place.drop(current)
  return rowCount
}

async function write({ driver }: StorePlace, table: string, select: string): Promise<string> {
  await driver.run(driver.dialect.createTable(table, select))
  return table
}

function inBatches(updates: readonly Update[]): Update[][] {
  const batches: Update[][] = []
  for (const update of updates) {
    const last = batches[batches.length - 1]
    const isFull = last === undefined || last.length === UPDATES_AT_ONCE || last[0].kind === 'forest'
    if (isFull || update.kind === 'forest') batches.push([update])
    else last.push(update)
  }
  return batches
}

interface Input {
  readonly feature: FeatureColumn
  readonly sql: string
}

function inputOf(dialect: StoreDialect, all: readonly NamedType[], schema: Schema): Input {
  const { name } = schema
  const given = givenOf(dialect, all, name)
  const isWord = schema.kind === 'boolean' && given.kind === 'categorical'
  if (schema.kind === 'categorical' && schema.numbers)
    throw new FeatureBoostError('FB_ENGINE_ROWS', 'the model takes numbers of this column for names.', {
      column: name,
      hint: 'Rows that stay where they are cannot be read like this: predict from a file.',
    })
  const sql = given.sql(dialect.quoteName(name))
  return {
    feature: {
      ...{ name, kind: isWord ? 'boolean' : given.kind, isEmpty: false },
      ...(given.time !== undefined && { time: given.time }),
    },
    sql: isWord ? `CASE lower(${sql}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END` : sql,
  }
}

function scoreSql(
  dialect: StoreDialect,
  all: readonly NamedType[],
  name: string,
): { name: string; sql: string } {
  const given = givenOf(dialect, all, name)
  if (given.kind === 'categorical')
    throw new FeatureBoostError('FB_COLUMN_KIND', 'the prediction holds strings.', {
      column: name,
      expected: 'numbers from 0 to 1, or booleans',
    })
  return { name, sql: cast(given.sql(dialect.quoteName(name)), dialect.doubleType) }
}

function givenOf(dialect: StoreDialect, all: readonly NamedType[], name: string) {
  const found = all.find(column => column.name === name)
  if (found === undefined)
    throw new FeatureBoostError('FB_COLUMN_UNKNOWN', 'the rows have no such column.', {
      column: name,
      hint: didYouMean(
        name,
        all.map(column => column.name),
      ),
    })
  const given = dialect.given(found.type)
  if (given !== undefined) return given
  throw new FeatureBoostError('FB_COLUMN_KIND', `the column is of type ${found.type}.`, {
    column: name,
    expected: 'a number, text, a date, a moment or a truth value',
  })
}

const scaled = (column: string, scale: string): FeatureBoostError =>
  new FeatureBoostError('FB_ENGINE_ROWS', `the model reads its score as ${scale}.`, {
    column,
    hint: 'Rows that stay where they are cannot be read like this: predict from a file, or fit with a score that is a probability.',
  })

/** Nothing is written where a score is none, or a number infinite. */
async function checkInputs(
  { driver }: StorePlace,
  query: string,
  inputs: readonly Input[],
  score: { readonly name: string; readonly sql: string } | undefined,
): Promise<number> {
  const { dialect } = driver
  const checks = [
    ...(score === undefined
      ? []
      : ([
          [score.name, `${score.sql} IS NULL`, 'FB_MISSING_VALUE', 'have no prediction'],
          [
            score.name,
            `(${score.sql} < 0 OR ${score.sql} > 1)`,
            'FB_PREDICTION_RANGE',
            'hold no probability from 0 to 1',
          ],
        ] as const)),
    ...inputs
      .filter(({ feature }) => feature.kind === 'numeric' && feature.time === undefined)
      .map(
        ({ feature, sql }) =>
          [feature.name, dialect.isInfinite(sql), 'FB_NOT_FINITE', 'hold an infinite number'] as const,
      ),
  ]
  const [rowCount, ...counts] = await readRow(
    driver,
    ['COUNT(*)', ...checks.map(([, condition]) => countWhere(condition))],
    `(${query})`,
  )
  for (const [index, [column, , code, words]] of checks.entries()) {
    if (counts[index] === 0) continue
    throw new FeatureBoostError(code, `${counts[index]} of ${rowCount} rows ${words}.`, { column })
  }
  return rowCount
}
