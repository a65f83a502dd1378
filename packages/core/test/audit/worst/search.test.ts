// What a search makes of a ranking, with rankings that are made by hand.

import { describe, expect, it } from 'vitest'
import type { Candidate, Ranked, RankOptions } from '../../../src/audit/worst/ranking.ts'
import type { GroupSpace } from '../../../src/audit/worst/space.ts'
import {
  findWorstGroups,
  leastVarianceOf,
  stateErrors,
  stateLimits,
} from '../../../src/audit/worst/worstGroups.ts'
import { ONE } from '../../../src/common/units.ts'
import { referenceEngine } from '../../../src/index.ts'
import { normalQuantile, normalTail } from '../../../src/measures/score/normal.ts'
import type { FeatureSchema } from '../../../src/quantize/schema.ts'

/** Eight groups of fifty rows, at scores of one half; labels are off by so much in each. */
const GAPS = [0.3, -0.3, 0.1, -0.1, 0, 0, 0, 0]
const ROWS = 400
const rows = Array.from({ length: ROWS }, (_, row) => ({
  group: row % 8,
  label: Math.floor(row / 8) < 50 * (0.5 + GAPS[row % 8]) ? 1 : 0,
}))
const bins = Uint8Array.from(rows, row => row.group)
const FEATURE: FeatureSchema = {
  ...{ name: 'g', kind: 'categorical', missing: false, pooled: [] },
  ...{ categories: [...'abcdefgh'], coarse: [0, 1, 2, 3, 4, 5, 6, 7] },
}
const engine = referenceEngine({
  rowCount: ROWS,
  bins: [bins],
  binCounts: [9],
  coarseOf: [Uint8Array.from({ length: 9 }, (_, bin) => bin)],
  ...{ coarseCounts: [9], signals: [] },
  label: Int32Array.from(rows, row => row.label * ONE),
  start: new Int32Array(ROWS).fill(ONE / 2),
  key: Int32Array.from(rows, (_, row) => row),
})
const VARIANCE = 50 / 4
const candidate = (group: number): Candidate => ({
  path: [{ split: { kind: 'in', feature: 0, bins: [group] }, yes: true }],
  ...{ level: undefined, count: 50, residual: 50 * GAPS[group] * ONE, variance: VARIANCE * ONE },
})
const GROUPS = GAPS.map((_, group) => candidate(group))
const squareOf = (group: number) => (50 * GAPS[group]) ** 2 / VARIANCE

/** What draws give, in z^2. */
interface World {
  readonly size?: number
  readonly passes?: number
  readonly draws?: readonly number[]
  readonly ranked?: Partial<Ranked>
  readonly screened?: GroupSpace['screened']
  readonly cost?: GroupSpace['cost']
}

const asked: RankOptions[] = []
const spaceOf = ({ cost, draws = [1], passes = 1, ranked, screened, size = 10 }: World): GroupSpace => ({
  ...{ engine, fold: 0, levels: 1, size, passes },
  cost: cost ?? { rank: 0.1, draw: 0.01 },
  ...(screened !== undefined && { screened }),
  prepare: async () => {},
  rank: async options => {
    asked.push(options)
    return {
      bySignificance: GROUPS.slice(0, 4),
      byConcern: GROUPS.slice(0, 2),
      tooLow: [GROUPS[0]],
      tooHigh: [GROUPS[1]],
      tooSmall: [GROUPS[4], GROUPS[5], GROUPS[6]],
      ...{ groupsTested: 8, groupsTooSmall: 3, testCount: 9, largestSquare: squareOf(0) * ONE },
      ...ranked,
      drawMaximum: async draw => draws[draw % draws.length] * ONE,
    }
  },
})
const OPTIONS = {
  ...({ noise: 'labels', features: [FEATURE], score: 's', confidence: 0.95 } as const),
  ...{ significance: 0.05, draws: 99, budget: 60, listed: 2, signal: undefined },
  sample: { rowCount: ROWS, bins: [bins], binCounts: [9], predictions: new Int32Array(ROWS).fill(ONE / 2) },
}
const find = (world: World, more: Partial<typeof OPTIONS> & { noise?: never } = {}) =>
  findWorstGroups(spaceOf(world), { ...OPTIONS, ...more })
const union = (square: number, tests: number) => Math.min(1, 2 * normalTail(Math.sqrt(square)) * tests)
const nameOf = (group: number) => `g = ${'abcdefgh'[group]}`

