// Made-up worlds whose truth is known: a score that is right but for six groups. Four categorical columns, uneven, and five
// normal ones; the score is a logistic function of them, and in each planted group the truth lies beside it.

import { makeRandom } from '@featureboost/core/internal'

export const KINDS = ['pair', 'flip', 'triple', 'null'] as const

/**
 * pair    a group is two conditions, 1.5 to 8 % of the rows; its truth lies 0.06 to 0.11 above or below the score
 * flip    two conditions, 3 to 12 %; the truth lies on one side at low scores and on the other at high ones
 * triple  three conditions, 1.5 to 8 %
 * null    the score is the truth
 */
export type Kind = (typeof KINDS)[number]

export interface World {
  readonly kind: Kind
  readonly seed: number
  draw(rowCount: number, seed: number): Sample
}

export interface Sample {
  /** Numbers, or texts. */
  readonly columns: Readonly<Record<string, Float64Array | string[]>>
  readonly score: Float64Array
  readonly truth: Float64Array
  readonly label: Float64Array
  /** The planted group of each row, from 0; -1: none. */
  readonly group: Int8Array
}

type Random = ReturnType<typeof makeRandom>

const CATEGORIES: readonly (readonly number[])[] = [
  [0.62, 0.38],
  [0.5, 0.3, 0.2],
  [0.4, 0.3, 0.2, 0.1],
  [0.3, 0.22, 0.18, 0.14, 0.1, 0.06],
]
const NUMBERS = 5
const GROUPS = 6
/** Rows by which the size and the overlap of groups are judged. */
const JUDGED = 20_000
/** Draws of a group before all are given up. */
const MAX_TRIES = 300
/** Where the sign of a flipped group changes: about the median score. */
const FLIP = 0.27

/** Values of one row: categories by number, then numbers. */
type Row = Float64Array
type Test = (row: Row) => boolean

interface Planted {
  readonly tests: readonly Test[]
  readonly shift: number
}

export function makeWorld(kind: Kind, seed: number): World {
  const random = makeRandom(1_000_003 * (seed + 1) + KINDS.indexOf(kind))
  const effects = CATEGORIES.map(shares => shares.map(() => 0.5 * normal(random)))
  const slopes = Array.from({ length: NUMBERS }, () => 0.5 * normal(random))
  const scoreOf = (row: Row): number => {
    let logit = -1
    effects.forEach((effect, column) => {
      logit += effect[row[column]]
    })
    slopes.forEach((slope, number) => {
      logit += slope * row[CATEGORIES.length + number]
    })
    return 1 / (1 + Math.exp(-logit))
  }
  const planted = kind === 'null' ? [] : plantGroups(kind, random)
  return {
    kind,
    seed,
    draw: (rowCount, sampleSeed) => drawSample(kind, planted, scoreOf, rowCount, sampleSeed),
  }
}

function plantGroups(kind: Kind, random: Random): Planted[] {
  const [least, most] = kind === 'flip' ? [0.03, 0.12] : [0.015, 0.08]
  const rows = Array.from({ length: JUDGED }, () => drawRow(random))
  const taken = new Uint8Array(JUDGED)
  const planted: Planted[] = []
  for (let tries = 0; planted.length < GROUPS; tries++) {
    // The first groups may leave no room for the others: then all are drawn anew.
    if (tries === MAX_TRIES) return plantGroups(kind, random)
    const tests = drawTests(random, kind === 'triple' ? 3 : 2)
    const members = rows.flatMap((row, index) => (tests.every(test => test(row)) ? [index] : []))
    const share = members.length / JUDGED
    const overlap = members.filter(index => taken[index] === 1).length / Math.max(1, members.length)
    if (share < least || share > most || overlap > 0.1) continue
    for (const index of members) taken[index] = 1
    const size = 0.06 + 0.05 * random.next()
    planted.push({ tests, shift: planted.length % 2 === 0 ? size : -size })
  }
  return planted
}

/** Conditions on as many different columns. */
function drawTests(random: Random, count: number): Test[] {
  const columns = Array.from({ length: CATEGORIES.length + NUMBERS }, (_, column) => column)
  return Array.from({ length: count }, () => {
    const [column] = columns.splice(random.integer(columns.length), 1)
    if (column < CATEGORIES.length) {
      const value = random.integer(CATEGORIES[column].length)
      return row => row[column] === value
    }
    const cut = 1.6 * random.next() - 0.8
    return random.next() < 0.5 ? row => row[column] <= cut : row => row[column] > cut
  })
}

function drawSample(
  kind: Kind,
  planted: readonly Planted[],
  scoreOf: (row: Row) => number,
  rowCount: number,
  seed: number,
): Sample {
  const random = makeRandom(seed)
  const categories = CATEGORIES.map(() => new Array<string>(rowCount))
  const numbers = Array.from({ length: NUMBERS }, () => new Float64Array(rowCount))
  const [score, truth, label] = [0, 1, 2].map(() => new Float64Array(rowCount))
  const group = new Int8Array(rowCount).fill(-1)
  for (let index = 0; index < rowCount; index++) {
    const row = drawRow(random)
    categories.forEach((column, at) => {
      column[index] = 'abcdef'[row[at]]
    })
    numbers.forEach((column, at) => {
      column[index] = row[CATEGORIES.length + at]
    })
    score[index] = scoreOf(row)
    group[index] = planted.findIndex(({ tests }) => tests.every(test => test(row)))
    const shift = group[index] < 0 ? 0 : planted[group[index]].shift
    const sign = kind === 'flip' && score[index] > FLIP ? -1 : 1
    truth[index] = Math.max(0.01, Math.min(0.99, score[index] + sign * shift))
    if (group[index] < 0) truth[index] = score[index]
    label[index] = random.next() < truth[index] ? 1 : 0
  }
  const columns = Object.fromEntries([
    ...categories.map((column, at) => [`c${at + 1}`, column]),
    ...numbers.map((column, at) => [`x${at + 1}`, column]),
  ]) as Sample['columns']
  return { columns, score, truth, label, group }
}

function drawRow(random: Random): Row {
  const row = new Float64Array(CATEGORIES.length + NUMBERS)
  CATEGORIES.forEach((shares, column) => {
    let rest = random.next()
    row[column] = Math.max(
      0,
      shares.findIndex(share => {
        rest -= share
        return rest < 0
      }),
    )
  })
  for (let column = CATEGORIES.length; column < row.length; column++) row[column] = normal(random)
  return row
}

/** Box and Muller. */
function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
  return radius * Math.cos(2 * Math.PI * random.next())
}
