// The verdict: one sentence, and whether to be glad, to look closer, or to act.

import type { MeasureChange } from '../audit/measures.ts'
import type { Finding } from '../audit/worst/findings.ts'
import type { Significance } from '../audit/worst/worstGroups.ts'
import { formatCount, formatNumber } from '../common/text.ts'
import { clipText } from './caps.ts'
import type { AuditedRows, Verdict } from './evidence.ts'

/** A gap that is surely larger than this calls for action. */
const GRAVE_GAP = 0.05

interface Audited {
  readonly significance: Significance
  readonly worst: readonly Finding[]
  /** The sentence of the audit. */
  readonly verdict: string
}

export function verdictOfScore({ significance, verdict, worst }: Audited): Verdict {
  return { sentence: clipText(verdict, 400), level: levelOf(significance, worst) }
}

function levelOf({ beyondNoise, groupsTested }: Significance, worst: readonly Finding[]): Verdict['level'] {
  if (!beyondNoise) return groupsTested === 0 ? 'attention' : 'good'
  const sure = worst.map(({ gap, interval }) => (gap > 0 ? interval.low : -interval.high))
  return Math.max(...sure) > GRAVE_GAP ? 'bad' : 'attention'
}

/** The level is that of the corrected score; one that is worse than before is bad in any case. */
export function verdictOfChange(
  before: Audited,
  after: Audited,
  changes: readonly MeasureChange[],
  { rowCount, rows }: { rowCount: number; rows: AuditedRows },
): Verdict {
  const worse = changes.filter(({ judged }) => judged === 'worse')
  const warned = worse.length === 0 ? '' : ` Worse than before: ${worse.map(({ name }) => name).join(', ')}.`
  return {
    sentence: `${changeWords(before, after)}, on ${rowsInWords(rowCount, rows)}.${lossWords(changes)}${warned}`,
    level: worse.length > 0 ? 'bad' : levelOf(after.significance, after.worst),
  }
}

function changeWords({ significance: before }: Audited, { significance: after, worst }: Audited): string {
  if (after.groupsTested === 0) return 'No group has enough rows to say anything'
  const z = ({ largestZ }: Significance) => `largest |z| ${largestZ.toFixed(1)}`
  const groups = formatCount(after.groupsTested)
  const now = after.beyondNoise
    ? `at least one of ${groups} groups is off by more than noise (${z(after)}), the worst being ${worstWords(worst)}`
    : `no group among ${groups} is off by more than noise (${z(after)})`
  if (!before.beyondNoise)
    return `No group was off by more than noise before the correction (${z(before)}); after it ${now}`
  return `Before the correction at least one group was off by more than noise (${z(before)}); after it ${now}`
}

const worstWords = ([first]: readonly Finding[]): string =>
  `${clipText(first.group)}, too ${first.gap > 0 ? 'low' : 'high'} by ${formatNumber(Math.abs(first.gap), 2)}`

function lossWords(changes: readonly MeasureChange[]): string {
  const loss = changes.find(({ key }) => key === 'logLoss')
  if (loss === undefined || loss.judged === 'unclear') return ''
  const [from, to] = [loss.before.value, loss.after.value].map(value => formatNumber(value, 4))
  return ` Log loss: ${from} before, ${to} after.`
}

export function rowsInWords(rowCount: number, rows: AuditedRows): string {
  const count = formatCount(rowCount)
  if (rows === 'held-out') return `${count} held-out rows`
  return rows === 'fitting' ? `the ${count} rows of the fit, none held out` : `${count} rows`
}
