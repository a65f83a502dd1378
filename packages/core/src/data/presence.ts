// What the fitting rows hold in each column, found chunk by chunk: the part of a schema that a sample could miss.

import type { CategoricalColumn, Column, NumericColumn } from './column.ts'
import { hasClock } from './times.ts'

export interface Presence {
  readonly missing: boolean
  /** Sorted; empty unless the column is categorical. */
  readonly categories: readonly string[]
  /** Has a moment a time of day? Only of columns of moments. */
  readonly clock?: boolean
  /** Only of numeric columns that have values. */
  readonly numbers?: NumberFacts
}

export interface NumberFacts {
  readonly range: readonly [low: number, high: number]
  /** All of them whole numbers? Never of times. */
  readonly whole: boolean
}

export class PresenceTally {
  readonly #missing: boolean[]
  readonly #categories: Set<string>[]
  readonly #clock: (boolean | undefined)[]
  readonly #numbers: (NumberFacts | undefined)[]

  constructor(featureCount: number) {
    this.#missing = new Array<boolean>(featureCount).fill(false)
    this.#categories = Array.from({ length: featureCount }, () => new Set<string>())
    this.#clock = new Array<boolean | undefined>(featureCount).fill(undefined)
    this.#numbers = new Array<NumberFacts | undefined>(featureCount).fill(undefined)
  }

  /** `use`: rows that count. */
  add(features: readonly Column[], use: (row: number) => boolean): void {
    for (const [index, column] of features.entries()) {
      this.#missing[index] ||= anyMissing(column, use)
      if (column.kind === 'categorical') addCategories(this.#categories[index], column, use)
      if (column.kind === 'numeric' && column.time !== undefined && column.time !== 'time')
        this.#clock[index] = this.#clock[index] === true || anyClock(column.values, use)
      if (column.kind === 'numeric') this.#numbers[index] = addNumbers(this.#numbers[index], column, use)
    }
  }

  finish(): Presence[] {
    return this.#missing.map((missing, index) => ({
      missing,
      categories: [...this.#categories[index]].sort(),
      ...(this.#clock[index] !== undefined && { clock: this.#clock[index] }),
      ...(this.#numbers[index] !== undefined && { numbers: this.#numbers[index] }),
    }))
  }
}

export function anyMissing(column: Column, use: (row: number) => boolean): boolean {
  if (column.kind === 'numeric') return anyNaN(column.values, use)
  const codes: Int8Array | Int32Array = column.kind === 'boolean' ? column.values : column.codes
  for (let row = 0; row < codes.length; row++) if (codes[row] < 0 && use(row)) return true
  return false
}

function anyNaN(values: Float64Array, use: (row: number) => boolean): boolean {
  for (let row = 0; row < values.length; row++) if (Number.isNaN(values[row]) && use(row)) return true
  return false
}

function anyClock(values: Float64Array, use: (row: number) => boolean): boolean {
  for (let row = 0; row < values.length; row++) {
    if (!Number.isNaN(values[row]) && hasClock(values[row]) && use(row)) return true
  }
  return false
}

function addNumbers(
  known: NumberFacts | undefined,
  { time, values }: NumericColumn,
  use: (row: number) => boolean,
): NumberFacts | undefined {
  let [low, high] = known?.range ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let whole = known?.whole ?? time === undefined
  for (let row = 0; row < values.length; row++) {
    const value = values[row]
    if (Number.isNaN(value) || !use(row)) continue
    if (value < low) low = value
    if (value > high) high = value
    whole &&= Number.isSafeInteger(value)
  }
  // Adding 0 makes -0 equal to 0.
  return low <= high ? { range: [low + 0, high + 0], whole } : undefined
}

function addCategories(
  into: Set<string>,
  { categories, codes }: CategoricalColumn,
  use: (row: number) => boolean,
): void {
  const seen = new Uint8Array(categories.length)
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] >= 0 && seen[codes[row]] === 0 && use(row)) seen[codes[row]] = 1
  }
  for (const [code, category] of categories.entries()) if (seen[code] === 1) into.add(category)
}
