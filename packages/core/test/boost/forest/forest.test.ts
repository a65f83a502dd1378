// Forests: every sum and split against brute force on small tables, the same trees from both kernels, in any row order and
// with any number of threads; and what cross-fitting promises.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseClip, combineForests } from '../../../src/boost/forest/crossFit.ts'
import { growForest, partsFor, rulesFor } from '../../../src/boost/forest/growForest.ts'
import {
  type GrowthNews,
  growParts,
  type PlantedPart,
  plantTree,
} from '../../../src/boost/forest/growParts.ts'
import { ForestCollector, type ForestRows, scoreBins, scoreCuts } from '../../../src/boost/forest/rows.ts'
import { LIGHTGBM_CATEGORIES } from '../../../src/boost/forest/splits.ts'
import { ForestTrainer, type GrownTree } from '../../../src/boost/forest/trainer.ts'
import { logLossUnits, moveOdds } from '../../../src/common/logistic.ts'
import { makeRandom } from '../../../src/common/random.ts'
import { ONE } from '../../../src/common/units.ts'
import { newtonStep } from '../../../src/engine/memory/forest/growTree.ts'
import { firstDerivative, secondDerivative } from '../../../src/engine/memory/forest/twin.ts'
import { findBestSplit } from './findBestSplit.ts'

const PARTS = partsFor(1000)

const FEATURES = [
  { bins: 7, ordered: true },
  { bins: 5, ordered: false },
]

/** Missing values in both columns; the score is off where the category is 2. */
function drawRows(rowCount: number, seed: number, weighted = false): ForestRows {
  const random = makeRandom(seed)
  const part = new Uint8Array(rowCount)
  const [a, b] = [new Uint8Array(rowCount), new Uint8Array(rowCount)]
  const [label, start, weight] = [0, 1, 2].map(() => new Int32Array(rowCount))
  for (let row = 0; row < rowCount; row++) {
    a[row] = random.integer(7)
    b[row] = random.integer(5)
    part[row] = random.integer(PARTS)
    const score = 0.1 + 0.8 * random.next()
    const truth = b[row] === 2 ? score / 2 : a[row] === 6 ? Math.sqrt(score) : score
    start[row] = Math.round(score * ONE)
    label[row] = random.next() < truth ? ONE : 0
    weight[row] = 1 + random.integer(3)
  }
  return { rowCount, bins: [a, b], features: FEATURES, label, start, part, ...(weighted && { weight }) }
}

const RULES = { ...rulesFor(1000), roundLimit: 5, leaves: 6 }

const reorder = (rows: ForestRows, order: readonly number[]): ForestRows => {
  const words = (column: Int32Array) => Int32Array.from(order, row => column[row])
  const bytes = (column: Uint8Array) => Uint8Array.from(order, row => column[row])
  return {
    ...rows,
    rowCount: order.length,
    bins: rows.bins.map(bytes),
    label: words(rows.label),
    start: words(rows.start),
    part: bytes(rows.part),
    ...(rows.weight !== undefined && { weight: words(rows.weight) }),
  }
}

