// Intervals: how often they hold on drawn samples, what they do where nothing varies, and differences of two scores.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureBoostError } from '../../../src/common/errors.ts'
import { makeRandom, type Random } from '../../../src/common/random.ts'
import { type Comparisons, compareMeasures } from '../../../src/measures/score/compare.ts'
import { segmentError } from '../../../src/measures/score/mce.ts'
import type { Estimate, ScoredRows } from '../../../src/measures/score/scoredRows.ts'
import { scoreMeasures } from '../../../src/measures/score/scoreMeasures.ts'
import type { ScoreMeasureName } from '../../../src/measures/score/table.ts'
import { rowArrays, toRows } from './rowsArbitrary.ts'

const NAMES: ScoreMeasureName[] = [
  'brier',
  'logLoss',
  'auc',
  'prAuc',
  'eceWidth',
  'eceMass',
  'smoothEce',
  'ecce',
]

/** Predictions on a fine lattice, so that the population is a table and its measures are exact. */
interface Population {
  readonly score: (u: number) => number
  readonly other: (u: number) => number
  readonly chance: (u: number) => number
  readonly weight?: (u: number) => number
}

const LATTICE = 200
const at = (index: number) => (index + 0.5) / LATTICE
const steeper = (p: number) => (p * p) / (p * p + (1 - p) * (1 - p))

const POPULATIONS: Record<string, Population> = {
  right: { score: u => u, other: u => 0.1 + 0.8 * u, chance: u => u },
  wrong: { score: u => u, other: u => 0.1 + 0.8 * u, chance: steeper },
  shifted: { score: u => 0.8 * u, other: u => 0.8 * u + 0.1, chance: u => 0.8 * u + 0.2 },
  tied: {
    score: u => (Math.floor(8 * u) + 0.5) / 8,
    other: u => u,
    chance: u => (Math.floor(8 * u) + 0.5) / 8,
  },
  rare: { score: u => 0.01 + 0.1 * u * u, other: u => 0.02 + 0.1 * u * u, chance: u => 0.01 + 0.1 * u * u },
  veryRare: { score: u => 0.001 + 0.02 * u * u, other: () => 0.01, chance: u => 0.001 + 0.02 * u * u },
  weighted: { score: u => u, other: u => u * u, chance: u => u, weight: u => 1 + ((1000 * u) % 5) },
}

function populationRows({ chance, weight }: Population, score: (u: number) => number): ScoredRows {
  const all = Array.from({ length: LATTICE }, (_, index) => at(index))
  return {
    predictions: all.flatMap(u => [score(u), score(u)]),
    labels: all.flatMap(() => [1, 0]),
    weights: all.flatMap(u => [chance(u), 1 - chance(u)].map(p => p * (weight?.(u) ?? 1))),
  }
}

function sample({ score, other, chance, weight }: Population, rowCount: number, random: Random) {
  const drawn = Array.from({ length: rowCount }, () => at(random.integer(LATTICE)))
  const rest = {
    labels: drawn.map(u => Number(random.next() < chance(u))),
    ...(weight && { weights: drawn.map(weight) }),
  }
  return { a: { predictions: drawn.map(score), ...rest }, b: { predictions: drawn.map(other), ...rest } }
}

const holds = ({ low, high }: Estimate, truth: number) => low <= truth + 1e-9 && truth <= high + 1e-9

