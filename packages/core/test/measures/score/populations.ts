// The generated data sets that the peers score: bench/versus/measures.ts hands them to Python, and the test that reads
// golden.json makes them again. Only + - * / and comparisons are used, so that they are the same on every machine.

import { makeRandom, type Random } from '../../../src/common/random.ts'
import type { ScoredRows } from '../../../src/measures/score/scoredRows.ts'
import type { Category } from '../../../src/measures/score/segments.ts'

export interface PeerColumns {
  readonly categorical: Readonly<Record<string, readonly Category[]>>
  readonly numerical: Readonly<Record<string, readonly (number | null)[]>>
}

export interface PeerData extends ScoredRows {
  readonly name: string
  readonly predictions: readonly number[]
  readonly labels: readonly number[]
  readonly weights?: readonly number[]
  readonly columns?: PeerColumns
}

interface Recipe {
  readonly rows: number
  readonly prediction: (random: Random, row: number) => number
  /** The chance of a 1; by default the prediction itself. */
  readonly chance?: (prediction: number, row: number) => number
  /** Labels are the chance and some noise instead of 0 and 1. */
  readonly fractional?: boolean
  readonly weight?: (random: Random, row: number) => number
  readonly columns?: (random: Random, rows: number) => PeerColumns
}

const uniform = (random: Random) => random.next()
const clip = (value: number) => Math.min(1, Math.max(0, value))
const steeper = (p: number) => (p * p) / (p * p + (1 - p) * (1 - p))
const draw = <T>(rows: number, make: (row: number) => T) =>
  Array.from({ length: rows }, (_, row) => make(row))

const RECIPES: Readonly<Record<string, Recipe>> = {
  calibrated: { rows: 1000, prediction: uniform },
  underconfident: { rows: 1000, prediction: uniform, chance: steeper },
  weighted: { rows: 800, prediction: uniform, chance: steeper, weight: random => 0.25 + 3 * random.next() },
  tiny: { rows: 20, prediction: uniform },
  tinyWeighted: { rows: 12, prediction: uniform, weight: (_, row) => 1 + (row % 3) },
  rare: { rows: 2000, prediction: random => 0.03 * random.next() * random.next() + 0.0005 },
  rareTooHigh: { rows: 2000, prediction: random => 0.05 * random.next(), chance: p => p / 2 },
  extreme: { rows: 1000, prediction: random => steeper(steeper(steeper(random.next()))) },
  certain: {
    rows: 300,
    prediction: (random, row) => (row % 5 === 0 ? row % 2 : random.next()),
    chance: p => 0.1 + 0.8 * p,
  },
  tied: {
    rows: 1000,
    prediction: random => (1 + random.integer(9)) / 10 + 0.03,
    chance: p => clip(p + 0.02),
  },
  tiedWeighted: {
    rows: 600,
    prediction: random => random.integer(7) / 7 + 0.05,
    weight: random => 1 + random.integer(4),
  },
  shifted: { rows: 4000, prediction: random => 0.8 * random.next(), chance: p => p + 0.15 },
  wavy: { rows: 3000, prediction: uniform, chance: p => clip(p + ((10 * p) % 1 < 0.5 ? 0.08 : -0.08)) },
  segments: { rows: 2000, prediction: uniform, chance: steeper, columns: eightColumns },
  segmentsMissing: { rows: 1500, prediction: uniform, columns: columnsWithGaps },
  segmentsWeighted: {
    rows: 1200,
    prediction: uniform,
    chance: p => clip(p + 0.05),
    weight: random => 0.5 + random.next(),
    columns: columnsWithGaps,
  },
  high: { rows: 500, prediction: random => 1 - 0.1 * random.next(), chance: p => p - 0.05 },
  narrow: { rows: 400, prediction: random => 0.3 + 0.02 * random.next() },
  constant: { rows: 100, prediction: () => 0.4 },
  reversed: { rows: 600, prediction: uniform, chance: p => 1 - p },
  fractional: { rows: 700, prediction: uniform, chance: p => 0.1 + 0.7 * p, fractional: true },
}

export const peerData = (): PeerData[] =>
  Object.entries(RECIPES).map(([name, recipe], index) => generate(name, recipe, makeRandom(1000 + index)))

function generate(name: string, recipe: Recipe, random: Random): PeerData {
  const { rows, prediction, chance = p => p, weight, columns } = recipe
  const predictions = draw(rows, row => prediction(random, row))
  const labels = predictions.map((p, row) => {
    const noise = random.next()
    return recipe.fractional ? chance(p, row) + 0.1 * (noise - 0.5) : Number(noise < chance(p, row))
  })
  const weights = weight && draw(rows, row => weight(random, row))
  const segments = columns?.(random, rows)
  return { name, predictions, labels, ...(weights && { weights }), ...(segments && { columns: segments }) }
}

const LETTERS = 'abcdefghij'

/** Six categories of three values each and two numbers: more than 1,000 segments up to depth 3. */
function eightColumns(random: Random, rows: number): PeerColumns {
  const category = () => draw(rows, () => LETTERS[random.integer(3)])
  const names = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']
  return {
    categorical: Object.fromEntries(names.map(name => [name, category()])),
    numerical: { n1: draw(rows, () => random.next()), n2: draw(rows, () => random.integer(50)) },
  }
}

/** A long category with missing values, a short one, a number with gaps, and one with heavy ties. */
function columnsWithGaps(random: Random, rows: number): PeerColumns {
  const long = () => (random.next() < 0.07 ? null : LETTERS[Math.min(random.integer(10), random.integer(10))])
  return {
    categorical: { long: draw(rows, long), short: draw(rows, () => LETTERS[random.integer(2)]) },
    numerical: {
      gaps: draw(rows, () => (random.next() < 0.1 ? null : 100 * random.next())),
      heavy: draw(rows, () => Math.max(0, random.integer(12) - 5)),
    },
  }
}
