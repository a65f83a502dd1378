// The verdict on a fit, computed once for the command line, reports and the page. Rows that the model has not seen come first: is the
// score better or worse on them, and which groups are still off? Then what is proven, and on which rows.

import { changesOf, type MeasureChange } from '../audit/measures.ts'
import { isSurelyOff, type ProtectedGroup, protectedSentence } from '../audit/protected.ts'
import type { Finding } from '../audit/worst/findings.ts'
import type { Significance } from '../audit/worst/worstGroups.ts'
import { type Certificate, provenError } from '../certify/facts.ts'
import { formatBound, formatCount, formatNumber, formatRange } from '../common/text.ts'

/** What rows say of the corrected score, by its log loss and its Brier score: changes that are sure with a fifth of the doubt. */
export type ScoreOutcome = 'better' | 'worse' | 'unclear' | 'unchanged'

/** Held-out rows; those of the fit, where none were held out; or rows that may be either. */
export type VerdictRows = 'held-out' | 'fitting' | 'all'

export interface FitVerdict {
  readonly score: ScoreOutcome
  readonly rows: VerdictRows
  readonly rowCount: number
  /** Groups that are surely off after the correction: as many as are listed, so perhaps more. */
  readonly groupsOff: number
  readonly groupsTested: number
  readonly level: 'good' | 'attention' | 'bad'
  /** On the score, then on groups. */
  readonly sentences: readonly [score: string, groups: string]
}

/** An audit, as far as a verdict looks at it. */
export interface JudgedAudit {
  readonly significance: Pick<Significance, 'beyondNoise' | 'groupsTested' | 'screened'>
  readonly worst: readonly Finding[]
  readonly protected?: readonly ProtectedGroup[]
}

/** A gap that is surely larger than this calls for action. */
const GRAVE_GAP = 0.05

/** The rows that a verdict goes by, and the model. */
export interface Judged {
  readonly rowCount: number
  readonly rows: VerdictRows
  /** Does the model move scores at all? Then others may be moved, where none of these is. */
  readonly corrects?: boolean
}

export function judgeChange(
  after: JudgedAudit,
  changes: readonly MeasureChange[],
  judged: Judged,
): FitVerdict {
  const { rowCount, rows } = judged
  const score = outcomeOf(changes)
  const off = surelyOff(after)
  const { groupsTested } = after.significance
  return {
    score,
    rows,
    rowCount,
    groupsOff: off.length,
    groupsTested,
    level: levelOf(score, rows, [...off, ...protectedOff(after)], groupsTested),
    sentences: [
      scoreSentence(score, changes, judged),
      `${groupSentence(off, groupsTested, after.worst.length)}${screenedWords(after.significance)}${protectedSentence(after.protected)}`,
    ],
  }
}

/** Of two audits of the same rows. */
export const judgeCompared = (
  compared: Parameters<typeof changesOf>[0] & { readonly b: JudgedAudit },
  judged: Judged,
): FitVerdict => judgeChange(compared.b, changesOf(compared), judged)

const LOSSES: readonly string[] = ['logLoss', 'brier']

function outcomeOf(changes: readonly MeasureChange[]): ScoreOutcome {
  const losses = changes.filter(({ key }) => LOSSES.includes(key))
  if (losses.some(({ judged }) => judged === 'worse')) return 'worse'
  if (losses.some(({ judged }) => judged === 'better')) return 'better'
  const isSame = changes.every(({ change }) => change.value === 0 && change.low === 0 && change.high === 0)
  return isSame ? 'unchanged' : 'unclear'
}

/** The interval of a finding holds for all groups that were searched. */
export const surelyOff = ({ significance, worst }: JudgedAudit): Finding[] =>
  significance.beyondNoise ? worst.filter(({ interval }) => interval.low > 0 || interval.high < 0) : []

const protectedOff = ({ protected: groups = [] }: JudgedAudit): OffGroup[] =>
  groups.flatMap(({ gap, group, interval }) =>
    isSurelyOff({ interval }) ? [{ group, gap, interval: interval! }] : [],
  )

/** Findings and protected groups that are surely off. */
export const allSurelyOff = (found: JudgedAudit): OffGroup[] => [...surelyOff(found), ...protectedOff(found)]

export type OffGroup = Pick<Finding, 'group' | 'gap' | 'interval'>

/** The near end of the interval: by so much it is surely off. */
export const sureGap = ({ gap, interval }: OffGroup): number => (gap > 0 ? interval.low : -interval.high)

