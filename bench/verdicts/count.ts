// The independent count: what the words of a verdict claim, set against rows whose truth is known. Nothing of the library's own measures
// is used here.

import type { Predicate } from '@featureboost/core'
import type { KnownRows } from './cases.ts'

type Numbers = ArrayLike<number>

/** A weighted mean over rows, and its standard error. */
export interface Mean {
  readonly value: number
  readonly error: number
}

export function meanOf(rowCount: number, read: (row: number) => number, weights?: Numbers): Mean {
  let [sum, weight, squares] = [0, 0, 0]
  for (let row = 0; row < rowCount; row++) {
    const w = weights?.[row] ?? 1
    sum += w * read(row)
    weight += w
  }
  const value = sum / weight
  for (let row = 0; row < rowCount; row++) squares += ((weights?.[row] ?? 1) * (read(row) - value)) ** 2
  return { value, error: Math.sqrt(squares) / weight }
}

const LOSSES = {
  'log loss': (truth: number, p: number) => -truth * logOf(p) - (1 - truth) * logOf(1 - p),
  'Brier score': (truth: number, p: number) => truth * (1 - p) ** 2 + (1 - truth) * p ** 2,
}

/** Probabilities of 0 and 1 count as 2^-52 and as 1 less that. */
const logOf = (p: number): number => Math.log(Math.max(p, 2 ** -52))

export type LossName = keyof typeof LOSSES

export const LOSS_NAMES = Object.keys(LOSSES) as LossName[]

/** How much more the corrected score loses, expected under the truth. */
export const addedLoss = (
  name: LossName,
  { truth, weight }: KnownRows,
  before: Numbers,
  after: Numbers,
): Mean =>
  meanOf(
    truth.length,
    row => LOSSES[name](truth[row], after[row]) - LOSSES[name](truth[row], before[row]),
    weight,
  )

/** Rows of a group, at scores from one on up to another. */
export function membersOf(
  { columns }: KnownRows,
  where: readonly Predicate[],
  scores: { readonly from: number; readonly to: number } | undefined,
  predictions: Numbers,
): number[] {
  const members: number[] = []
  for (let row = 0; row < predictions.length; row++) {
    const score = Math.round(predictions[row] * 2 ** 24) / 2 ** 24
    const isWithin = scores === undefined || (score >= scores.from && (score < scores.to || scores.to === 1))
    if (isWithin && where.every(test => satisfies(columns[test.column][row], test))) members.push(row)
  }
  return members
}

/** No value is missing here. */
function satisfies(value: number | string, test: Predicate): boolean {
  if ('missing' in test) return !test.missing
  if ('is' in test) return value === test.is
  if ('in' in test) return test.in.includes(value)
  if ('notIn' in test) return !test.notIn.includes(value)
  if ('atMost' in test) return value <= test.atMost
  if ('below' in test) return value < test.below
  return 'atLeast' in test ? value >= test.atLeast : value > test.above
}

/** What trees of the declared class may ask of a column: is it at most a number, is it a word? */
export type Asked = ReadonlyMap<string, readonly (number | string)[]>

/**
 * A multicalibration error that is surely there: of trees that ask two of the planted world's columns one after the other, with a sign
 * for each leaf, the largest sum over the different predictions v of |E[b(x) (outcome - v)]|. The whole class has more trees, so the
 * worst error of all is no less.
 */
export function multicalibrationError(
  { columns, weight }: KnownRows,
  outcomes: Numbers,
  rounded: Float64Array,
  rows: readonly number[],
  asked: Asked,
): number {
  const [levels, levelCount] = levelsOf(rounded)
  const splits = splitsOf(columns, rows, asked)
  const total = rows.reduce((sum, row) => sum + (weight?.[row] ?? 1), 0)
  const residual = Float64Array.from(
    rounded,
    (value, row) => ((weight?.[row] ?? 1) * (outcomes[row] - value)) / total,
  )
  let worst = 0
  for (const [index, first] of splits.entries())
    for (const second of splits.slice(index)) {
      const sums = new Float64Array(4 * levelCount)
      for (const row of rows) sums[4 * levels[row] + 2 * first[row] + second[row]] += residual[row]
      worst = Math.max(worst, worstSigns(sums))
    }
  return worst
}

/** Signs of four leaves; all of them turned round say the same. */
function worstSigns(sums: Float64Array): number {
  let worst = 0
  for (let signs = 0; signs < 8; signs++) {
    let error = 0
    for (let at = 0; at < sums.length; at += 4) {
      let sum = sums[at]
      for (let leaf = 0; leaf < 3; leaf++)
        sum += (signs >> leaf) & 1 ? -sums[at + leaf + 1] : sums[at + leaf + 1]
      error += Math.abs(sum)
    }
    worst = Math.max(worst, error)
  }
  return worst
}

function levelsOf(rounded: Float64Array): [levels: Uint32Array, count: number] {
  const known = new Map<number, number>()
  for (const value of rounded) if (!known.has(value)) known.set(value, known.size)
  return [Uint32Array.from(rounded, value => known.get(value)!), known.size]
}

/** Every word, and of the numbers those next to the quarters of the rows. */
function splitsOf(columns: KnownRows['columns'], rows: readonly number[], asked: Asked): Uint8Array[] {
  return Object.entries(columns).flatMap(([name, values]) => {
    const answers = asked.get(name) ?? []
    if (!/^[cx]\d/.test(name) || answers.length === 0) return []
    if (!(values instanceof Float64Array))
      return answers.map(word => Uint8Array.from(values, value => Number(value === word)))
    const sorted = rows.map(row => values[row]).sort((a, b) => a - b)
    const quarters = [1, 2, 3].map(part => sorted[Math.floor((part * sorted.length) / 4)])
    const cuts = quarters.map(quarter => nearest(answers as readonly number[], quarter))
    return cuts.map(cut => Uint8Array.from(values, value => Number(value <= cut)))
  })
}

const nearest = (numbers: readonly number[], to: number): number =>
  numbers.reduce((best, each) => (Math.abs(each - to) < Math.abs(best - to) ? each : best))