describe('a forest', () => {
  it('is the same from both kernels, in any order of rows', () => {
    for (const weighted of [false, true]) {
      const rows = drawRows(500, 3, weighted)
      const cuts = scoreCuts(rows.start)
      const grown = new ForestTrainer(rows, cuts, RULES, 'wasm').train(1)
      expect(grown.trees).toHaveLength(5)
      expect(new ForestTrainer(rows, cuts, RULES, 'twin').train(1)).toEqual(grown)
      const order = Array.from({ length: 500 }, (_, row) => (row * 7 + 3) % 500)
      const turned = reorder(rows, order)
      expect(scoreCuts(turned.start)).toEqual(cuts)
      expect(new ForestTrainer(turned, cuts, RULES).train(1)).toEqual(grown)
    }
  })

  it('counts a row of weight 2 as two rows', () => {
    const rows = drawRows(200, 5)
    const doubled = reorder(
      rows,
      Array.from({ length: 400 }, (_, index) => index >> 1),
    )
    const weighted = { ...rows, weight: new Int32Array(200).fill(2) }
    const cuts = scoreCuts(rows.start)
    const grown = new ForestTrainer(doubled, cuts, RULES).train(0)
    expect(new ForestTrainer(weighted, cuts, RULES).train(0)).toEqual(grown)
  })

  it('knows how far weights with fractions were scaled', () => {
    const rows = drawRows(400, 6, true)
    const cuts = scoreCuts(rows.start)
    const grown = new ForestTrainer(rows, cuts, RULES).train(0)
    const scaled = { ...rows, weight: rows.weight!.map(weight => 1024 * weight) }
    expect(new ForestTrainer({ ...scaled, weightScale: 1024 }, cuts, RULES).train(0)).toEqual(grown)
    expect(new ForestTrainer(scaled, cuts, RULES).train(0)).not.toEqual(grown)
  })

  it('takes the Newton step of every leaf, and its losses are those of its trees', () => {
    const rows = drawRows(400, 8)
    const cuts = scoreCuts(rows.start)
    const score = scoreBins(rows.start, cuts)
    const { losses, trees } = new ForestTrainer(rows, cuts, { ...RULES, roundLimit: 3 }).train(2)
    const steps = new Int32Array(rows.rowCount)
    const predictions = () => Array.from(rows.start, (start, row) => moveOdds(start, steps[row]))
    const meanLoss = () => {
      const held = predictions().flatMap((p, row) =>
        rows.part[row] === 2 ? [Math.floor(logLossUnits(rows.label[row], p) / 16 + 0.5)] : [],
      )
      return held.reduce((sum, loss) => sum + loss, 0) / held.length / 2 ** 20
    }
    const leafOf = (tree: GrownTree, row: number): GrownTree & { step: number } => {
      let node = tree
      while (!('step' in node)) {
        const { split } = node
        const missing =
          split.kind === 'atMost' && rows.bins[split.feature][row] === FEATURES[split.feature].bins - 1
        const yes =
          split.kind === 'score'
            ? score[row] <= split.bin
            : split.kind === 'in'
              ? split.bins.includes(rows.bins[split.feature][row])
              : split.kind === 'missing'
                ? rows.bins[split.feature][row] === FEATURES[split.feature].bins - 1
                : missing
                  ? split.missing
                  : rows.bins[split.feature][row] <= split.bin
        node = yes ? node.yes : node.no
      }
      return node
    }
    expect(losses[0]).toBeCloseTo(meanLoss(), 12)
    trees.forEach((tree, round) => {
      const now = predictions()
      const sums = new Map<GrownTree, { first: number; second: number }>()
      for (let row = 0; row < rows.rowCount; row++) {
        if (rows.part[row] === 2) continue
        const leaf = leafOf(tree, row)
        const sum = sums.get(leaf) ?? { first: 0, second: 0 }
        sum.first += firstDerivative(rows.label[row], now[row])
        sum.second += secondDerivative(now[row])
        sums.set(leaf, sum)
      }
      expect(sums.size).toBeGreaterThan(2)
      for (const [leaf, { first, second }] of sums) {
        const step = Math.round(RULES.rate * newtonStep(first, second, RULES.ridge) * ONE)
        expect((leaf as { step: number }).step).toBe(step)
      }
      for (let row = 0; row < rows.rowCount; row++) steps[row] += leafOf(tree, row).step
      expect(losses[round + 1]).toBeCloseTo(meanLoss(), 12)
    })
  })
})

