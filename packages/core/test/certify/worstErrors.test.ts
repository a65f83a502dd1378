// Intervals of worst errors, on populations whose truth is known.

import { describe, expect, it } from 'vitest'
import { limitAbove, limitBelow, type RowEvidence } from '../../src/certify/rowEvidence.ts'
import { intervalOf, worstCalibration, worstErrors } from '../../src/certify/worstErrors.ts'
import { compileAuditors } from '../../src/classes/compile.ts'
import { makeRandom, type Random } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import type { FoldUnits } from '../../src/data/foldUnits.ts'
import { type EngineRows, FIT } from '../../src/engine/engine.ts'
import { groups, referenceEngine, trees } from '../../src/index.ts'
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
const base = { confidence: 0.9, cellBudget: 2 ** 27, fold: FIT }

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
      const count = { outside: 0, levelSetOutside: 0, measuredBelow: 0, thinner: 0 }
      for (let run = 0; run < RUNS; run++) {
        const engine = referenceEngine(rowsOf(draw(random, ROWS)))
        const found = await worstCalibration(engine, compiled, low, { ...base, confidence })
        const { high, low: least, value } = found.multicalibration
        if (high < TRUTH[kind] || least > TRUTH[kind]) count.outside++
        if (found.levelSet.high < levelSet || found.levelSet.low > levelSet) count.levelSetOutside++
        if (value < TRUTH[kind]) count.measuredBelow++
        // A tenth of the interval.
        if (Math.abs(value - TRUTH[kind]) > (high - least) / 20) count.thinner++
      }
      expect(count.outside / RUNS).toBeLessThanOrEqual(1 - confidence)
      expect(count.levelSetOutside / RUNS).toBeLessThanOrEqual(1 - confidence)
      // Otherwise nothing here could fail.
      expect(count.measuredBelow / RUNS).toBeGreaterThan(0.2)
      expect(count.thinner / RUNS).toBeGreaterThan(1 - confidence)
    },
  )
})

describe('the interval of swap regret', () => {
  it('is as wide as the norm of the noise may be, on either side of the root', async () => {
    const count = 20_000
    const rows: Row[] = Array.from({ length: count }, (_, row) => ({
      flag: row % 2 === 0 ? 0 : 1,
      score: row % 4 < 2 ? 0.25 : 0.75,
      label: row % 8 < 4 ? 1 : 0,
    }))
    const levels = { bins: 2, values: [0.25 * ONE, 0.75 * ONE] }
    const engine = await referenceEngine(rowsOf(rows))
    const compiled = compileAuditors(flagged, 'table', encoding)
    const { high, low, value } = (await worstErrors(engine, compiled, levels, base)).swapRegret
    // Two partitions, everyone and the group with its rest, d = 2 leaves at K = 2 levels: sqrt(K (d + 2 sqrt(d t) + 2 t) / 4 n).
    const t = Math.log((2 * 2) / (1 - base.confidence))
    const width = Math.sqrt((2 * (2 + 2 * Math.sqrt(2 * t) + 2 * t)) / (4 * count))
    expect(value).toBeCloseTo(0.0625, 3)
    expect(Math.sqrt(high) - Math.sqrt(value)).toBeCloseTo(width, 9)
    expect(Math.sqrt(value) - Math.sqrt(low)).toBeCloseTo(width, 9)
    await engine.close()
  })
})

