import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  byConcern,
  describeFindings,
  describeSmall,
  type Finding,
  isSure,
  POWER,
  scoreInterval,
  squareToZ,
  sureGap,
} from '../../../src/audit/worst/findings.ts'
import type { Candidate } from '../../../src/audit/worst/ranking.ts'
import { ONE } from '../../../src/common/units.ts'
import { audit, makeTable, referenceEngine } from '../../../src/index.ts'
import type { FeatureSchema } from '../../../src/quantize/schema.ts'
import type { Condition } from '../../../src/update/update.ts'

it('a finding at some scores says from where to where: one of the levels that were asked for', async () => {
  // Group a is off where the score is 0.7, and right elsewhere.
  const rows = Array.from({ length: 4000 }, (_, row) => {
    const group = 'abcd'[row % 4]
    const score = [0.1, 0.3, 0.5, 0.7, 0.9][Math.floor(row / 4) % 5]
    const rate = group === 'a' && score === 0.7 ? 0.1 : score
    return { group, score, y: Number(((row * 7919) % 1000) / 1000 < rate) }
  })
  const table = makeTable({
    group: rows.map(({ group }) => group),
    score: rows.map(({ score }) => score),
    y: rows.map(({ y }) => y),
  })
  const found = await audit(table, { label: 'y', prediction: 'score', bins: 5, draws: 0, threads: 1 })
  const placed = found.worst.flatMap(({ scores }) => scores ?? [])
  expect(placed.length).toBeGreaterThan(0)
  expect(placed[0]).toEqual({ from: 3 / 5, to: 4 / 5 })
  for (const { from, to } of placed) expect(to - from).toBeCloseTo(1 / 5, 12)
})

/** Rows of one truth value, with weights of 4 to 12, whose squares 8 divides, and scores of four levels. */
const ROWS = Array.from({ length: 240 }, (_, row) => ({
  flag: row % 3 === 0 ? 1 : 0,
  weight: 4 * (1 + (row % 2) + (row % 5 === 0 ? 1 : 0)),
  score: [0.125, 0.375, 0.625, 0.875][row % 4],
  label: (row * 7) % 16 < [3, 7, 9, 14][row % 4] ? 1 : 0,
}))
type Row = (typeof ROWS)[number]
const FLAG: FeatureSchema = { name: 'flag', kind: 'boolean', missing: false }
const YES: Condition = { split: { kind: 'in', feature: 0, bins: [1] }, yes: true }

