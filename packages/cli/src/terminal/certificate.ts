// A certificate on the terminal: the audit before and after, what is proven, what is measured, and the verdict.

import type { AuditSummary, Certificate } from '@featureboost/core'
import { formatCount, formatNumber } from '@featureboost/core'
import { layoutTable, terminalWidth, wrap } from './layout.ts'
import { bad, bold, good } from './style.ts'

export function layoutAudit({ after, before }: Certificate): string {
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
  )
}

export function layoutCertificate(certificate: Certificate): string {
  const list = (title: string, sentences: readonly string[]) =>
    [bold(title), ...sentences.map(sentence => wrap(`- ${sentence}`, terminalWidth(), 2))].join('\n')
  return [
    list('Proven', certificate.proven),
    list('Measured', certificate.measured),
    list('Mind', certificate.caveats),
  ].join('\n\n')
}

/** Does the claim hold, how tight, for whom, on what rows; and what held-out rows say about new ones. */
export function verdictOf({ auditors, claim, heldOut, holds, rows, rungs }: Certificate): string {
  const bound = rungs.find(rung => rung.guarantee === claim.guarantee)?.bound ?? Number.NaN
  const words = `${claim.guarantee} error ${holds ? 'is' : 'is NOT'} proven to be within ${claim.epsilon} (bound ${formatNumber(bound)}) for ${auditors}, on ${formatCount(rows.fitWeight)} fitting rows.`
  const onNewRows =
    heldOut === undefined
      ? ''
      : ` On new rows: multicalibration error at most ${formatNumber(heldOut.multicalibration.bound)} with probability ${formatNumber(heldOut.confidence)} (${heldOut.multicalibration.inequality}, ${formatCount(heldOut.effectiveRows)} held-out rows).`
  return wrap(
    `${holds ? good('Verdict: holds.') : bad('Verdict: does not hold.')} The ${words}${onNewRows}`,
    terminalWidth(),
    2,
  )
}
