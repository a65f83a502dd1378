// What of a model scores rows, and nothing else: the columns that an update looks at, with the cuts that tell rows apart, and the updates
// in terms of these. Every target is made from a plan.

import { FeatureBoostError } from '../common/errors.ts'
import type { StartKind } from '../data/roles.ts'
import type { ModelVersion } from '../model/data.ts'
import { findRounding, type Model } from '../model/model.ts'
import { type FeatureSchema, missingBin, type NumericSchema } from '../quantize/schema.ts'
import type { SignalSchema } from '../quantize/signals.ts'
import type { Rounding } from '../round/discretize.ts'
import type { FeatureSplit, Update } from '../update/update.ts'
import { featureSplits, mapSplits, treesOf, withTrees } from '../update/visit.ts'

export interface ScoringPlan {
  /** Of the model that it was made from. */
  readonly hash: string
  readonly version: ModelVersion
  readonly start: StartKind
  readonly features: readonly FeatureSchema[]
  readonly signals: readonly PlannedSignal[]
  readonly updates: readonly Update[]
  readonly rounding?: Rounding
}

/** A file holds no code, so there are no functions among them. */
export type PlannedSignal = Exclude<SignalSchema, { kind: 'function' }>

export interface PlanOptions {
  /** Round to bin means: true for as many bins as the certificate speaks of. */
  readonly rounded?: number | true
}

export function planScoring(model: Model, { rounded }: PlanOptions = {}): ScoringPlan {
  const { encoding, roundings, start, updates, version } = model.data
  const signals = encoding.signals.flatMap(signal => (signal.kind === 'function' ? [] : [signal]))
  if (encoding.functions.length > 0 || signals.length < encoding.signals.length)
    throw refused(encoding.functions)
  const bins = rounded === true ? model.certificate.claim.bins : rounded
  return {
    ...{ hash: model.hash, version, start },
    ...keepUsed(encoding.features, signals, updates),
    ...(bins !== undefined && { rounding: findRounding(roundings, bins) }),
  }
}

const refused = (functions: readonly string[]): FeatureBoostError =>
  new FeatureBoostError(
    'FB_EXPORT',
    `the model needs the auditor functions ${functions.map(name => `"${name}"`).join(', ')}, which are code and not in its file.`,
    { hint: 'Score with the library, and pass them to readModel; or fit with another class of auditors.' },
  )

type Parts = Pick<ScoringPlan, 'features' | 'signals' | 'updates'>

/** Without the features and signals that no update looks at, and without the cuts between bins that none tells apart. */
function keepUsed(
  features: readonly FeatureSchema[],
  signals: readonly PlannedSignal[],
  updates: readonly Update[],
): Parts {
  const splits = features.map((): FeatureSplit[] => [])
  for (const split of updates.flatMap(treesOf).flatMap(featureSplits)) splits[split.feature].push(split)
  const usedSignals = indexesWhere(signals, (_, index) =>
    updates.some(update => update.kind === 'linear' && update.signals.includes(index)),
  )
  const read = new Set(usedSignals.flatMap(index => columnsOf(signals[index])))
  const kept = indexesWhere(features, ({ name }, index) => splits[index].length > 0 || read.has(name))
  const merged = features.map((feature, index) => mergeBins(feature, splits[index]))
  const places = features.map((_, index) => kept.indexOf(index))
  const move = (split: FeatureSplit): FeatureSplit => ({
    ...merged[split.feature].move(split),
    feature: places[split.feature],
  })
  return {
    features: kept.map(index => merged[index].feature),
    signals: usedSignals.map(index => signals[index]),
    updates: updates.map(update => {
      const moved = withTrees(
        update,
        treesOf(update).map(tree => mapSplits(tree, move)),
      )
      if (moved.kind !== 'linear') return moved
      return { ...moved, signals: moved.signals.map(signal => usedSignals.indexOf(signal)) }
    }),
  }
}

const columnsOf = (signal: PlannedSignal): string[] => (signal.kind === 'one' ? [] : [signal.column])

const indexesWhere = <T>(list: readonly T[], holds: (value: T, index: number) => boolean): number[] =>
  list.flatMap((value, index) => (holds(value, index) ? [index] : []))

interface Merged {
  readonly feature: FeatureSchema
  readonly move: (split: FeatureSplit) => FeatureSplit
}

/** Of numbers: neighbouring bins that every split sends the same way become one. */
function mergeBins(feature: FeatureSchema, splits: readonly FeatureSplit[]): Merged {
  if (feature.kind !== 'numeric') return { feature, move: split => split }
  const missing = missingBin(feature)
  const told = new Uint8Array(feature.cuts.length)
  for (const split of splits) tellApart(told, split)
  const kept = indexesWhere(feature.cuts, (_, cut) => told[cut] === 1)
  const merged: NumericSchema = { ...feature, cuts: kept.map(cut => feature.cuts[cut]), coarse: [] }
  const newBins = Array.from({ length: missing }, (_, bin) => kept.filter(cut => cut < bin).length)
  const newBin = (bin: number): number => (bin < missing ? newBins[bin] : missingBin(merged))
  const move = (split: FeatureSplit): FeatureSplit => {
    if (split.kind === 'missing') return split
    if (split.kind === 'atMost') return { ...split, bin: newBin(Math.min(split.bin, missing - 1)) }
    return { ...split, bins: [...new Set(split.bins.map(newBin))] }
  }
  return { feature: merged, move }
}

/** Marks the cuts on whose sides the split differs. */
function tellApart(cuts: Uint8Array, split: FeatureSplit): void {
  if (split.kind === 'atMost' && split.bin < cuts.length) cuts[split.bin] = 1
  if (split.kind !== 'in') return
  const bins = new Set(split.bins)
  for (let cut = 0; cut < cuts.length; cut++) if (bins.has(cut) !== bins.has(cut + 1)) cuts[cut] = 1
}
