// Wide tables: which columns are looked at two at a time, and that what is said of them stays true.

import { describe, expect, it } from 'vitest'
import { rankFamily } from '../../../src/audit/worst/candidates.ts'
import { costOfRanking, isAffordable } from '../../../src/audit/worst/plan.ts'
import { screenFamily } from '../../../src/audit/worst/screen.ts'
import { treeSpace } from '../../../src/audit/worst/space.ts'
import { findWorstGroups } from '../../../src/audit/worst/worstGroups.ts'
import { trees } from '../../../src/classes/auditors.ts'
import { assignRoles } from '../../../src/data/roles.ts'
import { referenceEngine } from '../../../src/engine/reference/reference.ts'
import { makeTable } from '../../../src/index.ts'
import { makeRandom } from '../../../src/internal.ts'
import { normalTail } from '../../../src/measures/score/normal.ts'
import { openFamily, pairCells, sumFamily } from '../../../src/oracle/groups/family.ts'
import { binCount } from '../../../src/quantize/schema.ts'
import { engineRows, learnEncoding } from '../../../src/store/encode.ts'

const COLUMNS = 8
const ROWS = 1500

/** Too low where the last column is large and the one before it small: each shows a little of it. */
async function openWide(seed: number, gap: number) {
  const random = makeRandom(seed)
  const columns = Array.from({ length: COLUMNS }, () => Array.from({ length: ROWS }, () => random.integer(6)))
  const score = Array.from({ length: ROWS }, () => 0.1 + 0.5 * random.next())
  const y = score.map((chance, row) => {
    const isOff = columns[7][row] > 2 && columns[6][row] < 3
    return Number(random.next() < chance + (isOff ? gap : 0))
  })
  const table = makeTable({
    ...Object.fromEntries(columns.map((values, at) => [`x${at}`, values])),
    score,
    y,
  })
  const dataset = assignRoles(table, { label: 'y', prediction: 'score' })
  const encoding = learnEncoding(dataset, trees(), { bins: 16, coarseBins: 16, rare: 0 })
  const key = Int32Array.from({ length: ROWS }, (_, row) => Math.imul(row + 1, 0x9e3779b1))
  const rows = { ...engineRows(dataset, encoding, {}), key }
  const engine = referenceEngine(rows)
  const features = encoding.features.map((_, feature) => feature)
  const family = await openFamily(engine, {
    ...{ fold: 0, levels: 2, depth: 2, schemas: encoding.features, features },
  } as const)
  const sample = {
    rowCount: ROWS,
    bins: rows.bins,
    binCounts: encoding.features.map(binCount),
    predictions: rows.start,
  }
  const options = {
    noise: 'labels' as const,
    ...{ features: encoding.features, score: 'score', confidence: 0.95 },
    ...{ significance: 0.01, draws: 99, budget: 60, listed: 5, sample, signal: undefined },
  } as const
  return { family, options }
}

const YARDSTICK = { noise: 'labels', shift: 0, leastVariance: 10 * 2 ** 24 } as const