describe('intervals hold', () => {
  // Equal-mass bins follow the sample, so the population has no one value for them, unless it is 0.
  const tested = NAMES.filter(name => name !== 'eceMass')
  const kinked = ['eceWidth', 'eceMass', 'smoothEce', 'ecce'] as const
  const populations = Object.entries(POPULATIONS)
  const right = ['right', 'tied', 'rare', 'weighted', 'veryRare']

  interface Drawn extends ReturnType<typeof sample> {
    readonly name: string
    readonly seed: number
    readonly truth: readonly ReturnType<typeof scoreMeasures>[]
  }

  /** How often `check` says yes of each thing it names, over samples of populations. */
  function shares(runs: number, names: readonly string[], check: (drawn: Drawn) => Record<string, boolean>) {
    const answers = new Map<string, boolean[]>()
    for (const [name, population] of populations.filter(([name]) => names.includes(name))) {
      const random = makeRandom(name.length)
      const truth = [population.score, population.other].map(score =>
        scoreMeasures(populationRows(population, score)),
      )
      for (let run = 0; run < runs; run++) {
        const drawn = { ...sample(population, 250, random), name, seed: run, truth }
        for (const [key, yes] of Object.entries(check(drawn)))
          answers.set(key, [...(answers.get(key) ?? []), yes])
      }
    }
    return [...answers].map(([key, all]) => [key, all.filter(Boolean).length / all.length] as const)
  }

  it('for one score; and right predictions are seldom called wrong, be there two or three positives in all', () => {
    const names = populations.map(([name]) => name)
    const found = shares(25, names, ({ a, name, seed, truth }) => {
      const measures = scoreMeasures(a, { draws: 100, seed })
      const wrong = kinked.map(each => [`wrong ${each}`, measures[each].low > 0])
      const value = (each: ScoreMeasureName) => truth[0][each]!.value
      const held = name === 'veryRare' ? [] : tested.map(each => [each, holds(measures[each]!, value(each))])
      return Object.fromEntries([...(right.includes(name) ? wrong : []), ...held])
    })
    expect(found.length).toBe(tested.length + kinked.length)
    for (const [key, share] of found) {
      // 150 samples of 95 % vary by 1.8 %. 2.5 % may be called wrong; 125 samples vary by 1.4 %, and 100 draws by 1 % more.
      if (key.startsWith('wrong')) expect(share, key).toBeLessThanOrEqual(0.07)
      else expect(share, key).toBeGreaterThanOrEqual(0.9)
    }
  })

  it('for the difference of two', () => {
    const names = populations.map(([name]) => name).filter(name => name !== 'veryRare')
    const found = shares(6, names, ({ a, b, seed, truth }) => {
      const compared = compareMeasures(a, b, { draws: 100, seed })
      const differs = (name: ScoreMeasureName) => truth[0][name]!.value - truth[1][name]!.value
      return Object.fromEntries(tested.map(name => [name, holds(compared[name]!.difference, differs(name))]))
    })
    expect(found.length).toBe(tested.length)
    // 36 samples vary by 3.6 %; at 250 rows log-loss differences hold in 90 to 94 % of samples (interval.ts says why).
    for (const [key, share] of found)
      expect(share, key).toBeGreaterThanOrEqual(key === 'logLoss' ? 0.78 : 0.84)
  })

  it('for the multicalibration error of segments, in units of its sigma', () => {
    let held = 0
    const runs = 100
    for (let run = 0; run < runs; run++) {
      const random = makeRandom(run)
      const codes = Array.from({ length: 500 }, () => random.integer(3))
      const predictions = codes.map(() => random.next())
      const chance = (row: number) => (codes[row] === 0 ? steeper(predictions[row]) : predictions[row])
      const columns = [{ name: 'g', codes }]
      const options = { minRows: 1 }
      const drawn = predictions.map((_, row) => Number(random.next() < chance(row)))
      const found = segmentError({ predictions, labels: drawn }, columns, options)
      // The truth for these very predictions: labels replaced by their chances, sigmas as found.
      const truth = segmentError(
        { predictions, labels: predictions.map((_, row) => chance(row)) },
        columns,
        options,
      )
      const ratios = truth.segments.map(({ value }, index) => value / found.segments[index].sigma)
      held += Number(holds(found.sigma, Math.max(...ratios))) / runs
    }
    expect(held).toBeGreaterThanOrEqual(0.88)
  })

  it('and can fail: calibration measures of right predictions often exceed what a bootstrap would call their error', () => {
    const random = makeRandom(4)
    let below = 0
    for (let run = 0; run < 25; run++) {
      const { a } = sample(POPULATIONS.right, 250, random)
      const { ecce, eceWidth } = scoreMeasures(a, { draws: 100 })
      below += Number(eceWidth.value - 1.96 * ecce.sigma > 0)
    }
    expect(below).toBeGreaterThan(12)
  })
})