describe('a search', () => {
  it('asks for groups of a variance of ten, and for gaps beyond the union bound of all that there are', async () => {
    asked.length = 0
    await find({ size: 10 })
    const critical = normalQuantile(1 - 0.05 / 20)
    expect(asked[0]).toMatchObject({ noise: 'labels', shift: 0, leastVariance: 10 * ONE, kept: 1000 })
    expect(asked[0].criticalSquare).toBeCloseTo(critical ** 2 * ONE, -2)
    expect(leastVarianceOf(0, 1)).toBe(10 * ONE)
    expect(leastVarianceOf(3, 1)).toBe((10 * ONE) / 8)
    expect(leastVarianceOf(0, 3)).toBe(90 * ONE)
  })

  it('has patterns first, then what is beyond noise, then what may be noise; and both sides by themselves', async () => {
    const found = await find({}, { listed: 4 })
    expect(
      found.worst
        .map(({ group }) => group)
        .slice(0, 2)
        .sort(),
    ).toEqual([nameOf(0), nameOf(1)])
    expect(
      found.worst
        .map(({ group }) => group)
        .slice(2)
        .sort(),
    ).toEqual([nameOf(2), nameOf(3)])
    expect(found.patterns).toMatchObject({ findings: 2, explained: 2, isAll: true })
    expect(found.patterns.groups.map(({ explains }) => explains)).toEqual([1, 1])
    expect(found.tooLow.map(({ group }) => group)).toEqual([nameOf(0)])
    expect(found.tooHigh.map(({ group }) => group)).toEqual([nameOf(1)])
    expect((await find({})).worst).toHaveLength(2)
    // As many as there are patterns, at least.
    expect((await find({}, { listed: 1 })).worst).toHaveLength(2)
    expect((await find({}, { listed: 1 })).notEnoughEvidence.map(({ group }) => group)).toEqual([nameOf(4)])
    expect((await find({}, { listed: 2 })).notEnoughEvidence).toHaveLength(2)
  })

  it('lists a side only where gaps are to that side', async () => {
    const turned = await find({ ranked: { tooLow: [GROUPS[1], GROUPS[0]], tooHigh: [GROUPS[0], GROUPS[1]] } })
    expect(turned.tooLow.map(({ group }) => group)).toEqual([nameOf(0)])
    expect(turned.tooHigh.map(({ group }) => group)).toEqual([nameOf(1)])
    const none = await find({ ranked: { tooLow: [GROUPS[4]], tooHigh: [GROUPS[4]] } })
    expect([none.tooLow, none.tooHigh]).toEqual([[], []])
  })

  it('has the union bound as p where that settles it, and the rank among draws where not', async () => {
    const { significance, worst } = await find({ draws: [1, 1.5] }, { listed: 4 })
    // Open are the two that may be noise: a few draws are made, of which none comes near.
    expect(significance).toMatchObject({
      draws: 39,
      groupsTested: 8,
      groupsTooSmall: 3,
      testCount: 9,
      noise: 'labels',
    })
    expect(significance.largestZ).toBeCloseTo(Math.sqrt(squareOf(0)), 9)
    expect(significance.p).toBeCloseTo(union(squareOf(0), 9), 12)
    expect(significance.beyondNoise).toBe(true)
    // z^2 of 2: two of three draws reach it, and with eight of them that is settled.
    expect(squareOf(2)).toBeCloseTo(2, 12)
    const noisy = await find({
      draws: [1, 3, 3],
      ranked: { largestSquare: squareOf(2) * ONE, bySignificance: [GROUPS[2]], byConcern: [] },
    })
    expect(noisy.significance).toMatchObject({ draws: 12, p: 8 / 12, beyondNoise: false })
    expect(worst.find(({ group }) => group === nameOf(2))!.p).toBe(1 / 40)
  })

  it('makes no draws where nothing is open, nor where a few would be many passes', async () => {
    const sure = { bySignificance: GROUPS.slice(0, 2) }
    expect((await find({ ranked: sure })).significance.draws).toBe(0)
    const [fits, exceeds] = [Math.floor(2 ** 22 / ROWS), Math.floor(2 ** 22 / ROWS) + 1]
    expect((await find({ passes: fits }, { listed: 4 })).significance.draws).toBe(39)
    expect((await find({ passes: exceeds }, { listed: 4 })).significance.draws).toBe(0)
    expect((await find({}, { listed: 4, draws: 20 })).significance.draws).toBe(20)
    // Where the largest is open, all draws are made.
    const open = { largestSquare: squareOf(2) * ONE, bySignificance: [GROUPS[2]], byConcern: [] }
    expect((await find({ draws: [1], passes: exceeds, ranked: open })).significance.draws).toBe(99)
  })

  it('has as critical value the quantile of the draws, and the union bound without them', async () => {
    const open = { largestSquare: squareOf(2) * ONE, bySignificance: [GROUPS[2]], byConcern: [] }
    const { significance } = await find({ draws: [1, 1.5, 1.9], ranked: open })
    expect(significance.criticalZ).toBeCloseTo(Math.sqrt(1.9), 9)
    const none = await find({ ranked: { bySignificance: GROUPS.slice(0, 2) } })
    expect(none.significance.criticalZ).toBeCloseTo(normalQuantile(1 - 0.05 / 20), 9)
  })

  it('makes no draws over some of the columns only, and pays for all tests', async () => {
    const screened = { paired: 2, of: 5, by: 'memory' } as const
    const { significance } = await find({ screened, size: 50 }, { listed: 4 })
    expect(significance).toMatchObject({ draws: 0, screened })
    expect(significance).not.toHaveProperty('limited')
    expect(significance.p).toBeCloseTo(union(squareOf(0), 50), 12)
  })

  it('says where the budget had no room for all draws', async () => {
    const cost = { rank: 1, draw: 0.5 }
    const limited = await find({ cost }, { listed: 4, budget: 20 })
    expect(limited.significance.limited).toEqual({ budget: 20, draws: 38, of: 99 })
    expect(limited.significance.draws).toBe(38)
    expect(limited.significance.sentence).toContain(
      'A budget of 20 s has room for 38 of 99 draws of the noise.',
    )
    expect((await find({ cost }, { budget: 51 })).significance).not.toHaveProperty('limited')
  })

  it('has nothing to say where nothing was tested', async () => {
    const empty = { bySignificance: [], byConcern: [], tooLow: [], tooHigh: [], tooSmall: [] }
    const counts = { groupsTested: 0, testCount: 0, largestSquare: 0 }
    const { patterns, significance, worst } = await find({ ranked: { ...empty, ...counts } })
    expect(worst).toEqual([])
    expect(patterns).toEqual({ groups: [], findings: 0, explained: 0, isAll: true })
    expect(significance).toMatchObject({ p: 1, draws: 0, beyondNoise: false })
    expect(significance.sentence).toBe('No group has enough rows to say anything.')
  })

  it('does not know all findings where as many are off as are kept', async () => {
    const many = (count: number) => ({
      bySignificance: Array.from({ length: count }, () => ({ ...GROUPS[0] })),
    })
    expect((await find({ ranked: many(1000) })).patterns.isAll).toBe(false)
    expect((await find({ ranked: many(400) })).patterns.isAll).toBe(true)
    const last = [...many(500).bySignificance.slice(0, 400), ...Array.from({ length: 600 }, () => GROUPS[4])]
    expect((await find({ ranked: { bySignificance: last } })).patterns.isAll).toBe(true)
  })

  it('ranks against an error rate by how sure it is', async () => {
    const options = { ...OPTIONS, noise: { errors: ONE / 8 }, listed: 4 }
    const found = await findWorstGroups(spaceOf({}), options)
    expect(found.significance).toMatchObject({ noise: 'errors', errorRate: 0.125 })
    expect(found.significance.sentence).toMatch(
      /^Scores leave next to nothing to chance, .* at a rate of 0\.13\. Among 8 groups at least one differs from that rate by more than noise/,
    )
    const sureness = found.worst.map(({ z }) => Math.abs(z))
    expect(sureness.slice(0, 2)).toEqual(sureness.slice(0, 2).toSorted((a, b) => b - a))
    expect(sureness.slice(2)).toEqual(sureness.slice(2).toSorted((a, b) => b - a))
  })
})

