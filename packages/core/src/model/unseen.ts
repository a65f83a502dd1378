// What new rows have that the rows of the fit had not: categories that the model does not know, which count as missing; numbers
// outside the range that it knows, or with fractions where all were whole; and missing values. Counted while rows are scored.

import { type Column, isWhollyMissing } from '../data/column.ts'
import { findColumn, type Table } from '../data/table.ts'
import { convertColumn } from '../quantize/convert.ts'
import type { Encoding } from '../quantize/encoding.ts'
import type { CategoricalSchema, FeatureSchema, NumericSchema } from '../quantize/schema.ts'

export interface ColumnNews {
  readonly column: string
  /** Rows with a category that was not among the rows of the fit. */
  readonly unseen: number
  /** Some of these categories, the first in the order of the alphabet. */
  readonly examples: readonly string[]
  /** Rows with a number below or above all those of the fit; null where the model does not know its range. */
  readonly outside: number | null
  /** Of the numbers in these rows, the smallest and the largest; only where some are outside. */
  readonly found?: readonly [low: number, high: number]
  /** Rows with a fraction where the rows of the fit had whole numbers only. */
  readonly fractional: number
  readonly missing: number
  /** Were values missing in the rows of the fit, too? */
  readonly missingBefore: boolean
}

const EXAMPLES = 3

interface Tally {
  unseen: number
  outside: number
  fractional: number
  missing: number
  low: number
  high: number
  readonly examples: Set<string>
}

const newTally = (): Tally => ({
  ...{ unseen: 0, outside: 0, fractional: 0, missing: 0 },
  ...{ low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY },
  examples: new Set<string>(),
})

export class NewsTally {
  /** Those whose values come from the rows. */
  readonly features: readonly FeatureSchema[]
  readonly #tallies: readonly Tally[]
  rowCount = 0

  constructor({ features, functions }: Encoding) {
    this.features = features.filter(({ name }) => !functions.includes(name))
    this.#tallies = this.features.map(newTally)
  }

  add(table: Table): void {
    this.rowCount += table.rowCount
    for (const [index, schema] of this.features.entries()) {
      const column = findColumn(table, schema.name)
      const tally = this.#tallies[index]
      tally.missing += countMissing(column)
      if (isWhollyMissing(column)) continue
      const converted = convertColumn(schema, column)
      if (schema.kind === 'categorical') addUnseen(tally, schema, converted)
      if (schema.kind === 'numeric') addNumbers(tally, schema, converted)
    }
  }

  /** Only of columns that have any news. */
  finish(): ColumnNews[] {
    return this.features.flatMap((schema, index) => {
      const { examples, fractional, high, low, missing, outside, unseen } = this.#tallies[index]
      if (unseen + outside + fractional + missing === 0) return []
      const isKnown = schema.kind !== 'numeric' || schema.range !== undefined
      return [
        {
          column: schema.name,
          unseen,
          examples: [...examples].sort().slice(0, EXAMPLES),
          outside: isKnown ? outside : null,
          ...(outside > 0 && { found: [low, high] as const }),
          ...{ fractional, missing, missingBefore: schema.missing },
        },
      ]
    })
  }
}

function countMissing(column: Column): number {
  if (column.kind === 'numeric')
    return column.values.reduce((count, value) => count + Number(Number.isNaN(value)), 0)
  const codes: Int8Array | Int32Array = column.kind === 'boolean' ? column.values : column.codes
  let count = 0
  for (let row = 0; row < codes.length; row++) count += Number(codes[row] < 0)
  return count
}

function addUnseen(tally: Tally, { categories, pooled }: CategoricalSchema, column: Column): void {
  if (column.kind !== 'categorical') return
  const known = new Set([...categories, ...pooled])
  const isNew = column.categories.map(category => !known.has(category))
  for (const code of column.codes) {
    if (code < 0 || !isNew[code]) continue
    tally.unseen++
    if (tally.examples.size < 100) tally.examples.add(column.categories[code])
  }
}

/** Without a range, nothing is known of the numbers of the fit. */
function addNumbers(tally: Tally, { range, whole }: NumericSchema, column: Column): void {
  if (column.kind !== 'numeric' || range === undefined) return
  const [low, high] = range
  for (const value of column.values) {
    if (Number.isNaN(value)) continue
    if (value < tally.low) tally.low = value
    if (value > tally.high) tally.high = value
    if (value < low || value > high) tally.outside++
    else if (whole && !Number.isInteger(value)) tally.fractional++
  }
}
