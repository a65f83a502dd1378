// The worst groups as a table shows them: the surest, the largest gaps on either side, each group once.

import type { ProtectedRow, ProtectedScore } from '../audit/protected.ts'
import type { Finding, Interval } from '../audit/worst/findings.ts'
import type { WorstGroups } from '../audit/worst/worstGroups.ts'
import { groupRef, shorten } from './caps.ts'
import type { GroupGap, ProtectedEvidence, WorstGroup } from './groupEvidence.ts'
import type { IsNamed } from './naming.ts'

interface ListedFinding {
  readonly list: WorstGroup['list']
  readonly finding: Finding
}

/** A group that is in several lists stays in the first. */
export function listFindings({ tooHigh, tooLow, worst }: WorstGroups): ListedFinding[] {
  const seen = new Set<string>()
  const lists: [WorstGroup['list'], readonly Finding[]][] = [
    ['surest', worst],
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

/** All of them: whoever protects columns wants to see every value. */
export function describeProtected(
  { after, before, group, meanLabel, sql, weight, where }: ProtectedRow,
  isNamed: IsNamed,
): ProtectedEvidence {
  const ref = { ...groupRef(group, where, sql, isNamed), weight }
  const [old, now] = [before, after].map(score => score && testedGap(score))
  if (old === undefined) return ref
  return { ...ref, meanLabel: shorten(meanLabel), before: old, ...(now !== undefined && { after: now }) }
}

const testedGap = ({ gap, interval, meanScore, p }: ProtectedScore): GroupGap | undefined =>
  interval === undefined || p === undefined
    ? undefined
    : { ...gapOf({ gap, interval, meanScore }), p: shorten(p) }

/** The same rows with another score. */
interface Followed {
  readonly meanScore: number
  readonly gap: number
  readonly interval: Interval
}

export function describeWorst(
  { finding, list }: ListedFinding,
  isNamed: IsNamed,
  after?: Followed,
): WorstGroup {
  const { group, meanLabel, p, scores, sql, weight, where, z } = finding
  return {
    ...groupRef(group, where, sql, isNamed),
    ...(scores !== undefined && { scores }),
    list,
    weight,
    meanLabel: shorten(meanLabel),
    before: { ...gapOf(finding), z: shorten(z), p: shorten(p) },
    ...(after !== undefined && { after: gapOf(after) }),
  }
}

const gapOf = ({ gap, interval, meanScore }: Followed): GroupGap => ({
  meanScore: shorten(meanScore),
  gap: shorten(gap),
  low: shorten(interval.low),
  high: shorten(interval.high),
})