describe('a search over some of the columns', () => {
  it('takes all of them where there is room', async () => {
    const { family } = await openWide(1, 0.3)
    expect(await screenFamily(family, YARDSTICK, { budget: 60 })).toBe(family)
    const single = { ...family, depth: 1 } as const
    expect(await screenFamily(single, YARDSTICK, { budget: 60, mostCells: 0 })).toBe(single)
  })

  it('takes those first that are most off by themselves, as many as fit', async () => {
    const { family } = await openWide(1, 0.3)
    const room = pairCells(family, [0, 1, 2])
    const screened = await screenFamily(family, YARDSTICK, { budget: 60, mostCells: room })
    expect(screened.paired).toHaveLength(3)
    expect(screened.paired).toEqual(expect.arrayContaining([6, 7]))
    expect(pairCells(family, screened.paired!)).toBeLessThanOrEqual(room)
  })

  it('takes as many as the budget pays for, and says so', async () => {
    const { family, options } = await openWide(1, 0.3)
    const budget = 2 * costOfRanking(family, [0, 1, 2])
    const screened = await screenFamily(family, YARDSTICK, { budget })
    expect(screened).toMatchObject({ by: 'budget', paired: expect.arrayContaining([6, 7]) })
    const isPayable = (places: readonly number[]) => isAffordable(costOfRanking(family, places), budget)
    expect(isPayable(screened.paired!)).toBe(true)
    for (let axis = 0; axis < COLUMNS; axis++)
      expect(screened.paired!.includes(axis) || !isPayable([...screened.paired!, axis])).toBe(true)
    const { significance } = await findWorstGroups(treeSpace(screened), { ...options, budget })
    expect(significance.screened).toEqual({ paired: screened.paired!.length, of: 8, by: 'budget' })
  })

  it('has the sums of these pairs, and of every column alone', async () => {
    const { family } = await openWide(2, 0.3)
    const some = { ...family, paired: [1, 4, 7] }
    const pairsOf = async (each: typeof family) => {
      const found = new Map<string, Float64Array>()
      for await (const { a, b, sums } of (await sumFamily(each, { kind: 'label' })).pairs())
        found.set(`${a} ${b}`, sums('residuals').slice())
      return found
    }
    const [all, few] = [await pairsOf(family), await pairsOf(some)]
    expect([...few.keys()]).toEqual(['1 1', '4 4', '7 7', '1 4', '1 7', '4 7'])
    for (const [pair, sums] of few) expect(sums).toEqual(all.get(pair))
    const rank = { ...YARDSTICK, criticalSquare: 0, kept: 10 }
    const [whole, part] = [await rankFamily(family, rank), await rankFamily(some, rank)]
    expect(part.groupsTested).toBeLessThan(whole.groupsTested)
    expect(part.largestSquare).toBeLessThanOrEqual(whole.largestSquare)
  })

  it('finds the planted pair, pays for all pairs, and says what it looked at', async () => {
    const { family, options } = await openWide(1, 0.3)
    const screened = await screenFamily(family, YARDSTICK, {
      budget: 60,
      mostCells: pairCells(family, [0, 1, 2]),
    })
    expect(treeSpace(screened).size).toBe(treeSpace(family).size)
    const found = await findWorstGroups(treeSpace(screened), options)
    expect(found.worst[0].group).toMatch(/x6 <= 2 and x7 >= 3|x7 >= 3 and x6 <= 2/)
    expect(found.significance).toMatchObject({
      beyondNoise: true,
      draws: 0,
      screened: { paired: 3, of: 8, by: 'memory' },
    })
    expect(found.significance.sentence).toMatch(/Two conditions at a time were tried on 3 of 8 columns, /)
    const { largestZ, p, testCount } = found.significance
    expect(testCount).toBeLessThan(treeSpace(family).size)
    expect(p).toBeCloseTo(Math.min(1, 2 * normalTail(largestZ) * treeSpace(family).size), 12)
    const whole = await findWorstGroups(treeSpace(family), options)
    expect(found.worst[0].interval.low).toBeLessThanOrEqual(whole.worst[0].interval.low)
  })

  it('finds no more than it should where the score is the truth, though columns are chosen by their labels', async () => {
    let found = 0
    for (let seed = 0; seed < 40; seed++) {
      const { family, options } = await openWide(100 + seed, 0)
      const screened = await screenFamily(family, YARDSTICK, {
        budget: 60,
        mostCells: pairCells(family, [0, 1, 2]),
      })
      const { significance } = await findWorstGroups(treeSpace(screened), { ...options, significance: 0.05 })
      if (significance.beyondNoise) found++
    }
    // Five in a hundred at most; the union bound is careful.
    expect(found).toBeLessThanOrEqual(5)
  })
})
