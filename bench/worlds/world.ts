// Worlds: populations of 1,000 equally likely rows whose every probability is known, so that each error has a true value.
// Scores and probabilities are whole units of 2^-24, as engines hold them; nothing is rounded on the way.

import type { Predicate } from '../../packages/core/src/classes/auditors.ts'
import { makeRandom, type Random } from '../../packages/core/src/common/random.ts'
import { fromUnits, ONE, toUnits } from '../../packages/core/src/common/units.ts'
import { type Column, valueAt } from '../../packages/core/src/data/column.ts'
import { fillNormal } from '../../packages/core/src/measures/score/normal.ts'
import { membersOf } from './predicates.ts'

/** In calibrated, rare, ties and extreme worlds every score is the row's probability; in the others it is not. */
export const KINDS = [
  'calibrated',
  'shifted',
  'slope',
  'rare',
  'rare shifted',
  'ties',
  'ties mixed',
  'extreme',
  'extreme bold',
] as const

export type Kind = (typeof KINDS)[number]

export interface World {
  readonly index: number
  readonly kind: Kind
  /** Is every score the row's own probability? */
  readonly calibrated: boolean
  /** K: levels of the score. */
  readonly bins: number
  readonly features: readonly Column[]
  readonly score: Float64Array
  /** Another score of the same rows, to compare with. */
  readonly rival: Float64Array
  /** The probability of the label 1. */
  readonly chance: Float64Array
}

export const POPULATION = 1000
export const REGIONS = ['east', 'north', 'south', 'west'] as const
export const AGES = [20, 35, 50, 65] as const
export const STEPS = 6

/** Kinds take turns. The same seed and index give the same world. */
export function makeWorld(index: number, seed = 1): World {
  const random = makeRandom(seedOf(seed, index, 0))
  const kind = KINDS[index % KINDS.length]
  const features = drawFeatures(random)
  const latent = drawLatent(random, features)
  const { score, chance } = RECIPES[kind]({ random, features, latent })
  const [inUnits, truth] = [score, chance].map(toWholeUnits)
  return {
    index,
    kind,
    calibrated: inUnits.every((value, row) => value === truth[row]),
    bins: random.next() < 0.5 ? 4 : 10,
    features,
    score: inUnits,
    rival: toWholeUnits(drawRival(random, inUnits)),
    chance: truth,
  }
}

/** Draw 0 is the world itself. */
export const seedOf = (seed: number, world: number, draw: number): number =>
  ((seed * 1009 + world) * 100_003 + draw) % 2 ** 32

const toWholeUnits = (values: Float64Array): Float64Array =>
  values.map(value => fromUnits(Math.min(ONE, Math.max(0, toUnits(value)))))

function drawFeatures(random: Random): Column[] {
  const numbers = (draw: () => number) => Float64Array.from({ length: POPULATION }, draw)
  const regionOf = (u: number) => (u < 0.35 ? 0 : u < 0.6 ? 1 : u < 0.82 ? 2 : 3)
  return [
    { name: 'step', kind: 'numeric', values: numbers(() => random.integer(STEPS)) },
    {
      name: 'age',
      kind: 'numeric',
      values: numbers(() => (random.next() < 0.1 ? Number.NaN : AGES[random.integer(AGES.length)])),
    },
    {
      name: 'region',
      kind: 'categorical',
      codes: Int32Array.from({ length: POPULATION }, () => regionOf(random.next())),
      categories: REGIONS,
    },
    {
      name: 'member',
      kind: 'boolean',
      values: Int8Array.from({ length: POPULATION }, () => Number(random.next() < 0.35)),
    },
  ]
}

/** A log-odds for every row: a part for each value of each feature, and a part of its own. */
function drawLatent(random: Random, features: readonly Column[]): Float64Array {
  const latent = normals(random, POPULATION)
  for (const column of features) {
    const parts = new Map<unknown, number>()
    for (let row = 0; row < POPULATION; row++) {
      const value = valueAt(column, row)
      if (!parts.has(value)) parts.set(value, 0.6 * normals(random, 1)[0])
      latent[row] += parts.get(value)!
    }
  }
  return latent
}

function normals(random: Random, count: number): Float64Array {
  const drawn = new Float64Array(count)
  fillNormal(drawn, random)
  return drawn
}

interface Ingredients {
  readonly random: Random
  readonly features: readonly Column[]
  readonly latent: Float64Array
}

