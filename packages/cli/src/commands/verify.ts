// featureboost verify: the certificate of a model computed again from the rows. Code 4 where the rows say something else.

import { type Verification, verify } from '@featureboost/core'
import { readModelFile } from '../files.ts'
import { verdictOf } from '../terminal/certificate.ts'
import { layoutTable, terminalWidth, wrap } from '../terminal/layout.ts'
import { bad, good } from '../terminal/style.ts'
import { interruptibleEngine } from './engine.ts'
import { columnsToVerify } from './modelColumns.ts'
import { type DataOptions, runSession, withData } from './session.ts'

export interface VerifyOptions extends DataOptions {
  readonly model: string
  readonly threads?: number
  readonly json: boolean
  readonly quiet: boolean
}

/** Differences shown; the rest are counted. */
const SHOWN = 12

export async function runVerify(paths: readonly string[], options: VerifyOptions): Promise<void> {
  const { threads } = options
  const model = await readModelFile(options.model)
  await runSession(options.quiet, async session => {
    const { progress, signal } = session
    await withData(session, paths, options, columnsToVerify(model), async data => {
      progress.phase('verifying')
      const engine = interruptibleEngine({ threads, signal, onWarning: progress.tell })
      const found = await verify(model, data.source, { engine })
      const seconds = progress.seconds()
      if (options.json) {
        const { certificate, differences, matches } = found
        const report = {
          rows: data.rowCount,
          matches,
          holds: certificate.holds,
          differences,
          certificate,
          modelHash: model.hash,
          seconds,
        }
        process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
      } else process.stdout.write(layoutVerification(found))
      if (!found.matches) process.exitCode = 4
    })
  })
}

function layoutVerification({ certificate, differences, matches }: Verification): string {
  const fingerprints = differences.some(({ path }) => path === 'rows.fingerprint')
  const first = matches
    ? `${good('Verified.')} These rows give the certificate of the model, number for number.`
    : `${bad('Not verified.')} ${fingerprints ? 'These are not the rows that the model was fitted to, or not all of them' : 'The rows are those of the fit, but the certificate says something else of them'}: ${differences.length} ${differences.length === 1 ? 'statement differs' : 'statements differ'}.`
  const shown = differences
    .slice(0, SHOWN)
    .map(({ found, path, stated }) => [path, shorten(stated), shorten(found)])
  const rest = differences.length > SHOWN ? [`... and ${differences.length - SHOWN} more`] : []
  const table = matches ? [] : [layoutTable(['statement', 'in the model', 'on these rows'], shown), ...rest]
  return `${[wrap(first, terminalWidth()), ...table, verdictOf(certificate)].join('\n\n')}\n`
}

const shorten = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 24 ? `${text.slice(0, 23)}…` : text
}
