import { describe, expect, it } from 'vitest'
import {
  type AuditOptions,
  audit,
  groups,
  memoryEngine,
  referenceEngine,
  type Table,
  type TableSource,
  tableFromRows,
  trees,
} from '../../src/index.ts'
import { makeRandom, type Random } from '../../src/internal.ts'
import { failureOf } from '../support/failure.ts'

interface World {
  readonly age: number | null
  readonly city: string
  readonly member: boolean
  readonly score: number
  readonly y: number
  readonly weight: number
}

/** True labels, but for a shift of the outcomes of members from Bonn. */
function drawRow(random: Random, shift: number): World {
  const score = 0.1 + 0.8 * random.next()
  const city = ['Aachen', 'Bonn', 'Celle'][random.integer(3)]
  const member = random.next() < 0.5
  const probability = score + (city === 'Bonn' && member ? shift : 0)
  return {
    age: random.next() < 0.1 ? null : random.integer(50),
    city,
    member,
    score,
    y: random.next() < probability ? 1 : 0,
    weight: 1 + random.integer(3),
  }
}

function drawWorld(count: number, seed: number, shift = 0): World[] {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () => drawRow(random, shift))
}

const tableOf = (rows: readonly World[]): Table => tableFromRows(rows as unknown as Record<string, unknown>[])
const options: AuditOptions = { label: 'y', prediction: 'score', except: ['weight'], bins: 4, coarseBins: 8 }

