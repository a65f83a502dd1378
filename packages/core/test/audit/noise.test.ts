// What an audit takes for noise: labels of 0 and 1 whatever the labels are, and one error rate where scores leave nothing to chance.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseNoise } from '../../src/audit/noise.ts'
import { treeSpace } from '../../src/audit/worst/space.ts'
import { findWorstGroups, type WorstGroups } from '../../src/audit/worst/worstGroups.ts'
import { openRows } from '../../src/data/openRows.ts'
import { FIT } from '../../src/engine/engine.ts'
import { audit, referenceEngine, type Table, tableFromRows, trees } from '../../src/index.ts'
import { makeRandom, type Random } from '../../src/internal.ts'
import { openFamily } from '../../src/oracle/groups/family.ts'
import { encodeTable } from '../../src/quantize/encoding.ts'
import { binCount } from '../../src/quantize/schema.ts'
import { joinedSource, learnEncoding } from '../../src/store/encode.ts'

interface Row {
  readonly age: number
  readonly city: string
  readonly score: number
  readonly y: number
}

type DrawRow = (random: Random, row: number, city: string) => Pick<Row, 'score' | 'y'>

function drawTable(count: number, seed: number, draw: DrawRow): Table {
  const random = makeRandom(seed)
  const rows = Array.from({ length: count }, (_, row): Row => {
    const city = ['Aachen', 'Bonn', 'Celle', 'Düren'][random.integer(4)]
    return { age: random.integer(6), city, ...draw(random, row, city) }
  })
  return tableFromRows(rows as unknown as Record<string, unknown>[])
}

/** Rows are drawn independently of each other, though some are alike. */
const COPIES = { copies: 'independent' } as const
const OPTIONS = {
  ...{ label: 'y', prediction: 'score', bins: 1, coarseBins: 6, draws: 39, threads: 1 },
  ...COPIES,
} as const
const flip = (random: Random, chance: number) => Number(random.next() < chance)
const rareScore = (random: Random) => 0.02 + 0.06 * random.next()

const WORLDS: Readonly<Record<string, DrawRow>> = {
  'one label of 0.5 among labels of 0 and 1': (random, row) => {
    const score = rareScore(random)
    return { score, y: row === 0 ? 0.5 : flip(random, score) }
  },
  'labels that are mostly 0': random => {
    const score = rareScore(random)
    return { score, y: flip(random, 2 * score) * random.next() }
  },
  'shares of three trials': random => {
    const score = 0.1 + 0.8 * random.next()
    return { score, y: (flip(random, score) + flip(random, score) + flip(random, score)) / 3 }
  },
  'hard scores that are wrong at one rate': random => {
    const score = flip(random, 0.3)
    return { score, y: flip(random, score === 1 ? 0.9 : 0.1) }
  },
}

/** The search of an audit, and the noise that an audit would choose, without its measures. */
async function searchMany(draw: DrawRow, count: number): Promise<WorstGroups[]> {
  const found: WorstGroups[] = []
  for (let seed = 1; seed <= count; seed++) found.push(await search(drawTable(600, seed, draw)))
  return found
}

async function search(table: Table): Promise<WorstGroups> {
  const opened = await openRows(table, { label: 'y', prediction: 'score', ...COPIES }, { keyed: true })
  const encoding = learnEncoding(opened.learnable, trees(), { bins: 255, coarseBins: 6, rare: 0 })
  const schemas = encoding.features
  const engine = await referenceEngine(joinedSource(opened, [{ encoding }]))
  const features = schemas.map((_, feature) => feature)
  const family = await openFamily(engine, { fold: FIT, levels: 1, depth: 1, schemas, features })
  const { bins } = encodeTable(encoding, { rowCount: table.rowCount, columns: opened.learnable.features }, {})
  return await findWorstGroups(treeSpace(family), {
    ...{ noise: await chooseNoise(engine), features: schemas, score: 'score', signal: undefined },
    ...{ confidence: 0.95, significance: 0.01, draws: 39, budget: 60, listed: 1 },
    sample: {
      ...{ rowCount: table.rowCount, bins, binCounts: schemas.map(binCount) },
      predictions: opened.learnable.start!,
    },
  })
}

describe('an audit of right scores', () => {
  it.each(Object.keys(WORLDS))('has no small p-values too often, and intervals that hold: %s', async name => {
    const found = await searchMany(WORLDS[name], 60)
    const upTo = (p: number) => found.filter(({ significance }) => significance.p <= p).length
    expect(found.every(({ significance }) => significance.testCount > 4)).toBe(true)
    // More than so many of 60 are seen once in 300 times.
    expect(upTo(0.05)).toBeLessThanOrEqual(8)
    expect(upTo(0.2)).toBeLessThanOrEqual(21)
    // The true gap of every group is 0, but for hard scores.
    if (found[0].significance.noise === 'errors') return
    const missed = found.filter(({ worst: [{ interval }] }) => interval.low > 0 || interval.high < 0)
    expect(missed.length).toBeLessThanOrEqual(8)
  })

  it('finds labels between 0 and 1 off where labels of 0 and 1 with the same means would be', async () => {
    const draw: DrawRow = (random, _, city) => {
      const score = 0.2 + 0.4 * random.next()
      return { score, y: score + (city === 'Celle' ? 0.2 : 0) + 0.1 * (random.next() - 0.5) }
    }
    const found = await audit(drawTable(1500, 5, draw), OPTIONS)
    expect(found.significance).toMatchObject({ noise: 'labels', beyondNoise: true })
    expect(found.worst[0].group).toBe('city = Celle')
    expect(found.worst[0].gap).toBeCloseTo(0.2, 1)
    expect(found.worst[0].interval.low).toBeGreaterThan(0)
  })
})

