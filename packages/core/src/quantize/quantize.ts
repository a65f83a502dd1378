// Columns -> bins: learns a feature's schema from the fitting rows, and applies it to any rows.

import { FeatureBoostError } from '../common/errors.ts'
import { columnLength, showValue } from '../data/column.ts'
import { anyMissing, type Presence } from '../data/presence.ts'
import { type CategoricalColumn, type Column, valueAt } from '../data/table.ts'
import { fitCategorical } from './categories.ts'
import { countOf } from './counting.ts'
import { fitNumeric, type SortNumbers } from './cuts.ts'
import { binOf, type FeatureSchema, missingBin, wrongKind } from './schema.ts'
import { indexInSorted } from './search.ts'

export interface QuantizeOptions {
  /** Value bins per feature, 2 to 255. */
  readonly bins: number
  /** Value bins per feature of the coarse class, 2 to 64. */
  readonly coarseBins: number
  /** A category with less than this share of the weight is pooled; 0 to 1. */
  readonly rare: number
  /** Sorts numbers in place or into a new array; a kernel does it faster than the default. */
  readonly sort?: SortNumbers
}

/**
 * Only rows that are in `use` and have weight can influence the schema. `required` thresholds t make "x <= t"
 * a union of bins, fine and coarse.
 */
export function fitSchema(
  column: Column,
  weight: Int32Array | undefined,
  use: ((row: number) => boolean) | undefined,
  options: QuantizeOptions,
  required: readonly number[] = [],
): FeatureSchema {
  const { bins, coarseBins, rare } = checkOptions(options)
  const counted = { weight, use }
  const missing = anyMissing(column, row => countOf(counted, row) > 0)
  if (column.kind === 'numeric') {
    return { ...fitNumeric(column, counted, bins, coarseBins, required, options.sort), missing }
  }
  if (required.length > 0) throw thresholdsNeedNumbers(column, required[0])
  if (column.kind === 'boolean') return { name: column.name, kind: 'boolean', missing }
  return { ...fitCategorical(column, counted, bins, coarseBins, rare), missing }
}

/** A schema learned from a sample of rows, told of what is present in all of them: rare categories join the pool. */
export function completeSchema(
  schema: FeatureSchema,
  { categories, clock, missing, numbers }: Presence,
): FeatureSchema {
  if (schema.kind === 'numeric') {
    const { whole: _, ...rest } = schema
    return {
      ...{ ...rest, missing },
      ...(numbers !== undefined && { range: numbers.range }),
      ...(numbers?.whole && { whole: true }),
      ...(clock && { time: 'timestamp' as const }),
    }
  }
  if (schema.kind !== 'categorical') return { ...schema, missing }
  const pooled = categories.filter(category => indexInSorted(schema.categories, category) < 0)
  return { ...schema, pooled, missing }
}

/** How many of the cuts lie below each value; one more than there are cuts where it is missing. */
export type BinNumbers = (values: Float64Array, cuts: readonly number[]) => Uint8Array

/** Each row's fine bin. A column that is wholly missing fits every schema. A kernel may bin the numbers. */
export function quantizeColumn(
  schema: FeatureSchema,
  column: Column,
  binNumbers: BinNumbers = quantizeNumbers,
): Uint8Array {
  if (schema.kind === 'numeric' && column.kind === 'numeric') return binNumbers(column.values, schema.cuts)
  if (schema.kind === 'boolean' && column.kind === 'boolean') return quantizeFlags(column.values)
  if (schema.kind === 'categorical' && column.kind === 'categorical') return quantizeCodes(schema, column)
  return quantizeMissing(schema, column)
}

function checkOptions(options: QuantizeOptions): QuantizeOptions {
  checkCount('bins', options.bins, 255)
  checkCount('coarseBins', options.coarseBins, 64)
  if (options.rare >= 0 && options.rare <= 1) return options
  throw wrongOption('rare', options.rare, 'a share from 0 to 1')
}

function checkCount(name: string, value: number, limit: number): void {
  if (Number.isInteger(value) && value >= 2 && value <= limit) return
  throw wrongOption(name, value, `a whole number from 2 to ${limit}`)
}

function wrongOption(name: string, found: unknown, expected: string): FeatureBoostError {
  const message = `the option "${name}" is ${showValue(found)}.`
  return new FeatureBoostError('FB_OPTION_VALUE', message, { found, expected })
}

function thresholdsNeedNumbers(column: Column, threshold: number): FeatureBoostError {
  const message = `a predicate tests "<= ${threshold}" on a ${column.kind} column.`
  return new FeatureBoostError('FB_COLUMN_KIND', message, {
    column: column.name,
    expected: 'a numeric column',
  })
}

/**
 * A binary search of a fixed number of steps and without branches, which on mixed values takes half the time:
 * the cuts are padded with Infinity to a power of two, less one.
 */
function quantizeNumbers(values: Float64Array, given: readonly number[]): Uint8Array {
  const missing = given.length + 1
  const half = 1 << (31 - Math.clz32(given.length | 1))
  const cuts = new Float64Array(2 * half).fill(Number.POSITIVE_INFINITY)
  cuts.set(given)
  const bins = new Uint8Array(values.length)
  for (let row = 0; row < bins.length; row++) {
    const value = values[row]
    let bin = 0
    for (let step = half; step > 0; step >>= 1) bin += step * Number(cuts[bin + step - 1] < value)
    bins[row] = Number.isNaN(value) ? missing : bin
  }
  return bins
}

/** False, true, missing are 0, 1, 2. */
function quantizeFlags(values: Int8Array): Uint8Array {
  const bins = new Uint8Array(values.length)
  for (let row = 0; row < bins.length; row++) bins[row] = values[row] < 0 ? 2 : values[row]
  return bins
}

function quantizeCodes(schema: FeatureSchema, column: CategoricalColumn): Uint8Array {
  const binOfCode = Uint8Array.from(column.categories, category => binOf(schema, category))
  const missing = missingBin(schema)
  const bins = new Uint8Array(column.codes.length)
  for (let row = 0; row < bins.length; row++) {
    const code = column.codes[row]
    bins[row] = code < 0 ? missing : binOfCode[code]
  }
  return bins
}

function quantizeMissing(schema: FeatureSchema, column: Column): Uint8Array {
  const rowCount = columnLength(column)
  for (let row = 0; row < rowCount; row++) {
    const value = valueAt(column, row)
    if (value !== null) throw wrongKind(schema, value, row)
  }
  return new Uint8Array(rowCount).fill(missingBin(schema))
}
