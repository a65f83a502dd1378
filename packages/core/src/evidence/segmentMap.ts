// The segment map and the heat map: how large groups are, how far off a score is in them, and how surely, after correction for
// all that were looked at. A group that the audit found has the interval that it has there.

import { POWER } from '../audit/worst/findings.ts'
import type { Predicate } from '../classes/auditors.ts'
import { plainWords } from '../classes/describe.ts'
import { predicatesOfPath } from '../classes/predicates.ts'
import { fromUnits } from '../common/units.ts'
import { normalQuantile, normalTail } from '../measures/score/normal.ts'
import { segmentPart, shorten } from './caps.ts'
import { densityOf } from './density.ts'
import type { GroupGap, HeatMap, Segment, SegmentMap } from './groupEvidence.ts'
import { type ScoreRows, type Sums, standardErrorOf, type Yardstick, zOf } from './groupSums.ts'
import { heatMapOf } from './heat.ts'
import type { IsNamed } from './naming.ts'
import { type Candidate, type GroupSource, largestZ, type Part, sumGroups, type Yardsticks } from './parts.ts'

const MAX_SEGMENTS = 1000

export interface SegmentOptions extends GroupSource {
  readonly confidence: number
  readonly significance: number
  readonly isNamed: IsNamed
  /** Standard errors that the search of the audit asks for: the map is never surer than the verdict. */
  readonly criticalZ: number
  /** What is known of groups that are listed elsewhere, by their conditions. */
  readonly known: KnownGaps
}

/** Of one group: its gaps as they are told wherever it is listed. */
export interface KnownGap {
  readonly before?: GroupGap
  readonly after?: GroupGap
}

export type KnownGaps = ReadonlyMap<string, KnownGap>

/** The same for the same group, in whatever order its conditions come. */
export const groupKey = (where: readonly Predicate[]): string =>
  where
    .map(predicate => JSON.stringify(predicate))
    .sort()
    .join()

export async function mapSegments(
  before: ScoreRows,
  after: ScoreRows | undefined,
  options: SegmentOptions,
): Promise<{ segments: SegmentMap; heat: HeatMap }> {
  const { candidates, edges, parts, testCount, yardsticks } = await sumGroups(before, after, options)
  const found = candidates.filter(({ before }) => before.weight > 0)
  const tested = found.filter(each => each.before.variance >= yardsticks.leastVariance)
  const listed = tested
    .toSorted((a, b) => largestZ(b, yardsticks) - largestZ(a, yardsticks))
    .slice(0, MAX_SEGMENTS)
  const heat = heatMapOf(parts, edges, yardsticks, yardsticks.leastVariance)
  const used = [...new Set([...listed.flatMap(each => each.parts), ...heat.rows.map(({ part }) => part)])]
  const places = new Map(used.sort((a, b) => a - b).map((part, place) => [part, place]))
  const critical = Math.max(options.criticalZ, normalQuantile(1 - (1 - options.confidence) / (2 * testCount)))
  // As many tests as the critical value pays for, so that p and interval agree.
  const paidFor = (1 - options.confidence) / (2 * normalTail(critical))
  const gapOf = (sums: Sums, yardstick: Yardstick) => describeGap(sums, yardstick, critical, paidFor)
  const segments = listed.map(each => {
    const where = each.parts.flatMap(part => predicatesOfPath(parts[part].group.path, options.features))
    const segment = describeSegment(each, places, yardsticks, gapOf)
    return asKnown(segment, options.known.get(groupKey(where)))
  })
  const isMore = tested.length > listed.length
  return {
    segments: {
      parts: used.map(part => describePart(parts[part], options)),
      segments,
      ...(isMore && { density: densityOf(tested, yardsticks) }),
      zone: shorten(zoneOf(tested, segments, yardsticks, critical)),
      testCount,
      leftOut: tested.length - listed.length,
      tooSmall: found.length - tested.length,
      detectable: shorten(detectableFor(candidates[0].before, yardsticks.before, critical)),
      confidence: options.confidence,
      significance: options.significance,
    },
    heat: { ...heat, rows: heat.rows.map(row => ({ ...row, part: places.get(row.part)! })) },
  }
}

function asKnown(segment: Segment, known: KnownGap | undefined): Segment {
  if (known === undefined) return segment
  const after = segment.after && (known.after ?? segment.after)
  return { ...segment, before: known.before ?? segment.before, ...(after !== undefined && { after }) }
}

/** Does the interval leave out 0? */
export const isSureGap = ({ high, low }: Pick<GroupGap, 'low' | 'high'>): boolean => low > 0 || high < 0

/** The noise of the noisiest group; and no group that may be right lies beyond it. */
function zoneOf(
  tested: readonly Candidate[],
  segments: readonly Segment[],
  { after, before }: Yardsticks,
  critical: number,
): number {
  const noise = (sums: Sums, yardstick: Yardstick) =>
    critical * standardErrorOf(sums, yardstick) * Math.sqrt(sums.weight / yardstick.perRow)
  const far = ({ weight }: Segment, gap: GroupGap) =>
    isSureGap(gap) ? 0 : Math.abs(gap.gap) * Math.sqrt(weight)
  let most = 0
  for (const each of tested) {
    most = Math.max(most, noise(each.before, before))
    if (each.after !== undefined && after !== undefined) most = Math.max(most, noise(each.after, after))
  }
  for (const segment of segments) {
    most = Math.max(most, far(segment, segment.before))
    if (segment.after !== undefined) most = Math.max(most, far(segment, segment.after))
  }
  return most * (1 + 1e-5)
}

const describePart = ({ group }: Part, { features, isNamed }: SegmentOptions) =>
  segmentPart(plainWords(group, features), predicatesOfPath(group.path, features), isNamed)

function describeSegment(
  { after, before, parts }: Candidate,
  places: ReadonlyMap<number, number>,
  yardsticks: Yardsticks,
  gapOf: (sums: Sums, yardstick: Yardstick) => GroupGap,
): Segment {
  return {
    parts: parts.map(part => places.get(part)!),
    weight: before.weight / yardsticks.before.perRow,
    meanLabel: shorten(fromUnits(before.labels) / before.weight),
    before: gapOf(before, yardsticks.before),
    ...(after !== undefined && { after: gapOf(after, yardsticks.after!) }),
  }
}

/** The interval holds for all groups at once, and leaves out 0 just when the corrected p-value is small enough. */
function describeGap(sums: Sums, yardstick: Yardstick, critical: number, paidFor: number): GroupGap {
  const { labels, residual, variance, weight } = sums
  const gap = fromUnits(residual) / weight
  const meanScore = fromUnits(labels) / weight - gap
  const z = zOf(residual, variance, yardstick)
  const reach = critical * standardErrorOf(sums, yardstick)
  return {
    meanScore: shorten(meanScore),
    gap: shorten(gap),
    low: shorten(Math.max(-meanScore, gap - reach)),
    high: shorten(Math.min(1 - meanScore, gap + reach)),
    z: shorten(z),
    p: shorten(Math.min(1, 2 * normalTail(Math.abs(z)) * paidFor)),
  }
}

/** With the noise that rows have on average. */
function detectableFor(everyone: Sums, yardstick: Yardstick, critical: number): number {
  return (
    (critical + POWER) * standardErrorOf(everyone, yardstick) * Math.sqrt(everyone.weight / yardstick.perRow)
  )
}
