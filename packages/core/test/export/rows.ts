// Rows of a case as a table of DuckDB, each column of the type that its schema speaks of; from there they go to other databases.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Model } from '../../src/index.ts'
import type { FeatureSchema } from '../../src/quantize/schema.ts'
import type { ExportCase } from './generate.ts'

export const UNIT = 2 ** 24

type Row = Parameters<Model['predictRow']>[0]

/** Predictions in units, by the library. */
export function unitsOf({ model, rounded }: ExportCase, rows: readonly Row[]): number[] {
  const predictor = rounded === undefined ? model : model.round(rounded)
  return rows.map(row => predictor.predictRow(row) * UNIT)
}

/** Column names and types of DuckDB, in order. */
export function columnTypes({ data: { encoding, start } }: Model): [name: string, type: string][] {
  return [
    ['id', 'INTEGER'],
    ...encoding.features.map((feature): [string, string] => [feature.name, typeOf(feature)]),
    ...(start.kind === 'column' ? [[start.column, 'DOUBLE'] as [string, string]] : []),
  ]
}

function typeOf(feature: FeatureSchema): string {
  if (feature.kind === 'boolean') return 'BOOLEAN'
  if (feature.kind === 'categorical') return 'VARCHAR'
  if (feature.time === undefined) return 'DOUBLE'
  return { date: 'DATE', timestamp: 'TIMESTAMP', time: 'TIME' }[feature.time]
}

export interface Database {
  readonly connection: DuckDBConnection
  readonly folder: string
  /** A new table "data" with these rows. */
  load(model: Model, rows: readonly Row[]): Promise<void>
  close(): void
}

export async function openDatabase(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-export-'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  return {
    connection,
    folder,
    async load(model, rows) {
      const file = join(folder, 'rows.ndjson')
      writeFileSync(file, rows.map(row => JSON.stringify(asJson(model, row))).join('\n'))
      const text = (value: string) => `'${value.replaceAll("'", "''")}'`
      const columns = columnTypes(model).map(([name, type]) => `${text(name)}: ${text(type)}`)
      await connection.run(
        `CREATE OR REPLACE TABLE data AS SELECT * FROM read_json(${text(file)}, format = 'newline_delimited', columns = {${columns.join(', ')}})`,
      )
    },
    close() {
      connection.closeSync()
      instance.closeSync()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Dates as DuckDB reads them. */
function asJson({ data: { encoding } }: Model, row: Row): Record<string, unknown> {
  const dates = new Set(
    encoding.features.flatMap(feature =>
      feature.kind === 'numeric' && feature.time === 'date' ? [feature.name] : [],
    ),
  )
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (!(value instanceof Date)) return [name, value]
      return [name, dates.has(name) ? value.toISOString().slice(0, 10) : value.toISOString().slice(0, -1)]
    }),
  )
}
