// Weights -> whole numbers, so that a weight of 2 equals the row twice and every sum stays exact.

import { FeatureBoostError } from '../common/errors.ts'
import { MAX_TOTAL_WEIGHT } from '../common/units.ts'
import { type Column, showValue } from './column.ts'
import type { WeightFacts } from './ledger.ts'
import { type Rejection, rejectMissing, rejectRows } from './reject.ts'

export interface Weights {
  /** Absent: every row weighs 1. */
  readonly weight?: Int32Array
  /** weight = round(given * scale), but a positive weight is never rounded down to nothing. */
  readonly scale: number
  /** Did all of them stay as they were, whole numbers? Then a row of weight 2 is the row twice. */
  readonly whole: boolean
}

const MAX_SCALED_WEIGHT = 2 ** 20

export function readWeights(column: Column): Weights {
  const values = givenWeights(column)
  const scale = chooseScale(column.name, values)
  if (scale === undefined) return { scale: 1, whole: true }
  return { weight: scaleWeights(values, scale), scale, whole: areWhole(values) }
}

/**
 * Whole weights with a small enough total stay as they are; others are scaled by a power of two. Undefined where every
 * row weighs 1.
 */
export function chooseScale(column: string, values: Float64Array): number | undefined {
  if (values.every(given => given === 0)) throw allZero(column)
  if (values.every(given => given === 1)) return undefined
  return areWhole(values) ? 1 : findScale(values)
}

/** The same from what is known of weights that are elsewhere; `scaled` is what they come to at a scale. */
export async function chooseScaleBy(
  column: string,
  { areOne, areWhole, areZero, largest }: WeightFacts,
  scaled: (scale: number) => Promise<{ readonly largest: number; readonly total: number }>,
): Promise<number | undefined> {
  if (areZero) throw allZero(column)
  if (areOne) return undefined
  if (areWhole) return 1
  let exponent = firstExponent(largest)
  for (; ; exponent--) {
    if (exponent > 1023) continue
    const found = await scaled(2 ** exponent)
    if (found.largest <= MAX_SCALED_WEIGHT && found.total <= MAX_TOTAL_WEIGHT) return 2 ** exponent
  }
}

const allZero = (column: string): FeatureBoostError =>
  new FeatureBoostError('FB_WEIGHT_RANGE', 'every weight is 0.', { column })

export function scaleWeights(values: Float64Array, scale: number): Int32Array {
  const weight = new Int32Array(values.length)
  for (let row = 0; row < weight.length; row++) weight[row] = scaleWeight(values[row], scale)
  return weight
}

/** The weights as they were given, each checked. */
export function givenWeights(column: Column, before = 0): Float64Array {
  if (column.kind !== 'numeric') {
    throw new FeatureBoostError('FB_COLUMN_KIND', `the weight is ${column.kind}.`, {
      column: column.name,
      expected: 'numbers that are not negative',
    })
  }
  rejectMissing(column, 'weight', before)
  rejectRows(column, NEGATIVE, before)
  return column.values
}

const NEGATIVE: Rejection = {
  code: 'FB_WEIGHT_RANGE',
  bad: value => (value as number) < 0,
  message: value => `${showValue(value)} is negative.`,
  expected: 'a weight of 0 or more',
}

/** Whole numbers with a total that stays exact. */
export function areWhole(values: Float64Array): boolean {
  let total = 0
  for (const given of values) {
    if (!Number.isInteger(given)) return false
    total += given
    if (total > MAX_TOTAL_WEIGHT) return false
  }
  return true
}

/** The largest power of two that keeps each weight and their total in bounds; more is less rounding. */
function findScale(values: Float64Array): number {
  let largest = 0
  for (const given of values) if (given > largest) largest = given
  let exponent = firstExponent(largest)
  while (!fits(values, 2 ** exponent)) exponent--
  return 2 ** exponent
}

/** One more than can fit, since then the largest alone is past 2^20 (or, if it is tiny, infinite). */
const firstExponent = (largest: number): number => 21 - Math.floor(Math.log2(largest))

/** Ends: at a small enough scale every positive weight is 1, and there are at most MAX_TOTAL_WEIGHT rows. */
function fits(values: Float64Array, scale: number): boolean {
  let total = 0
  for (const given of values) {
    const scaled = scaleWeight(given, scale)
    total += scaled
    if (scaled > MAX_SCALED_WEIGHT || total > MAX_TOTAL_WEIGHT) return false
  }
  return true
}

const scaleWeight = (given: number, scale: number): number =>
  given === 0 ? 0 : Math.max(1, Math.round(given * scale))
