// featureboost verify: the certificate of a model computed again from the rows. Code 4 where the rows say something else.

import { type Verification, verify } from '@featureboost/core'
import { readModelFile } from '../files.ts'
import { layoutTable, wrap } from '../terminal/layout.ts'
import { layoutVerdict } from '../terminal/verdict.ts'
import { stdoutView, type View } from '../terminal/view.ts'
import { clip } from '../terminal/width.ts'
import { interruptibleEngine } from './engine.ts'
import { leftOutJson, leftOutLines } from './leftOut.ts'
import { columnsToVerify } from './modelColumns.ts'
import { printJson, printPage } from './print.ts'
import { type DataOptions, runSession, withData } from './session.ts'

interface VerifyOptions extends DataOptions {
  readonly model: string
  readonly threads?: number
  readonly json: boolean
  readonly ascii?: boolean
  readonly quiet: boolean
}

/** Differences shown; the rest are counted. */
const SHOWN = 12

export async function runVerify(paths: readonly string[], options: VerifyOptions): Promise<void> {
  const { threads } = options
  const model = await readModelFile(options.model)
  await runSession(options, async session => {
    const { progress, signal } = session
    const reading = columnsToVerify(model)
    await withData(session, paths, options, reading, async data => {
      progress.phase('verifying')
      const engine = interruptibleEngine({ threads, signal, onWarning: progress.tell })
      const found = await verify(model, data.source, { engine })
      const seconds = progress.seconds()
      if (options.json) {
        const { certificate, differences, matches } = found
        printJson({
          rows: data.rowCount,
          ...leftOutJson(data, reading),
          matches,
          holds: certificate.holds,
          differences,
          certificate,
          modelHash: model.hash,
          seconds,
        })
      } else {
        const view = stdoutView(options)
        printPage([...layoutVerification(found, view), ...leftOutLines(data, reading, view)])
      }
      if (!found.matches) process.exitCode = 4
    })
  })
}

function layoutVerification({ certificate, differences, matches }: Verification, view: View): string[] {
  const { glyphs, paint, width } = view
  const others = differences.some(({ path }) => path === 'rows.fingerprint')
  const why = others
    ? 'These are not the rows that the model was fitted to, or not all of them'
    : 'The rows are those of the fit, but the certificate says something else of them'
  const count = `${differences.length} ${differences.length === 1 ? 'statement differs' : 'statements differ'}`
  const first = matches
    ? `${paint.good('Verified.')} These rows give the certificate of the model, number for number.`
    : `${paint.bad('Not verified.')} ${why}: ${count}.`
  const cell = (value: unknown) => clip(inWords(value), Math.floor((width - 4) / 3), glyphs.cut)
  const shown = differences
    .slice(0, SHOWN)
    .map(({ found, path, stated }) => [cell(path), cell(stated), cell(found)])
  const rest = differences.length > SHOWN ? [`... and ${differences.length - SHOWN} more`] : []
  const header = ['statement', 'in the model', 'on these rows']
  return [
    wrap(first, width),
    ...(matches ? [] : [layoutTable(header, shown, view), ...rest]),
    layoutVerdict(certificate, undefined, view),
  ]
}

const inWords = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