describe('the sentences', () => {
  const sentenceOf = async (ranked: Partial<Ranked>, world: World = {}) =>
    (await find({ ...world, ranked })).significance.sentence

  it('count groups, and say how sure it is', async () => {
    expect(await sentenceOf({})).toMatch(
      /^Among 8 groups at least one is off by more than noise \(largest \|z\| 4\.2, p < 0\.001\)\.$/,
    )
    expect(await sentenceOf({ groupsTested: 1 })).toMatch(/^Among 1 group at least one is off/)
    const open = { largestSquare: squareOf(2) * ONE, bySignificance: [GROUPS[2]], byConcern: [] }
    expect(await sentenceOf({ ...open, groupsTested: 1 }, { draws: [3] })).toBe(
      'No group among 1 is off by more than noise (largest |z| 1.4, p = 1).',
    )
  })

  it('say what was not searched, and not drawn', () => {
    expect(stateErrors(undefined)).toEqual([])
    expect(stateErrors(0.01)).toHaveLength(1)
    expect(stateLimits({})).toEqual([])
    expect(stateLimits({ screened: { paired: 3, of: 9, by: 'memory' } })).toEqual([
      'Two conditions at a time were tried on 3 of 9 columns, those most off by themselves; one at a time on all.',
    ])
    expect(stateLimits({ limited: { budget: 5, draws: 0, of: 99 } })[0]).toContain(
      'no draws of the noise that would settle',
    )
    expect(stateLimits({ limited: { budget: 5, draws: 1, of: 99 } })[0]).toContain(
      'has room for 1 of 99 draws',
    )
  })
})