describe('the best split', () => {
  const sumsArbitrary = fc.array(
    fc.record({ first: fc.integer({ min: -40, max: 40 }), rows: fc.integer({ min: 0, max: 40 }) }),
    { minLength: 7 + 4, maxLength: 7 + 4 },
  )

  it('of ordered bins is the best of all cuts, missing values on either side or alone', () => {
    fc.assert(
      fc.property(sumsArbitrary, cells => {
        const features = [
          { bins: 7, ordered: true },
          { bins: 4, ordered: true },
        ]
        const unit = { first: 2 ** 12, second: 2 ** 8 }
        const scaled = cells.map(({ first, rows }) => [
          rows === 0 ? 0 : first * unit.first,
          rows * unit.second,
        ])
        // Both features see the same rows: the score's last bin takes what the first feature has more.
        const total = [0, 1].map(k => scaled.slice(0, 7).reduce((sum, cell) => sum + cell[k], 0))
        const others = [0, 1].map(k => scaled.slice(7, 10).reduce((sum, cell) => sum + cell[k], 0))
        scaled[10] = [total[0] - others[0], Math.max(0, total[1] - others[1])]
        const rules = { ridge: 1, leastVariance: 0.25, leastGain: 0 }
        const found = findBestSplit(
          Float64Array.from(scaled.flat()),
          features,
          { first: total[0], second: total[1] },
          rules,
        )
        const value = (first: number, second: number) => (first / 2 ** 18) ** 2 / (second / 2 ** 12 + 1)
        const sides: number[][] = []
        for (let cut = 0; cut < 5; cut++) {
          const low = Array.from({ length: cut + 1 }, (_, bin) => bin)
          sides.push(low, [...low, 6])
        }
        sides.push([6])
        for (let cut = 0; cut < 3; cut++) sides.push(Array.from({ length: cut + 1 }, (_, bin) => 7 + bin))
        let best = 0
        for (const side of sides) {
          const [first, second] = [0, 1].map(k => side.reduce((sum, bin) => sum + scaled[bin][k], 0))
          if (second < 2 ** 10 || total[1] - second < 2 ** 10) continue
          const gain =
            value(first, second) + value(total[0] - first, total[1] - second) - value(total[0], total[1])
          best = Math.max(best, gain / 2)
        }
        expect(found?.gain ?? 0).toBeCloseTo(best, 9)
      }),
    )
  })

  it('is the same from both kernels, whatever the features and rules', () => {
    const feature = fc.record({ bins: fc.integer({ min: 2, max: 256 }), ordered: fc.boolean() })
    const arbitrary = fc.record({
      features: fc.array(feature, { maxLength: 4 }),
      scoreBins: fc.integer({ min: 1, max: 256 }),
      emptiness: fc.constantFrom(0, 0.3, 0.95),
      seed: fc.nat(),
      rules: fc.record(
        {
          ridge: fc.constantFrom(0, 0.5, 3),
          leastVariance: fc.constantFrom(0.001, 1),
          leastGain: fc.constantFrom(0, 0.1),
          leastRows: fc.constantFrom(1, 20, 160),
          categories: fc.constant(LIGHTGBM_CATEGORIES),
        },
        { requiredKeys: ['ridge', 'leastVariance', 'leastGain'] },
      ),
    })
    fc.assert(
      fc.property(arbitrary, ({ emptiness, features, rules, scoreBins: last, seed }) => {
        const random = makeRandom(seed)
        const all = [...features, { bins: last, ordered: true }]
        const rows = 400
        const sums = all.flatMap(({ bins }) => {
          const cells = Array.from({ length: 2 * bins }, () => 0)
          for (let row = 0; row < rows; row++) {
            const bin = random.next() < emptiness ? 0 : random.integer(bins)
            cells[2 * bin] += (row % 7 < 2 ? 180_000 : -80_000) + (bin % 3) * 9000
            cells[2 * bin + 1] += 800 + (row % 5)
          }
          return cells
        })
        const scores = sums.slice(-2 * last)
        const [first, second] = [0, 1].map(k =>
          scores.reduce((sum, one, at) => sum + (at % 2 === k ? one : 0), 0),
        )
        const found = findBestSplit(Float64Array.from(sums), all, { first, second, rows }, rules)
        if (found !== undefined) expect(found.gain).toBeGreaterThan(rules.leastGain)
      }),
    )
  })

  it('of categories pays for the order it was free to choose', () => {
    const random = makeRandom(4)
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
    let [found, draws] = [0, 0]
    for (; draws < 200; draws++) {
      // 40 categories of 400 rows each at even odds, and nothing but noise in them: sums with variance 100.
      const sums = new Float64Array(2 * 42)
      for (let bin = 0; bin < 40; bin++) {
        sums[2 * bin] = Math.round(10 * normal() * 2 ** 18)
        sums[2 * bin + 1] = 100 * 2 ** 12
      }
      const first = sums.filter((_, index) => index % 2 === 0).reduce((sum, one) => sum + one, 0)
      sums[82] = first
      sums[83] = 4000 * 2 ** 12
      const features = [
        { bins: 41, ordered: false },
        { bins: 1, ordered: true },
      ]
      const rules = { ridge: 0, leastVariance: 1, leastGain: 6 }
      if (findBestSplit(sums, features, { first, second: sums[83] }, rules) !== undefined) found++
    }
    // Without the charge every draw would be split, at a gain of about 12 nats.
    expect(found / draws).toBeLessThan(0.2)
  })
})

