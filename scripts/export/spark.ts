// Spark on this machine, asked through the Connect client of the command line.

import { join } from 'node:path'
import { openSparkDriver } from '../../packages/cli/src/engines/spark/driver.ts'
import type { Model } from '../../packages/core/src/index.ts'
import { columnTypes, type Database } from '../../packages/core/test/export/rows.ts'
import { startCluster } from '../spark/cluster.ts'
import { installSpark } from '../spark/install.ts'

export interface Spark {
  /** Predictions of the table "data" in units, by a SELECT that was exported. */
  score(database: Database, model: Model, select: string): Promise<ArrayLike<number>>
  stop(): Promise<void>
}

export async function startSpark(): Promise<Spark> {
  const cluster = await startCluster({
    home: installSpark(),
    local: true,
    settings: { 'spark.sql.session.timeZone': 'UTC' },
  })
  const driver = await openSparkDriver(cluster.address)
  return {
    async score(database, model, select) {
      const file = join(database.folder, 'spark.parquet')
      // There are no times of day in Spark: they are texts there.
      const columns = columnTypes(model).map(([name, type]) => {
        const quoted = `"${name.replaceAll('"', '""')}"`
        return type === 'TIME' ? `CAST(${quoted} AS VARCHAR) AS ${quoted}` : quoted
      })
      await database.connection.run(`COPY (SELECT ${columns.join(', ')} FROM data) TO '${file}'`)
      await driver.run(`CREATE OR REPLACE TEMP VIEW data AS SELECT * FROM parquet.\`${file}\``)
      const units = 'CAST(coalesce(corrected * 16777216, -1) AS DOUBLE)'
      const [found] = await driver.query(`SELECT ${units} AS units FROM (${select}) ORDER BY id`, ['double'])
      return found as Float64Array
    },
    async stop() {
      await driver.close()
      await cluster.stop()
    },
  }
}
