// Conditions on bins, said again as predicates on values, which people and databases understand.

import type { Value } from '../data/table.ts'
import {
  binCount,
  type CategoricalSchema,
  type FeatureSchema,
  type NumericSchema,
} from '../quantize/schema.ts'
import { binTakesYes, type Condition, type FeatureSplit } from '../update/update.ts'
import type { Bound, Predicate } from './auditors.ts'
import { timeBound, type WholeBounds, wholeBounds } from './bounds.ts'

/** A conjunction; conditions on one feature are taken together. Conditions on the prediction are left out. */
export function predicatesOfPath(
  path: readonly Condition[],
  features: readonly FeatureSchema[],
): Predicate[] {
  const tested = new Set(path.flatMap(({ split }) => (split.kind === 'below' ? [] : [split.feature])))
  return [...tested].flatMap(feature => {
    const conditions = path.filter(({ split }) => split.kind !== 'below' && split.feature === feature)
    return predicatesOfFeature(features[feature], conditions)
  })
}

function predicatesOfFeature(schema: FeatureSchema, conditions: readonly Condition[]): Predicate[] {
  const missing = binCount(schema) - 1
  const passes = (bin: number) =>
    conditions.every(({ split, yes }) => binTakesYes(split as FeatureSplit, bin, missing) === yes)
  const bins = Array.from({ length: missing }, (_, bin) => bin).filter(passes)
  const column = schema.name
  // Where no value was missing, it does not matter on which side missing values would be.
  const orMissing = passes(missing) && schema.missing ? { orMissing: true } : {}
  if (bins.length === 0) return passes(missing) ? [{ column, missing: true }] : nobody(column)
  if (bins.length === missing) return passes(missing) ? [] : [{ column, missing: false }]
  if (schema.kind === 'numeric') return rangeOf(schema, bins).map(test => ({ column, ...test, ...orMissing }))
  return [{ column, ...valuesOf(schema, bins), ...orMissing }]
}

/** Conditions that contradict each other. */
const nobody = (column: string): Predicate[] => [
  { column, missing: true },
  { column, missing: false },
]

type Range =
  | { readonly atMost: Bound }
  | { readonly above: Bound }
  | { readonly atLeast: Bound }
  | { readonly is: number }

function rangeOf(schema: NumericSchema, bins: readonly number[]): Range[] {
  const { cuts, time } = schema
  const bounds = wholeBounds(schema, bins)
  if (bounds !== undefined) return wholeRange(bounds)
  const [first, last] = [bins[0], bins[bins.length - 1]]
  const bound = (cut: number): Bound => (time === undefined ? cut : timeBound(cut, time))
  return [
    ...(first > 0 ? [{ above: bound(cuts[first - 1]) }] : []),
    ...(last < cuts.length ? [{ atMost: bound(cuts[last]) }] : []),
  ]
}

function wholeRange({ low, high }: WholeBounds): Range[] {
  if (low !== undefined && low === high) return [{ is: low }]
  return [...(low === undefined ? [] : [{ atLeast: low }]), ...(high === undefined ? [] : [{ atMost: high }])]
}

/** Listed, or, where that is shorter, what is not among them. */
function valuesOf(
  schema: Exclude<FeatureSchema, NumericSchema>,
  bins: readonly number[],
): { in: Value[] } | { notIn: Value[] } {
  const all = Array.from({ length: binCount(schema) - 1 }, (_, bin) => bin)
  const valuesIn = (some: readonly number[]) => some.flatMap(bin => valuesOfBin(schema, bin))
  const [inside, outside] = [valuesIn(bins), valuesIn(all.filter(bin => !bins.includes(bin)))]
  return inside.length <= outside.length ? { in: inside } : { notIn: outside }
}

function valuesOfBin(schema: Exclude<FeatureSchema, NumericSchema>, bin: number): readonly Value[] {
  if (schema.kind === 'boolean') return [bin === 1]
  const { categories, pooled }: CategoricalSchema = schema
  return bin < categories.length ? [categories[bin]] : pooled
}
