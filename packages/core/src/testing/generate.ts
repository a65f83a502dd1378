// Random rows and trees for tests of engines: few features with few bins, so that every cell is met, and numbers at which
// mistakes show, such as the ends of the scale and of levels.

import type { Random } from '../common/random.ts'
import { MAX_TOTAL_WEIGHT, ONE } from '../common/units.ts'
import type { EngineRows } from '../engine/engine.ts'
import { isLeaf, leafCount, numberLeaves, type Split, type Tree } from '../update/update.ts'

export interface RowsWanted {
  /** One row to so many. */
  readonly rowLimit: number
  /** Of the three that there are at most. Default: 1. */
  readonly leastFeatures?: number
  /** The largest weight. Default: so large that sums need more than 32 bits, as far as all together may be. */
  readonly heaviest?: number
}

const MOST_LEVELS = 7
const HEAVIEST = 2 ** 22

/** Two signals; weights or none, folds or none, without keys. */
export function generateRows(
  random: Random,
  { heaviest = HEAVIEST, leastFeatures = 1, rowLimit }: RowsWanted,
): EngineRows {
  const rowCount = between(random, 1, rowLimit)
  const coarseMaps = listOf(between(random, leastFeatures, 3), () => generateCoarseMap(random))
  const bytes = (draw: () => number) => Uint8Array.from({ length: rowCount }, draw)
  const words = (draw: () => number) => Int32Array.from({ length: rowCount }, draw)
  const weightLimit = Math.min(pick(random, [3, heaviest]), Math.floor(MAX_TOTAL_WEIGHT / rowLimit))
  return {
    rowCount,
    bins: coarseMaps.map(map => bytes(() => random.integer(map.length))),
    binCounts: coarseMaps.map(map => map.length),
    coarseOf: coarseMaps.map(map => Uint8Array.from(map)),
    coarseCounts: coarseMaps.map(map => map[map.length - 1] + 1),
    signals: listOf(2, () => words(() => generateSignal(random))),
    label: words(() => (chance(random, 1 / 2) ? pick(random, [0, ONE]) : generateUnits(random))),
    start: words(() => generateUnits(random)),
    ...(chance(random, 1 / 2) && { weight: words(() => generateWeight(random, weightLimit)) }),
    ...(chance(random, 1 / 2) && { fold: bytes(() => random.integer(2)) }),
  }
}

/** Every coarse bin is a run of fine bins, of which one to five hold values; the missing bin is the last of both. */
function generateCoarseMap(random: Random): number[] {
  let coarse = 0
  const map = listOf(between(random, 1, 5), bin => {
    if (bin > 0 && chance(random, 1 / 2)) coarse++
    return coarse
  })
  return [...map, coarse + 1]
}

/** A prediction. */
export function generateUnits(random: Random): number {
  if (chance(random, 1 / 2)) return between(random, 0, ONE)
  if (chance(random, 1 / 2)) return pick(random, [0, 1, ONE / 2, ONE - 1, ONE])
  // The first prediction of a level, or the last of the level below it.
  const levels = between(random, 2, MOST_LEVELS)
  return Math.ceil((between(random, 1, levels - 1) * ONE) / levels) - random.integer(2)
}

const generateSignal = (random: Random): number =>
  chance(random, 3 / 4) ? between(random, -ONE, ONE) : pick(random, [-ONE, -1, 0, 1, ONE])

const generateWeight = (random: Random, limit: number): number =>
  chance(random, 1 / 4) ? 0 : between(random, 0, limit)

export const generateLevels = (random: Random): number => between(random, 1, MOST_LEVELS)

export const generateFold = (random: Random, { fold }: EngineRows): number =>
  fold === undefined ? 0 : random.integer(2)

/** Any tree that the rows allow, splits on the prediction included. Now and then several leaves carry one number. */
export function generateTree(
  random: Random,
  rows: EngineRows,
  depth: number,
  predictions: ArrayLike<number> = rows.start,
): Tree {
  const grow = (levelsLeft: number): Tree => {
    if (levelsLeft === 0 || chance(random, 1 / 4)) return { leaf: 0 }
    const split = generateSplit(random, rows, predictions)
    return { split, yes: grow(levelsLeft - 1), no: grow(levelsLeft - 1) }
  }
  const tree = numberLeaves(grow(depth))
  return chance(random, 1 / 4) ? capLeaves(tree, random.integer(leafCount(tree))) : tree
}

function capLeaves(tree: Tree, most: number): Tree {
  if (isLeaf(tree)) return { leaf: Math.min(tree.leaf, most) }
  return { split: tree.split, yes: capLeaves(tree.yes, most), no: capLeaves(tree.no, most) }
}

function generateSplit(random: Random, rows: EngineRows, predictions: ArrayLike<number>): Split {
  if (chance(random, 1 / 4)) return { kind: 'below', units: generateThreshold(random, predictions) }
  const feature = random.integer(rows.bins.length)
  const binCount = rows.binCounts[feature]
  switch (random.integer(3)) {
    case 0:
      return { kind: 'atMost', feature, bin: random.integer(binCount), missing: chance(random, 1 / 2) }
    case 1:
      return { kind: 'in', feature, bins: someOf(random, indexesTo(binCount), 1) }
    default:
      return { kind: 'missing', feature }
  }
}

/** Often a prediction that there is: it matters on which side that lies. */
const generateThreshold = (random: Random, predictions: ArrayLike<number>): number =>
  chance(random, 1 / 2) ? predictions[random.integer(predictions.length)] : generateUnits(random)

/** With a key for each row, as noise and samples need. */
export const withKeys = (rows: EngineRows): EngineRows => ({
  ...rows,
  key: rows.label.map((_, row) => Math.imul(row + 1, 0x9e3779b1)),
})

/** These rows in this order; a row may be named more than once, or not at all. */
export function takeRows(rows: EngineRows, order: readonly number[]): EngineRows {
  const words = (column: Int32Array) => Int32Array.from(order, row => column[row])
  const bytes = (column: Uint8Array) => Uint8Array.from(order, row => column[row])
  return {
    ...rows,
    rowCount: order.length,
    bins: rows.bins.map(bytes),
    signals: rows.signals.map(words),
    label: words(rows.label),
    start: words(rows.start),
    ...(rows.weight && { weight: words(rows.weight) }),
    ...(rows.fold && { fold: bytes(rows.fold) }),
    ...(rows.key && { key: words(rows.key) }),
  }
}

/** Both ends included. */
export const between = (random: Random, from: number, to: number): number =>
  from + random.integer(to - from + 1)

export const chance = (random: Random, share: number): boolean => random.next() < share

export const pick = <T>(random: Random, choices: readonly T[]): T => choices[random.integer(choices.length)]

export const listOf = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))

export const indexesTo = (count: number): number[] => listOf(count, index => index)

/** At least so many, in any order. */
export const someOf = <T>(random: Random, values: readonly T[], least: number): T[] =>
  shuffle(random, values).slice(0, between(random, least, values.length))

export function shuffle<T>(random: Random, values: readonly T[]): T[] {
  const shuffled = [...values]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.integer(last + 1)
    const value = shuffled[last]
    shuffled[last] = shuffled[other]
    shuffled[other] = value
  }
  return shuffled
}
