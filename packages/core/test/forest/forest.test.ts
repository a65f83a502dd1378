// Forests: every step against brute force on small tables, the same trees from both kernels, in any row order and with any
// number of threads; and what cross-fitting promises.

import { describe, expect, it } from 'vitest'
import { expOfStep, logLossUnits, MAX_STEP, moveOdds } from '../../src/common/logistic.ts'
import { makeRandom } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import { type CombineRules, combineForests } from '../../src/forest/crossFit.ts'
import { type ForestRows, scoreBins, scoreCuts } from '../../src/forest/forestRows.ts'
import { growForest, partsFor, rulesFor } from '../../src/forest/growForest.ts'
import { growParts, type NumberedForest, treeInUnits } from '../../src/forest/growParts.ts'
import { ForestTrainer, type GrownTree } from '../../src/forest/trainer.ts'
import { newtonStep } from '../../src/kernels/forest/growTree.ts'
import { firstDerivative, secondDerivative } from '../../src/kernels/forest/twin.ts'
import { loadKernels } from '../../src/kernels/load.ts'
import { Scratch } from '../../src/kernels/scratch.ts'
import { grow } from './grow.ts'

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

const RULES = { ...rulesFor(1000, 1000), roundLimit: 5, leaves: 6 }

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
  it.each([
    { weighted: false, drawsCuts: false },
    { weighted: true, drawsCuts: false },
    { weighted: false, drawsCuts: true },
    { weighted: true, drawsCuts: true },
  ])('is the same from both kernels, in any order of rows: %o', ({ drawsCuts, weighted }) => {
    const rules = { ...RULES, drawsCuts }
    const rows = drawRows(500, 3, weighted)
    const cuts = scoreCuts(rows.start)
    const grown = grow(new ForestTrainer(rows, cuts, rules, 'wasm'), 1)
    expect(grown.trees).toHaveLength(5)
    expect(grow(new ForestTrainer(rows, cuts, rules, 'twin'), 1)).toEqual(grown)
    const order = Array.from({ length: 500 }, (_, row) => (row * 7 + 3) % 500)
    const turned = reorder(rows, order)
    expect(scoreCuts(turned.start)).toEqual(cuts)
    expect(grow(new ForestTrainer(turned, cuts, rules), 1)).toEqual(grown)
  })

  it('that draws cuts draws others for every tree and every part, and the same again', () => {
    const rows = { ...drawRows(500, 3), part: new Uint8Array(500) }
    const cuts = scoreCuts(rows.start)
    // Small steps: without drawing, one tree after the other would be much the same.
    const trainer = new ForestTrainer(rows, cuts, { ...RULES, rate: 0.001, drawsCuts: true })
    const [one, other] = [grow(trainer, 1).trees, grow(trainer, 2).trees]
    const splitsOf = (tree: GrownTree): string =>
      'step' in tree ? '' : JSON.stringify(tree.split) + splitsOf(tree.yes) + splitsOf(tree.no)
    expect(new Set([...one, ...other].map(splitsOf)).size).toBe(10)
    expect(grow(trainer, 1).trees).toEqual(one)
    const { trees } = grow(new ForestTrainer(rows, cuts, { ...RULES, rate: 0.001 }), 1)
    expect(new Set(trees.map(splitsOf)).size).toBe(1)
  })

  it('of more rows than one word can sum is the same from both kernels', () => {
    // The root learns from 5/6 of them; a word of the kernel holds 131,071.
    const rows = drawRows(170_000, 4)
    const cuts = scoreCuts(rows.start)
    const rules = { ...RULES, roundLimit: 2 }
    const grown = grow(new ForestTrainer(rows, cuts, rules, 'wasm'), 0)
    expect(grown.trees).toHaveLength(2)
    expect(grow(new ForestTrainer(rows, cuts, rules, 'twin'), 0)).toEqual(grown)
  })

  it.each(['wasm', 'twin'] as const)('never moves odds by more than e to the 32nd (%s)', choice => {
    const { kernels, memory } = loadKernels(choice)
    const scratch = new Scratch(memory, 1024)
    const starts = [1, ONE / 2, ONE - 1]
    const order = scratch.write([2, 0, 1])
    const [records, steps, gradients] = [scratch.take(48), scratch.zeros(12), scratch.zeros(24)]
    const [ints, doubles] = [new Int32Array(memory.buffer), new Float64Array(memory.buffer)]
    for (const [row, start] of starts.entries()) {
      doubles[(records >>> 3) + 2 * row] = start
      ints.set([start, 0], (records >>> 2) + 4 * row + 2)
    }
    const oddsAfter = (step: number, times: number) => {
      for (let turn = 0; turn < times; turn++) {
        kernels.forestStep(order, 0, 3, step, expOfStep(step), records, steps, gradients)
      }
      return starts.map((start, row) => doubles[(records >>> 3) + 2 * row] / start)
    }
    expect(oddsAfter(20 * ONE, 4)).toEqual(starts.map(() => expOfStep(MAX_STEP)))
    expect([...ints.subarray(steps >>> 2, (steps >>> 2) + 3)]).toEqual([MAX_STEP, MAX_STEP, MAX_STEP])
    expect(oddsAfter(-20 * ONE, 8)).toEqual(starts.map(() => expOfStep(-MAX_STEP)))
    expect([...ints.subarray(steps >>> 2, (steps >>> 2) + 3)]).toEqual([-MAX_STEP, -MAX_STEP, -MAX_STEP])
  })

  it('counts a row of weight 2 as two rows', () => {
    const rows = drawRows(200, 5)
    const doubled = reorder(
      rows,
      Array.from({ length: 400 }, (_, index) => index >> 1),
    )
    const weighted = { ...rows, weight: new Int32Array(200).fill(2) }
    const cuts = scoreCuts(rows.start)
    const grown = grow(new ForestTrainer(doubled, cuts, RULES), 0)
    expect(grow(new ForestTrainer(weighted, cuts, RULES), 0)).toEqual(grown)
  })

  it('knows how far weights with fractions were scaled', () => {
    const rows = drawRows(400, 6, true)
    const cuts = scoreCuts(rows.start)
    const grown = grow(new ForestTrainer(rows, cuts, RULES), 0)
    const scaled = { ...rows, weight: rows.weight!.map(weight => 1024 * weight) }
    expect(grow(new ForestTrainer({ ...scaled, weightScale: 1024 }, cuts, RULES), 0)).toEqual(grown)
    expect(grow(new ForestTrainer(scaled, cuts, RULES), 0)).not.toEqual(grown)
  })

  it('takes the Newton step of every leaf, and its losses are those of its trees', () => {
    const rows = drawRows(400, 8)
    const cuts = scoreCuts(rows.start)
    const score = scoreBins(rows.start, cuts)
    const { losses, trees } = grow(new ForestTrainer(rows, cuts, { ...RULES, roundLimit: 3 }), 2)
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

describe('cross-fitted forests', () => {
  it('are the same with one thread and with several', async () => {
    const rows = drawRows(6000, 9)
    const rules = { roundLimit: 8 }
    const alone = await growForest(rows, { threads: 1, rules })
    expect(alone.updates.at(-1)!.trees).toHaveLength(PARTS * alone.rounds)
    expect(await growForest(rows, { threads: 3, rules })).toEqual(alone)
  })

  it('lower the loss of rows that none of them has seen where there is something to learn, and else do nothing', async () => {
    const { losses, rounds, updates } = await growForest(drawRows(4000, 10))
    expect(losses[rounds]).toBeLessThan(losses[0] - 0.01)
    expect(updates.at(-1)?.kind).toBe('forest')
    const random = makeRandom(2)
    let left = 0
    for (let world = 0; world < 20; world++) {
      const rows = drawRows(1500, 100 + world)
      const right = { ...rows, label: rows.start.map(score => (random.next() < score / ONE ? ONE : 0)) }
      const kept = await growForest(right)
      const loss = kept.losses[0] - kept.losses[kept.rounds]
      expect(loss).toBeLessThan(0.004)
      if (kept.rounds <= 8) left++
    }
    expect(left).toBeGreaterThan(14)
  })

  it('are averaged, and end where all parts together are best', () => {
    const leaf = (step: number) => treeInUnits({ step }, new Int32Array(0))
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

  it('go further together than each of them would', () => {
    const leaf = treeInUnits({ step: 1 }, new Int32Array(0))
    const forest = { trees: Array(6).fill(leaf), losses: [1, 0.7, 0.6, 0.55, 0.54, 0.53, 0.6] }
    const rounds = (rules?: CombineRules) => combineForests([forest, forest], [1, 1], 1, rules).rounds
    expect(rounds()).toBe(5)
    expect(rounds({ further: 1.2 })).toBe(6)
    expect(rounds({ further: 2 })).toBe(6)
  })

  it('change nothing where the parts disagree whether it helps', () => {
    const forest = (gain: number) => ({
      trees: [treeInUnits({ step: 5 }, new Int32Array(0))],
      losses: [1, 1 - gain],
    })
    // A mean gain of 0.1; its standard error over three parts is 0.1 times 1.2, and times 0.6.
    const [wide, narrow] = [1.2, 0.6].map(spread => [
      0.1,
      0.1 + 0.1 * spread * Math.sqrt(3),
      0.1 - 0.1 * spread * Math.sqrt(3),
    ])
    const rounds = (gains: readonly number[], standardErrors?: number) =>
      combineForests(gains.map(forest), [1, 1, 1], 1, { standardErrors }).rounds
    expect([rounds(wide), rounds(wide, 1), rounds(narrow, 1), rounds(narrow, 2)]).toEqual([1, 0, 1, 0])
    expect(combineForests(wide.map(forest), [1, 1, 1], 1, { standardErrors: 1 }).update).toBeUndefined()
  })

  it('need rows in two parts', async () => {
    const rows = drawRows(50, 1)
    const grown = await growForest({ ...rows, part: new Uint8Array(50) })
    expect(grown).toMatchObject({ updates: [], losses: [], rounds: 0, start: rows.start })
  })

  it('tell about every tree, and of every forest when it is done', () => {
    const rows = drawRows(300, 2)
    const cuts = scoreCuts(rows.start)
    const news = [...growParts({ rows, cuts, rules: [RULES], parts: [3, 1] })]
    const forests = news.filter(each => 'losses' in each)
    expect(forests.map(({ part }) => part)).toEqual([3, 1])
    const told = news.flatMap(each => ('loss' in each && each.part === 3 ? [each.loss] : []))
    expect(told).toEqual(forests[0].losses.slice(1))
    expect(forests[0].trees).toEqual(
      grow(new ForestTrainer(rows, cuts, RULES), 3).trees.map(tree => treeInUnits(tree, cuts)),
    )
  })

  it('that were kept are not grown again, and are kept in the order of their parts', async () => {
    const rows = drawRows(6000, 12)
    const rules = { roundLimit: 4 }
    const kept: NumberedForest[] = []
    const log = { done: new Map(), save: async (part: NumberedForest) => void kept.push(part) }
    const whole = await growForest(rows, { rules, threads: 3, log })
    const parts = Array.from({ length: PARTS }, (_, part) => part)
    expect(kept.map(({ part }) => part)).toEqual(parts)
    const again: number[] = []
    const done = new Map([kept[0], kept[4]].map(forest => [forest.part, forest]))
    const rest = { done, save: async ({ part }: NumberedForest) => void again.push(part) }
    expect(await growForest(rows, { rules, threads: 2, log: rest })).toEqual(whole)
    expect(again).toEqual(parts.filter(part => part !== 0 && part !== 4))
    const failing = { done: new Map(), save: () => Promise.reject(new Error('the disk is full')) }
    await expect(growForest(rows, { rules, threads: 2, log: failing })).rejects.toThrow('the disk is full')
  })

  it('never add up to more than their sum can hold', () => {
    const leaf = treeInUnits({ step: 2 ** 29 }, new Int32Array(0))
    const forest = { trees: Array(9).fill(leaf), losses: [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] }
    expect(combineForests([forest], [1], 1).rounds).toBe(3)
  })
})
