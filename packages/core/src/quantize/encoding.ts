// An encoding turns a table, or one row, into the small integers that engines and updates work on: bins and
// signals. It is learned once, on the fitting rows, and is part of the model.

import { toUnits } from '../common/units.ts'
import { type Column, findColumn, type Table, type Value } from '../data/table.ts'
import { convertColumn, convertValue } from './convert.ts'
import { type BinNumbers, quantizeColumn } from './quantize.ts'
import { binOf, type FeatureSchema } from './schema.ts'
import {
  encodeSignal,
  evaluateFunction,
  evaluateFunctions,
  type Row,
  type RowFunctions,
  type SignalSchema,
  signalOf,
} from './signals.ts'

export interface Encoding {
  readonly features: readonly FeatureSchema[]
  readonly signals: readonly SignalSchema[]
  /** Names of the auditor functions; one of them may also be a (derived) feature of the same name. */
  readonly functions: readonly string[]
}

interface EncodedRows {
  readonly bins: readonly Uint8Array[]
  readonly signals: readonly Int32Array[]
}

export function encodeTable(
  encoding: Encoding,
  table: Table,
  functions: RowFunctions,
  binNumbers?: BinNumbers,
): EncodedRows {
  const { columns, signals } = resolveColumns(encoding, table, functions)
  const bins = encoding.features.map((feature, index) => quantizeColumn(feature, columns[index], binNumbers))
  return { bins, signals }
}

/** Rows ready to be scored: numbers stay as they are, because kernels find their bins faster. */
interface ScoringRows {
  readonly features: readonly (Uint8Array | Float64Array)[]
  readonly signals: readonly Int32Array[]
}

export function encodeForScoring(encoding: Encoding, table: Table, functions: RowFunctions): ScoringRows {
  const { columns, signals } = resolveColumns(encoding, table, functions)
  const features = encoding.features.map((feature, index) => {
    const column = columns[index]
    const numbers = feature.kind === 'numeric' && column.kind === 'numeric'
    return numbers ? column.values : quantizeColumn(feature, column)
  })
  return { features, signals }
}

/** The column of every feature, given or computed by a function, and the signals. */
function resolveColumns(
  encoding: Encoding,
  table: Table,
  functions: RowFunctions,
): { columns: Column[]; signals: Int32Array[] } {
  const given = encoding.features.filter(feature => !encoding.functions.includes(feature.name))
  const seen = given.map(feature => convertColumn(feature, findColumn(table, feature.name, 'feature')))
  const values = evaluateFunctions(encoding.functions, functions, seen, table.rowCount)
  const known = { rowCount: table.rowCount, columns: seen }
  const columnOf = (name: string): Column => {
    const derived = values.get(name)
    return derived === undefined ? findColumn(known, name) : { name, kind: 'numeric', values: derived }
  }
  return {
    columns: encoding.features.map(feature => columnOf(feature.name)),
    signals: encoding.signals.map(signal => encodeSignal(signal, known, values)),
  }
}

/**
 * One row, as one-element lists, so that engines and single rows share one walk. A missing key is missing; functions
 * see the features and nothing else, as they do in a table.
 */
export function encodeRow(
  encoding: Encoding,
  row: Row,
  functions: RowFunctions,
): { bins: number[][]; signals: number[][] } {
  const schemas = new Map(encoding.features.map(feature => [feature.name, feature]))
  const valueIn = (name: string): Value =>
    convertValue(schemas.get(name)!, Object.hasOwn(row, name) ? row[name] : null) ?? null
  const derived = (name: string) => evaluateFunction(name, functions, seenRow(encoding, valueIn))
  return {
    bins: encoding.features.map(feature => {
      const value = encoding.functions.includes(feature.name) ? derived(feature.name) : valueIn(feature.name)
      return [binOf(feature, value)]
    }),
    signals: encoding.signals.map(signal => {
      if (signal.kind === 'function') return [toUnits(derived(signal.name))]
      return [signalOf(signal, signal.kind === 'one' ? null : valueIn(signal.column))]
    }),
  }
}

function seenRow({ features, functions }: Encoding, valueIn: (name: string) => Value): Row {
  const given = features.filter(feature => !functions.includes(feature.name))
  return Object.fromEntries(given.map(({ name }) => [name, valueIn(name)]))
}