describe('estimates', () => {
  it('do not depend on the order of rows, to the bit, and hold their own value', () => {
    const property = fc.property(rowArrays({ fractional: true, minLength: 2 }), fc.nat(), (rows, turn) => {
      const shuffled = rows.map((_, row) => rows[(row + turn) % rows.length]).reverse()
      const [given, other] = [rows, shuffled].map(each => scoreMeasures(toRows(each), { draws: 100 }))
      expect(other).toEqual(given)
      for (const name of NAMES) {
        const estimate = given[name]
        if (estimate === undefined) continue
        expect(estimate.low).toBeLessThanOrEqual(estimate.value + 1e-12)
        expect(estimate.high).toBeGreaterThanOrEqual(estimate.value - 1e-12)
        expect(estimate.low).toBeGreaterThanOrEqual(0)
        if (name !== 'logLoss') expect(estimate.high).toBeLessThanOrEqual(1)
      }
    })
    fc.assert(property, { numRuns: 25 })
  })

  it('that do not vary in the sample still have an interval', () => {
    const perfect = { predictions: [0, 0, 0, 1, 1, 1], labels: [0, 0, 0, 1, 1, 1] }
    const { auc, prAuc, brier } = scoreMeasures(perfect, { draws: 100 })
    expect(auc).toMatchObject({ value: 1, high: 1 })
    expect(auc!.low).toBeCloseTo(0.025 ** (1 / 3), 12)
    expect(prAuc!.low).toBeGreaterThan(0)
    expect(prAuc!.low).toBeLessThan(auc!.low)
    expect(brier.high).toBeCloseTo(1 - 0.025 ** (1 / 6), 12)
  })

  it('of a ranking with a single positive say nothing', () => {
    const { auc } = scoreMeasures({ predictions: [0.1, 0.5, 0.3], labels: [0, 1, 0] }, { draws: 100 })
    expect(auc).toEqual({ value: 1, low: 0, high: 1 })
  })

  it('are the same for the same seed and refuse options out of range', () => {
    const rows = { predictions: [0.1, 0.5, 0.3], labels: [0, 1, 1] }
    expect(scoreMeasures(rows, { seed: 3 })).toEqual(scoreMeasures(rows, { seed: 3 }))
    for (const options of [{ confidence: 1 }, { bins: 0 }, { draws: 10 }, { seed: -1 }]) {
      expect(() => scoreMeasures(rows, options)).toThrow(FeatureBoostError)
    }
  })

  it('of ECE reach no further up with many bins than with one', () => {
    const { a } = sample(POPULATIONS.right, 400, makeRandom(12))
    const above = (bins: number) => {
      const { eceWidth } = scoreMeasures(a, { bins })
      return eceWidth.high - eceWidth.value
    }
    expect(above(50)).toBeLessThanOrEqual(1.1 * above(1))
  })

  it('narrow with more rows', () => {
    const width = (rowCount: number) => {
      const { ecce, eceWidth, smoothEce, brier } = scoreMeasures(
        sample(POPULATIONS.shifted, rowCount, makeRandom(2)).a,
      )
      return [ecce, eceWidth, smoothEce, brier].map(({ low, high }) => high - low)
    }
    const [few, many] = [width(500), width(8000)]
    few.forEach((wide, index) => {
      expect(many[index]).toBeLessThan(wide / 2.5)
    })
  })
})

describe('comparing two scores', () => {
  const differences = (compared: Comparisons) => NAMES.map(name => compared[name]?.difference)

  it('does not depend on the order of rows, to the bit', () => {
    const property = fc.property(rowArrays({ minLength: 4 }), fc.nat(100), (rows, seed) => {
      const random = makeRandom(seed)
      const others = rows.map(() => random.integer(9) / 8)
      const back = (values: ArrayLike<number>) => Array.from(values).reverse()
      const a = toRows(rows)
      const turned = { predictions: back(a.predictions), labels: back(a.labels), weights: back(a.weights!) }
      const options = { draws: 100 }
      expect(compareMeasures(turned, { ...turned, predictions: back(others) }, options)).toEqual(
        compareMeasures(a, { ...a, predictions: others }, options),
      )
    })
    fc.assert(property, { numRuns: 15 })
  })

  it('finds no difference at all between a score and itself', () => {
    const { a } = sample(POPULATIONS.right, 60, makeRandom(1))
    for (const difference of differences(compareMeasures(a, a, { draws: 100 }))) {
      expect(difference).toEqual({ value: 0, low: 0, high: 0 })
    }
  })

  it('turns round when the scores change places', () => {
    const { a, b } = sample(POPULATIONS.wrong, 200, makeRandom(3))
    const [forth, back] = [compareMeasures(a, b), compareMeasures(b, a)]
    for (const name of ['brier', 'logLoss', 'auc', 'prAuc'] as const) {
      expect(back[name]!.difference.low).toBeCloseTo(-forth[name]!.difference.high, 12)
    }
  })

  it('pairs: two scores that differ little are told apart more finely than on separate rows', () => {
    const random = makeRandom(6)
    const { a } = sample(POPULATIONS.shifted, 4000, random)
    const b = { ...a, predictions: a.predictions.map(p => p + 0.02) }
    const { ecce, smoothEce, brier } = compareMeasures(a, b)
    for (const { a: ofA, b: ofB, difference } of [ecce!, smoothEce!, brier!]) {
      expect(difference.low).toBeGreaterThan(0)
      expect(difference.high - difference.low).toBeLessThan(
        Math.hypot(ofA.high - ofA.low, ofB.high - ofB.low),
      )
    }
  })

  it('takes each score by itself where a single positive says nothing about the pair', () => {
    const a = { predictions: [0.1, 0.5, 0.3], labels: [0, 1, 0] }
    const { auc } = compareMeasures(a, { ...a, predictions: [0.6, 0.5, 0.3] }, { draws: 100 })
    expect(auc!.difference).toEqual({ value: 0.5, low: -1, high: 1 })
  })

  it('refuses other labels, other weights and another number of rows', () => {
    const a = { predictions: [0.1, 0.5], labels: [0, 1] }
    const others = [
      { predictions: [0.1, 0.5], labels: [1, 1] },
      { predictions: [0.1, 0.5], labels: [0, 1], weights: [1, 2] },
      { predictions: [0.1], labels: [0] },
    ]
    for (const b of others) expect(() => compareMeasures(a, b)).toThrow(FeatureBoostError)
  })
})