describe('cross-fitted forests', () => {
  it('are the same with one thread and with several', async () => {
    const rows = drawRows(6000, 9)
    const rules = { roundLimit: 8 }
    const alone = await growForest(rows, { threads: 1, rules })
    expect(alone.update?.trees).toHaveLength(PARTS * alone.rounds)
    expect(await growForest(rows, { threads: 3, rules })).toEqual(alone)
  })

  it('lower the loss of rows that none of them has seen where there is something to learn, and else do nothing', async () => {
    const { losses, rounds, update } = await growForest(drawRows(4000, 10))
    expect(losses[rounds]).toBeLessThan(losses[0] - 0.01)
    expect(update?.kind).toBe('forest')
    const random = makeRandom(2)
    let left = 0
    for (let world = 0; world < 20; world++) {
      const rows = drawRows(1500, 100 + world)
      const right = { ...rows, label: rows.start.map(score => (random.next() < score / ONE ? ONE : 0)) }
      const kept = await growForest(right)
      const loss = kept.losses[0] - kept.losses[kept.rounds]
      expect(loss).toBeLessThan(0.004)
      if (kept.update === undefined || kept.rounds <= 8) left++
    }
    expect(left).toBeGreaterThan(14)
  })

  it('are averaged, and end where all parts together are best', () => {
    const leaf = (step: number) => plantTree({ step }, new Int32Array(0))
    const forests = [
      { trees: [leaf(10), leaf(20), leaf(30)], losses: [1, 0.8, 0.7, 0.9] },
      { trees: [leaf(-5)], losses: [1, 0.9] },
    ]
    const fitted = combineForests(forests, [1, 1], 7)
    expect(fitted.losses.map(loss => Math.round(100 * loss) / 100)).toEqual([1, 0.85, 0.8, 0.9])
    expect(fitted.rounds).toBe(2)
    expect(fitted.update).toEqual({
      kind: 'forest',
      clip: 7,
      trees: [5, 10, -2].map(step => ({ tree: { leaf: 0 }, steps: [step] })),
    })
    expect(combineForests([{ trees: [leaf(1)], losses: [1, 2] }], [1], 1).update).toBeUndefined()
  })

  it('change nothing where the parts disagree whether it helps', () => {
    const forest = (gain: number) => ({
      trees: [plantTree({ step: 5 }, new Int32Array(0))],
      losses: [1, 1 - gain],
    })
    // A mean gain of 0.1; its standard error over three parts is 0.1 times 1.2, and times 0.6.
    const [wide, narrow] = [1.2, 0.6].map(spread => [
      0.1,
      0.1 + 0.1 * spread * Math.sqrt(3),
      0.1 - 0.1 * spread * Math.sqrt(3),
    ])
    const rounds = (gains: readonly number[], sureness?: number) =>
      combineForests(gains.map(forest), [1, 1, 1], 1, sureness).rounds
    expect([rounds(wide), rounds(wide, 1), rounds(narrow, 1), rounds(narrow, 2)]).toEqual([1, 0, 1, 0])
    expect(combineForests(wide.map(forest), [1, 1, 1], 1, 1).update).toBeUndefined()
  })

  it('need rows in two parts', async () => {
    const rows = drawRows(50, 1)
    const grown = await growForest({ ...rows, part: new Uint8Array(50) })
    expect(grown).toEqual({ update: undefined, losses: [], rounds: 0 })
  })

  it('tell about every tree, and of every forest when it is done', () => {
    const rows = drawRows(300, 2)
    const cuts = scoreCuts(rows.start)
    const news: GrowthNews[] = []
    growParts({ rows, cuts, rules: RULES, parts: [3, 1] }, each => news.push(each))
    const forests = news.filter(each => 'losses' in each)
    expect(forests.map(({ part }) => part)).toEqual([3, 1])
    const told = news.flatMap(each => ('loss' in each && each.part === 3 ? [each.loss] : []))
    expect(told).toEqual(forests[0].losses.slice(1))
    expect(forests[0].trees).toEqual(
      new ForestTrainer(rows, cuts, RULES).train(3).trees.map(tree => plantTree(tree, cuts)),
    )
  })

  it('that were kept are not grown again, and are kept in the order of their parts', async () => {
    const rows = drawRows(6000, 12)
    const rules = { roundLimit: 4 }
    const kept: PlantedPart[] = []
    const log = { done: new Map(), save: async (part: PlantedPart) => void kept.push(part) }
    const whole = await growForest(rows, { rules, threads: 3, log })
    expect(kept.map(({ part }) => part)).toEqual([0, 1, 2, 3, 4, 5])
    const again: number[] = []
    const done = new Map([kept[0], kept[4]].map(forest => [forest.part, forest]))
    const rest = { done, save: async ({ part }: PlantedPart) => void again.push(part) }
    expect(await growForest(rows, { rules, threads: 2, log: rest })).toEqual(whole)
    expect(again).toEqual([1, 2, 3, 5])
    const failing = { done: new Map(), save: () => Promise.reject(new Error('the disk is full')) }
    await expect(growForest(rows, { rules, threads: 2, log: failing })).rejects.toThrow('the disk is full')
  })

  it('never add up to more than their sum can hold', () => {
    const leaf = plantTree({ step: 2 ** 29 }, new Int32Array(0))
    const forest = { trees: Array(9).fill(leaf), losses: [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] }
    expect(combineForests([forest], [1], 1).rounds).toBe(3)
  })
})

