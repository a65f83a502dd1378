// A certificate on the terminal: the audit before and after, what is proven, what is measured, and the verdict.

import type { Certificate } from '@featureboost/core'
import type { AuditSummary } from '@featureboost/core/internal'
import { formatNumber, provenError } from '@featureboost/core/internal'
import { layoutTable, wrap } from './layout.ts'
import type { View } from './view.ts'
import { clip, displayWidth, visible } from './width.ts'

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

/** One line: does the claim hold, how tight, and what held-out rows say about new ones. As much of it as fits. */
export function verdictOf({ claim, heldOut, holds, rungs }: Certificate, view: View): string {
  const claimed = rungs.find(rung => rung.guarantee === claim.guarantee)
  const bound = formatNumber(claimed === undefined ? Number.NaN : provenError(claimed))
  const error = `${claim.guarantee[0].toUpperCase()}${claim.guarantee.slice(1)} error`
  const first = holds ? 'Verdict: holds.' : 'Verdict: does not hold.'
  const asked = holds ? '' : `, over ${claim.epsilon}`
  const found = heldOut && (claim.guarantee === 'level-set' ? heldOut.levelSet : heldOut.multicalibration)
  const confidence = heldOut && `${formatNumber(100 * heldOut.confidence)} %`
  const newRows = found === undefined ? '' : formatNumber(found.bound)
  const rest =
    found === undefined || claim.guarantee === 'multiaccuracy'
      ? [`${error} <= ${bound} on these rows, proven${asked}.`, `${error} <= ${bound}${asked}.`]
      : [
          `${error} <= ${bound} on these rows, proven${asked}; on new rows <= ${newRows} (${confidence}).`,
          `${error} <= ${bound}${asked}; new rows: <= ${newRows} (${confidence}).`,
          `${error} <= ${bound}${asked}.`,
        ]
  const room = view.width - displayWidth(first) - 1
  const words =
    rest.find(each => displayWidth(each) <= room) ?? clip(rest[rest.length - 1], room, view.glyphs.cut)
  return `${holds ? view.paint.good(first) : view.paint.bad(first)} ${words}`
}
