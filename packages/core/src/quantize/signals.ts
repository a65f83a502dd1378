// Signals: real-valued functions of a row as integers in units of 2^-24 within [-1,1]. Linear terms and the
// user's own auditor functions are signals; everything else is bins.

import { FeatureBoostError } from '../common/errors.ts'
import { ONE, toUnits } from '../common/units.ts'
import { type Column, findColumn, type Table, type Value, valueAt } from '../data/table.ts'

export type Row = Readonly<Record<string, Value | Date>>
type RowFunction = (row: Row) => number
export type RowFunctions = Readonly<Record<string, RowFunction>>

export type SignalSchema =
  | { readonly kind: 'one' }
  /** (x - center) / scale, cut off at -1 and 1; missing is 0. */
  | { readonly kind: 'scaled'; readonly column: string; readonly center: number; readonly scale: number }
  /** 1 where the column holds this value, else 0. */
  | { readonly kind: 'indicator'; readonly column: string; readonly value: string | boolean }
  | { readonly kind: 'function'; readonly name: string }

/** The signal of one value of its column (or of the whole row, for a function). */
export function signalOf(schema: Exclude<SignalSchema, { kind: 'function' }>, value: Value): number {
  switch (schema.kind) {
    case 'one':
      return ONE
    case 'scaled': {
      if (typeof value !== 'number' || Number.isNaN(value)) return 0
      return toUnits(Math.max(-1, Math.min(1, (value - schema.center) / schema.scale)))
    }
    case 'indicator':
      return value === schema.value ? ONE : 0
  }
}

export function encodeSignal(schema: SignalSchema, table: Table, functionValues: FunctionValues): Int32Array {
  if (schema.kind === 'function') return Int32Array.from(functionValues.get(schema.name)!, toUnits)
  if (schema.kind === 'one') return new Int32Array(table.rowCount).fill(ONE)
  const column = findColumn(table, schema.column)
  return Int32Array.from({ length: table.rowCount }, (_, row) => signalOf(schema, valueAt(column, row)))
}

type FunctionValues = ReadonlyMap<string, Float64Array>

/** Evaluates the named functions on every row; each must answer with a number in [-1,1]. */
export function evaluateFunctions(
  names: readonly string[],
  functions: RowFunctions,
  columns: readonly Column[],
  rowCount: number,
): FunctionValues {
  const values = new Map(names.map(name => [name, new Float64Array(rowCount)]))
  for (let row = 0; row < rowCount && names.length > 0; row++) {
    const seen = Object.fromEntries(columns.map(column => [column.name, valueAt(column, row)]))
    for (const name of names) values.get(name)![row] = evaluateFunction(name, functions, seen, row + 1)
  }
  return values
}

export function evaluateFunction(name: string, functions: RowFunctions, row: Row, place?: number): number {
  const where = place === undefined ? {} : { row: place }
  const evaluate = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (typeof evaluate !== 'function') {
    throw new FeatureBoostError('FB_FUNCTION', `the auditor function "${name}" is not at hand.`, {
      hint: 'A model file cannot hold code: pass it again, as readModel(text, { functions }).',
    })
  }
  let value: number
  try {
    value = evaluate(row)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new FeatureBoostError('FB_FUNCTION', `auditor function "${name}" threw: ${message}.`, where)
  }
  if (typeof value !== 'number' || !(value >= -1 && value <= 1)) {
    throw new FeatureBoostError('FB_FUNCTION', `auditor function "${name}" returned ${String(value)}.`, {
      ...where,
      found: value,
      expected: 'a number from -1 to 1',
    })
  }
  return value
}