const engine = referenceEngine({
  rowCount: ROWS.length,
  bins: [Uint8Array.from(ROWS, row => row.flag)],
  ...{ binCounts: [3], coarseOf: [Uint8Array.of(0, 1, 2)], coarseCounts: [3], signals: [] },
  label: Int32Array.from(ROWS, row => row.label * ONE),
  start: Int32Array.from(ROWS, row => row.score * ONE),
  weight: Int32Array.from(ROWS, row => row.weight),
  key: Int32Array.from(ROWS, (_, row) => row),
})
const sum = (rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((total, row) => total + of(row), 0)
const [CRITICAL, PER_ROW, LEVELS] = [3.5, 6.8, 4]

/** As the engine's sums are: in units, variances with squared weights over 2^shift. */
function candidateOf(path: readonly Condition[], level: number | undefined, shift: number) {
  const rows = ROWS.filter(
    row =>
      (path.length === 0 || row.flag === 1) &&
      (level === undefined || Math.floor(row.score * LEVELS) === level),
  )
  const variance = sum(rows, row => row.weight ** 2 * row.score * (1 - row.score))
  const candidate: Candidate = {
    ...{ path, level, count: sum(rows, row => row.weight) },
    residual: sum(rows, row => row.weight * (row.label - row.score)) * ONE,
    variance: (variance * ONE) / 2 ** shift,
  }
  return { rows, candidate, variance }
}
const contextOf = (shift: number, noise: 'labels' | { errors: number } = 'labels') => ({
  ...{ engine, fold: 0, levels: LEVELS, noise, shift, features: [FLAG], score: 'my score' },
  ...{ critical: CRITICAL, perRow: PER_ROW, pOf: (square: number) => square / (1000 * ONE) },
})

describe('a finding', () => {
  const places: [Condition[], number | undefined][] = [
    [[YES], undefined],
    [[YES], 1],
    [[YES], 3],
    [[], 0],
    [[], undefined],
  ]

  it('has the numbers of its rows, by their weights, whatever squared weights are divided by', async () => {
    for (const shift of [0, 3]) {
      const cases = places.map(([path, level]) => candidateOf(path, level, shift))
      const found = await describeFindings(
        contextOf(shift),
        cases.map(({ candidate }) => candidate),
      )
      expect(found).toHaveLength(cases.length)
      for (const [index, { candidate, rows, variance }] of cases.entries()) {
        const { count, residual } = candidate
        const of = (value: (row: Row) => number) => sum(rows, row => row.weight * value(row)) / count
        const finding = found[index]
        const gap = of(row => row.label - row.score)
        expect(finding.weight).toBeCloseTo(count / PER_ROW, 9)
        expect(finding.meanScore).toBeCloseTo(
          of(row => row.score),
          9,
        )
        expect(finding.meanLabel).toBeCloseTo(
          of(row => row.label),
          9,
        )
        expect(finding.gap).toBeCloseTo(gap, 9)
        const z = residual / ONE / Math.sqrt(variance)
        expect(finding.z).toBeCloseTo(z, 9)
        expect(finding.p).toBeCloseTo((z ** 2 * 2 ** shift) / 1000, 9)
        expect(finding.detectableGap).toBeCloseTo(((CRITICAL + POWER) * Math.sqrt(variance)) / count, 9)
        const squares = (value: (row: Row) => number) => sum(rows, row => row.weight ** 2 * value(row))
        const interval = scoreInterval(gap, finding.meanScore, count, CRITICAL, {
          squaredWeight: squares(() => 1),
          predicted: squares(row => row.score),
          variance,
          squares: squares(row => (row.label - row.score) ** 2),
        })
        expect(finding.interval.low).toBeCloseTo(interval.low, 6)
        expect(finding.interval.high).toBeCloseTo(interval.high, 6)
      }
    }
    expect(await describeFindings(contextOf(0), [])).toEqual([])
  })

  it('says who, at which scores, in words and in SQL', async () => {
    const cases = places.map(([path, level]) => candidateOf(path, level, 0).candidate)
    const [all, second, last, everyone, whole] = await describeFindings(contextOf(0), cases)
    const isFlag = all.sql
    expect(isFlag).toContain('flag')
    expect(all).not.toHaveProperty('scores')
    expect(second.scores).toEqual({ from: 0.25, to: 0.5 })
    expect(second.sql).toBe(`${isFlag} AND "my score" >= 0.25 AND "my score" < 0.5`)
    expect(last.sql).toBe(`${isFlag} AND "my score" >= 0.75 AND "my score" <= 1`)
    expect(everyone.sql).toBe('"my score" >= 0 AND "my score" < 0.25')
    expect(whole.where).toEqual([])
    expect(whole.sql).not.toContain('score')
    for (const { group, sentence } of [all, second, last, everyone])
      expect(
        sentence.startsWith(`${group}: the score says `) && sentence.endsWith('points, ') === false,
      ).toBe(true)
    expect(second.group.startsWith(all.group)).toBe(true)
    expect(second.group).toContain('25 to 50 %')
    expect(all.test).not.toContain('error rate')
    const errors = await describeFindings(contextOf(0, { errors: ONE / 8 }), [cases[0]])
    expect(errors[0].test).toMatch(/, against an error rate of 0\.13$/)
  })

  it('that is too small says what gap could be found, up to one', () => {
    const { candidate, variance } = candidateOf([YES], undefined, 3)
    const [small, tiny] = describeSmall(contextOf(3), [candidate, { ...candidate, count: 1 }])
    expect(small.weight).toBeCloseTo(candidate.count / PER_ROW, 9)
    expect(small.detectableGap).toBeCloseTo(((CRITICAL + POWER) * Math.sqrt(variance)) / candidate.count, 9)
    expect(small.where).toHaveLength(1)
    expect(small.sql).toContain('flag')
    expect(tiny.detectableGap).toBe(1)
  })
})

describe('the interval of a gap', () => {
  /** n labels that are 1 with the probabilities given, of which so many were 1. */
  const spreadOf = (n: number, mean: number, share: number, squares: number) => ({
    ...{ squaredWeight: n, predicted: n * mean, variance: n * mean * (1 - mean) * share, squares },
  })

  it("is Wilson's where the scores of a group are all the same", () => {
    const [n, mean, gap, critical] = [400, 0.3, 0.05, 3]
    const squares = n * (0.35 * 0.65 + gap ** 2)
    const { high, low } = scoreInterval(gap, mean, n, critical, spreadOf(n, mean, 1, squares))
    // The means m with (0.35 - m)^2 = 9 m (1 - m) / n.
    for (const end of [low, high]) {
      const m = mean + end
      expect((mean + gap - m) ** 2).toBeCloseTo((critical ** 2 * m * (1 - m)) / n, 12)
    }
    expect(low).toBeLessThan(gap)
    expect(high).toBeGreaterThan(gap)
  })

  it('is narrower where scores differ, unless labels vary more than they should', () => {
    const [n, mean, gap, share] = [400, 0.3, 0.05, 0.6]
    const label = mean + gap
    const width = (squares: number) => {
      const { high, low } = scoreInterval(gap, mean, n, 3, spreadOf(n, mean, share, squares))
      return high - low
    }
    const endsAt = (squares: number, expected: number) => {
      const { high, low } = scoreInterval(gap, mean, n, 3, spreadOf(n, mean, share, squares))
      for (const m of [mean + low, mean + high])
        expect((label - m) ** 2).toBeCloseTo((9 * expected * m * (1 - m)) / n, 12)
    }
    const residual = (observed: number) => n * (observed * label * (1 - label) + gap ** 2)
    endsAt(residual(0.5), 0.6)
    // What residuals may vary by chance, 1 + 2 / sqrt(n), is taken off; and it is never more than all.
    endsAt(residual(0.9), 0.9 / 1.1)
    endsAt(residual(2), 1)
    expect(width(residual(2))).toBeGreaterThan(width(residual(0.9)))
  })

  it('counts weights as fewer rows', () => {
    const plain = scoreInterval(0.05, 0.3, 400, 3, spreadOf(400, 0.3, 1, 0))
    const weighted = { ...spreadOf(1600, 0.3, 1, 0) }
    // Every row weighs four: a count of 1,600, and of squares 16 a row.
    const same = scoreInterval(0.05, 0.3, 1600, 3, {
      ...weighted,
      squaredWeight: 6400,
      predicted: 1920,
      variance: 1344,
    })
    expect(same.low).toBeCloseTo(plain.low, 12)
    expect(same.high).toBeCloseTo(plain.high, 12)
  })

  it('stays within 0 and 1, also where all labels are alike', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), fc.boolean(), (mean, isOne) => {
        const gap = isOne ? 1 - mean : -mean
        const squares = 50 * gap ** 2
        const { high, low } = scoreInterval(gap, mean, 50, 3, spreadOf(50, mean, 1, squares))
        expect(mean + low).toBeGreaterThanOrEqual(-1e-12)
        expect(mean + high).toBeLessThanOrEqual(1 + 1e-12)
        // c = 9 / 50: from 0 to c / (1 + c).
        const reach = 9 / 59
        expect(high - low).toBeCloseTo(reach, 9)
      }),
    )
  })
})

