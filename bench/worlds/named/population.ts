// Populations of the named worlds: equally likely points whose mean label is known, and whose rows weigh the same on average.

import type { Predicate } from '../../../packages/core/src/classes/auditors.ts'
import { makeRandom, type Random } from '../../../packages/core/src/common/random.ts'
import type { Column } from '../../../packages/core/src/data/column.ts'
import { membersOf } from '../predicates.ts'

/** So many that a draw of some hundred hardly holds one of them twice. */
const POINTS = 8000

export const REGIONS = ['east', 'north', 'south', 'west'] as const
const STEPS = 6

export interface Population {
  readonly features: readonly Column[]
  readonly score: Float64Array
  /** What labels are on average, each counted with its weight. */
  readonly truth: Float64Array
  /** Every condition that a tree can ask for. */
  readonly splits: readonly Predicate[]
  /** 1 for every point that satisfies a condition; found once. */
  members(condition: Predicate): Uint8Array
}

export interface Recipe {
  /** Columns of noise instead of the three usual ones. */
  readonly noiseColumns?: number
  score(random: Random): number
  /** What a score means: itself, unless said otherwise. */
  truth?(score: number): number
}

export function makePopulation({ noiseColumns, score, truth }: Recipe, seed: number): Population {
  const random = makeRandom(seed)
  const columns = noiseColumns === undefined ? usualColumns(random) : noise(random, noiseColumns)
  const scores = Float64Array.from({ length: POINTS }, () => score(random))
  const known = new Map<string, Uint8Array>()
  return {
    ...columns,
    members(condition) {
      const key = JSON.stringify(condition)
      const found = known.get(key) ?? membersOf(columns.features, [condition])
      known.set(key, found)
      return found
    },
    score: scores,
    truth: scores.map(value => truth?.(value) ?? value),
  }
}

const flags = (random: Random, chance: number): Int8Array =>
  Int8Array.from({ length: POINTS }, () => Number(random.next() < chance))

function usualColumns(random: Random): Pick<Population, 'features' | 'splits'> {
  return {
    features: [
      {
        name: 'step',
        kind: 'numeric',
        values: Float64Array.from({ length: POINTS }, () => random.integer(STEPS)),
      },
      {
        name: 'region',
        kind: 'categorical',
        codes: Int32Array.from({ length: POINTS }, () => random.integer(REGIONS.length)),
        categories: REGIONS,
      },
      { name: 'member', kind: 'boolean', values: flags(random, 0.4) },
    ],
    splits: [
      ...Array.from({ length: STEPS - 1 }, (_, cut) => ({ column: 'step', atMost: cut })),
      ...REGIONS.map(region => ({ column: 'region', is: region })),
      { column: 'member', is: true },
    ],
  }
}

function noise(random: Random, count: number): Pick<Population, 'features' | 'splits'> {
  const names = Array.from({ length: count }, (_, index) => `noise ${index + 1}`)
  return {
    features: names.map(name => ({ name, kind: 'boolean', values: flags(random, 0.5) })),
    splits: names.map(column => ({ column, is: true })),
  }
}
