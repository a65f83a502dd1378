// The tables of the benchmark against the peers: seeds put together, what is listed as worse, and the page.

import { describe, expect, it } from 'vitest'
import { markdownTable, writePage } from '../../../bench/versus/page.ts'
import { median, type Run, summarizeCases } from '../../../bench/versus/results.ts'
import { MEASURES } from '../../../bench/versus/score.ts'
import { averageOf, findHarm, findWorse, standingsOf } from '../../../bench/versus/standing.ts'
import { printTables } from '../../../bench/versus/tables.ts'

describe('the tables', () => {
  const estimate = (value: number, reach = 0.001) => ({ value, low: value - reach, high: value + reach })
  const all = <T>(of: T) =>
    Object.fromEntries(MEASURES.map(measure => [measure, of])) as Record<(typeof MEASURES)[number], T>
  const cost = (fit: number) => ({
    fit: { wall: fit, cpu: fit },
    predict: { wall: 0.1, cpu: 0.1 },
    peakBytes: 2e8,
    bytesBeforeFit: 1e8,
    notes: {},
    load: 1,
    date: '2026-01-01',
  })
  const caseOf = (seed: number, ours: number) => ({
    data: 'adult',
    base: 'poor',
    seed,
    calibrationRows: 19_537,
    testRows: 9768,
    methods: {
      base: { values: all(0.5) },
      mcgrad: { values: all(0.3), againstBase: all(estimate(-0.2)), measured: cost(8 * seed) },
      hjz: { failed: 'no | such luck' },
      ours: { values: all(0.3 + ours), againstBase: all(estimate(ours - 0.2)), measured: cost(0.5) },
    },
    ours: { ours: { mcgrad: all(estimate(ours)) } },
  })
  const runOf = (ours: number): Run => ({
    command: 'npx tsx bench/versus/run.ts',
    date: '2026-01-01',
    commit: 'abc',
    machine: { processor: 'a processor', cores: 2, memoryGiB: 8, system: 'Linux' },
    threads: 2,
    seeds: [1, 2, 3],
    versions: { Node: '20' },
    titles: { mcgrad: 'MCGrad, defaults', ours: 'ours' },
    cases: [1, 2, 3].map(seed => caseOf(seed, ours)),
  })

  it('put seeds together: means of figures and of ends of intervals, medians of times', () => {
    const [summary, ...others] = summarizeCases(runOf(-0.01).cases)
    expect(others).toEqual([])
    expect(summary.seeds).toEqual([1, 2, 3])
    expect(summary.methods.mcgrad).toMatchObject({ cost: { fit: 16 } })
    expect(summary.methods.hjz).toEqual({ failed: 'no | such luck' })
    const { brier } = summary.ours.ours.mcgrad
    expect(brier.low).toBeCloseTo(-0.011, 12)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    const standings = standingsOf([summary], 'ours')
    expect(standings[0].timesFaster).toBe(32)
    const other = { ...standings[0], timesFaster: 2, differences: all(estimate(0.03)) }
    const average = averageOf([...standings, other])
    expect(average.timesFaster).toBeCloseTo(8, 9)
    expect(average.differences.brier).toBeCloseTo(0.01, 12)
    const infinite = { ...other, differences: all(estimate(Number.NEGATIVE_INFINITY)) }
    expect(averageOf([other, infinite]).differences.mceSigma).toBeCloseTo(0.03, 12)
  })

  it('put seeds together that differ in rows, and not those that were asked for fewer', () => {
    const [one, two, three] = runOf(0).cases
    const other = { ...two, calibrationRows: 19_539 }
    const few = { ...three, calibrationRows: 2000, mostRows: 2000 }
    const found = summarizeCases([one, other, few])
    expect(found.map(({ calibrationRows, seeds }) => [calibrationRows, seeds])).toEqual([
      [19_538, [1, 2]],
      [2000, [3]],
    ])
  })

  it('list a difference against ours only when the whole interval says so', () => {
    const worse = (ours: number) =>
      findWorse(summarizeCases(runOf(ours).cases), 'ours').map(({ measure }) => measure)
    expect(worse(-0.01)).toEqual([])
    expect(worse(0.0005)).toEqual([])
    expect(worse(0.002)).toEqual(['logLoss', 'brier', 'mceSigma', 'worstK1'])
    expect(findHarm(summarizeCases(runOf(-0.01).cases), 'ours')).toEqual([])
    expect(findHarm(summarizeCases(runOf(0.3).cases), 'ours')).toHaveLength(4)
  })

  it('show every method, its interval and its failure, and a bar in a cell does not end it', () => {
    const page = writePage(runOf(0.002))
    expect(page).toContain('failed: no \\| such luck')
    expect(page).toContain('0.3000<br>-0.2010 to -0.1990')
    expect(page).toContain('+0.0020 (+0.0010 to +0.0030)')
    expect(page).not.toContain('busy')
    expect(printTables(runOf(0))).toContain('19,537 calibration rows')
    const rows = markdownTable(['a', 'b'], [['1', '2|3']]).split('\n')
    expect(rows).toEqual(['| a | b |', '| --- | ---: |', '| 1 | 2\\|3 |'])
  })

  it('say so when the machine was busy', () => {
    const run = runOf(0)
    const [first] = run.cases
    const measured = { ...cost(8), load: 7 }
    const busy = { ...first, methods: { ...first.methods, mcgrad: { values: all(0.3), measured } } }
    expect(writePage({ ...run, cases: [busy] })).toContain('The machine was busy')
  })
})