describe('the order of findings', () => {
  const finding = (gap: number, low: number, high: number, weight: number, z: number) =>
    ({ gap, interval: { low, high }, weight, z }) as Finding

  it('is by the gap that is surely there times the rows, then by how sure', () => {
    const [few, many] = [finding(0.3, 0.2, 0.4, 100, 9), finding(-0.1, -0.15, -0.05, 1000, -8)]
    expect(sureGap(few)).toBe(0.2)
    expect(sureGap(many)).toBe(0.05)
    const [noise, surer] = [finding(0.1, -0.05, 0.2, 5000, 2), finding(-0.1, -0.2, 0.05, 50, -3)]
    expect(sureGap(noise)).toBe(-0.05)
    expect([few, many, noise, surer].map(isSure)).toEqual([true, true, false, false])
    expect(isSure(finding(0.1, 0, 0.2, 1, 1))).toBe(false)
    expect([noise, few, surer, many].sort(byConcern)).toEqual([many, few, surer, noise])
    expect(byConcern(few, finding(-0.3, -0.4, -0.2, 100, -9))).toBe(0)
  })

  it('has z in standard errors, whatever squared weights are divided by', () => {
    expect(squareToZ(9 * ONE, 0)).toBe(3)
    expect(squareToZ(9 * ONE * 8, 3)).toBe(3)
  })
})
