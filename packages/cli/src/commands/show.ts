// featureboost show: a model file in words.

import { describeUpdate, formatCount, type Model } from '@featureboost/core'
import { readModelFile } from '../files.ts'
import { layoutAudit, layoutCertificate, verdictOf } from '../terminal/certificate.ts'
import { terminalWidth, wrap } from '../terminal/layout.ts'
import { bold } from '../terminal/style.ts'

export async function runShow(path: string, options: { json: boolean }): Promise<void> {
  const model = await readModelFile(path)
  if (options.json) {
    const { data, hash } = model
    process.stdout.write(
      `${JSON.stringify({ hash, ...data, updatesInWords: updatesInWords(model) }, null, 2)}\n`,
    )
  } else {
    process.stdout.write(layoutModel(path, model))
  }
}

const updatesInWords = ({ data }: Model): string[] =>
  data.updates.map(update => describeUpdate(update, data.encoding))

function layoutModel(path: string, model: Model): string {
  const { certificate, data, hash } = model
  const start = data.start.kind === 'column' ? `corrects "${data.start.column}"` : 'starts from the base rate'
  const columns = data.encoding.features.map(feature => `${feature.name} (${feature.kind})`).join(', ')
  const updates = updatesInWords(model).map((words, index) =>
    wrap(`${index + 1}. ${words}`, terminalWidth(), 3),
  )
  return `${[
    `${bold(path)}: predicts "${data.roles.label}", ${start}. SHA-256 ${hash}`,
    wrap(`Columns: ${columns}`, terminalWidth(), 2),
    [bold(`${formatCount(updates.length)} updates`), ...updates].join('\n'),
    layoutAudit(certificate),
    `${bold('Certificate')}\n${layoutCertificate(certificate)}`,
    verdictOf(certificate),
  ].join('\n\n')}\n`
}