describe('hard scores', () => {
  const wrongIn =
    (rate: number, inCelle: number): DrawRow =>
    (random, _, city) => {
      const score = flip(random, 0.4)
      return { score, y: flip(random, city === 'Celle' ? inCelle : rate) === 1 ? 1 - score : score }
    }

  it('are tested against their overall error rate, which is said', async () => {
    const { significance, worst } = await audit(drawTable(2000, 7, wrongIn(0.1, 0.1)), OPTIONS)
    expect(significance).toMatchObject({ noise: 'errors', beyondNoise: false })
    expect(significance.errorRate).toBeCloseTo(0.1, 1)
    expect(significance.sentence).toMatch(
      /^Scores leave next to nothing to chance, and labels differ from them at a rate of 0\.\d+\. No group among \d+ differs from that rate by more than noise/,
    )
    expect(worst[0].test).toContain(' against an error rate of 0.')
  })

  it('are found off where they are wrong more often, though they are wrong everywhere', async () => {
    const options = { ...OPTIONS, bins: 2 }
    const { significance, tooHigh, tooLow, worst } = await audit(
      drawTable(2000, 8, wrongIn(0.1, 0.25)),
      options,
    )
    expect(significance.beyondNoise).toBe(true)
    expect(worst[0].group).toContain('city = Celle')
    expect(tooLow.every(({ gap }) => gap > 0)).toBe(true)
    expect(tooHigh.every(({ gap }) => gap < 0)).toBe(true)
    expect([...tooLow, ...tooHigh].some(({ group }) => group.startsWith('city = Celle'))).toBe(true)
  })

  it('that are wrong more often than not are tested against even odds', async () => {
    const { significance } = await audit(drawTable(2000, 9, wrongIn(0.8, 0.8)), OPTIONS)
    expect(significance).toMatchObject({ noise: 'errors', errorRate: 0.5, beyondNoise: true })
  })

  it('are not what scores are that speak of a small chance, and can be tested: these are off', async () => {
    const rare: DrawRow = random => ({ score: 0.002, y: flip(random, 0.05) })
    const { significance } = await audit(drawTable(8000, 10, rare), OPTIONS)
    expect(significance).toMatchObject({ noise: 'labels', beyondNoise: true })
    expect(significance.errorRate).toBeUndefined()
  })
})

/** Chances of values; values lie between 0 and 1. */
type Law = readonly (readonly [chance: number, value: number])[]

const meanOf = (law: Law): number => law.reduce((sum, [chance, value]) => sum + chance * value, 0)

/** E[of(labels)] over all independent labels. */
function expectation(laws: readonly Law[], of: (labels: readonly number[]) => number): number {
  const [first, ...rest] = laws
  if (first === undefined) return of([])
  return first.reduce(
    (sum, [chance, value]) => sum + chance * expectation(rest, labels => of([value, ...labels])),
    0,
  )
}

describe('labels between 0 and 1', () => {
  // Hoeffding 1963: a convex function of a label is on average at most that of a label of 0 or 1 with the same mean.
  it('make the largest statistic of any groups exceed any height by less, on average, than labels of 0 and 1', () => {
    const lawArbitrary = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 8 })), {
        minLength: 1,
        maxLength: 3,
      })
      .map((pairs): Law => {
        const total = pairs.reduce((sum, [part]) => sum + part, 0)
        return pairs.map(([part, eighths]) => [part / total, eighths / 8])
      })
      .filter(law => meanOf(law) > 0 && meanOf(law) < 1)
    const cases = fc.record({
      laws: fc.array(lawArbitrary, { minLength: 2, maxLength: 5 }),
      groups: fc.array(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 4 }),
      weights: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 5, maxLength: 5 }),
      height: fc.double({ min: 0, max: 6, noNaN: true }),
    })
    fc.assert(
      fc.property(cases, ({ groups, height, laws, weights }) => {
        const scores = laws.map(meanOf)
        const largest = (labels: readonly number[]) =>
          groups.reduce((most, group) => {
            let [residual, variance] = [0, 0]
            labels.forEach((label, row) => {
              if (((group >> row) & 1) === 0) return
              residual += weights[row] * (label - scores[row])
              variance += weights[row] ** 2 * scores[row] * (1 - scores[row])
            })
            return variance > 0 ? Math.max(most, residual ** 2 / variance) : most
          }, 0)
        const excess = (labels: readonly number[]) => Math.max(0, largest(labels) - height)
        const drawn = scores.map(
          (score): Law => [
            [score, 1],
            [1 - score, 0],
          ],
        )
        expect(expectation(laws, excess)).toBeLessThanOrEqual(expectation(drawn, excess) + 1e-9)
      }),
      { numRuns: 300 },
    )
  })
})
