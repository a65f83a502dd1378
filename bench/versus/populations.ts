// Three made-up populations whose probabilities are known, each hard in its own way: rare outcomes, tiny groups that are
// badly off, and scores of 0 and 1. Every population brings the score that is to be corrected.

import { makeRandom, type Random } from '@featureboost/core/internal'
import type { Column } from '../data/dataset.ts'

export interface Population {
  readonly columns: Readonly<Record<string, Column>>
  readonly label: Float64Array
  readonly truth: Float64Array
  readonly score: Float64Array
}

interface Person {
  readonly values: Readonly<Record<string, number | string>>
  readonly truth: number
  readonly score: number
}

type Draw = (random: Random) => Person

export const POPULATIONS: Readonly<Record<string, Draw>> = { rare: drawRare, tiny: drawTiny, hard: drawHard }

export function makePopulation(name: string, rowCount: number, seed: number): Population {
  const random = makeRandom(seed)
  const columns: Record<string, Column> = {}
  const [label, truth, score] = Array.from({ length: 3 }, () => new Float64Array(rowCount))
  for (let row = 0; row < rowCount; row++) {
    const person = POPULATIONS[name](random)
    for (const [column, value] of Object.entries(person.values)) {
      columns[column] ??= []
      columns[column].push(value)
    }
    truth[row] = person.truth
    score[row] = person.score
    label[row] = Number(random.next() < person.truth)
  }
  return { columns, label, truth, score }
}

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.integer(from.length)]
}

/** Middle 0, standard deviation 1: the sum of twelve uniform numbers. */
function bell(random: Random): number {
  let sum = -6
  for (let count = 0; count < 12; count++) sum += random.next()
  return sum
}

/** One in a hundred is positive. The score overlooks a region, a slope that depends on the channel, and a corner. */
function drawRare(random: Random): Person {
  const region = pick(random, ['north', 'east', 'south', 'west', 'isles'])
  const channel = pick(random, ['shop', 'web', 'phone'])
  const [amount, age, visits] = [bell(random), bell(random), random.integer(12)]
  const known = -5.1 + 0.8 * amount - 0.1 * visits
  let logOdds = known
  if (region === 'isles') logOdds += 1.2
  if (region === 'south') logOdds -= 0.8
  if (channel === 'web') logOdds += 0.6 * amount
  if (age < -1 && visits >= 8) logOdds += 1.8
  return {
    values: { region, channel, amount, age, visits },
    truth: sigmoid(logOdds),
    score: sigmoid(known + 0.4),
  }
}

const SITES = Array.from({ length: 8 }, (_, index) => `site ${index + 1}`)
const FLAGS = ['recalled', 'transferred', 'trial', 'twin', 'allergic', 'relapsed']
/** Of 20,000 rows, 125. */
const FLAG_SHARE = 0.00625

/**
 * Each flag marks a tiny group: there the score is far too low for every other flag, and far too high for the rest. Every
 * group has a column of its own, so that none can be repaired together with another.
 */
function drawTiny(random: Random): Person {
  const [age, dose] = [bell(random), bell(random)]
  const [site, kind] = [pick(random, SITES), pick(random, ['a', 'b', 'c', 'd'])]
  const known = -0.4 + 0.7 * age + 0.5 * dose + (kind === 'a' ? 0.6 : 0)
  const flags: Record<string, string> = {}
  let logOdds = known
  FLAGS.forEach((flag, index) => {
    const marked = random.next() < FLAG_SHARE
    flags[flag] = marked ? 'yes' : 'no'
    if (marked) logOdds += index % 2 === 0 ? 3 : -3
  })
  return { values: { site, kind, age, dose, ...flags }, truth: sigmoid(logOdds), score: sigmoid(known) }
}

/** The score is a yes or no that knows a part of what matters. */
function drawHard(random: Random): Person {
  const [age, income] = [bell(random), bell(random)]
  const kind = pick(random, ['a', 'b', 'c'])
  const known = 0.2 + 0.9 * age
  const logOdds = known + 0.8 * income + (kind === 'c' ? -1.2 : 0.3)
  return { values: { kind, age, income }, truth: sigmoid(logOdds), score: Number(known > 0) }
}
