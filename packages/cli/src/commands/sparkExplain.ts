// --explain: what a command would run in Spark, how many statements that are, and what they may cost. Rows are counted, and nothing else is run.

import { checkRowLimit, formatCount, type Holdout, type Roles } from '@featureboost/core/internal'
import { explainRows } from '../engines/sql/store/prepare.ts'
import { readRow } from '../engines/sql/survey.ts'
import { wrap } from '../terminal/layout.ts'
import { stdoutView } from '../terminal/view.ts'
import { visiblePage } from '../terminal/width.ts'
import { printPage } from './print.ts'
import type { Reading, Session } from './session.ts'
import { type SparkOptions, withSparkRows } from './spark.ts'

export interface Explained {
  /** What the command asks once rows are in bins, in words. */
  readonly questions: string
  /** Core seconds that a million rows of ten columns took; undefined where that has not been measured. */
  readonly coreSeconds?: number
}

/** A default fit in local[2], 446 s on a machine that did other work besides (bench/engines.ts): more than it takes on cores of its own. */
const MEASURED_FIT = 900

export const EXPLAINED = {
  fit: {
    questions:
      'histograms of all columns and of all pairs of them, the at most 1,048,576 rows that a forest learns from, a table of predictions and a sum for every update, the certificate, and the checksum of all rows',
    coreSeconds: MEASURED_FIT,
  },
  audit: {
    questions:
      'the different scores with their outcomes (at most 1,048,576), and histograms of all pairs of columns, also under drawn labels',
  },
  verify: {
    questions: 'a table of predictions and a sum for every update of the model, and the certificate',
  },
} satisfies Record<string, Explained>

export async function explainOnSpark(
  session: Session,
  paths: readonly string[],
  options: SparkOptions,
  reading: Pick<Reading, 'only' | 'except' | 'ifThere'>,
  { holdout, roles }: { readonly roles: Roles; readonly holdout?: Holdout },
  { coreSeconds, questions }: Explained,
): Promise<void> {
  const found = await withSparkRows(session, paths, options, reading, async ({ columns, query, work }) => ({
    columnCount: columns.length,
    rowCount: (await readRow(work.driver, ['COUNT(*)'], `(${query})`))[0],
    statements: await explainRows(work, query, roles, holdout === undefined ? {} : { holdout }),
  }))
  const { columnCount, rowCount, statements } = found
  checkRowLimit(rowCount)
  const { width } = stdoutView()
  const cost =
    coreSeconds === undefined
      ? 'what that costs has not been measured'
      : `very roughly ${((coreSeconds * rowCount * columnCount) / 1e7 / 3600).toPrecision(1)} core hours, by what a million rows took on a shared machine (docs/engines.md)`
  printPage([
    statements.map((statement, index) => `-- ${index + 1}\n${visiblePage(statement)};`).join('\n\n'),
    wrap(
      `These ${statements.length} write copies of the rows, with hashes. About 15 more, which depend on what columns hold, check rows and sum them up, and bring back at most 131,072 rows, from which cuts are learned; one writes the rows in bins.`,
      width,
    ),
    wrap(`Then come ${questions}. How many statements that takes depends on the answers.`, width),
    wrap(
      `${formatCount(rowCount)} rows of ${columnCount} columns: ${cost}. Nothing was run but a count of the rows.`,
      width,
    ),
  ])
}
