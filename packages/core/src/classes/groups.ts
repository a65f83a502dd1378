// Declared groups as trees: a chain of splits whose leaf 0 is the group and whose leaf 1 is everyone else.

import { nextDown } from '../common/doubles.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { didYouMean } from '../common/nearest.ts'
import type { Value } from '../data/table.ts'
import {
  binCount,
  type CategoricalSchema,
  type FeatureSchema,
  type NumericSchema,
} from '../quantize/schema.ts'
import { type Condition, type FeatureSplit, levelTree, type Tree } from '../update/update.ts'
import type { Bound, GroupAuditors, GroupSpec, Predicate } from './auditors.ts'
import { boundOf } from './bounds.ts'
import { describePath } from './describe.ts'
import { membersByCoarseBin } from './splits.ts'

export interface Group {
  readonly words: string
  readonly path: readonly Condition[]
}

/** Thresholds t for which "x <= t" must be a cut, so that declared predicates are exact. */
export function requiredCuts(auditors: GroupAuditors): Map<string, number[]> {
  const required = new Map<string, number[]>()
  const predicates = auditors.groups.flatMap(spec => (typeof spec === 'string' ? [] : predicatesOf(spec)))
  for (const predicate of predicates) {
    const cuts = [...(required.get(predicate.column) ?? []), ...thresholdsOf(predicate)]
    if (cuts.length > 0) required.set(predicate.column, cuts)
  }
  return required
}

function thresholdsOf(predicate: Predicate): number[] {
  if ('atMost' in predicate) return [boundOf(predicate.atMost, predicate.column)]
  if ('above' in predicate) return [boundOf(predicate.above, predicate.column)]
  if ('below' in predicate) return [nextDown(boundOf(predicate.below, predicate.column))]
  if ('atLeast' in predicate) return [nextDown(boundOf(predicate.atLeast, predicate.column))]
  if ('is' in predicate && typeof predicate.is === 'number') return [nextDown(predicate.is), predicate.is]
  return []
}

/** Every declared group, everyone first; with `pairs`, the overlaps of two groups last. */
export function compileGroups(auditors: GroupAuditors, features: readonly FeatureSchema[]): Group[] {
  const declared = auditors.groups.flatMap(spec => expandSpec(spec, features))
  const overlaps = auditors.pairs ? overlapsOf(declared, features) : []
  return [{ words: 'everyone', path: [] }, ...declared, ...overlaps]
}

/** The group is leaf 0, everyone else leaf 1; with cuts, the group has a leaf for each level and everyone else the next. */
export function groupTree(path: readonly Condition[], cuts: ArrayLike<number> = []): Tree {
  const outside: Tree = { leaf: cuts.length + 1 }
  return path.reduceRight<Tree>(
    (inside, { split, yes }) => ({ split, yes: yes ? inside : outside, no: yes ? outside : inside }),
    levelTree(cuts),
  )
}

function overlapsOf(declared: readonly Group[], features: readonly FeatureSchema[]): Group[] {
  return declared.flatMap((one, index) =>
    declared
      .slice(index + 1)
      .filter(other => !sharesFeature(one, other))
      .map(other => nameGroup([...one.path, ...other.path], features)),
  )
}

const testedFeature = ({ split }: Condition) => (split as FeatureSplit).feature

const sharesFeature = (one: Group, other: Group): boolean =>
  one.path.some(a => other.path.some(b => testedFeature(a) === testedFeature(b)))

export const nameGroup = (path: Condition[], features: readonly FeatureSchema[]): Group => ({
  words: describePath(path, features),
  path,
})

function predicatesOf(spec: Exclude<GroupSpec, string>): readonly Predicate[] {
  if ('where' in spec) return spec.where
  return Array.isArray(spec) ? spec : [spec as Predicate]
}

