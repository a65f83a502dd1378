// From declared auditors and factors to the space an oracle searches, and to the signals it needs.

import { FeatureBoostError } from '../common/errors.ts'
import { didYouMean } from '../common/nearest.ts'
import type { Column } from '../data/table.ts'
import type { Encoding } from '../quantize/encoding.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import type { SignalSchema } from '../quantize/signals.ts'
import type { Tree } from '../update/update.ts'
import type { Auditors, LinearAuditors } from './auditors.ts'
import type { FactorKind } from './factors.ts'
import { compileGroups, groupTree } from './groups.ts'

/** A finite partition. An indicator is the 0/1 function of leaf 0; otherwise every leaf has a value of its own. */
export interface Partition {
  readonly tree: Tree
  readonly words: string
  readonly indicator: boolean
}

export type AuditorSpace =
  | { readonly kind: 'partitions'; readonly partitions: readonly Partition[] }
  | { readonly kind: 'trees'; readonly depth: number; readonly features: readonly number[] }
  /** Real-valued functions: each alone, or the linear span of all of them. */
  | {
      readonly kind: 'signals'
      readonly signals: readonly number[]
      readonly span: boolean
      readonly budget: number
    }

export type SpaceOf<Kind extends AuditorSpace['kind']> = Extract<AuditorSpace, { kind: Kind }>

/** An update class ready to be searched. */
export interface CompiledClass {
  readonly space: AuditorSpace
  readonly factors: FactorKind
  readonly encoding: Encoding
}

export function compileAuditors(auditors: Auditors, factors: FactorKind, encoding: Encoding): CompiledClass {
  return { space: compileSpace(auditors, factors, encoding), factors, encoding }
}

function compileSpace(auditors: Auditors, factors: FactorKind, encoding: Encoding): AuditorSpace {
  const { features, signals } = encoding
  switch (auditors.kind) {
    case 'groups':
      return {
        kind: 'partitions',
        partitions: compileGroups(auditors, features).map(group => ({
          tree: groupTree(group.path),
          words: group.words,
          indicator: true,
        })),
      }
    case 'trees':
      return { kind: 'trees', depth: auditors.depth, features: featureIndexes(auditors.columns, features) }
    case 'linear':
      return {
        kind: 'signals',
        signals: signals.map((_, index) => index),
        span: true,
        budget: auditors.budget,
      }
    case 'functions':
      if (factors === 'table' || factors === 'level-sets') {
        return { kind: 'partitions', partitions: valuePartitions(encoding) }
      }
      return { kind: 'signals', signals: signals.map((_, index) => index), span: false, budget: 1 }
  }
}

function featureIndexes(
  columns: readonly string[] | undefined,
  features: readonly FeatureSchema[],
): number[] {
  const names = features.map(feature => feature.name)
  return (columns ?? names).map(column => {
    const index = names.indexOf(column)
    if (index >= 0) return index
    throw new FeatureBoostError('FB_COLUMN_UNKNOWN', `no feature "${column}" for the auditors.`, {
      column,
      hint: didYouMean(column, names),
    })
  })
}

/** Each function's value bins S', through the derived feature of its name. */
function valuePartitions(encoding: Encoding): Partition[] {
  return encoding.functions.map(name => {
    const feature = encoding.features.findIndex(candidate => candidate.name === name)
    const schema = encoding.features[feature] as FeatureSchema & { kind: 'numeric' }
    const tree = schema.cuts.reduceRight<Tree>(
      (rest, _, bin) => ({
        split: { kind: 'atMost', feature, bin, missing: false },
        yes: { leaf: bin },
        no: rest,
      }),
      { leaf: schema.cuts.length },
    )
    return { tree, words: `the values of ${name}`, indicator: false }
  })
}

/** Edges of the equal-width value bins of [-1,1], without the ends. */
export function valueBinCuts(valueBins: number): number[] {
  return Array.from({ length: valueBins - 1 }, (_, index) => -1 + (2 * (index + 1)) / valueBins)
}

/** A constant, every number scaled to [-1,1] by its range on the fitting rows, every category but the pooled. */
export function linearSignals(
  auditors: LinearAuditors,
  features: readonly FeatureSchema[],
  columns: readonly Column[],
  use: (row: number) => boolean,
): SignalSchema[] {
  const wanted = featureIndexes(auditors.columns, features)
  return [{ kind: 'one' }, ...wanted.flatMap(index => featureSignals(features[index], columns[index], use))]
}

function featureSignals(
  schema: FeatureSchema,
  column: Column,
  use: (row: number) => boolean,
): SignalSchema[] {
  const { name } = schema
  if (schema.kind === 'boolean') return [{ kind: 'indicator', column: name, value: true }]
  if (schema.kind === 'categorical') {
    return schema.categories.map(value => ({ kind: 'indicator', column: name, value }))
  }
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  const { values } = column as Column & { kind: 'numeric' }
  values.forEach((value, row) => {
    if (!use(row) || Number.isNaN(value)) return
    low = Math.min(low, value)
    high = Math.max(high, value)
  })
  const scale = high / 2 - low / 2
  return scale > 0 ? [{ kind: 'scaled', column: name, center: low / 2 + high / 2, scale }] : []
}
