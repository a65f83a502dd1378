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

export interface EncodedRow {
  readonly bins: readonly (readonly [number])[]
  readonly signals: readonly (readonly [number])[]
}

/**
 * Reads single rows, as one-element lists, so that engines and single rows share one walk. A missing key is missing; functions see the
 * features and nothing else, as they do in a table. The lists are those of the row read last.
 */
export function makeRowEncoder(
  { features, functions: names, signals }: Encoding,
  functions: RowFunctions,
): (row: Row) => EncodedRow {
  const isDerived = features.map(({ name }) => names.includes(name))
  const places = new Map(features.map(({ name }, place) => [name, place]))
  const bins = features.map((): [number] => [0])
  const encoded = signals.map((): [number] => [0])
  const values = new Array<Value>(features.length).fill(null)
  const seenRow = (): Row =>
    Object.fromEntries(
      features.flatMap(({ name }, place) => (isDerived[place] ? [] : [[name, values[place]]])),
    )
  const derived = (name: string) => evaluateFunction(name, functions, seenRow())
  return row => {
    for (let place = 0; place < features.length; place++) {
      if (isDerived[place]) continue
      const { name } = features[place]
      const value = Object.hasOwn(row, name) ? row[name] : null
      values[place] = convertValue(features[place], value) ?? null
      bins[place][0] = binOf(features[place], values[place])
    }
    for (let place = 0; place < features.length; place++)
      if (isDerived[place]) bins[place][0] = binOf(features[place], derived(features[place].name))
    for (const [place, signal] of signals.entries()) {
      encoded[place][0] =
        signal.kind === 'function'
          ? toUnits(derived(signal.name))
          : signalOf(signal, signal.kind === 'one' ? null : values[places.get(signal.column)!])
    }
    return { bins, signals: encoded }
  }
}
