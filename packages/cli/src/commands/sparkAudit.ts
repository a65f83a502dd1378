// An audit of rows in Spark. What a model predicts is first written beside them, as predict would, and audited as any score.

import type { Audit, Model, RowStore } from '@featureboost/core'
import { isFittedTo } from '@featureboost/core/internal'
import { predictRows } from '../engines/sql/store/predictRows.ts'
import { sqlStore } from '../engines/sql/store/store.ts'
import type { Reading, Session } from './session.ts'
import { type SparkOptions, withSparkRows } from './spark.ts'

/** Which score: a column, or what a model predicts. */
interface ScorePlan {
  readonly model?: Model
  readonly reading: Reading
  readonly roles: { readonly prediction: string }
}

export function auditOnSpark(
  session: Session,
  paths: readonly string[],
  options: SparkOptions,
  { model, reading, roles }: ScorePlan,
  search: (rows: RowStore, rowCount: number) => Promise<Audit>,
): Promise<{ audit: Audit; isFitted: boolean | undefined }> {
  return withSparkRows(session, paths, options, reading, async ({ query, store, work }) => {
    if (model === undefined) {
      const [counted] = await work.driver.values(`SELECT CAST(COUNT(*) AS DOUBLE) FROM (${query})`)
      return { audit: await search(store, Number(counted[0])), isFitted: undefined }
    }
    session.progress.phase('correcting')
    const table = `${work.newPrefix()}predicted`
    const target = { table, column: roles.prediction, bins: undefined }
    const rowCount = await predictRows(work, query, model, target)
    const audit = await search(sqlStore(work, `SELECT * FROM ${table}`), rowCount)
    await work.drop(table)
    const isSame = audit.rows.rowCount === model.certificate.rows.rowCount
    return { audit, isFitted: isSame && (await isFittedTo(model, store, session.signal)) }
  })
}
