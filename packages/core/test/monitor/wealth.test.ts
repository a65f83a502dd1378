// Money over batches: its mean never rises, whatever came before, counted out over every outcome.

import { describe, expect, it } from 'vitest'
import { ONE } from '../../src/common/units.ts'
import { advanceLabels } from '../../src/monitor/advance.ts'
import { LOG_ONE } from '../../src/monitor/bets.ts'
import type { MonitorData } from '../../src/monitor/data.ts'
import { SearchFamily } from '../../src/monitor/search.ts'
import { BatchTally, type BetRows, NAMED_BETS, SEARCH_BETS } from '../../src/monitor/tally.ts'
import {
  addLogs,
  eitherSide,
  evidenceOf,
  logUnits,
  nextWealth,
  sidesOf,
  startShare,
} from '../../src/monitor/wealth.ts'

const FAMILY = new SearchFamily(
  [
    { name: 'a', kind: 'boolean', missing: false },
    { name: 'b', kind: 'boolean', missing: true },
  ],
  [0, 1],
)

const START = {
  ...{ delta: 0.05, maxGap: 0, batches: [], alarms: [], followed: [] },
  ...{ namedWealth: [], searchedWealth: [] },
} as unknown as MonitorData

interface Batch {
  readonly scores: readonly number[]
  readonly weights?: readonly number[]
  readonly member: readonly number[]
  readonly bins: readonly (readonly number[])[]
}

function after(data: MonitorData, batch: Batch, labels: readonly number[]): MonitorData {
  const tally = new BatchTally(2, FAMILY, 0)
  const rows: BetRows = {
    rowCount: labels.length,
    labels: labels.map(label => label * ONE),
    scores: batch.scores.map(score => score * ONE),
    ...(batch.weights !== undefined && { weights: batch.weights }),
    members: [undefined, batch.member],
    bins: batch.bins,
  }
  tally.add(rows)
  const { named, searched } = tally.finish()
  const { labelled, ...next } = advanceLabels(data, named, searched)
  return { ...data, ...next, batches: [...data.batches, { labelled } as never] }
}

/** All money of a group, from what is kept, in plain arithmetic. */
const moneyOf = (wealth: readonly number[], group: number, betCount: number, batches: number): number =>
  wealth
    .slice(group * betCount, (group + 1) * betCount)
    .reduce((sum, units) => sum + Math.exp(units / LOG_ONE), 1 / Math.sqrt(batches + 1))

const groupOf =
  (group: number) =>
  ({ batches, namedWealth }: MonitorData): number =>
    moneyOf(namedWealth, group, NAMED_BETS.length, batches.length)

/** Named groups have three quarters of the money, those of the search one quarter. */
function averageOf(data: MonitorData): number {
  const { length } = FAMILY.groups
  const searched = FAMILY.groups.map((_, group) =>
    moneyOf(data.searchedWealth, group, SEARCH_BETS.length, data.batches.length),
  )
  const named = [groupOf(0)(data), groupOf(1)(data)]
  return (3 / 8) * (named[0] + named[1]) + searched.reduce((sum, money) => sum + money / 4 / length, 0)
}

/** Every way that outcomes can come, with its chance by the scores. */
function outcomesOf({ scores }: Batch): { labels: number[]; chance: number }[] {
  return Array.from({ length: 2 ** scores.length }, (_, bits) => {
    const labels = scores.map((_, row) => (bits >> row) & 1)
    const chance = labels.reduce(
      (product, label, row) => product * (label === 1 ? scores[row] : 1 - scores[row]),
      1,
    )
    return { labels, chance }
  })
}

const FIRST: Batch = {
  scores: [0.25, 0.5, 0.875],
  member: [1, 0, 1],
  bins: [
    [0, 1, 0],
    [2, 0, 1],
  ],
}
const SECOND: Batch = {
  scores: [0.0625, 0.5, 0.75, 0.125],
  weights: [256, 512, 64, 2048],
  member: [0, 1, 1, 0],
  bins: [
    [1, 1, 0, 0],
    [0, 1, 2, 1],
  ],
}

