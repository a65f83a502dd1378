// A sample of the fitting rows: the only rows that leave a database, at most as many as forests learn from. Keys choose them, as in
// engine/sample.ts.

import {
  addColumns,
  cast,
  type EngineShape,
  needsKeys,
  type SampledRows,
  type SampleRequest,
  sampleRule,
} from '@featureboost/core/internal'
import type { NumberKind, SqlDriver } from './driver.ts'
import { flipSql, scatterSql } from './hash.ts'

const PART_SALT = 0x51ed270b
const ROW_SALT = 0x2545f491

interface SampledTable {
  readonly table: string
  readonly folded: boolean
  readonly keyed: boolean
  readonly weighted: boolean
  readonly shape: EngineShape
}

export async function readSample(
  driver: SqlDriver,
  { folded, keyed, shape, table, weighted }: SampledTable,
  request: SampleRequest,
  count: (numbers: number, statements: number) => void,
): Promise<SampledRows> {
  if (!keyed) throw needsKeys('a sample is chosen')
  const { dialect } = driver
  const { keys, parts, share } = sampleRule(request, shape.countedRows)
  const scattered = (name: string, salt: number) =>
    scatterSql(dialect, flipSql(dialect, 'key', salt), name, [16, 15, 16], [0x7feb352d, 0x846ca68b])
  const rows = addColumns(
    `SELECT * FROM ${table}`,
    ...(share === 1 ? [] : scattered('sa_row', ROW_SALT)),
    ...scattered('sa_part', PART_SALT),
  )
  const conditions = [
    ...(folded ? ['fold = 0'] : []),
    ...(weighted ? ['w > 0'] : []),
    // A hash is below the bound where it is at most the largest whole number below it.
    ...(share === 1 ? [] : [`sa_row <= ${Math.ceil(share * 2 ** 32) - 1}`]),
  ]
  const features = shape.binCounts.map((_, feature) => feature)
  const columns: [sql: string, kind: NumberKind][] = [
    ...features.map((feature): [string, NumberKind] => [cast(`f${feature}`, dialect.byteType), 'byte']),
    [cast('y', dialect.wordType), 'word'],
    [cast('start', dialect.wordType), 'word'],
    [cast(`sa_part % ${parts}`, dialect.byteType), 'byte'],
    ...(weighted ? [[cast('w', dialect.wordType), 'word'] as [string, NumberKind]] : []),
    ...(keys ? [[cast('key', dialect.wordType), 'word'] as [string, NumberKind]] : []),
  ]
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const found = await driver.query(
    `SELECT ${columns.map(([sql]) => sql).join(', ')} FROM (${rows})${where}`,
    columns.map(([, kind]) => kind),
  )
  const bins = found.slice(0, features.length) as Uint8Array[]
  const [label, start, part, ...more] = found.slice(features.length)
  count(label.length * columns.length, 1)
  return {
    rowCount: label.length,
    bins,
    label: label as Int32Array,
    start: start as Int32Array,
    part: part as Uint8Array,
    ...(weighted && { weight: more[0] as Int32Array }),
    ...(keys && { key: more[more.length - 1] as Int32Array }),
  }
}