describe('the interval of a worst error', () => {
  const units = { rows: 400, count: 400, weight: 400, largestWeight: 1, squaredWeight: 400 }
  const evidence: RowEvidence = { units, equal: true, meanSquare: 0.2 }

  it('has half of the failures on either side, and what rounding may move on both', () => {
    const measured = { error: 0.4, atMost: 0.45, worst: 'w' }
    const { atMost, high, low, value, worst } = intervalOf(evidence, measured, {
      ...{ failure: 0.1, logMeans: 2, rounding: 0.01 },
    })
    expect({ atMost, value, worst }).toEqual({ atMost: 0.45, value: 0.4, worst: 'w' })
    expect(low).toBe(limitBelow(evidence, 0.4, 0.05, 2) - 0.01)
    expect(high).toBe(limitAbove(evidence, 0.45, 0.05) + 0.01)
    expect(low).toBeGreaterThan(0)
    expect(high).toBeLessThan(1)
  })

  it('stays within 0 and 1', () => {
    const few: RowEvidence = {
      ...evidence,
      units: { ...units, rows: 4, count: 4, weight: 4, squaredWeight: 4 },
    }
    const measured = { error: 0.4, atMost: 0.4, worst: '' }
    expect(intervalOf(few, measured, { failure: 0.1, logMeans: 2, rounding: 0.01 })).toMatchObject({
      ...{ low: 0, high: 1 },
    })
  })

  it('is made of the evidence for the score, and for what it is rounded to', async () => {
    const count = 4000
    const rows: Row[] = Array.from({ length: count }, (_, row) => ({
      flag: row % 2 === 0 ? 0 : 1,
      score: row % 4 < 2 ? 0.25 : 0.75,
      label: row % 16 < 8 || row % 3 === 0 ? 1 : 0,
    }))
    const levels = { bins: 2, values: [0.2 * ONE, 0.75 * ONE].map(Math.floor) }
    const compiled = compileAuditors(flagged, 'table', encoding)
    const meanSquare = (scoreOf: (row: Row) => number) =>
      Math.ceil((rows.reduce((sum, row) => sum + (row.label - scoreOf(row)) ** 2, 0) / count) * 1e9) / 1e9
    const ofRows = (each: Partial<FoldUnits>, scoreOf: (row: Row) => number): RowEvidence => ({
      units: { rows: count, count, weight: count, largestWeight: 1, squaredWeight: count, ...each },
      ...{ equal: true, meanSquare: meanSquare(scoreOf) },
    })
    const rounded = (row: Row) => levels.values[row.score < 0.5 ? 0 : 1] / ONE
    const found = await worstErrors(referenceEngine(rowsOf(rows)), compiled, levels, base)
    // Everyone and one group: ln 2 for which of them it is.
    const { multiaccuracy, multicalibration, levelSet } = found
    const ofScore = ofRows({}, row => row.score)
    expect(multiaccuracy.low).toBe(limitBelow(ofScore, multiaccuracy.value, 0.05, Math.log(2)))
    expect(multiaccuracy.high).toBe(limitAbove(ofScore, multiaccuracy.atMost, 0.05))

    // A tenth of the failures is for the means of the two bins, 2^2 signed sums of values in a range of 1/2.
    const failure = 0.9 * (1 - base.confidence)
    const slack = Math.sqrt((2 * Math.log(2) + Math.log(10 / (1 - base.confidence))) / (2 * count)) / 2
    const ofRounded = ofRows({}, rounded)
    const { high, low, value } = multicalibration
    expect(high).toBeCloseTo(limitAbove(ofRounded, value, failure / 2) + slack, 7)
    expect(low).toBeCloseTo(limitBelow(ofRounded, value, failure / 2, 3 * Math.log(2)) - slack, 7)
    // A sign for both leaves in both bins.
    expect(levelSet.high).toBeCloseTo(limitAbove(ofRounded, levelSet.value, failure / 2) + slack, 7)
    expect(levelSet.low).toBeCloseTo(
      limitBelow(ofRounded, levelSet.value, failure / 2, 5 * Math.log(2)) - slack,
      7,
    )
    for (const each of [multiaccuracy, multicalibration, levelSet]) expect(each.low).toBeGreaterThan(0)

    // Two rows of every id: half as many draws, in twice the range.
    const units = { rows: count, count: count / 2, weight: count, largestWeight: 2, squaredWeight: 2 * count }
    const paired = referenceEngine({ ...rowsOf(rows), units: [units] })
    const wide = await worstCalibration(paired, compiled, levels, base)
    const exponent = 2 * Math.log(2) + Math.log(10 / (1 - base.confidence))
    const wideSlack = (2 * 2 * Math.sqrt((exponent * units.count) / 2)) / count / 2
    expect(wide.multicalibration.high).toBeCloseTo(
      limitAbove(ofRows(units, rounded), value, failure / 2) + wideSlack,
      7,
    )
  })

  it('of swap regret says nothing where weights differ', async () => {
    const rows: Row[] = Array.from({ length: 40 }, (_, row) => ({
      ...{ flag: row % 2 === 0 ? 0 : 1, score: 0.25, label: row % 4 === 0 ? 1 : 0, weight: 1 + (row % 3) },
    }))
    const compiled = compileAuditors(flagged, 'table', encoding)
    const levels = { bins: 2, values: [0.25 * ONE, 0.75 * ONE] }
    const { swapRegret } = await worstErrors(referenceEngine(rowsOf(rows)), compiled, levels, base)
    expect(swapRegret).toMatchObject({ low: 0, high: 1 })
  })

  it('of swap regret stays within 0 and 1', async () => {
    const compiled = compileAuditors(flagged, 'table', encoding)
    const levels = { bins: 2, values: [0.25 * ONE, 0.75 * ONE] }
    const regretOf = async (label: number) => {
      const rows: Row[] = Array.from({ length: 4 }, () => ({ flag: 0, score: 0.25, label }))
      return (await worstErrors(referenceEngine(rowsOf(rows)), compiled, levels, base)).swapRegret
    }
    expect(await regretOf(0.25)).toMatchObject({ value: 0, low: 0 })
    expect((await regretOf(1)).high).toBe(1)
  })
})
