// The groups that a map shows, with their sums: everyone, every value or range of every column, and overlaps of two; or the
// groups that were declared.

import { leastVarianceOf } from '../audit/worst/worstGroups.ts'
import type { Auditors } from '../classes/auditors.ts'
import { compileGroups, type Group } from '../classes/groups.ts'
import { fromUnits } from '../common/units.ts'
import { FIT } from '../engine/engine.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import {
  type LevelSums,
  overLevels,
  type PairCells,
  type ScoreRows,
  type Sums,
  sumBins,
  sumDeclared,
  sumOverlaps,
  type Yardstick,
  yardstickOf,
  zOf,
} from './groupSums.ts'
import { FINE_LEVELS, heatEdges, mergeLevels } from './heat.ts'

/** Overlaps are looked at between so many columns: those with the most significant groups. */
const OVERLAP_COLUMNS = 16

/** What groups are made of. */
export interface GroupSource {
  readonly auditors: Auditors
  readonly features: readonly FeatureSchema[]
}

/** A group of one condition. */
export interface Part {
  readonly group: Group
  /** Absent for everyone and for groups that were declared. */
  readonly feature?: number
  readonly bin?: number
  readonly before: LevelSums
  readonly after?: LevelSums
}

/** A group that may be listed. */
export interface Candidate {
  readonly parts: readonly number[]
  readonly before: Sums
  readonly after?: Sums
}

export interface Yardsticks {
  readonly before: Yardstick
  readonly after?: Yardstick
  readonly leastVariance: number
}

/** Groups of one condition, everyone first, and the overlaps of two of them. */
interface SummedGroups {
  readonly parts: readonly Part[]
  /** One for each part, in their order; then the overlaps. */
  readonly candidates: readonly Candidate[]
  /** Of the levels that parts have their sums for. */
  readonly edges: readonly number[]
  /** Groups that could have been looked at. */
  readonly testCount: number
  readonly yardsticks: Yardsticks
}

export async function sumGroups(
  before: ScoreRows,
  after: ScoreRows | undefined,
  source: GroupSource,
): Promise<SummedGroups> {
  const yardsticks = await yardsticksOf(before, after)
  const fine = await sumParts(before, after, yardsticks, source)
  const everyone = overLevels(fine[0].before)
  const edges = heatEdges(fromUnits(everyone.labels) / everyone.weight)
  const parts = fine.map(
    (part): Part => ({
      ...part,
      before: mergeLevels(part.before, edges),
      ...(part.after !== undefined && { after: mergeLevels(part.after, edges) }),
    }),
  )
  const single = parts.map(
    (part, index): Candidate => ({
      parts: [index],
      before: overLevels(part.before),
      ...(part.after !== undefined && { after: overLevels(part.after) }),
    }),
  )
  const columns = overlapColumns(parts, single, yardsticks, source)
  const overlaps = columns.length < 2 ? [] : await sumPairs(before, after, parts, columns, yardsticks)
  return {
    parts,
    candidates: [...single, ...overlaps],
    edges,
    testCount: parts.length + countOverlaps(parts, source),
    yardsticks,
  }
}

async function yardsticksOf(before: ScoreRows, after: ScoreRows | undefined): Promise<Yardsticks> {
  const { engine } = before
  const yardstick = await yardstickOf(before)
  const { squaredWeight, weight } = (await engine.losses())[FIT]
  return {
    before: yardstick,
    ...(after !== undefined && { after: await yardstickOf(after) }),
    leastVariance: leastVarianceOf(yardstick.shift, squaredWeight / weight),
  }
}

/** Everyone first; then the declared groups, or every coarse bin of every column. */
async function sumParts(
  before: ScoreRows,
  after: ScoreRows | undefined,
  yardsticks: Yardsticks,
  { auditors, features }: GroupSource,
): Promise<Part[]> {
  const declared = auditors.kind === 'groups' ? compileGroups(auditors, features) : compileGroups(NONE, [])
  const sum = (rows: ScoreRows, yardstick: Yardstick) =>
    sumDeclared(rows.engine, declared, FINE_LEVELS, yardstick)
  const old = await sum(before, yardsticks.before)
  const now = after && (await sum(after, yardsticks.after!))
  const parts = declared.map(
    (group, index): Part => ({ group, before: old[index], ...(now && { after: now[index] }) }),
  )
  return auditors.kind === 'groups'
    ? parts
    : [...parts, ...(await sumColumns(before, after, yardsticks, features))]
}