describe('hard scores', () => {
  it('are taken to be as wrong as they are', () => {
    const label = Int32Array.from({ length: 800 }, (_, row) => (row % 8 === 0 ? 0 : ONE))
    const start = new Int32Array(800).fill(ONE)
    const clip = chooseClip(label, start, undefined, logLossUnits)
    expect(clip / ONE).toBeCloseTo(1 / 8, 6)
    const soft = start.map(() => Math.round(0.875 * ONE))
    expect(chooseClip(label, soft, undefined, logLossUnits)).toBe(1)
  })
})

describe('rows for a forest', () => {
  const features = [{ bins: 256, ordered: true }]
  const chunkOf = (from: number, to: number, fold?: Uint8Array) => {
    const rows = Array.from({ length: to - from }, (_, index) => from + index)
    return {
      rowCount: rows.length,
      bins: [Uint8Array.from(rows, row => row & 255)],
      signals: [],
      label: Int32Array.from(rows),
      start: Int32Array.from(rows, row => 2 * row),
      key: Int32Array.from(rows, row => Math.imul(row, 2654435761)),
      ...(fold !== undefined && { fold: fold.subarray(from, to) }),
    }
  }

  it('are the fitting rows, in parts of about one size, however they came', () => {
    const fold = Uint8Array.from({ length: 4000 }, (_, row) => Number(row % 5 === 0))
    const collect = (steps: readonly number[]) => {
      const collector = new ForestCollector(features, { parts: 4, rowCount: 4000, weighted: false })
      for (const [index, to] of steps.slice(1).entries()) collector.add(chunkOf(steps[index], to, fold))
      return collector.finish()
    }
    const rows = collect([0, 4000])
    expect(rows.rowCount).toBe(3200)
    expect(collect([0, 17, 2500, 4000])).toEqual(rows)
    expect(Array.from(rows.label)).not.toContain(0)
    const sizes = [0, 1, 2, 3].map(part => rows.part.filter(one => one === part).length)
    for (const size of sizes) expect(Math.abs(size - 800)).toBeLessThan(80)
  })

  it('know what a weight of 1 became', () => {
    const options = { parts: 4, rowCount: 4000, weighted: false }
    expect(new ForestCollector(features, { ...options, weightScale: 8 }).finish().weightScale).toBe(8)
    expect(new ForestCollector(features, options).finish()).not.toHaveProperty('weightScale')
  })

  it('are a sample of them where there are too many', () => {
    const collector = new ForestCollector(features, { parts: 4, rowCount: 4000, weighted: false }, 1000)
    collector.add(chunkOf(0, 4000))
    const { rowCount } = collector.finish()
    expect(Math.abs(rowCount - 1000)).toBeLessThan(100)
  })
})

describe('cuts of the score', () => {
  it('leave about equally many rows in each bin, and lie between different scores', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: ONE }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 10 }),
        (scores, most) => {
          const start = Int32Array.from(scores)
          const cuts = scoreCuts(start, most)
          expect(cuts.length).toBeLessThanOrEqual(most)
          expect([...cuts].every((cut, index) => index === 0 || cut > cuts[index - 1])).toBe(true)
          const bins = scoreBins(start, cuts)
          bins.forEach((bin, row) => {
            expect(bin === 0 || cuts[bin - 1] <= start[row]).toBe(true)
            expect(bin === cuts.length || start[row] < cuts[bin]).toBe(true)
          })
          expect(new Set(bins).size).toBe(cuts.length + 1)
        },
      ),
    )
  })
})
