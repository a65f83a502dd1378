// The verdict on a score, computed once for the command line, reports and the page: is any group surely off, and which one matters most?
// Whoever is named is named with the rows, both means and the interval, and it is said on which rows that was found.

import { formatCount } from '../common/text.ts'
import { isSurelyOff, type ProtectedGroup, protectedSentence } from './protected.ts'
import { type Finding, isSure, sureGap } from './worst/findings.ts'
import { sayGap } from './worst/say.ts'
import { type Patterns, type Significance, stateErrors, stateLimits } from './worst/worstGroups.ts'

/** To be glad, to look closer, or to act. */
export type VerdictLevel = 'good' | 'attention' | 'bad'

/** An audit, as far as a verdict looks at it. */
export interface JudgedAudit {
  readonly significance: Pick<
    Significance,
    'beyondNoise' | 'groupsTested' | 'screened' | 'limited' | 'errorRate'
  >
  readonly worst: readonly Finding[]
  readonly patterns?: Patterns
  readonly tooLow?: readonly Finding[]
  readonly tooHigh?: readonly Finding[]
  readonly protected?: readonly ProtectedGroup[]
}

export interface AuditVerdict {
  readonly sentence: string
  readonly level: VerdictLevel
}

/** A gap that is surely larger than this calls for action. */
export const GRAVE_GAP = 0.05

/** `rowCount`: of the rows that were tested. */
export function judgeAudit(found: JudgedAudit, rowCount: number): AuditVerdict {
  const { significance } = found
  return {
    sentence: [
      ...stateErrors(significance.errorRate),
      `${groupWords(found, rowCount)}${protectedSentence(found.protected)}`,
      ...stateLimits(significance),
    ].join(' '),
    level: levelOfGroups(found),
  }
}

function groupWords(found: JudgedAudit, rowCount: number): string {
  const { significance, worst } = found
  const [first] = worst
  const rows = `on ${formatCount(rowCount)} rows`
  if (significance.groupsTested === 0 || first === undefined) return NOTHING_TESTED
  const tested = `of ${formatCount(significance.groupsTested)} tested ${rows}`
  if (!significance.beyondNoise) return `No group is surely off, ${tested}.`
  const off = surelyOff(found)
  if (off.length === 0)
    return `Chance alone hardly makes these gaps, but no group is surely off by itself, ${tested}. The nearest: ${sayFinding(first)}.`
  const counted = patternWords(found.patterns) ?? `${countWords(off.length, worst.length)} surely off`
  const isOne = found.patterns?.groups.length === 1 || off.length === 1
  return `${sayFinding(off[0])}. ${counted}, ${tested}${isOne ? '' : '; this one matters most'}.`
}

export const NOTHING_TESTED = 'No group has enough rows to say anything.'

/** "gig and age <= 29: the score says 37 %, the outcome is 45 % (8,416 rows; +7.5 points, 4.8 to 10.3)" */
export const sayFinding = (finding: Finding): string => `${finding.group}: ${sayGap(finding)}`

/** "3 patterns explain 310 of 325 findings"; nothing where there is nothing to merge. */
export function patternWords(patterns: Patterns | undefined): string | undefined {
  if (patterns === undefined) return undefined
  const { explained, findings, groups, isAll } = patterns
  if (groups.length === 0 || findings <= groups.length) return undefined
  const explain = groups.length === 1 ? '1 pattern explains' : `${groups.length} patterns explain`
  const all = findings === 2 && isAll ? 'both' : `${isAll ? 'all' : 'all of the'} ${formatCount(findings)}`
  const part = explained < findings ? `${formatCount(explained)} of the ${formatCount(findings)}` : all
  return `${explain} ${part} kinds of group that are ${isAll ? '' : 'most '}surely off`
}

/** As many as are listed may be more. */
export function countWords(off: number, listed: number): string {
  return `${off === listed ? 'At least ' : ''}${off} ${off === 1 ? 'group is' : 'groups are'}`
}

/** What matters most comes first. The interval of a finding holds for all groups that were searched. */
export const surelyOff = ({ significance, worst }: JudgedAudit): Finding[] =>
  significance.beyondNoise ? worst.filter(isSure) : []

export type OffGroup = Pick<Finding, 'group' | 'gap' | 'interval'>

const protectedOff = ({ protected: groups = [] }: JudgedAudit): OffGroup[] =>
  groups.flatMap(({ gap, group, interval }) =>
    isSurelyOff({ interval }) ? [{ group, gap, interval: interval! }] : [],
  )

/** Findings and protected groups that are surely off. */
export const allSurelyOff = (found: JudgedAudit): OffGroup[] => [...surelyOff(found), ...protectedOff(found)]

/** Of all that are listed, the one that is surely off by most, however few its rows; undefined where none is. */
export function gravest(found: JudgedAudit): OffGroup | undefined {
  const { significance, tooHigh = [], tooLow = [], worst } = found
  const listed = significance.beyondNoise ? [...worst, ...tooLow, ...tooHigh].filter(isSure) : []
  return [...listed, ...protectedOff(found)].reduce<OffGroup | undefined>(
    (most, one) => (most === undefined || sureGap(one) > sureGap(most) ? one : most),
    undefined,
  )
}

export function levelOfGroups(found: JudgedAudit): VerdictLevel {
  const most = gravest(found)
  if (most !== undefined && sureGap(most) > GRAVE_GAP) return 'bad'
  const { beyondNoise, groupsTested } = found.significance
  return beyondNoise || most !== undefined || groupsTested === 0 ? 'attention' : 'good'
}
