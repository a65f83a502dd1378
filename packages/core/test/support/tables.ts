// Small generated tables with ties, missing values and weights, and the real way from a table to an engine.

import fc from 'fast-check'
import type { Auditors } from '../../src/classes/auditors.ts'
import { type CompiledClass, compileAuditors } from '../../src/classes/compile.ts'
import type { FactorKind } from '../../src/classes/factors.ts'
import { functionsOf } from '../../src/classes/kinds/kinds.ts'
import { assignRoles, type Dataset } from '../../src/data/roles.ts'
import { type ColumnInput, makeTable } from '../../src/data/table.ts'
import type { EngineRows, LocalEngine } from '../../src/engine/engine.ts'
import { referenceEngine } from '../../src/engine/reference/reference.ts'
import type { Encoding } from '../../src/quantize/encoding.ts'
import type { QuantizeOptions } from '../../src/quantize/quantize.ts'
import { engineRows, learnEncoding } from '../../src/store/encode.ts'

export interface SmallRow {
  readonly age: number | null
  readonly city: string | null
  readonly member: boolean | null
  readonly label: number
  readonly score: number
  readonly weight: number
  readonly fold: 'fit' | 'holdout'
}

export interface SmallTable {
  readonly rows: readonly SmallRow[]
  readonly weighted: boolean
  readonly folded: boolean
}

export interface TableShape {
  readonly maxRows?: number
  readonly missing?: boolean
  readonly folds?: boolean
}

export const AGES = [-2, 0, 17.5, 18, 25, 40, 41, 65] as const
const CITIES = ['Aachen', 'Bonn', 'Celle', 'Dresden', 'Essen'] as const

/** Labels that are not all the same, some weight in every fold. */
export function tablesArbitrary(shape: TableShape = {}): fc.Arbitrary<SmallTable> {
  const { folds = false, maxRows = 40, missing = true } = shape
  const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
    missing ? fc.option(value, { freq: 6 }) : value
  const rowArbitrary = (cities: number): fc.Arbitrary<SmallRow> =>
    fc.record({
      age: maybe(fc.constantFrom(...AGES)),
      city: maybe(fc.constantFrom(...CITIES.slice(0, cities))),
      member: maybe(fc.boolean()),
      label: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0, 1) }, { weight: 1, arbitrary: probability }),
      score: probability,
      weight: fc.integer({ min: 0, max: 3 }),
      fold: fc.constantFrom('fit', 'holdout'),
    })
  return fc
    .tuple(fc.integer({ min: 3, max: 5 }), fc.boolean())
    .chain(([cities, weighted]) =>
      fc
        .array(rowArbitrary(cities), { minLength: 2, maxLength: maxRows })
        .map((rows): SmallTable => ({ rows, weighted, folded: folds })),
    )
    .filter(isUsable)
}

const probability = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map(eighths => eighths / 8),
  fc.double({ min: 0, max: 1, noNaN: true }),
)

function isUsable({ folded, rows, weighted }: SmallTable): boolean {
  const units = rows.map(({ label }) => Math.round(label * 2 ** 24))
  const hasWeight = (fold: string) =>
    rows.some(row => (!weighted || row.weight > 0) && (!folded || row.fold === fold))
  return units.some(label => label !== units[0]) && hasWeight('fit') && hasWeight('holdout')
}

export interface Prepared {
  readonly given: SmallTable
  readonly dataset: Dataset
  readonly encoding: Encoding
  readonly compiled: CompiledClass
  readonly rows: EngineRows
  readonly engine: LocalEngine
}

/** Fewer bins than values, so that the declared class is smaller than what the values allow. */
export const FEW_BINS: QuantizeOptions = { bins: 5, coarseBins: 4, rare: 0.1 }
export const MANY_BINS: QuantizeOptions = { bins: 30, coarseBins: 30, rare: 0 }

export function prepare(
  given: SmallTable,
  auditors: Auditors,
  factors: FactorKind,
  quantize: QuantizeOptions = FEW_BINS,
): Prepared {
  const roles = {
    label: 'label',
    prediction: 'score',
    features: ['age', 'city', 'member'],
    ...(given.weighted && { weight: 'weight' }),
    ...(given.folded && { fold: 'fold' }),
  }
  const dataset = assignRoles(makeTable(columnsOf(given)), roles)
  const encoding = learnEncoding(dataset, auditors, quantize)
  const compiled = compileAuditors(auditors, factors, encoding)
  const rows = engineRows(dataset, encoding, functionsOf(auditors))
  return { given, dataset, encoding, compiled, rows, engine: referenceEngine(rows) }
}

function columnsOf({ rows }: SmallTable): Record<string, ColumnInput> {
  const names = ['age', 'city', 'member', 'label', 'score', 'weight', 'fold'] as const
  return Object.fromEntries(names.map(name => [name, rows.map(row => row[name])]))
}