describe('an audit', () => {
  it('names the group that is off first, in words, as predicates and as SQL, with its numbers', async () => {
    const rows = drawWorld(20_000, 3, 0.09)
    const result = await audit(tableOf(rows), options)
    const [first] = result.worst
    expect(first.group).toBe('city = Bonn and member = true')
    expect(first.sql).toBe('"city" = \'Bonn\' AND "member" = TRUE')
    const members = rows.filter(row => row.city === 'Bonn' && row.member)
    const mean = (of: (row: World) => number) =>
      members.reduce((sum, row) => sum + of(row), 0) / members.length
    expect(first.weight).toBe(members.length)
    expect(first.meanLabel).toBeCloseTo(
      mean(row => row.y),
      6,
    )
    expect(first.meanScore).toBeCloseTo(
      mean(row => row.score),
      6,
    )
    expect(first.gap).toBeCloseTo(first.meanLabel - first.meanScore, 12)
    const variance = mean(row => row.score * (1 - row.score)) / members.length
    expect(first.z).toBeCloseTo(first.gap / Math.sqrt(variance), 3)
    expect(first.interval.low).toBeLessThan(0.09)
    expect(first.interval.high).toBeGreaterThan(0.09)
    expect(first.p).toBeLessThan(0.001)
    expect(result.significance.beyondNoise).toBe(true)
    expect(result.tooLow[0].group).toContain('Bonn')
    expect(result.verdict).toMatch(
      /^city = Bonn and member = true: the score says \d\d %, the outcome is \d\d % \([\d,]+ rows; \+\d+\.\d points, /,
    )
    expect(first.sentence).toContain(`(${members.length.toLocaleString('en-US')} rows; +`)
    expect(first.test).toMatch(/^z \d+\.\d, p < 0\.001 after correction$/)
  })

  it('gives intervals that leave out 0 just when the test rejects it, and always hold the gap', async () => {
    for (const [seed, shift] of [
      [21, 0.1],
      [22, 0.3],
      [23, -0.1],
    ]) {
      const { significance, tooHigh, tooLow, worst } = await audit(
        tableOf(drawWorld(2500, seed, shift)),
        options,
      )
      expect(worst.length).toBeGreaterThan(3)
      for (const { gap, interval, meanScore, z } of [...worst, ...tooLow, ...tooHigh]) {
        expect(interval.low).toBeLessThanOrEqual(gap)
        expect(interval.high).toBeGreaterThanOrEqual(gap)
        expect(meanScore + interval.low).toBeGreaterThanOrEqual(0)
        expect(meanScore + interval.high).toBeLessThanOrEqual(1)
        const leavesOut = interval.low > 0 || interval.high < 0
        expect(leavesOut).toBe(Math.abs(z) > significance.criticalZ)
      }
    }
  })

  it('says that there is nothing beyond noise when labels are drawn from the scores', async () => {
    const result = await audit(tableOf(drawWorld(5000, 5)), options)
    expect(result.significance.beyondNoise).toBe(false)
    expect(result.verdict).toMatch(/^No group is surely off, of [\d,]+ tested on 5,000 rows\.$/)
    expect(result.significance.sentence).toMatch(
      /^No group among [\d,]+ is off by more than noise \(largest \|z\| .*, p = /,
    )
    expect(result.tooLow).toEqual([])
    expect(result.tooHigh).toEqual([])
  })

  it('is the same for any order of rows, engine, thread count and chunk size', async () => {
    const rows = drawWorld(1500, 7, 0.15)
    const given = { ...options, weight: 'weight', except: [], draws: 19 }
    const expected = JSON.stringify(await audit(tableOf(rows), given))
    const shuffled = [...rows].reverse()
    const source: TableSource = {
      *chunks() {
        for (let from = 0; from < rows.length; from += 400) yield tableOf(rows.slice(from, from + 400))
      },
    }
    expect(JSON.stringify(await audit(tableOf(shuffled), given))).toBe(expected)
    expect(JSON.stringify(await audit(source, given))).toBe(expected)
    for (const engine of [referenceEngine, memoryEngine({ threads: 2, chunkRows: 100 })]) {
      expect(JSON.stringify(await audit(tableOf(rows), { ...given, engine }))).toBe(expected)
    }
  })

  it('gives p-values that are uniform when the scores are true', async () => {
    const ps: number[] = []
    for (let seed = 1; seed <= 120; seed++) {
      const { significance } = await audit(tableOf(drawWorld(400, 1000 + seed)), {
        ...options,
        bins: 2,
        coarseBins: 4,
        draws: 39,
        threads: 1,
      })
      ps.push(significance.p)
    }
    const below = (p: number) => ps.filter(one => one <= p).length / ps.length
    for (const p of [0.1, 0.25, 0.5, 0.75, 0.9]) {
      // Four standard errors of a share of 120.
      expect(Math.abs(below(p) - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / 120))
    }
  })

  it('lists groups too small to say anything as such, with the gap that would be seen', async () => {
    const rows = drawWorld(3000, 9).map((row, index) => ({ ...row, city: index < 12 ? 'Dresden' : row.city }))
    const result = await audit(tableOf(rows), { ...options, rare: 0 })
    const small = result.notEnoughEvidence.find(({ group }) => group === 'city = Dresden')
    expect(small).toMatchObject({ weight: 12, sql: '"city" = \'Dresden\'' })
    expect(small!.detectableGap).toBeGreaterThan(0.3)
    expect(result.worst.some(({ group }) => group.startsWith('city = Dresden'))).toBe(false)
    expect(result.significance.groupsTooSmall).toBeGreaterThan(0)
  })

  it('takes declared groups, and says of each whether it was tested', async () => {
    const rows = drawWorld(4000, 11, 0.2)
    const auditors = groups([
      'city',
      [
        { column: 'city', is: 'Bonn' },
        { column: 'member', is: true },
      ],
    ])
    const result = await audit(tableOf(rows), { ...options, auditors })
    expect(result.worst[0].group).toBe('city = Bonn and member = true')
    expect(result.significance.groupsTested).toBe(5)
    expect(result.auditors).toContain('5 declared groups')
    const named = groups([{ name: 'the western members', where: [{ column: 'member', is: true }] }])
    const again = await audit(tableOf(rows), { ...options, auditors: named })
    expect(again.worst[0].group).toContain('the western members')
  })

  it('of one level and one column works, too', async () => {
    const result = await audit(tableOf(drawWorld(500, 13)), {
      ...options,
      bins: 1,
      auditors: trees({ depth: 1, columns: ['member'] }),
    })
    expect(result.significance.groupsTested).toBe(3)
    expect(result.worst.every(finding => finding.scores === undefined)).toBe(true)
  })

  it('gives every worst error an interval, and MCE where it is asked for', async () => {
    const rows = drawWorld(3000, 19, 0.3)
    const source: TableSource = {
      *chunks() {
        for (let from = 0; from < rows.length; from += 700) yield tableOf(rows.slice(from, from + 700))
      },
    }
    const result = await audit(source, { ...options, segmentDepth: 2 })
    for (const name of ['multiaccuracy', 'multicalibration', 'levelSet', 'swapRegret'] as const) {
      const { high, low, value } = result[name]
      expect(low).toBeGreaterThanOrEqual(0)
      expect(low).toBeLessThan(value)
      expect(high).toBeGreaterThan(value)
    }
    expect(result.multicalibration.value).toBeGreaterThanOrEqual(result.multiaccuracy.value - 0.02)
    expect(result.levelSet.value).toBeGreaterThanOrEqual(result.multicalibration.value)
    const whole = await audit(tableOf(rows), { ...options, segmentDepth: 2 })
    expect(JSON.stringify(result)).toBe(JSON.stringify(whole))
    expect(whole.mce!.sigma.value).toBeGreaterThan(5)
    expect((await audit(tableOf(rows), options)).mce).toBeUndefined()
  })

  it('of hard scores, which leave nothing to chance, finds where they are wrong more often', async () => {
    const rows = drawWorld(6000, 25).map(row => {
      const wrong = row.city === 'Celle' && !row.member && row.age !== null && row.age < 25
      return { ...row, y: wrong ? 1 : row.y, score: wrong ? 0 : row.y }
    })
    // Hard scores of few columns: many different people are alike.
    const result = await audit(tableOf(rows), { ...options, copies: 'independent' })
    expect(result.significance.noise).toBe('errors')
    expect(result.significance.beyondNoise).toBe(true)
    expect(result.worst[0].group).toContain('city = Celle')
    expect(result.worst[0].gap).toBeGreaterThan(0.3)
    expect((await audit(tableOf(drawWorld(2000, 26)), options)).significance.noise).toBe('labels')
  })

  it('counts rows as rows: equal weights change no number but the sum of weights', async () => {
    const rows = drawWorld(3000, 31)
    const { rows: counted, ...plain } = await audit(tableOf(rows), { ...options, draws: 0 })
    const weighted = tableOf(rows.map(row => ({ ...row, weight: 0.3 })))
    const { rows: given, ...same } = await audit(weighted, {
      ...options,
      ...{ except: [], weight: 'weight', draws: 0 },
    })
    const sizes = ({ worst }: Pick<typeof plain, 'worst'>) =>
      worst.map(({ gap, group, weight }) => [group, Math.round(weight), gap.toFixed(9)])
    expect(sizes(same)).toEqual(sizes(plain))
    expect(given).toMatchObject({ rowCount: 3000 })
    // Weights are counted in whole parts of the largest.
    expect(given.weight).toBeCloseTo(900, 1)
    expect([given.effectiveRows, counted.effectiveRows, counted.weight]).toEqual([3000, 3000, 3000])
  })

  it('ends when it is cancelled', async () => {
    const control = new AbortController()
    const running = audit(tableOf(drawWorld(4000, 17)), { ...options, signal: control.signal })
    control.abort()
    expect((await failureOf(running)).code).toBe('FB_ABORTED')
  })

  it.each([
    ['an unknown option', { prediciton: 'score' }, 'Did you mean "prediction"?'],
    ['deeper trees', { auditors: trees({ depth: 3 }) }, 'an audit cannot search deeper trees'],
    ['a confidence of 1', { confidence: 1 }, 'option "confidence" is 1'],
    ['no score', { prediction: undefined }, 'the option "prediction" is needed'],
  ])('refuses %s', async (_, wrong, message) => {
    const given = { ...options, ...wrong } as unknown as AuditOptions
    expect((await failureOf(audit(tableOf(drawWorld(10, 1)), given))).message).toContain(message)
  })
})