function levelOf(
  score: ScoreOutcome,
  rows: VerdictRows,
  off: readonly OffGroup[],
  groupsTested: number,
): FitVerdict['level'] {
  if (score === 'worse' || off.some(finding => sureGap(finding) > GRAVE_GAP)) return 'bad'
  return off.length > 0 || groupsTested === 0 || rows === 'fitting' ? 'attention' : 'good'
}

function scoreSentence(
  score: ScoreOutcome,
  changes: readonly MeasureChange[],
  { corrects = false, rowCount, rows }: Judged,
): string {
  const where = rowsInWords(rowCount, rows)
  const unknown = rows === 'fitting' ? ' Of new rows nothing is known: none were held out.' : ''
  if (score === 'unchanged')
    return corrects
      ? `None of ${where} is corrected; others may be.${unknown}`
      : `Nothing was corrected.${unknown}`
  const first = {
    better: `Better on ${where}`,
    worse: `Worse on ${where}`,
    unclear: `Neither surely better nor surely worse on ${where}`,
  }[score]
  return `${first}${lossWords(changes, score)}.${unknown}`
}

/** The loss that says so; log loss where both do. */
function lossWords(changes: readonly MeasureChange[], score: ScoreOutcome): string {
  const losses = changes
    .filter(({ key }) => LOSSES.includes(key))
    .toSorted(a => (a.key === 'logLoss' ? -1 : 1))
  const shown = losses.find(({ judged }) => judged === score) ?? losses[0]
  if (shown === undefined) return ''
  const [from, to] = [shown.before.value, shown.after.value].map(value => formatNumber(value, 4))
  return `: ${shown.name} ${from} before, ${to} after`
}

function groupSentence(off: readonly Finding[], groupsTested: number, listed: number): string {
  if (groupsTested === 0) return 'No group has enough rows to say anything.'
  const tested = `of ${formatCount(groupsTested)} tested`
  if (off.length === 0) return `No group is surely off, ${tested}.`
  const [first] = off
  const least = off.length === listed ? 'At least ' : ''
  const count = `${least}${off.length} ${off.length === 1 ? 'group is' : 'groups are'} still surely off`
  const side = `too ${first.gap > 0 ? 'low' : 'high'} by ${formatNumber(Math.abs(first.gap), 2)}`
  return `${count}, ${tested}; the worst: ${first.group}, ${side} (${formatRange(first.interval.low, first.interval.high, 2)}).`
}

const screenedWords = ({ screened }: JudgedAudit['significance']): string =>
  screened === undefined
    ? ''
    : ` Two conditions at a time were tried on ${formatCount(screened.paired)} of ${formatCount(screened.of)} columns.`

export function rowsInWords(rowCount: number, rows: VerdictRows): string {
  const count = formatCount(rowCount)
  if (rows === 'held-out') return `${count} held-out rows`
  return rows === 'fitting' ? `the ${count} rows of the fit` : `${count} rows`
}

/**
 * What a certificate proves, and on which rows. Bounds are rounded up. `claimed`: of new rows there is only the word of a file that
 * held-out rows were kept out of the fit.
 */
export function provenSentence({ claim, heldOut, holds, rows, rungs }: Certificate, claimed = false): string {
  const reached = rungs.find(rung => rung.guarantee === claim.guarantee)
  if (rows.rowCount === 0)
    return 'Nothing is proven: the model was imported, and its certificate speaks of no rows.'
  if (reached === undefined) return 'Nothing is proven.'
  const error = `${claim.guarantee} error`
  const asked = holds
    ? ` (at most ${claim.epsilon} was asked for)`
    : `, which is more than the ${claim.epsilon} that was asked for`
  const found =
    claim.guarantee === 'multiaccuracy'
      ? undefined
      : heldOut && (claim.guarantee === 'level-set' ? heldOut.levelSet : heldOut.multicalibration)
  return `Proven on the fitting rows: ${error} at most ${formatBound(provenError(reached))}${asked}.${newRowWords(found?.bound, heldOut?.confidence, claimed)}`
}

function newRowWords(bound: number | undefined, confidence: number | undefined, claimed: boolean): string {
  if (bound === undefined || confidence === undefined) return ' Of new rows nothing is proven.'
  const sure = `with ${formatNumber(100 * confidence)} % confidence`
  return bound < 1
    ? ` ${claimed ? 'As the file claims: on' : 'On'} new rows${claimed ? '' : ':'} at most ${formatBound(bound)}, ${sure}.`
    : ' Of new rows nothing is proven: too few were held out.'
}
