// Bounds and intervals from held-out rows: every auditor with a slack of its own, on populations whose truth is known.

import { describe, expect, it } from 'vitest'
import { bernsteinSlack, heldOutSlack, smallerSlack } from '../../src/certify/heldOut.ts'
import {
  judgeLevelSets,
  judgeMulticalibration,
  largestBound,
  leastError,
} from '../../src/certify/heldOutBound.ts'
import { compileAuditors } from '../../src/classes/compile.ts'
import { makeRandom, type Random } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import { type EngineRows, FIT } from '../../src/engine/engine.ts'
import { type Auditors, functions, groups, referenceEngine, trees } from '../../src/index.ts'
import type { FactorKind } from '../../src/internal.ts'
import type { Encoding } from '../../src/quantize/encoding.ts'

interface Row {
  readonly flag: 0 | 1
  readonly score: number
  readonly label: number
  readonly signal?: number
  readonly weight?: number
}

const rowsOf = (rows: readonly Row[]): EngineRows => ({
  rowCount: rows.length,
  bins: [Uint8Array.from(rows, row => row.flag)],
  binCounts: [3],
  coarseOf: [Uint8Array.of(0, 1, 2)],
  coarseCounts: [3],
  signals: [Int32Array.from(rows, row => (row.signal ?? 0) * ONE)],
  label: Int32Array.from(rows, row => row.label * ONE),
  start: Int32Array.from(rows, row => row.score * ONE),
  ...(rows.some(row => row.weight !== undefined) && {
    weight: Int32Array.from(rows, row => row.weight ?? 1),
  }),
})

const encoding: Encoding = {
  features: [{ name: 'flag', kind: 'boolean', missing: false }],
  signals: [{ kind: 'function', name: 'f' }],
  functions: ['f'],
}
const flagged = groups([{ column: 'flag', is: true }])
const rounding = { bins: 2, values: [ONE / 4, (3 * ONE) / 4] }
const base = { confidence: 0.9, candidates: 1, cellBudget: 2 ** 27, fold: FIT }

const judge = async (rows: readonly Row[], auditors: Auditors, factors: FactorKind = 'table') =>
  (await judgeMulticalibration(
    referenceEngine(rowsOf(rows)),
    compileAuditors(auditors, factors, encoding),
    rounding,
    base,
  ))!

const repeat = <T>(count: number, value: T): T[] => new Array<T>(count).fill(value)

describe('each auditor has a slack of its own', () => {
  // Residuals y - v: 1/4 for everybody but 20 of 1,000 rows, which are the whole group and have 3/4 or -1/4.
  const right = repeat(980, { flag: 0, score: 0.75, label: 1 } as const)
  const wrong = { flag: 1, score: 0.25 } as const
  const rows = [...right, ...repeat(15, { ...wrong, label: 1 }), ...repeat(5, { ...wrong, label: 0 })]

  it('from its own second moment: that of a small group is small', async () => {
    const [everyone, group] = await judge(rows, flagged)
    const paid = { rows: 1000, logAuditors: Math.log(2), bins: 2, confidence: 0.9 }
    const inGroup = (15 * 0.75 ** 2 + 5 * 0.25 ** 2) / 1000
    const inAll = inGroup + (980 * 0.25 ** 2) / 1000
    expect(everyone.worst).toBe('everyone')
    expect(everyone.slack).toBeCloseTo(bernsteinSlack({ ...paid, secondMoment: inAll }), 8)
    expect(group.slack).toBeCloseTo(bernsteinSlack({ ...paid, secondMoment: inGroup }), 8)
    expect([everyone.inequality, group.inequality]).toEqual(repeat(2, 'empirical Bernstein'))
    expect(group.slack).toBeLessThan(0.8 * everyone.slack)
  })

  it('and the bound is that of the auditor with the largest sum, not of the largest error', () => {
    const auditor = (error: number, slack: number, worst: string) =>
      ({ error, atMost: error, slack, worst, inequality: 'Hoeffding' }) as const
    const judged = [auditor(0.1, 0.02, 'steady'), auditor(0.08, 0.06, 'shaky'), auditor(0.05, 0.01, 'good')]
    expect(largestBound(judged)).toEqual({
      measured: 0.08,
      slack: 0.06,
      bound: 0.14,
      inequality: 'Hoeffding',
      worst: 'shaky',
    })
    expect(leastError(judged)).toBeCloseTo(0.08, 15)
    expect(leastError([auditor(0.01, 0.02, 'none')])).toBe(0)
  })

  it('of a function is no less than its own rows ask for, and small where the function is', async () => {
    // b = 1/8 for all: b^2 (y - v)^2 is at most a 64th of what everyone has.
    const faint = rows.map(row => ({ ...row, signal: 0.125 }))
    const [judged] = await judge(faint, functions({ f: () => 0 }), 'weighted')
    const truth = (15 * 0.75 ** 2 + 5 * 0.25 ** 2 + 980 * 0.25 ** 2) / 1000 / 64
    const paid = { rows: 1000, logAuditors: 0, bins: 2, confidence: 0.9 }
    expect(judged.slack).toBeGreaterThanOrEqual(bernsteinSlack({ ...paid, secondMoment: truth }))
    expect(judged.slack).toBeLessThanOrEqual(bernsteinSlack({ ...paid, secondMoment: 0.75 ** 2 / 64 }) + 1e-9)
    const strong = rows.map(row => ({ ...row, signal: 1 }))
    const [full] = await judge(strong, functions({ f: () => 0 }), 'weighted')
    expect(full.slack).toBe(smallerSlack({ ...paid, secondMoment: truth * 64 }).slack)
  })

  it('weights leave it to Hoeffding, and weights of 0 are rows that are not there', async () => {
    const paid = { logAuditors: Math.log(2), bins: 2, confidence: 0.9 }
    const weighted = rows.map((row, index) => ({ ...row, weight: index < 100 ? 2 : 1 }))
    const [two] = await judge(weighted, flagged)
    expect(two.inequality).toBe('Hoeffding')
    expect(two.slack).toBeCloseTo(heldOutSlack({ ...paid, rows: 1100 ** 2 / 1300 }), 8)
    const absent = [...rows, ...repeat(50, { flag: 1, score: 0.25, label: 1, weight: 0 } as const)]
    expect(await judge(absent, flagged)).toEqual(await judge(rows, flagged))
  })
})

