// The worst groups as a table shows them: those that matter most, the largest gaps on either side, each group once.

import type { ProtectedRow, ProtectedScore } from '../audit/protected.ts'
import { patternWords } from '../audit/verdict.ts'
import type { Finding } from '../audit/worst/findings.ts'
import type { Interval } from '../audit/worst/say.ts'
import type { WorstGroups } from '../audit/worst/worstGroups.ts'
import type { GroupChange } from '../compare/beforeAfter.ts'
import { groupRef, shorten } from './caps.ts'
import type { PatternSummary } from './evidence.ts'
import type { GroupGap, ProtectedEvidence, WorstGroup } from './groupEvidence.ts'
import type { IsNamed } from './naming.ts'
import { groupKey, type KnownGap, type KnownGaps } from './segmentMap.ts'

interface ListedFinding {
  readonly list: WorstGroup['list']
  readonly finding: Finding
}

/** A group that is in several lists stays in the first. */
export function listFindings({ tooHigh, tooLow, worst }: WorstGroups): ListedFinding[] {
  const seen = new Set<string>()
  const lists: [WorstGroup['list'], readonly Finding[]][] = [
    ['worst', worst],
    ['too low', tooLow],
    ['too high', tooHigh],
  ]
  return lists.flatMap(([list, findings]) =>
    findings.flatMap(finding => {
      if (seen.has(finding.sql)) return []
      seen.add(finding.sql)
      return [{ list, finding }]
    }),
  )
}

export function describePatterns({ patterns }: WorstGroups): PatternSummary {
  const { explained, findings, groups } = patterns
  const sentence = patternWords(patterns)
  return {
    count: groups.length,
    findings,
    explained,
    ...(sentence !== undefined && { sentence: `${sentence}.` }),
  }
}

/** All of them: whoever protects columns wants to see every value. */
export function describeProtected(
  { after, before, group, meanLabel, sql, weight, where }: ProtectedRow,
  isNamed: IsNamed,
): ProtectedEvidence {
  const ref = { ...groupRef(group, where, sql, isNamed), weight }
  const [old, now] = [before, after].map(score => score && testedGap(score))
  if (old === undefined) return ref
  return { ...ref, meanLabel, before: old, ...(now !== undefined && { after: now }) }
}

const testedGap = ({ gap, interval, meanScore, p }: ProtectedScore): GroupGap | undefined =>
  interval === undefined || p === undefined ? undefined : { ...gapOf({ gap, interval, meanScore }), p }

/**
 * What became of the findings of one score, by another. A group that was also found with that one has the numbers that it has there; but
 * for those at some scores, which are other rows by another score.
 */
export function followedGaps(changes: readonly GroupChange[], after: WorstGroups): GroupGap[] {
  const found = new Map(wholeGroups(after).map(finding => [groupKey(finding.where), findingGap(finding)]))
  return changes.map(({ after: own, before }) => {
    const known = before.scores === undefined ? found.get(groupKey(before.where)) : undefined
    return known ?? gapOf(own)
  })
}

/** Gaps of groups that are listed, by their conditions; those at some scores are no groups of the map. */
export function knownGaps(
  before: WorstGroups,
  followed: readonly GroupGap[] = [],
  after?: WorstGroups,
): KnownGaps {
  const known = new Map<string, KnownGap>()
  if (after !== undefined)
    for (const finding of wholeGroups(after))
      known.set(groupKey(finding.where), { after: findingGap(finding) })
  listFindings(before).forEach(({ finding }, index) => {
    if (finding.scores !== undefined) return
    const now = followed[index]
    known.set(groupKey(finding.where), {
      before: findingGap(finding),
      ...(now !== undefined && { after: now }),
    })
  })
  return known
}

const wholeGroups = (found: WorstGroups): Finding[] =>
  listFindings(found).flatMap(({ finding }) => (finding.scores === undefined ? [finding] : []))

const findingGap = (finding: Finding): GroupGap => ({
  ...gapOf(finding),
  z: shorten(finding.z),
  p: finding.p,
})

/** The same rows with another score. */
interface Followed {
  readonly meanScore: number
  readonly gap: number
  readonly interval: Interval
}

export function describeWorst(
  { finding, list }: ListedFinding,
  isNamed: IsNamed,
  after?: GroupGap,
): WorstGroup {
  const { group, meanLabel, scores, sql, weight, where } = finding
  return {
    ...groupRef(group, where, sql, isNamed),
    ...(scores !== undefined && { scores }),
    list,
    weight,
    meanLabel,
    before: findingGap(finding),
    ...(after !== undefined && { after }),
  }
}

/** Not shortened: whoever rounds these numbers, in whatever words, has to come to the same ones. */
const gapOf = ({ gap, interval: { high, low }, meanScore }: Followed): GroupGap => ({
  meanScore,
  gap,
  low,
  high,
})
