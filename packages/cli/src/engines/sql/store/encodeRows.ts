// Noted rows in bins and signals, as an encoding says: what core's quantize/ does to a table, as one SELECT.

import { FeatureBoostError } from '@featureboost/core'
import {
  addColumns,
  binCount,
  type Columns,
  cast,
  coarseMap,
  doubleSql,
  type RowEncoding as Encoding,
  type FeatureSchema,
  isSameTime,
  missingBin,
  ONE,
  roundSql,
  type SignalSchema,
} from '@featureboost/core/internal'
import { hasOwnCoarse } from '../engine.ts'
import type { FeatureColumn } from './learn.ts'
import type { StoreDialect } from './storeDialect.ts'

/** Columns f0.., g0.. and s0.. from v0.., one for each of `columns`; `kept` stay as they are. */
export function encodedSql(
  dialect: StoreDialect,
  source: string,
  columns: readonly FeatureColumn[],
  encoding: Encoding,
  kept: Columns,
): string {
  if (encoding.functions.length > 0) throw functionsStay(encoding.functions[0])
  const placeOf = (name: string) => columns.findIndex(column => column.name === name)
  const searched = searchLayers(dialect, encoding, columns)
  const bins: Columns = Object.fromEntries(
    encoding.features.map((schema, feature) => [
      `f${feature}`,
      cast(
        binSql(dialect, schema, columns[placeOf(schema.name)], `v${placeOf(schema.name)}`, feature),
        dialect.byteType,
      ),
    ]),
  )
  const coarse: Columns = Object.fromEntries(
    encoding.features.flatMap((schema, feature) => {
      const map = coarseMap(schema)
      return hasOwnCoarse(map)
        ? [[`g${feature}`, cast(dialect.lookUp(map, `f${feature}`), dialect.byteType)] as const]
        : []
    }),
  )
  const signals: Columns = Object.fromEntries(
    encoding.signals.map((signal, index) => [
      `s${index}`,
      cast(
        signalSql(dialect, signal, name => columnOf(columns, name)),
        dialect.wordType,
      ),
    ]),
  )
  const names = [...Object.keys(bins), ...Object.keys(coarse), ...Object.keys(signals)]
  const rest = Object.entries(kept).map(([name, sql]) => `${sql} AS ${name}`)
  return `SELECT ${[...names, ...rest].join(', ')} FROM (${addColumns(source, ...searched, bins, coarse, signals)})`
}

const columnOf = (columns: readonly FeatureColumn[], name: string) => {
  const at = columns.findIndex(column => column.name === name)
  return { column: columns[at], sql: `v${at}` }
}

/**
 * How many cuts lie below each number, n0 for the first feature: a search of a fixed number of steps, all features at once. The cuts are
 * padded to a power of two, less one, with the largest double.
 */
function searchLayers(
  dialect: StoreDialect,
  { features }: Encoding,
  columns: readonly FeatureColumn[],
): Columns[] {
  const layers: Record<string, string>[] = []
  for (const [feature, schema] of features.entries()) {
    if (schema.kind !== 'numeric') continue
    const { sql } = columnOf(columns, schema.name)
    const half = 1 << (31 - Math.clz32(schema.cuts.length | 1))
    const cuts = Array.from({ length: 2 * half - 1 }, (_, at) => schema.cuts[at] ?? Number.MAX_VALUE)
    let before = '0'
    for (let [step, layer] = [half, 0]; step > 0; step >>= 1, layer++) {
      const place = before === '0' ? String(step - 1) : `${before} + ${step - 1}`
      layers[layer] ??= {}
      const name = step === 1 ? `n${feature}` : `n${feature}_${layer}`
      layers[layer][name] =
        `${before} + CASE WHEN ${dialect.lookUpDouble(cuts, place)} < ${sql} THEN ${step} ELSE 0 END`
      before = name
    }
  }
  return layers
}

function binSql(
  dialect: StoreDialect,
  schema: FeatureSchema,
  column: FeatureColumn,
  value: string,
  feature: number,
): string {
  const missing = missingBin(schema)
  if (!fits(schema, column)) throw otherKind(schema, column)
  if (schema.kind === 'numeric') return `CASE WHEN ${value} IS NULL THEN ${missing} ELSE n${feature} END`
  // A column without values may be of any kind.
  if (column.kind !== schema.kind) return String(missing)
  if (schema.kind === 'boolean') return `COALESCE(${value}, ${missing})`
  const { categories, pooled } = schema
  const others =
    pooled.length === 0
      ? String(missing)
      : `CASE WHEN ${value} IN (${pooled.map(dialect.quoteText).join(', ')}) THEN ${categories.length} ELSE ${missing} END`
  if (categories.length === 0) return `CASE WHEN ${value} IS NULL THEN ${missing} ELSE ${others} END`
  const place = dialect.placeOf(categories, value)
  return `CASE WHEN ${value} IS NULL THEN ${missing} WHEN ${place} >= 0 THEN ${place} ELSE ${others} END`
}

/** Dates are no numbers, and numbers no dates. */
function fits(schema: FeatureSchema, { isEmpty, kind, time }: FeatureColumn): boolean {
  if (isEmpty) return true
  if (schema.kind !== kind) return false
  if (schema.kind !== 'numeric') return true
  return schema.time === undefined || time === undefined
    ? schema.time === time
    : isSameTime(schema.time, time)
}

function otherKind(schema: FeatureSchema, { kind, time }: FeatureColumn): FeatureBoostError {
  const told =
    schema.kind === 'numeric' && schema.time !== undefined ? `${schema.time}s` : `${schema.kind} values`
  return new FeatureBoostError(
    'FB_COLUMN_KIND',
    `the column holds ${time === undefined ? kind : time} values.`,
    {
      column: schema.name,
      found: time ?? kind,
      expected: `${told}, as when the model was fitted`,
      hint: 'Convert the column where the rows are, with --sql.',
    },
  )
}

function signalSql(
  dialect: StoreDialect,
  signal: SignalSchema,
  find: (name: string) => { readonly column: FeatureColumn; readonly sql: string },
): string {
  switch (signal.kind) {
    case 'one':
      return String(ONE)
    case 'scaled': {
      const { sql } = find(signal.column)
      const scaled = `(${sql} - ${signedDouble(signal.center)}) / ${signedDouble(signal.scale)}`
      const units = roundSql(dialect, `GREATEST(-1E0, LEAST(1E0, ${scaled})) * ${doubleSql(ONE)}`)
      return `CASE WHEN ${sql} IS NULL THEN 0 ELSE ${units} END`
    }
    case 'indicator': {
      const { sql } = find(signal.column)
      const wanted =
        typeof signal.value === 'boolean' ? String(Number(signal.value)) : dialect.quoteText(signal.value)
      return `CASE WHEN ${sql} = ${wanted} THEN ${ONE} ELSE 0 END`
    }
    case 'function':
      throw functionsStay(signal.name)
  }
}

/** In brackets: two signs would begin a comment. */
const signedDouble = (value: number): string => `(${doubleSql(value)})`

const functionsStay = (name: string): FeatureBoostError =>
  new FeatureBoostError(
    'FB_ENGINE_ROWS',
    `the function "${name}" is code of this process, and rows stay where they are.`,
    {
      expected: 'auditors that are no functions: trees, groups or linear ones',
      hint: 'Add the values of the function as a column, with --sql.',
    },
  )

/** What an engine must know of the columns. */
export const encodedShape = ({ features, signals }: Encoding) => ({
  binCounts: features.map(binCount),
  coarseOf: features.map(coarseMap),
  signalCount: signals.length,
})
