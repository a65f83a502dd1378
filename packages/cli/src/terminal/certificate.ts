// A certificate on the terminal: the audit before and after, what is proven, what is measured, and the verdict.

import type { Certificate } from '@featureboost/core'
import type { AuditSummary } from '@featureboost/core/internal'
import { layoutTable, wrap } from './layout.ts'
import type { View } from './view.ts'
import { visible } from './width.ts'

/** What the certificate itself carries, on the fitting rows. */
export function layoutSummaries({ after, before }: Certificate, view: View): string {
  const rows: [string, (summary: AuditSummary) => number | undefined][] = [
    ['mean squared error', summary => summary.loss],
    ['calibration error', summary => summary.calibration],
    ['worst multiaccuracy error', summary => summary.multiaccuracy.error],
    ['worst multicalibration error', summary => summary.multicalibration.error],
    ['worst level-set error', summary => summary.levelSet?.error],
  ]
  const number = (value: number) => value.toFixed(5)
  return layoutTable(
    ['audit (fitting rows)', 'before', 'after'],
    rows.flatMap(([name, read]) => {
      const [from, to] = [read(before), read(after)]
      return from === undefined || to === undefined ? [] : [[name, number(from), number(to)]]
    }),
    view,
  )
}

export function layoutCertificate(certificate: Certificate, view: View): string {
  const list = (title: string, sentences: readonly string[]) =>
    [
      view.paint.bold(title),
      ...sentences.map(sentence => wrap(`- ${visible(sentence)}`, view.width, 2)),
    ].join('\n')
  return [
    list('Proven', certificate.proven),
    list('Measured', certificate.measured),
    list('Mind', certificate.caveats),
  ].join('\n\n')
}