describe('false certificates on a population with a known truth', () => {
  /** Score, flag, their share and the probability of the label 1: low variance, and wrong for the flagged. */
  const TYPES = [
    { flag: 0, score: 0.25, share: 0.45, truth: 0.02 },
    { flag: 1, score: 0.25, share: 0.15, truth: 0.1 },
    { flag: 0, score: 0.75, share: 0.3, truth: 0.97 },
    { flag: 1, score: 0.75, share: 0.1, truth: 0.9 },
  ] as const
  const low = { bins: 2, values: [0.04 * ONE, 0.96 * ONE].map(Math.floor) }

  const excess = (flag: number | undefined, bin: number) =>
    TYPES.filter(type => (flag ?? type.flag) === type.flag && type.score > 0.5 === (bin === 1)).reduce(
      (sum, { share, truth }) => sum + share * (truth - low.values[bin] / ONE),
      0,
    )
  const errorIn = (flag?: number) => Math.abs(excess(flag, 0)) + Math.abs(excess(flag, 1))
  const levelSet = errorIn(0) + errorIn(1)
  const TRUTH = {
    groups: Math.max(errorIn(), errorIn(1)),
    // Signs of the two leaves are free; bins are summed in absolute value.
    trees: Math.max(
      errorIn(),
      [0, 1].reduce((sum, bin) => sum + Math.abs(excess(0, bin) - excess(1, bin)), 0),
    ),
  }

  const STARTS = TYPES.map((_, index) => TYPES.slice(0, index).reduce((sum, { share }) => sum + share, 0))

  function draw(random: Random, count: number): Row[] {
    return Array.from({ length: count }, () => {
      const place = random.next()
      const type = TYPES[STARTS.findLastIndex(start => start <= place)]
      return { flag: type.flag, score: type.score, label: random.next() < type.truth ? 1 : 0 }
    })
  }

  const RUNS = 250
  const ROWS = 1000
  const confidence = 0.9

  it.each([
    ['groups', flagged],
    ['trees', trees({ depth: 1 })],
  ] as const)(
    'of %s are at most delta; the measured error alone is too low far more often',
    async (kind, auditors) => {
      const random = makeRandom(7)
      const compiled = compileAuditors(auditors, 'table', encoding)
      const options = { ...base, confidence }
      const count = { outside: 0, levelSetAbove: 0, measuredBelow: 0, bernstein: 0 }
      for (let run = 0; run < RUNS; run++) {
        const engine = referenceEngine(rowsOf(draw(random, ROWS)))
        const judged = (await judgeMulticalibration(engine, compiled, low, options))!
        const { bound, inequality } = largestBound(judged)
        if (bound < TRUTH[kind] || leastError(judged) > TRUTH[kind]) count.outside++
        if (Math.max(...judged.map(each => each.error)) < TRUTH[kind]) count.measuredBelow++
        if (inequality === 'empirical Bernstein') count.bernstein++
        const cells = (await judgeLevelSets(engine, compiled, low, options))!
        if (largestBound(cells).bound < levelSet) count.levelSetAbove++
      }
      expect(count.outside / RUNS).toBeLessThanOrEqual(1 - confidence)
      expect(count.levelSetAbove / RUNS).toBeLessThanOrEqual(1 - confidence)
      // Otherwise nothing here could fail.
      expect(count.bernstein).toBe(RUNS)
      expect(count.measuredBelow / RUNS).toBeGreaterThan(0.2)
    },
  )

  it('a slack of a tenth would be false too often', async () => {
    const random = makeRandom(8)
    const compiled = compileAuditors(flagged, 'table', encoding)
    let outside = 0
    for (let run = 0; run < RUNS; run++) {
      const engine = referenceEngine(rowsOf(draw(random, ROWS)))
      const judged = (await judgeMulticalibration(engine, compiled, low, { ...base, confidence }))!
      const thin = judged.map(each => ({ ...each, slack: each.slack / 10 }))
      if (largestBound(thin).bound < TRUTH.groups || leastError(thin) > TRUTH.groups) outside++
    }
    expect(outside / RUNS).toBeGreaterThan(1 - confidence)
  })
})
