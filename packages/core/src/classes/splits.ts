// The declared splits of one feature, in the fixed order in which every search visits them, as running sums:
// each step adds one bin to the yes side (after emptying it where `reset`), and then may stand for a split.

import { coarseCount, coarseMap, type FeatureSchema, missingBin } from '../quantize/schema.ts'
import type { FeatureSplit } from '../update/update.ts'

export interface SplitStep {
  readonly reset: boolean
  readonly bin: number
  readonly split?: FeatureSplit
}

/**
 * The splits `x <= cut` (missing on either side), `category = c` and `missing` on the coarse bins: exactly the
 * class that "exhaustive" speaks of. Without missing values the variants that differ only in them are left out:
 * they have the same sums.
 */
export function declaredSteps(schema: FeatureSchema, feature: number, anyMissing: boolean): SplitStep[] {
  const missing = coarseCount(schema) - 1
  const steps =
    schema.kind === 'numeric'
      ? cutSteps(schema.coarse, feature, missing, anyMissing)
      : categorySteps(schema, feature)
  if (anyMissing) steps.push({ reset: true, bin: missing, split: { kind: 'missing', feature } })
  return steps
}

/** `fineCuts[i]` is the fine bin whose upper cut ends bin i. */
function cutSteps(
  fineCuts: readonly number[],
  feature: number,
  missing: number,
  anyMissing: boolean,
): SplitStep[] {
  const cuts = (withMissing: boolean): SplitStep[] =>
    fineCuts.map((fine, bin) => ({
      reset: bin === 0 && !withMissing,
      bin,
      split: { kind: 'atMost', feature, bin: fine, missing: withMissing },
    }))
  return anyMissing ? [...cuts(false), { reset: true, bin: missing }, ...cuts(true)] : cuts(false)
}

function categorySteps(schema: FeatureSchema, feature: number): SplitStep[] {
  const fineBins = membersByCoarseBin(schema)
  return fineBins
    .slice(0, -1)
    .map((bins, bin) => ({ reset: true, bin, split: { kind: 'in', feature, bins } }))
}

/** Fine bins of each coarse bin; the last is the missing bin. */
export function membersByCoarseBin(schema: FeatureSchema): number[][] {
  const members: number[][] = Array.from({ length: coarseCount(schema) }, () => [])
  coarseMap(schema).forEach((coarse, fine) => {
    members[coarse].push(fine)
  })
  return members
}

/** Splits on the fine cuts of a numeric feature, for greedy growth. */
export function fineCutSteps(
  cutCount: number,
  feature: number,
  missing: number,
  anyMissing: boolean,
): SplitStep[] {
  const fineCuts = Array.from({ length: cutCount }, (_, bin) => bin)
  const steps = cutSteps(fineCuts, feature, missing, anyMissing)
  if (anyMissing) steps.push({ reset: true, bin: missing, split: { kind: 'missing', feature } })
  return steps
}

/** The splits `x <= cut`, `category = c` and `missing` on the fine bins. */
export function fineSteps(schema: FeatureSchema, feature: number, anyMissing: boolean): SplitStep[] {
  const missing = missingBin(schema)
  if (schema.kind === 'numeric') return fineCutSteps(schema.cuts.length, feature, missing, anyMissing)
  const values = Array.from({ length: missing + (anyMissing ? 1 : 0) }, (_, bin) => bin)
  return values.map(bin => ({
    reset: true,
    bin,
    split: bin === missing ? { kind: 'missing', feature } : { kind: 'in', feature, bins: [bin] },
  }))
}

/** Prefixes of the bins in the given order, as sets: categories ordered by residual, for greedy growth. */
export function orderedSetSteps(feature: number, order: readonly number[]): SplitStep[] {
  return order.slice(0, -1).map((bin, index) => ({
    reset: index === 0,
    bin,
    split: { kind: 'in', feature, bins: order.slice(0, index + 1).sort((a, b) => a - b) },
  }))
}

/** How many different splits the declared class has on this feature, every variant counted. */
export function declaredSplitCount(schema: FeatureSchema): number {
  return declaredSteps(schema, 0, true).filter(step => step.split !== undefined).length
}
