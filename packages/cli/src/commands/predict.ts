// featureboost predict: the data again, with the corrected score of every row.

import type { Predictor, TableSource } from '@featureboost/core'
import { formatCount, NewsTally } from '@featureboost/core/internal'
import { checkScores } from '../data/probabilities.ts'
import { checkWrite, writeScored } from '../data/write.ts'
import { CommandError } from '../errors.ts'
import { readModelFile } from '../files.ts'
import { wrap } from '../terminal/layout.ts'
import { stdoutView } from '../terminal/view.ts'
import { columnsToPredict } from './modelColumns.ts'
import { printJson } from './print.ts'
import { type DataOptions, runSession, withData } from './session.ts'

interface PredictOptions extends DataOptions {
  readonly model: string
  /** true: as many bins as the certificate speaks of. */
  readonly rounded?: number | true
  readonly out: string
  readonly as: string
  readonly neutralise: boolean
  readonly force: boolean
  readonly json: boolean
  readonly quiet: boolean
}

export async function runPredict(paths: readonly string[], options: PredictOptions): Promise<void> {
  const { as: column, force: overwrite, json, neutralise, out, rounded } = options
  if (json && out === '-')
    throw new CommandError(2, '--json and rows cannot both go to stdout: name a file with --out.')
  const model = await readModelFile(options.model)
  const predictor = rounded === undefined ? model : rounded === true ? model.round() : model.round(rounded)
  const { start } = model.data
  const target = { out, column, neutralise, overwrite }
  checkWrite({ names: [] }, target)
  // Rows that are shown as they come leave no place for a bar.
  const shown = out === '-' && process.stdout.isTTY === true
  await runSession({ quiet: options.quiet || shown }, async session => {
    await withData(session, paths, options, columnsToPredict(model), async data => {
      checkWrite(data, target)
      if (start.kind === 'column') await checkScores(data, start.column, start.scale)
      session.progress.phase('correcting')
      const news = new NewsTally(model.data.encoding)
      await writeScored(data, correct(data.source, predictor, news, session.signal), {
        ...target,
        signal: session.signal,
      })
      for (const line of newsLines(news)) session.progress.tell(line)
      const seconds = session.progress.seconds()
      if (json) {
        printJson({
          ...{ rows: data.rowCount, column, file: out, modelHash: model.hash },
          ...{ columns: news.finish(), seconds },
        })
      } else if (out !== '-') {
        const { width } = stdoutView()
        const words = `${formatCount(data.rowCount)} rows written to ${out}, corrected scores in "${column}".`
        process.stdout.write(`${wrap(words, width)}\n`)
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

/** What the model has not seen is told; that values are missing only where none were. */
function newsLines(news: NewsTally): string[] {
  const rows = formatCount(news.rowCount)
  return news
    .finish()
    .flatMap(({ column, examples, missing, missingBefore, unseen }) => [
      ...(unseen === 0
        ? []
        : [
            `Column "${column}": ${formatCount(unseen)} of ${rows} rows have values that the model has not seen, such as ${examples.map(each => `"${each}"`).join(', ')}; they count as missing.`,
          ]),
      ...(missing === 0 || missingBefore
        ? []
        : [
            `Column "${column}": ${formatCount(missing)} of ${rows} rows have no value; when the model was fitted, none was missing.`,
          ]),
    ])
}
