// What the held-out rows prove about the population they were drawn from (THEORY section 6(b)): the measured error plus
// a slack that holds for every auditor of the class at once.

import { levelSetError } from '../audit/levelSet.ts'
import { multicalibrationError } from '../audit/multicalibration.ts'
import type { CompiledClass } from '../classes/compile.ts'
import { declaredSplitCount } from '../classes/splits.ts'
import { type Engine, HOLDOUT } from '../engine/engine.ts'
import { leafCount } from '../engine/update.ts'
import type { Rounding } from '../round/discretize.ts'
import { effectiveRows, heldOutSlack, logTreeAuditors } from './heldOut.ts'

export interface HeldOutCertificate {
  readonly weight: number
  /** Equal rows that the weighted ones are worth. */
  readonly effectiveRows: number
  readonly confidence: number
  readonly candidates: number
  readonly multicalibration: HeldOutBound
  readonly levelSet?: HeldOutBound
}

export interface HeldOutBound {
  /** The largest error any auditor has on the held-out rows. */
  readonly measured: number
  readonly slack: number
  /** With the stated confidence, the error of every auditor on new rows is at most this. */
  readonly bound: number
}

/** Undefined without held-out rows, and for linear auditors, which no finite count covers. */
export async function heldOutCertificate(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  options: { confidence: number; candidates: number; cellBudget: number },
): Promise<HeldOutCertificate | undefined> {
  const { confidence, candidates, cellBudget } = options
  const count = countAuditors(compiled)
  if (engine.shape.foldCount < 2 || count === undefined) return undefined
  const { weight, squaredWeight } = (await engine.losses())[HOLDOUT]
  const rows = effectiveRows(weight, squaredWeight)
  const scope = { fold: HOLDOUT, cellBudget }
  const bound = (measured: number, signs: number): HeldOutBound => {
    const logAuditors = count.logAuditors
    // Rounded up to nine digits: logarithms may differ in the last bit between JavaScript engines.
    const exact = heldOutSlack({ rows, logAuditors, bins: signs, confidence, candidates })
    const slack = Math.ceil(exact * 1e9) / 1e9
    return { measured, slack, bound: measured + slack }
  }
  const multicalibration = await multicalibrationError(engine, compiled, rounding, scope)
  const levelSet = await levelSetError(engine, compiled, rounding, scope)
  return {
    weight,
    effectiveRows: rows,
    confidence,
    candidates,
    multicalibration: bound(multicalibration.atMost, rounding.bins),
    ...(levelSet !== undefined && { levelSet: bound(levelSet.atMost, rounding.bins * count.leaves) }),
  }
}

/** ln R, and the leaves of the largest auditor. */
function countAuditors({
  encoding,
  space,
}: CompiledClass): { logAuditors: number; leaves: number } | undefined {
  switch (space.kind) {
    case 'trees': {
      const splits = space.features.reduce(
        (sum, feature) => sum + declaredSplitCount(encoding.features[feature]),
        0,
      )
      return { logAuditors: logTreeAuditors(splits, space.depth), leaves: 2 ** space.depth }
    }
    case 'partitions': {
      // A group is one function; on other partitions any function that is constant on the leaves counts.
      const leaves = Math.max(...space.partitions.map(partition => leafCount(partition.tree)))
      const signs = space.partitions.every(partition => partition.indicator) ? 0 : leaves
      return { logAuditors: Math.log(space.partitions.length) + signs * Math.LN2, leaves }
    }
    case 'signals':
      return space.span ? undefined : { logAuditors: Math.log(space.signals.length), leaves: 1 }
  }
}