function expandSpec(spec: GroupSpec, features: readonly FeatureSchema[]): Group[] {
  if (typeof spec === 'string') return valuesOfColumn(spec, features)
  const path = predicatesOf(spec).flatMap(predicate => conditionsOf(predicate, features))
  return ['where' in spec ? { words: spec.name, path } : nameGroup(path, features)]
}

/** One group per category, per boolean, or per coarse bin of a number, and one for missing values if there are any. */
function valuesOfColumn(name: string, features: readonly FeatureSchema[]): Group[] {
  const feature = featureIndex(name, features)
  const schema = features[feature]
  return schema.kind === 'numeric'
    ? rangeGroups(feature, schema.coarse, features)
    : valueGroups(feature, membersByCoarseBin(schema).slice(0, -1), features)
}

/** Ranges between these cuts, and missing values if there are any. */
export function rangeGroups(
  feature: number,
  cuts: readonly number[],
  features: readonly FeatureSchema[],
): Group[] {
  const ranges = Array.from({ length: cuts.length + 1 }, (_, bin) => rangePath(cuts, feature, bin))
  return withMissing(feature, ranges, features)
}

/** Values of these bins, and missing ones if there are any. */
export function valueGroups(
  feature: number,
  members: readonly (readonly number[])[],
  features: readonly FeatureSchema[],
): Group[] {
  const values = members.map((bins): Condition[] => [{ split: { kind: 'in', feature, bins }, yes: true }])
  return withMissing(feature, values, features)
}

function withMissing(feature: number, paths: Condition[][], features: readonly FeatureSchema[]): Group[] {
  const missing: Condition[] = [{ split: { kind: 'missing', feature }, yes: true }]
  return [...paths, ...(features[feature].missing ? [missing] : [])].map(path => nameGroup(path, features))
}

/** A coarse bin of a number; the only one there is holds every known value. */
function rangePath(coarse: readonly number[], feature: number, bin: number): Condition[] {
  if (coarse.length === 0) return [{ split: { kind: 'missing', feature }, yes: false }]
  const cut = (at: number, yes: boolean): Condition => ({
    split: { kind: 'atMost', feature, bin: coarse[at], missing: !yes },
    yes,
  })
  return [...(bin > 0 ? [cut(bin - 1, false)] : []), ...(bin < coarse.length ? [cut(bin, true)] : [])]
}

function featureIndex(name: string, features: readonly FeatureSchema[]): number {
  const index = features.findIndex(feature => feature.name === name)
  if (index >= 0) return index
  throw new FeatureBoostError('FB_COLUMN_UNKNOWN', `no feature "${name}" for a group.`, {
    column: name,
    hint: didYouMean(
      name,
      features.map(feature => feature.name),
    ),
  })
}

/** A predicate as conditions; missing values satisfy only `missing: true`, and what says `orMissing`. */
function conditionsOf(predicate: Predicate, features: readonly FeatureSchema[]): Condition[] {
  const feature = featureIndex(predicate.column, features)
  const schema = features[feature]
  if ('missing' in predicate) return [{ split: { kind: 'missing', feature }, yes: predicate.missing }]
  if (schema.kind === 'numeric') return rangeConditions(predicate, schema, feature)
  return [setCondition(predicate, schema, feature)]
}

type ValuePredicate = Exclude<Predicate, { missing: boolean }>

function setCondition(
  predicate: ValuePredicate,
  schema: Exclude<FeatureSchema, NumericSchema>,
  feature: number,
): Condition {
  const values =
    'in' in predicate
      ? predicate.in
      : 'notIn' in predicate
        ? predicate.notIn
        : 'is' in predicate
          ? [predicate.is]
          : undefined
  if (values === undefined) throw wrongKind(schema, 'a threshold')
  if (values.length === 0) throw wrongKind(schema, 'an empty list of values')
  const bins = valueBins(schema, values)
  const missing = binCount(schema) - 1
  if (!('notIn' in predicate)) {
    return {
      split: { kind: 'in', feature, bins: predicate.orMissing ? [...bins, missing] : bins },
      yes: true,
    }
  }
  return { split: { kind: 'in', feature, bins: predicate.orMissing ? bins : [...bins, missing] }, yes: false }
}

