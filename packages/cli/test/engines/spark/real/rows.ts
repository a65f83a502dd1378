// Rows of this process in a table of Spark, for tests: as text in a statement, which is no way for many.

import { type EngineShape, sourceOf, sumUnits } from '@featureboost/core/internal'
import type { EngineRows } from '@featureboost/core/testing'
import { chunkColumns, rowColumns, shapeOf } from '../../../../src/engines/duckdb/load.ts'
import type { SparkDriver } from '../../../../src/engines/spark/driver.ts'
import { SqlEngine } from '../../../../src/engines/sql/engine.ts'
import { makeStates } from '../../../../src/engines/sql/states.ts'

let opened = 0

export async function engineOf(driver: SparkDriver, rows: EngineRows): Promise<SqlEngine> {
  const source = sourceOf(rows)
  const { coarseOf, folded, keyed = false, weighted } = source
  const prefix = `tested_${++opened}_`
  const table = `${prefix}rows`
  const columns = rowColumns(source)
  const types = columns.map(({ kind, name }) => `${name} ${kind === 'byte' ? 'SMALLINT' : 'INT'}`)
  const values: string[] = []
  let units: EngineShape['units'] | undefined
  for await (const chunk of source.chunks(65_536)) {
    units = sumUnits(chunk.rowCount, chunk.weight, chunk.fold)
    const listed = chunkColumns(chunk, coarseOf)
    for (let row = 0; row < chunk.rowCount; row++)
      values.push(`(${listed.map(each => each[row]).join(', ')})`)
  }
  await driver.run(`CREATE TABLE ${table} (${types.join(', ')}) USING parquet`)
  if (values.length > 0) await driver.run(`INSERT INTO ${table} VALUES ${values.join(', ')}`)
  const shape = shapeOf(source, units)
  const names = columns.map(({ name }) => name)
  const states = makeStates(driver, { rows: table, columns: names, prefix })
  // The session is that of all engines; each drops its own table.
  const own = { ...driver, close: () => driver.run(`DROP TABLE IF EXISTS ${table}`) }
  return new SqlEngine(own, { shape, coarseOf, folded, keyed, weighted, states })
}
