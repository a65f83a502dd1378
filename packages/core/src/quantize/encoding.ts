// An encoding turns a table, or one row, into the small integers that engines and updates work on: bins and
// signals. It is learned once, on the fitting rows, and is part of the model.

import { toUnits } from '../common/units.ts'
import { type Column, findColumn, type Table, type Value } from '../data/table.ts'
import { convertColumn, convertValue } from './convert.ts'
import { type BinNumbers, quantizeColumn } from './quantize.ts'
import { binOf, type FeatureSchema } from './schema.ts'
import { lowerBound } from './search.ts'
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

/** Room for rows: bins of every feature, and signals. */
export interface RowRoom {
  readonly bins: readonly Uint8Array[]
  readonly signals: readonly Int32Array[]
}

export const makeRoom = ({ features, signals }: Encoding, rowCount: number): RowRoom => ({
  bins: features.map(() => new Uint8Array(rowCount)),
  signals: signals.map(() => new Int32Array(rowCount)),
})

/** Reads a row into its place, so that engines and single rows share one walk. */
export type RowEncoder = (row: Row, room: RowRoom, at: number) => void

/** A missing key is missing; functions see the features and nothing else, as they do in a table. */
export function makeRowEncoder(encoding: Encoding, functions: RowFunctions): RowEncoder {
  const { features, functions: names, signals } = encoding
  const isPlain = names.length === 0 && signals.length === 0
  if (!isPlain) return makeFullEncoder(encoding, functions)
  const readers = features.map(makeBinReader)
  const featureNames = features.map(({ name }) => name)
  const areOwn = namesAreOwn(features)
  return (row, { bins }, at) => {
    // Asking whether a name is the row's own takes longer than reading it, and plain objects inherit none of these.
    const isOwn = areOwn && Object.getPrototypeOf(row) === Object.prototype
    for (let place = 0; place < featureNames.length; place++) {
      const name = featureNames[place]
      bins[place][at] = readers[place](isOwn || Object.hasOwn(row, name) ? row[name] : null)
    }
  }
}

/** No object has these names but for its own. */
export const namesAreOwn = (features: readonly FeatureSchema[]): boolean =>
  features.every(({ name }) => !(name in Object.prototype))

function makeFullEncoder(
  { features, functions: names, signals }: Encoding,
  functions: RowFunctions,
): RowEncoder {
  const schemas = new Map(features.map(feature => [feature.name, feature]))
  const given = features.filter(({ name }) => !names.includes(name))
  return (row, room, at) => {
    const valueIn = (name: string): Value =>
      convertValue(schemas.get(name)!, Object.hasOwn(row, name) ? row[name] : null) ?? null
    const seen = () => Object.fromEntries(given.map(({ name }) => [name, valueIn(name)]))
    const derived = (name: string) => evaluateFunction(name, functions, seen())
    for (const [place, feature] of features.entries()) {
      const value = names.includes(feature.name) ? derived(feature.name) : valueIn(feature.name)
      room.bins[place][at] = binOf(feature, value)
    }
    for (const [place, signal] of signals.entries())
      room.signals[place][at] =
        signal.kind === 'function'
          ? toUnits(derived(signal.name))
          : signalOf(signal, signal.kind === 'one' ? null : valueIn(signal.column))
  }
}

/** The bin of one value, as convertValue and binOf have it, by a short way for values of the feature's own kind. */
export function makeBinReader(schema: FeatureSchema): (value: Row[string]) => number {
  const anyValue = (value: Row[string]) => binOf(schema, convertValue(schema, value) ?? null)
  if (schema.kind === 'boolean') return value => (value === true ? 1 : value === false ? 0 : anyValue(value))
  if (schema.kind === 'numeric') {
    if (schema.time !== undefined) return anyValue
    const cuts = Float64Array.from(schema.cuts)
    return value => (Number.isFinite(value) ? lowerBound(cuts, value as number) : anyValue(value))
  }
  if (schema.numbers) return anyValue
  const known = new Map([...schema.categories, ...schema.pooled].map(name => [name, binOf(schema, name)]))
  return value => (typeof value === 'string' ? (known.get(value) ?? anyValue(value)) : anyValue(value))
}