function rangeConditions(predicate: ValuePredicate, schema: NumericSchema, feature: number): Condition[] {
  if ('in' in predicate || 'notIn' in predicate) throw wrongKind(schema, 'a list of values')
  if ('is' in predicate && typeof predicate.is !== 'number')
    throw wrongKind(schema, `the value ${String(predicate.is)}`)
  const cut = (threshold: number, yes: boolean) =>
    cutCondition(schema, feature, threshold, yes, predicate.orMissing ?? false)
  const bound = (given: Bound) => boundOf(given, schema.name)
  if ('atMost' in predicate) return [cut(bound(predicate.atMost), true)]
  if ('below' in predicate) return [cut(nextDown(bound(predicate.below)), true)]
  if ('above' in predicate) return [cut(bound(predicate.above), false)]
  if ('atLeast' in predicate) return [cut(nextDown(bound(predicate.atLeast)), false)]
  const value = predicate.is as number
  return [cut(nextDown(value), false), cut(value, true)]
}

function cutCondition(
  schema: NumericSchema,
  feature: number,
  threshold: number,
  yes: boolean,
  orMissing: boolean,
): Condition {
  const bin = cutIndex(schema, threshold)
  if (bin < 0) {
    throw new FeatureBoostError(
      'FB_OPTION_VALUE',
      `the threshold ${threshold} is not a cut of this column.`,
      {
        column: schema.name,
        found: threshold,
        hint: 'Thresholds become cuts when a model is fitted; they cannot be added afterwards.',
      },
    )
  }
  return { split: { kind: 'atMost', feature, bin, missing: yes === orMissing }, yes }
}

/** Between two whole numbers, one cut is as good as another. */
function cutIndex({ cuts, whole }: NumericSchema, threshold: number): number {
  const exact = cuts.indexOf(threshold)
  if (exact >= 0 || !whole) return exact
  return cuts.findIndex(cut => Math.floor(cut) === Math.floor(threshold))
}

/** Bins of the listed values. Rare values share a bin: they are a group only all together. */
function valueBins(schema: Exclude<FeatureSchema, NumericSchema>, values: readonly Value[]): number[] {
  const pooled = schema.kind === 'categorical' ? schema.pooled : []
  const listed = pooled.filter(value => values.includes(value))
  const whole = pooled.length > 0 && listed.length === pooled.length
  const single = whole ? values.filter(value => !(pooled as readonly Value[]).includes(value)) : values
  const bins = single.map(value => valueBin(schema, value))
  return whole ? [...bins, (schema as CategoricalSchema).categories.length] : bins
}

function valueBin(schema: FeatureSchema, value: Value): number {
  if (schema.kind === 'boolean' && typeof value === 'boolean') return value ? 1 : 0
  if (schema.kind !== 'categorical' || typeof value !== 'string')
    throw wrongKind(schema, `the value ${String(value)}`)
  const bin = schema.categories.indexOf(value)
  if (bin >= 0) return bin
  const rare = schema.pooled.includes(value)
  throw new FeatureBoostError('FB_OPTION_VALUE', `no group can be made of "${value}".`, {
    column: schema.name,
    found: value,
    hint: rare
      ? 'This category is rare and shares a bin with others; pass rare: 0 to keep every category.'
      : didYouMean(value, schema.categories),
  })
}

const wrongKind = (schema: FeatureSchema, what: string) =>
  new FeatureBoostError('FB_COLUMN_KIND', `a ${schema.kind} column cannot be tested against ${what}.`, {
    column: schema.name,
    hint: 'Numbers take atMost, below, atLeast, above or is; categories and booleans take is or in.',
  })
