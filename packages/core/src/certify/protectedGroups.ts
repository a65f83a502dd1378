// Protected groups in a certificate: how far outcomes and predictions are apart on average in each, on the fitting rows, and at most
// on new rows, as held-out rows prove.
//
// The residuals y - f(x) of the held-out rows of a group lie in [-1,1]. With the sign of the true gap, which is fixed, their mean is one mean
// (oneMean.ts); each group has its own, so they are paid for one by one.

import { groupTree } from '../classes/groups.ts'
import { protectedGroups } from '../classes/protected.ts'
import { fromUnits } from '../common/units.ts'
import type { FoldUnits } from '../data/foldUnits.ts'
import { type Engine, FIT, HOLDOUT, type LevelSums } from '../engine/engine.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import type { Tree } from '../update/update.ts'
import { areEqual, roundUp } from './oneMean.ts'
import { limitAbove, priorFrom, type RowEvidence } from './rowEvidence.ts'

export interface CertifiedGroup {
  readonly group: string
  readonly weight: number
  /** Mean label minus mean prediction on the fitting rows. */
  readonly gap: number
  /** Absent where there are no held-out rows in the group. */
  readonly heldOut?: {
    readonly weight: number
    readonly gap: number
    /** With the stated confidence, for all protected groups at once: on new rows the gap is at most this, on either side. */
    readonly bound: number
  }
}

interface ProtectedClaim {
  readonly confidence: number
  readonly candidates: number
}

/** Of the predictions as they stand in the engine. Groups without a fitting row are left out. */
export async function certifyProtected(
  engine: Engine,
  columns: readonly string[],
  features: readonly FeatureSchema[],
  claim: ProtectedClaim,
): Promise<CertifiedGroup[]> {
  const groups = protectedGroups(columns, features)
  const trees = groups.map(({ path }) => groupTree(path))
  const fitting = await engine.levelSums({ fold: FIT, levels: LEVELS, trees })
  const heldOut = engine.shape.foldCount > 1 ? await boundHeldOut(engine, trees, fitting, claim) : []
  return groups.flatMap(({ words }, index) => {
    const { counts, residuals } = fitting[index]
    const weight = total(counts)
    if (weight === 0) return []
    const bounded = heldOut[index]
    return [
      {
        group: words,
        weight,
        gap: fromUnits(total(residuals)) / weight,
        ...(bounded !== undefined && { heldOut: bounded }),
      },
    ]
  })
}

/** Levels at which second moments are counted: the more, the closer. */
const LEVELS = 64

async function boundHeldOut(
  engine: Engine,
  trees: readonly Tree[],
  fitting: readonly LevelSums[],
  { candidates, confidence }: ProtectedClaim,
): Promise<CertifiedGroup['heldOut'][]> {
  const sums = await engine.levelSums({ fold: HOLDOUT, levels: LEVELS, trees })
  const units = { fit: engine.shape.units[FIT], heldOut: engine.shape.units[HOLDOUT] }
  const largestWeight = Math.max(units.fit.largestWeight, units.heldOut.largestWeight)
  const failure = (1 - confidence) / candidates / trees.length
  return sums.map((each, index) => {
    const weight = total(each.counts)
    const fitWeight = total(fitting[index].counts)
    if (weight === 0 || fitWeight === 0) return undefined
    const gap = fromUnits(total(each.residuals)) / weight
    const within = groupEvidence(each, units.heldOut, largestWeight)
    // Where units weigh differently, how many there are is expected from the fitting rows, too.
    const share = fitWeight / units.fit.weight
    const count = within.equal ? within.units.count : units.heldOut.count * share
    const expected = groupEvidence(fitting[index], units.fit, largestWeight)
    const prior = priorFrom(expected, { ...within.units, count })
    return { weight, gap, bound: limitAbove({ ...within, prior }, Math.abs(gap), failure) }
  })
}

/** Of the rows of leaf 0. Their units weigh no more than those of all rows; beyond that no more is known of them than their share. */
function groupEvidence(sums: LevelSums, units: FoldUnits, largestWeight: number): RowEvidence {
  const weight = total(sums.counts)
  const share = weight / units.weight
  return {
    units: {
      rows: units.rows * share,
      count: units.count * share,
      weight,
      largestWeight,
      squaredWeight: Math.min(largestWeight * weight, units.squaredWeight),
    },
    // FoldUnits of several rows may lie in the group in part.
    equal: areEqual({ ...units, largestWeight }) && units.count === units.rows,
    meanSquare: Math.min(1, roundUp(squaresAtMost(sums) / weight)),
  }
}

const total = (sums: Float64Array): number => sums.subarray(0, LEVELS).reduce((sum, value) => sum + value, 0)

/** The sum of (y - f)^2 over the rows of leaf 0, or more: y (1 - f)^2 + (1 - y) f^2, f as far off as its level allows. */
function squaresAtMost({ counts, predictions, residuals }: LevelSums): number {
  let sum = 0
  for (let level = 0; level < LEVELS; level++) {
    const positive = fromUnits(predictions[level] + residuals[level])
    sum += positive * (1 - level / LEVELS) ** 2 + (counts[level] - positive) * ((level + 1) / LEVELS) ** 2
  }
  return sum
}
