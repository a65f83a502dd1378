// featureboost show: a model file in words. No rows are at hand, so every claim is shown as one that is not verified, and a file whose
// numbers contradict each other is refused.

import type { Certificate, Model } from '@featureboost/core'
import {
  describeColumn,
  describeUpdate,
  formatCount,
  refuseContradictions,
} from '@featureboost/core/internal'
import { readModelFile } from '../files.ts'
import { layoutCertificate, layoutCertified, layoutSummaries } from '../terminal/certificate.ts'
import { wrap } from '../terminal/layout.ts'
import { layoutProven } from '../terminal/verdict.ts'
import { stdoutView, type View } from '../terminal/view.ts'
import { displayWidth, padEnd, visible } from '../terminal/width.ts'
import { printJson, printPage } from './print.ts'

export async function runShow(path: string, options: { json: boolean; ascii?: boolean }): Promise<void> {
  const model = await readModelFile(path)
  refuseContradictions(model.data)
  if (options.json) {
    const { data, hash } = model
    const columns = columnsInWords(model).map(([name, words]) => ({ name, words }))
    printJson({
      hash,
      verified: false,
      ...data,
      columnsInWords: columns,
      updatesInWords: updatesInWords(model),
    })
  } else {
    printPage(layoutModel(path, model, stdoutView(options)))
  }
}

const updatesInWords = ({ data }: Model): string[] =>
  data.updates.map(update => describeUpdate(update, data.encoding))

/** Those that are computed from others have no words. */
function columnsInWords({ data: { encoding } }: Model): [name: string, words: string][] {
  const given = encoding.features.filter(({ name }) => !encoding.functions.includes(name))
  return given.map(schema => [schema.name, describeColumn(schema)])
}

/** Beside every claim: the file's word is all there is. */
const NOT_VERIFIED = 'not verified'

const WIDEST_NAME = 24

function layoutColumns(model: Model, { paint, width }: View): string {
  const columns = columnsInWords(model).map(([name, words]) => [visible(name), visible(words)])
  const hang = Math.min(WIDEST_NAME, Math.max(0, ...columns.map(([name]) => displayWidth(name)))) + 4
  const lines = columns.map(([name, words]) => wrap(`  ${padEnd(name, hang - 4)}  ${words}`, width, hang))
  return [
    paint.bold(model.data.imported === undefined ? 'Columns, as the rows of the fit had them' : 'Columns'),
    ...lines,
  ].join('\n')
}

function layoutModel(path: string, model: Model, view: View): string[] {
  const { certificate, data, hash } = model
  const { paint, width } = view
  const start = startWords(data)
  const updates = updatesInWords(model).map((words, index) =>
    wrap(`${index + 1}. ${visible(words)}`, width, 3),
  )
  return [
    wrap(`${paint.bold(path)}: predicts ${labelWords(data)}, ${start}. SHA-256 ${hash}`, width),
    ...(data.encoding.features.length > 0 ? [layoutColumns(model, view)] : []),
    [paint.bold(`${formatCount(updates.length)} update${updates.length === 1 ? '' : 's'}`), ...updates].join(
      '\n',
    ),
    ...(data.imported === undefined ? layoutFitted(certificate, view) : [layoutImported(certificate, view)]),
  ]
}

const layoutFitted = (certificate: Certificate, view: View): string[] => [
  layoutSummaries(certificate, view, NOT_VERIFIED),
  `${view.paint.bold(`Certificate (${NOT_VERIFIED}: featureboost verify DATA --model FILE computes it again)`)}\n${layoutCertificate(certificate, view, NOT_VERIFIED)}`,
  ...layoutCertified(certificate, view, NOT_VERIFIED),
  layoutProven(certificate, { claimed: true, mark: NOT_VERIFIED }, view),
]

/** Of a model that met no rows there are no measures to show. */
const layoutImported = ({ caveats }: Certificate, { paint, width }: View): string =>
  [paint.bold('No certificate'), ...caveats.map(sentence => wrap(`- ${visible(sentence)}`, width, 2))].join(
    '\n',
  )

/** The label, and which of its values is predicted. */
const labelWords = ({ roles: { label, positive } }: Model['data']): string =>
  visible(`"${label}"${positive === undefined ? '' : ` = "${positive}"`}`)

function startWords({ start }: Model['data']): string {
  if (start.kind === 'constant') return 'starts from the base rate'
  return visible(
    `corrects "${start.column}"${start.scale === undefined ? '' : ` (${SCALE_WORDS[start.scale]})`}`,
  )
}

const SCALE_WORDS = { percent: 'in percent', logit: 'as log odds' }
