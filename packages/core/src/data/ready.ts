// Columns that the caller has built already: checked, then adopted without copying.

import { FeatureBoostError } from '../common/errors.ts'
import {
  type BooleanColumn,
  type CategoricalColumn,
  type Column,
  type NumericColumn,
  showValue,
} from './column.ts'
import { numericColumn } from './infer.ts'
import { TIME_KINDS } from './times.ts'

/** A column whose name is given elsewhere, such as by its key in a record. */
export type ColumnLike =
  | Omit<NumericColumn, 'name'>
  | Omit<BooleanColumn, 'name'>
  | Omit<CategoricalColumn, 'name'>

export function isColumnLike(input: unknown): input is ColumnLike {
  return typeof input === 'object' && input !== null && 'kind' in input
}

export function readyColumn(name: string, input: ColumnLike): Column {
  switch (input.kind) {
    case 'numeric':
      if (!(input.values instanceof Float64Array)) throw wrongStorage(name, 'values in a Float64Array')
      return readyNumeric(name, input.values, input.time)
    case 'boolean':
      return readyBoolean(name, input.values)
    case 'categorical':
      return readyCategorical(name, input)
    default:
      throw wrongStorage(name, 'kind "numeric", "boolean" or "categorical"')
  }
}

function readyNumeric(name: string, values: Float64Array, time: unknown): NumericColumn {
  const column = numericColumn(name, values)
  if (time === undefined) return column
  const kind = TIME_KINDS.find(known => known === time)
  if (kind === undefined)
    throw wrongStorage(name, `time "${TIME_KINDS.join('", "')}", or none`, showValue(time))
  return { ...column, time: kind }
}

function readyBoolean(name: string, values: Int8Array): BooleanColumn {
  if (!(values instanceof Int8Array)) throw wrongStorage(name, 'values in an Int8Array')
  checkCodes(name, values, 1)
  return { name, kind: 'boolean', values }
}

function readyCategorical(
  name: string,
  { categories, codes, numbers }: Omit<CategoricalColumn, 'name'>,
): CategoricalColumn {
  if (!(codes instanceof Int32Array)) throw wrongStorage(name, 'codes in an Int32Array')
  if (!Array.isArray(categories)) throw wrongStorage(name, 'categories in an array')
  const seen = new Set<string>()
  for (const category of categories) {
    if (typeof category === 'string' && !seen.has(category)) seen.add(category)
    else
      throw wrongStorage(name, 'categories that are strings and differ from each other', showValue(category))
  }
  checkCodes(name, codes, categories.length - 1)
  if (numbers !== undefined && numbers !== true)
    throw wrongStorage(name, 'numbers true, or none', showValue(numbers))
  return { name, kind: 'categorical', codes, categories, ...(numbers && { numbers }) }
}

function checkCodes(column: string, codes: Int8Array | Int32Array, largest: number): void {
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] >= -1 && codes[row] <= largest) continue
    throw new FeatureBoostError('FB_COLUMN_KIND', `code ${codes[row]} is out of range.`, {
      column,
      row: row + 1,
      found: codes[row],
      expected: `-1 (missing) to ${largest}`,
    })
  }
}

function wrongStorage(column: string, expected: string, found?: string): FeatureBoostError {
  const message = `this is not a well-formed column${found === undefined ? '' : `: found ${found}`}.`
  return new FeatureBoostError('FB_COLUMN_KIND', message, { column, expected })
}
