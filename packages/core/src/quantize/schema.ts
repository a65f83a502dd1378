// A feature's schema: how its values map to small integers. Value bins come first, the missing bin is always
// the last; coarse bins are unions of fine ones. All bins fit in a byte.

import { FeatureBoostError } from '../common/errors.ts'
import { kindOfValue, showValue } from '../data/column.ts'
import type { Value } from '../data/table.ts'
import type { TimeKind } from '../data/times.ts'
import { indexInSorted, lowerBound } from './search.ts'

export interface NumericSchema {
  readonly name: string
  readonly kind: 'numeric'
  /** Were there missing values among the rows it was learned from? */
  readonly missing: boolean
  /** Ascending; bin i holds cuts[i-1] < x <= cuts[i]. */
  readonly cuts: readonly number[]
  /** Ascending indexes into `cuts` that the coarse class keeps. */
  readonly coarse: readonly number[]
  /** The smallest and the largest value among the rows it was learned from. */
  readonly range?: readonly [low: number, high: number]
  /** Were these values whole numbers below 2^53, all of them? Only of numbers that are no times. */
  readonly whole?: boolean
  /** What the numbers stand for, where they are dates or times. */
  readonly time?: TimeKind
  /** How files write its dates, "%m/%d/%Y", where that is not as ISO 8601 has them. */
  readonly format?: string
}

export interface CategoricalSchema {
  readonly name: string
  readonly kind: 'categorical'
  /** Were there missing values among the rows it was learned from? */
  readonly missing: boolean
  /** Each has a bin of its own; sorted by code unit order. */
  readonly categories: readonly string[]
  /** Known but rare: they share the bin after the categories; sorted by code unit order. */
  readonly pooled: readonly string[]
  /** Ascending indexes into `categories` that keep a coarse bin of their own; the others share one. */
  readonly coarse: readonly number[]
  /** The categories were given as numbers: text that is a number is read as one. */
  readonly numbers?: true
}

export interface BooleanSchema {
  readonly name: string
  readonly kind: 'boolean'
  /** Were there missing values among the rows it was learned from? */
  readonly missing: boolean
}

export type FeatureSchema = NumericSchema | CategoricalSchema | BooleanSchema

/** Value bins and the missing bin. */
export function binCount(schema: FeatureSchema): number {
  return missingBin(schema) + 1
}

export function missingBin(schema: FeatureSchema): number {
  switch (schema.kind) {
    case 'numeric':
      return schema.cuts.length + 1
    case 'categorical':
      return schema.categories.length + (schema.pooled.length > 0 ? 1 : 0)
    case 'boolean':
      return 2
  }
}

/** Coarse value bins and the missing bin. */
export function coarseCount(schema: FeatureSchema): number {
  switch (schema.kind) {
    case 'numeric':
      return schema.coarse.length + 2
    case 'categorical': {
      const shared = schema.pooled.length > 0 || schema.coarse.length < schema.categories.length
      return schema.coarse.length + (shared ? 1 : 0) + 1
    }
    case 'boolean':
      return 3
  }
}

/** The coarse bin of each fine bin. */
export function coarseMap(schema: FeatureSchema): Uint8Array {
  const map = new Uint8Array(binCount(schema))
  for (let bin = 0; bin < map.length - 1; bin++) map[bin] = coarseBinOf(schema, bin)
  map[map.length - 1] = coarseCount(schema) - 1
  return map
}

function coarseBinOf(schema: FeatureSchema, bin: number): number {
  if (schema.kind === 'boolean') return bin
  if (schema.kind === 'numeric') return lowerBound(schema.coarse, bin)
  const own = indexInSorted(schema.coarse, bin)
  return own < 0 ? schema.coarse.length : own
}

/** The bin of one value. Missing values and unknown categories go to the missing bin. */
export function binOf(schema: FeatureSchema, value: Value | undefined): number {
  if (value === null || value === undefined || Number.isNaN(value)) return missingBin(schema)
  switch (schema.kind) {
    case 'numeric':
      if (typeof value !== 'number') throw wrongKind(schema, value)
      if (!Number.isFinite(value)) throw notFinite(schema, value)
      return lowerBound(schema.cuts, value)
    case 'boolean':
      if (typeof value !== 'boolean') throw wrongKind(schema, value)
      return value ? 1 : 0
    case 'categorical':
      if (typeof value !== 'string') throw wrongKind(schema, value)
      return binOfCategory(schema, value)
  }
}

function binOfCategory(schema: CategoricalSchema, category: string): number {
  const own = indexInSorted(schema.categories, category)
  if (own >= 0) return own
  return indexInSorted(schema.pooled, category) >= 0 ? schema.categories.length : missingBin(schema)
}

/** A value or a column of another kind than the one that was fitted. */
export function wrongKind(schema: FeatureSchema, found: unknown, row?: number): FeatureBoostError {
  const message = `found ${showValue(found)}, which is ${kindOfValue(found) ?? 'no value'}.`
  return new FeatureBoostError('FB_COLUMN_KIND', message, {
    column: schema.name,
    ...(row === undefined ? {} : { row: row + 1 }),
    found,
    expected: `${schema.kind} values, as when the model was fitted`,
  })
}

function notFinite(schema: FeatureSchema, found: number): FeatureBoostError {
  return new FeatureBoostError('FB_NOT_FINITE', `${found} is not a finite number.`, {
    column: schema.name,
    found,
    expected: 'a finite number, or NaN or null for a missing value',
  })
}
