// Protected groups in a certificate: how far outcomes and predictions are apart on average in each, on the fitting rows, and at most
// on new rows, as held-out rows prove.
//
// The residuals y - f(x) of the held-out rows of a group lie in [-1,1] and are independent of each other, given how many there are: their
// mean has the slack of one auditor with one sign to choose (heldOut.ts, K = 1), for as many auditors as there are groups.

import { groupTree } from '../classes/groups.ts'
import { protectedGroups } from '../classes/protected.ts'
import { fromUnits } from '../common/units.ts'
import { type Engine, FIT, HOLDOUT, type LevelSums } from '../engine/engine.ts'
import { shiftFor } from '../engine/outcome.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import type { Tree } from '../update/update.ts'
import { effectiveRows, roundUp, smallerSlack } from './heldOut.ts'
import { foldRows } from './heldOutBound.ts'

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
  const fitting = await engine.levelSums({ fold: FIT, levels: 1, trees })
  const heldOut = engine.shape.foldCount > 1 ? await boundHeldOut(engine, trees, claim) : []
  return groups.flatMap(({ words }, index) => {
    const { counts, residuals } = fitting[index]
    if (counts[0] === 0) return []
    const bounded = heldOut[index]
    return [
      {
        group: words,
        weight: counts[0],
        gap: fromUnits(residuals[0]) / counts[0],
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
  { candidates, confidence }: ProtectedClaim,
): Promise<CertifiedGroup['heldOut'][]> {
  const sums = await engine.levelSums({ fold: HOLDOUT, levels: LEVELS, trees })
  const { weighted } = await foldRows(engine, HOLDOUT)
  const squares = weighted ? await squaredWeights(engine, trees) : undefined
  return sums.map((each, index) => {
    const weight = total(each.counts)
    if (weight === 0) return undefined
    const gap = fromUnits(total(each.residuals)) / weight
    const { slack } = smallerSlack({
      rows: squares === undefined ? weight : effectiveRows(weight, squares[index]),
      ...{ logAuditors: Math.log(trees.length), bins: 1, confidence, candidates },
      secondMoment: squares === undefined ? Math.min(1, squaresAtMost(each) / weight) : undefined,
    })
    return { weight, gap, bound: Math.min(1, roundUp(Math.abs(gap) + slack)) }
  })
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

/** Of the held-out rows of leaf 0, or more: squares that are counted in steps may be short by half a step each. */
async function squaredWeights(engine: Engine, trees: readonly Tree[]): Promise<number[]> {
  const shift = shiftFor((await engine.losses())[HOLDOUT].squaredWeight)
  const outcome = { kind: 'variance', noise: 'signs', shift } as const
  const sums = await engine.levelSums({ fold: HOLDOUT, levels: 1, trees, outcome })
  return sums.map(({ counts }) => counts[0] * 2 ** shift * (shift === 0 ? 1 : 1.5))
}
