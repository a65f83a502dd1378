// featureboost predict where the rows are in Spark: a table beside them, with one column more. No row travels.

import { formatCount } from '@featureboost/core/internal'
import { SparkError } from '../engines/spark/errors.ts'
import { qualifiedName } from '../engines/spark/work.ts'
import { predictRows } from '../engines/sql/store/predictRows.ts'
import { CommandError } from '../errors.ts'
import { readModelFile } from '../files.ts'
import { wrap } from '../terminal/layout.ts'
import { stdoutView } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import type { PredictOptions } from './predictOptions.ts'
import { printJson, printPage } from './print.ts'
import { runSession } from './session.ts'
import { type SparkRows, withSparkRows } from './spark.ts'

export async function predictOnSpark(paths: readonly string[], options: PredictOptions): Promise<void> {
  const { as: column, force, json, outTable, rounded } = options
  if (outTable === undefined)
    throw new CommandError(
      2,
      'With --engine sc://..., name the table to write with --out-table: rows do not leave Spark.',
    )
  if (options.out !== '-')
    throw new CommandError(2, '--out is a file here, and rows do not leave Spark: leave it out.')
  if (options.explain)
    throw new CommandError(
      2,
      '--explain is for fit, audit and verify: predict runs a statement for a forest, and one for every 6 other updates.',
    )
  const model = await readModelFile(options.model)
  // Refused now where there is no such rounding.
  if (rounded !== undefined) model.round(rounded === true ? undefined : rounded)
  const bins = rounded === true ? model.certificate.claim.bins : rounded
  const target = qualifiedName(outTable)
  await runSession(options, async session => {
    const rows = await withSparkRows(session, paths, options, {}, async ({ whole, work }) => {
      const isThere = await hasTable({ work }, target)
      if (isThere && !force)
        throw new CommandError(3, `The table ${outTable} is there already. Overwrite it with --force.`, {
          code: 'FB_FILE_WRITE',
        })
      session.progress.phase('correcting')
      const table = isThere ? `${work.newPrefix()}predicted` : target
      const rowCount = await predictRows(work, whole, model, { table, column, bins })
      if (isThere) {
        await work.driver.run(`DROP TABLE ${target}`)
        await work.driver.run(`ALTER TABLE ${table} RENAME TO ${target}`)
      }
      return rowCount
    })
    const seconds = session.progress.seconds()
    if (json) return printJson({ rows, column, table: outTable, modelHash: model.hash, seconds })
    const words = `${formatCount(rows)} rows written to the table ${outTable}, corrected scores in "${column}".`
    printPage([wrap(visible(words), stdoutView().width)])
  })
}

async function hasTable({ work }: Pick<SparkRows, 'work'>, table: string): Promise<boolean> {
  try {
    await work.driver.describe(`SELECT * FROM ${table}`)
    return true
  } catch (error) {
    if (error instanceof SparkError && error.code === 'FB_TABLE') return false
    throw error
  }
}
