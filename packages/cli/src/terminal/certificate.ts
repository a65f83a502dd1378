// A certificate on the terminal: the audit before and after, what is proven, what is measured, and the verdict.

import type { Certificate } from '@featureboost/core'
import { type AuditSummary, formatBound, formatCount, formatNumber } from '@featureboost/core/internal'
import { layoutTable, section, wrap } from './layout.ts'
import type { View } from './view.ts'
import { visible } from './width.ts'

/** `mark` stands beside every claim, such as that it is not verified. */
const marked = (words: string, mark: string | undefined): string =>
  mark === undefined ? words : `${words} (${mark})`

/** What the certificate itself carries, on the fitting rows. */
export function layoutSummaries({ after, before }: Certificate, view: View, mark?: string): string {
  const rows: [string, (summary: AuditSummary) => number | undefined][] = [
    ['mean squared error', summary => summary.loss],
    ['calibration error', summary => summary.calibration],
    ['worst multiaccuracy error', summary => summary.multiaccuracy.error],
    ['worst multicalibration error', summary => summary.multicalibration.error],
    ['worst level-set error', summary => summary.levelSet?.error],
  ]
  const number = (value: number) => value.toFixed(5)
  return layoutTable(
    [marked('audit (fitting rows)', mark), 'before', 'after'],
    rows.flatMap(([name, read]) => {
      const [from, to] = [read(before), read(after)]
      return from === undefined || to === undefined ? [] : [[name, number(from), number(to)]]
    }),
    view,
  )
}

/** Every protected group: what was counted on the fitting rows, and what is proven of new ones. */
export function layoutCertified(
  { claim, protected: groups = [] }: Certificate,
  view: View,
  mark?: string,
): string[] {
  if (groups.length === 0) return []
  const gap = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`
  const bound = (value: number | undefined) =>
    value === undefined || value >= 1 ? 'nothing' : formatBound(value)
  const rows = groups.map(({ gap: fitting, group, heldOut, weight }) => [
    ...[visible(group), formatCount(weight), gap(fitting)],
    ...[formatCount(heldOut?.weight ?? 0), bound(heldOut?.bound)],
  ])
  const head = ['group', 'fitting rows', 'gap', 'held-out rows', 'proven: at most']
  const title = `Protected groups: outcome less prediction on the fitting rows, by weight, and what is proven of new rows, with ${formatNumber(100 * claim.confidence)} % confidence in all at once`
  return [section(marked(title, mark), layoutTable(head, rows, view), view)]
}

export function layoutCertificate(certificate: Certificate, view: View, mark?: string): string {
  const list = (title: string, sentences: readonly string[]) =>
    [
      view.paint.bold(marked(title, mark)),
      ...sentences.map(sentence => wrap(marked(`- ${visible(sentence)}`, mark), view.width, 2)),
    ].join('\n')
  return [
    list('Proven', certificate.proven),
    list('Measured', certificate.measured),
    list('Mind', certificate.caveats),
  ].join('\n\n')
}
