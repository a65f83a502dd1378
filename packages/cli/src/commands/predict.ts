// featureboost predict: the data again, with the corrected score of every row.

import type { Predictor, TableSource } from '@featureboost/core'
import {
  type ColumnNews,
  type FeatureSchema,
  formatCount,
  NewsTally,
  rangeWords,
} from '@featureboost/core/internal'
import { checkScores } from '../data/probabilities.ts'
import { checkWrite, writeScored } from '../data/write.ts'
import { CommandError } from '../errors.ts'
import { readModelFile } from '../files.ts'
import { checkOutputs, inputsOf, outputsOf } from '../outputs.ts'
import { wrap } from '../terminal/layout.ts'
import { stdoutView } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import { columnsToPredict } from './modelColumns.ts'
import type { PredictOptions } from './predictOptions.ts'
import { printJson, printPage } from './print.ts'
import { runSession, withData } from './session.ts'
import { isOnSpark } from './spark.ts'

export async function runPredict(paths: readonly string[], options: PredictOptions): Promise<void> {
  if (isOnSpark(options)) return await (await import('./sparkPredict.ts')).predictOnSpark(paths, options)
  if (options.engine !== undefined && options.engine !== 'memory')
    throw new CommandError(
      2,
      `--engine ${options.engine}: predict reads rows one after the other, in memory, or in Spark (sc://...).`,
    )
  if (options.outTable !== undefined)
    throw new CommandError(
      2,
      '--out-table is for rows in Spark: name them with --engine sc://... and --table.',
    )
  const { as: column, force: overwrite, json, neutralise, out, rounded } = options
  if (json && out === '-')
    throw new CommandError(2, '--json and rows cannot both go to stdout: name a file with --out.')
  checkOutputs(outputsOf(options), inputsOf(paths, options))
  const model = await readModelFile(options.model)
  const predictor = rounded === undefined ? model : rounded === true ? model.round() : model.round(rounded)
  const { start } = model.data
  const target = { out, column, neutralise, overwrite }
  checkWrite({ names: [] }, target)
  // Rows that are shown as they come leave no place for a bar.
  const shown = out === '-' && process.stdout.isTTY === true
  await runSession({ quiet: options.quiet || shown }, async session => {
    await withData(session, paths, options, { ...columnsToPredict(model), out }, async data => {
      checkWrite(data, target)
      if (start.kind === 'column') await checkScores(data, start.column, start.scale)
      session.progress.phase('correcting')
      const news = new NewsTally(model.data.encoding)
      await writeScored(data, correct(data.source, predictor, news, session.signal), {
        ...target,
        signal: session.signal,
      })
      for (const line of shorten(newsLines(news))) session.progress.tell(line)
      const seconds = session.progress.seconds()
      if (json) {
        printJson({
          ...{ rows: data.rowCount, column, file: out, modelHash: model.hash },
          ...{ columns: news.finish(), seconds },
        })
      } else if (out !== '-') {
        const { width } = stdoutView()
        const words = `${formatCount(data.rowCount)} rows written to ${out}, corrected scores in "${column}".`
        printPage([wrap(visible(words), width)])
      }
    })
  })
}

async function* correct(
  source: TableSource,
  predictor: Pick<Predictor, 'predict'>,
  news: NewsTally,
  signal: AbortSignal,
): AsyncGenerator<Float64Array> {
  for await (const chunk of source.chunks()) {
    signal.throwIfAborted()
    yield predictor.predict(chunk)
    news.add(chunk)
  }
}

const MAX_LINES = 12

/** Wide tables have more news than anybody reads; all of it is in the JSON. */
const shorten = (lines: readonly string[]): readonly string[] =>
  lines.length <= MAX_LINES
    ? lines
    : [
        ...lines.slice(0, MAX_LINES),
        `And ${formatCount(lines.length - MAX_LINES)} more such lines: --json has them all.`,
      ]

/** What the model has not seen is told; that values are missing only where none were. */
function newsLines(news: NewsTally): string[] {
  const rows = formatCount(news.rowCount)
  const schemas = new Map(news.features.map(schema => [schema.name, schema]))
  return news.finish().flatMap(each => {
    const { column, examples, fractional, missing, missingBefore, outside, unseen } = each
    const told = (count: number | null, words: () => string) =>
      count ? [`Column "${column}": ${formatCount(count)} of ${rows} rows have ${words()}`] : []
    return [
      ...told(
        unseen,
        () =>
          `values that the model has not seen, such as ${examples.map(text => `"${text}"`).join(', ')}; they count as missing.`,
      ),
      ...told(outside, () => outsideWords(each, schemas.get(column)!)),
      ...told(
        fractional,
        () => 'numbers with a fraction; when the model was fitted, all of them were whole numbers.',
      ),
      ...told(missingBefore ? 0 : missing, () => 'no value; when the model was fitted, none was missing.'),
    ]
  })
}

/** They fall in with the nearest values of the fit. */
function outsideWords({ found }: ColumnNews, schema: FeatureSchema): string {
  if (schema.kind !== 'numeric' || schema.range === undefined || found === undefined) return ''
  return `values outside ${rangeWords(schema, schema.range)}, the range when the model was fitted (found: ${rangeWords(schema, found)}); they are taken as the nearest in that range.`
}