describe('money on bets', () => {
  it('is never more on average after a batch than before, for every group and for the average of all', () => {
    const firsts = outcomesOf(FIRST).map(({ chance, labels }) => ({
      chance,
      data: after(START, FIRST, labels),
    }))
    const mean = (read: (data: MonitorData) => number) =>
      firsts.reduce((sum, { chance, data }) => sum + chance * read(data), 0)
    for (const read of [averageOf, groupOf(0), groupOf(1)]) {
      expect(mean(read)).toBeLessThanOrEqual(1)
      expect(mean(read)).toBeGreaterThan(0.999)
      for (const { data } of firsts) {
        const next = outcomesOf(SECOND).reduce(
          (sum, { chance, labels }) => sum + chance * read(after(data, SECOND, labels)),
          0,
        )
        expect(next).toBeLessThanOrEqual(read(data))
        expect(next).toBeGreaterThan(0.999 * read(data))
      }
    }
  })

  it('on either side is an e-value of its own: upward bets gain nothing while scores are not too low', () => {
    const sides = (data: MonitorData) => sidesOf(data.namedWealth, 0, NAMED_BETS.length, data.batches.length)
    const read = (data: MonitorData, side: 'low' | 'high') => Math.exp(sides(data)[side] / LOG_ONE)
    // What is likely is drawn from lower truths than the scores: too high, and nowhere too low.
    const mean = (side: 'low' | 'high', share: number) =>
      outcomesOf({ ...FIRST, scores: FIRST.scores.map(score => share * score) }).reduce(
        (sum, { chance, labels }) => sum + chance * read(after(START, FIRST, labels), side),
        0,
      )
    expect(mean('low', 1)).toBeLessThanOrEqual(1)
    expect(mean('low', 0.7)).toBeLessThan(1)
    expect(mean('high', 0.7)).toBeGreaterThan(1)
    const data = after(START, FIRST, [1, 1, 0])
    expect(Math.exp(eitherSide(sides(data)) / LOG_ONE)).toBeLessThanOrEqual(groupOf(0)(data))
    expect(Math.exp(eitherSide(sides(data)) / LOG_ONE)).toBeGreaterThan(0.999 * groupOf(0)(data))
  })

  it('is told as no more than it is', () => {
    const data = after(after(START, FIRST, [1, 1, 0]), SECOND, [1, 0, 1, 1])
    const told = (evidence: number) => Math.exp(evidence / LOG_ONE)
    expect(told(data.batches[1].labelled!.evidence)).toBeLessThanOrEqual(averageOf(data))
    expect(told(data.batches[1].labelled!.evidence)).toBeGreaterThan(0.999 * averageOf(data))
    expect(told(evidenceOf(data.namedWealth, 1, NAMED_BETS.length, 2))).toBeLessThanOrEqual(groupOf(1)(data))
  })

  it('does not depend on the order of rows within a batch, to the unit', () => {
    const order = [2, 0, 3, 1]
    const turned = <T>(values: readonly T[]) => order.map(row => values[row])
    const labels = [1, 0, 1, 1]
    const other: Batch = {
      scores: turned(SECOND.scores),
      weights: turned(SECOND.weights!),
      member: turned(SECOND.member),
      bins: SECOND.bins.map(turned),
    }
    expect(after(START, other, turned(labels))).toEqual(after(START, SECOND, labels))
  })

  it('is put on bets in shares that come to 1', () => {
    const total = Array.from({ length: 1000 }, (_, index) => startShare(index + 1)).reduce((a, b) => a + b)
    expect(total + 1 / Math.sqrt(1001)).toBeCloseTo(1, 12)
  })

  it('is added without ever being rounded up', () => {
    for (const [a, b] of [
      [0, 0],
      [-5e6, 3e6],
      [7e6, -9e7],
      [1e5, 1e5 + 1],
    ]) {
      const exact = Math.log(Math.exp(a / LOG_ONE) + Math.exp(b / LOG_ONE)) * LOG_ONE
      expect(addLogs(a, b)).toBeLessThanOrEqual(exact + 1e-6)
      expect(addLogs(a, b)).toBeGreaterThan(exact - 3)
      expect(addLogs(b, a)).toBe(addLogs(a, b))
    }
    expect(logUnits(Math.E)).toBeLessThanOrEqual(LOG_ONE)
  })

  it('that is lost is not missed: later batches begin with fresh money', () => {
    const lost = nextWealth([], [-(10 ** 9)], 1, 1)
    const [won] = nextWealth(lost, [0], 2, 1)
    expect(Math.exp(won / LOG_ONE)).toBeCloseTo(startShare(2), 4)
  })
})