const NONE = { kind: 'groups', groups: [], pairs: false } as const

async function sumColumns(
  before: ScoreRows,
  after: ScoreRows | undefined,
  yardsticks: Yardsticks,
  features: readonly FeatureSchema[],
): Promise<Part[]> {
  const old = await sumBins(before.engine, FINE_LEVELS, yardsticks.before)
  const now = after && (await sumBins(after.engine, FINE_LEVELS, yardsticks.after!))
  return features.flatMap(({ name }, feature) => {
    const groups = compileGroups({ kind: 'groups', groups: [name], pairs: false }, features).slice(1)
    return groups.map(
      (group, bin): Part => ({
        group,
        feature,
        bin,
        before: old[feature][bin],
        ...(now && { after: now[feature][bin] }),
      }),
    )
  })
}

/** Groups that were declared are looked at as they are. */
function overlapColumns(
  parts: readonly Part[],
  single: readonly Candidate[],
  yardsticks: Yardsticks,
  { auditors }: GroupSource,
): number[] {
  if (auditors.kind === 'groups' || (auditors.kind === 'trees' && auditors.depth < 2)) return []
  const largest = new Map<number, number>()
  parts.forEach(({ feature }, index) => {
    if (feature === undefined || single[index].before.variance < yardsticks.leastVariance) return
    largest.set(feature, Math.max(largest.get(feature) ?? 0, largestZ(single[index], yardsticks)))
  })
  const byZ = [...largest].sort(([a, m], [b, n]) => n - m || a - b)
  return byZ
    .slice(0, OVERLAP_COLUMNS)
    .map(([feature]) => feature)
    .sort((a, b) => a - b)
}

/** Of all columns: those whose overlaps are looked at were chosen by what the data said. */
function countOverlaps(parts: readonly Part[], { auditors, features }: GroupSource): number {
  if (auditors.kind === 'groups' || (auditors.kind === 'trees' && auditors.depth < 2)) return 0
  const counts = features.map((_, feature) => parts.filter(part => part.feature === feature).length)
  const sum = counts.reduce((all, count) => all + count, 0)
  const squares = counts.reduce((all, count) => all + count * count, 0)
  return (sum * sum - squares) / 2
}

async function sumPairs(
  before: ScoreRows,
  after: ScoreRows | undefined,
  parts: readonly Part[],
  columns: readonly number[],
  yardsticks: Yardsticks,
): Promise<Candidate[]> {
  const partAt = new Map(parts.map(({ bin, feature }, index) => [`${feature},${bin}`, index]))
  const { coarseCounts } = before.engine.shape
  const found: Candidate[] = []
  const now = after && sumOverlaps(after.engine, columns, yardsticks.after!)
  for await (const old of sumOverlaps(before.engine, columns, yardsticks.before)) {
    const other = now && (await now.next()).value!
    for (let cell = 0; cell < old.weights.length; cell++) {
      const bins = coarseCounts[old.b]
      const [a, b] = [
        partAt.get(`${old.a},${Math.floor(cell / bins)}`),
        partAt.get(`${old.b},${cell % bins}`),
      ]
      // The bin of missing values is always there, but a group only where some are missing.
      if (a === undefined || b === undefined || old.weights[cell] === 0) continue
      found.push({
        parts: [a, b],
        before: sumsAt(old, cell),
        ...(other && { after: sumsAt(other, cell) }),
      })
    }
  }
  return found
}

const sumsAt = ({ labels, residuals, variances, weights }: PairCells, cell: number): Sums => ({
  weight: weights[cell],
  residual: residuals[cell],
  variance: variances[cell],
  labels: labels[cell],
})

/** Of the score and of the corrected one: a group that became wrong is as interesting as one that was. */
export function largestZ({ after, before }: Candidate, yardsticks: Yardsticks): number {
  const old = Math.abs(zOf(before.residual, before.variance, yardsticks.before))
  if (after === undefined) return old
  return Math.max(old, Math.abs(zOf(after.residual, after.variance, yardsticks.after!)))
}
