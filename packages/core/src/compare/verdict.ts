// The verdict on a fit, computed once for the command line, reports and the page. Rows that the model has not seen come first: is the
// score better or worse on them, and which groups are still off? Then what is proven, and on which rows.

import { changesOf, type MeasureChange } from '../audit/measures.ts'
import { protectedSentence } from '../audit/protected.ts'
import {
  countWords,
  type JudgedAudit,
  levelOfGroups,
  NOTHING_TESTED,
  sayFinding,
  surelyOff,
  type VerdictLevel,
} from '../audit/verdict.ts'
import { type Certificate, provenError } from '../certify/facts.ts'
import { formatBound, formatCount, formatNumber } from '../common/text.ts'

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
  readonly level: VerdictLevel
  /** On the score, then on groups and the rows that were tested. */
  readonly sentences: readonly [score: string, groups: string]
}

/** The rows that a verdict goes by, and the model. */
export interface Judged {
  readonly rowCount: number
  readonly rows: VerdictRows
  /** All rows of the table, those of the fit among them. */
  readonly allRows?: number
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
    level: levelOf(score, rows, after),
    sentences: [
      scoreSentence(score, changes, judged),
      `${groupSentence(off, groupsTested, after.worst.length)}${screenedWords(after.significance)}${protectedSentence(after.protected)}${testedWords(judged)}`,
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

function levelOf(score: ScoreOutcome, rows: VerdictRows, after: JudgedAudit): VerdictLevel {
  const groups = levelOfGroups(after)
  if (score === 'worse' || groups === 'bad') return 'bad'
  return rows === 'fitting' ? 'attention' : groups
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

function groupSentence(off: ReturnType<typeof surelyOff>, groupsTested: number, listed: number): string {
  if (groupsTested === 0) return NOTHING_TESTED
  const tested = `of ${formatCount(groupsTested)} tested`
  if (off.length === 0) return `No group is surely off, ${tested}.`
  const which = off.length === 1 ? '' : 'the one that matters most: '
  return `${countWords(off.length, listed)} still surely off, ${tested}; ${which}${sayFinding(off[0])}.`
}

/** An audit of all rows was of others, and of more: what it found need not be found here. */
function testedWords({ allRows, rowCount, rows }: Judged): string {
  if (rows !== 'held-out' || allRows === undefined || allRows <= rowCount) return ''
  return ` These are the ${formatCount(rowCount)} of ${formatCount(allRows)} rows that the fit has not seen; an audit of all rows can be sure of smaller gaps.`
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

/** The bounds of the error that a certificate is about; absent where nothing is proven. */
export interface ProvenBounds {
  readonly onFitting?: number
  readonly onNew?: { readonly bound: number; readonly confidence: number }
}

export function provenBounds({ claim, heldOut, rows, rungs }: Certificate): ProvenBounds {
  const reached = rungs.find(rung => rung.guarantee === claim.guarantee)
  if (reached === undefined || rows.rowCount === 0) return {}
  const found = claim.guarantee === 'multiaccuracy' ? undefined : heldOut && newRows(heldOut, claim.guarantee)
  const bound = found?.bound
  return {
    onFitting: provenError(reached),
    ...(heldOut !== undefined &&
      bound !== undefined &&
      bound < 1 && { onNew: { bound, confidence: heldOut.confidence } }),
  }
}

const newRows = (
  heldOut: NonNullable<Certificate['heldOut']>,
  guarantee: Certificate['claim']['guarantee'],
) => (guarantee === 'level-set' ? heldOut.levelSet : heldOut.multicalibration)

/**
 * What a certificate proves, of the fitting rows and of new ones, in one sentence, so that neither bound is told without the other. Bounds
 * are rounded up. `claimed`: of new rows there is only the word of a file that held-out rows were kept out of the fit.
 */
export function provenSentence(certificate: Certificate, claimed = false): string {
  const { claim, heldOut, holds, rows } = certificate
  const { onFitting, onNew } = provenBounds(certificate)
  if (rows.rowCount === 0)
    return 'Nothing is proven: the model was imported, and its certificate speaks of no rows.'
  if (onFitting === undefined) return 'Nothing is proven.'
  const few =
    claim.guarantee !== 'multiaccuracy' &&
    heldOut !== undefined &&
    newRows(heldOut, claim.guarantee) !== undefined
  const unseen =
    onNew === undefined
      ? `and nothing of new rows${few ? ', of which too few were held out' : ''}`
      : `and${claimed ? ', as the file claims,' : ''} at most ${formatBound(onNew.bound)} on new rows (with ${formatNumber(100 * onNew.confidence)} % confidence)`
  const asked = holds
    ? `On the fitting rows at most ${claim.epsilon} was asked for.`
    : `On the fitting rows that is more than the ${claim.epsilon} that was asked for.`
  return `Proven: ${claim.guarantee} error at most ${formatBound(onFitting)} on the fitting rows, ${unseen}. ${asked}`
}
