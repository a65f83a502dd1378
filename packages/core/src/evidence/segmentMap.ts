// The segment map and the heat map: how large groups are, how far off a score is in them, and how surely, after correction for
// all that were looked at.

import { POWER } from '../audit/worst/findings.ts'
import { predicatesOfPath } from '../classes/predicates.ts'
import { fromUnits } from '../common/units.ts'
import { normalQuantile, normalTail } from '../measures/score/normal.ts'
import { segmentPart, shorten } from './caps.ts'
import type { GroupGap, HeatMap, Segment, SegmentMap } from './groupEvidence.ts'
import { type ScoreRows, type Sums, standardErrorOf, type Yardstick, zOf } from './groupSums.ts'
import { heatMapOf } from './heat.ts'
import type { IsNamed } from './naming.ts'
import { type Candidate, type GroupSource, largestZ, type Part, sumGroups, type Yardsticks } from './parts.ts'

const MAX_SEGMENTS = 1000

interface SegmentOptions extends GroupSource {
  readonly confidence: number
  readonly significance: number
  readonly isNamed: IsNamed
}

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
  const critical = normalQuantile(1 - (1 - options.confidence) / (2 * testCount))
  const gapOf = (sums: Sums, yardstick: Yardstick) => describeGap(sums, yardstick, critical, testCount)
  return {
    segments: {
      parts: used.map(part => describePart(parts[part], options)),
      segments: listed.map(each => describeSegment(each, places, yardsticks, gapOf)),
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

const describePart = ({ group }: Part, { features, isNamed }: SegmentOptions) =>
  segmentPart(group.words, predicatesOfPath(group.path, features), isNamed)

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
function describeGap(sums: Sums, yardstick: Yardstick, critical: number, testCount: number): GroupGap {
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
    p: shorten(Math.min(1, 2 * normalTail(Math.abs(z)) * testCount)),
  }
}

/** With the noise that rows have on average. */
function detectableFor(everyone: Sums, yardstick: Yardstick, critical: number): number {
  return (
    (critical + POWER) * standardErrorOf(everyone, yardstick) * Math.sqrt(everyone.weight / yardstick.perRow)
  )
}