type Recipe = (ingredients: Ingredients) => { score: Float64Array; chance: Float64Array }

const between = (random: Random, low: number, high: number): number => low + (high - low) * random.next()
const logistic = (odds: number): number => 1 / (1 + Math.exp(-odds))
const logit = (probability: number): number => Math.log(probability / (1 - probability))
const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

const RECIPES: Readonly<Record<Kind, Recipe>> = {
  calibrated: ({ latent }) => same(latent.map(logistic)),

  /** One group's outcomes lie elsewhere; in half of the worlds everyone else's make up for it. */
  shifted: ({ random, features, latent }) => {
    const score = latent.map(logistic)
    const members = drawGroup(random, features)
    const share = members.reduce((sum, member) => sum + member, 0) / POPULATION
    const shift = between(random, 0.03, 0.25) * (random.next() < 0.5 ? -1 : 1)
    const others = random.next() < 0.5 ? (-shift * share) / (1 - share) : 0
    return { score, chance: score.map((value, row) => value + (members[row] === 1 ? shift : others)) }
  },

  /** Too bold or too timid, and off in the large. */
  slope: ({ random, latent }) => {
    const score = latent.map(logistic)
    const [slope, shift] = [Math.exp(between(random, -0.7, 0.7)), between(random, -0.3, 0.3)]
    return { score, chance: score.map(value => logistic(slope * logit(value) + shift)) }
  },

  /** 1 to 3 % of outcomes. */
  rare: ({ random, latent }) => same(rareScores(random, latent)),

  /** One group has up to three times as many as its scores say. */
  'rare shifted': ({ random, features, latent }) => {
    const score = rareScores(random, latent)
    const members = drawGroup(random, features)
    const factor = between(random, 1.5, 3)
    return { score, chance: score.map((value, row) => (members[row] === 1 ? factor * value : value)) }
  },

  /** 5, 10 or 20 different scores. */
  ties: ({ random, latent }) => same(tiedScores(random, latent)),

  /** Rows of one score have different probabilities. */
  'ties mixed': ({ random, latent }) => ({ score: tiedScores(random, latent), chance: latent.map(logistic) }),

  /** Most scores within 0.05 of 0 or 1. */
  extreme: ({ latent }) => same(extremeScores(latent)),

  /** Too sure of itself. */
  'extreme bold': ({ random, latent }) => {
    const score = extremeScores(latent)
    const slope = between(random, 0.5, 0.8)
    return { score, chance: score.map(value => logistic(slope * logit(value))) }
  },
}

const rareScores = (random: Random, latent: Float64Array): Float64Array =>
  withMean(latent, between(random, 0.01, 0.03))

function tiedScores(random: Random, latent: Float64Array): Float64Array {
  const levels = [5, 10, 20][random.integer(3)]
  return latent.map(odds => (Math.floor(logistic(odds) * levels) + 0.5) / levels)
}

const extremeScores = (latent: Float64Array): Float64Array =>
  latent.map(odds => Math.min(0.9995, Math.max(0.0005, logistic(4 * odds))))

const same = (score: Float64Array) => ({ score, chance: score })

/** Log-odds moved to where the mean probability is the one asked for. */
function withMean(latent: Float64Array, wanted: number): Float64Array {
  let [low, high] = [-20, 20]
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2
    if (mean(latent.map(odds => logistic(odds + middle))) < wanted) low = middle
    else high = middle
  }
  return latent.map(odds => logistic(odds + low))
}

/** One or two conditions that 5 to 50 % of rows satisfy. */
function drawGroup(random: Random, features: readonly Column[]): Uint8Array {
  for (;;) {
    const first: Predicate = { column: 'region', is: REGIONS[random.integer(REGIONS.length)] }
    const second: Predicate = { column: 'step', atMost: random.integer(STEPS - 1) }
    const members = membersOf(features, [[first], [second], [first, second]][random.integer(3)])
    const share = members.reduce((sum, member) => sum + member, 0) / POPULATION
    if (share >= 0.05 && share <= 0.5) return members
  }
}

/** Drawn towards the mean, or blurred. */
function drawRival(random: Random, score: Float64Array): Float64Array {
  const middle = mean(score)
  if (random.next() < 0.5) return score.map(value => 0.7 * value + 0.3 * middle)
  const noise = normals(random, score.length)
  return score.map((value, row) => logistic(logit(value) + 0.5 * noise[row]))
}
