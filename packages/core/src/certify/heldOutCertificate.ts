// What the held-out rows prove about the population they were drawn from (THEORY section 6(b)): the measured error plus
// a slack that holds for every auditor of the class at once. Beside it, what the paper's own bound makes of the fitting rows.

import type { CompiledClass } from '../classes/compile.ts'
import { type Engine, HOLDOUT } from '../engine/engine.ts'
import { levelSetError } from '../measures/class/levelSet.ts'
import type { Rounding } from '../round/discretize.ts'
import {
  foldRows,
  type HeldOutBound,
  judgeLevelSets,
  judgeMulticalibration,
  largestBound,
} from './heldOutBound.ts'
import type { PaperAtRows } from './paperAtRows.ts'

interface HeldOutBounds {
  readonly weight: number
  /** Equal rows that the weighted ones are worth. */
  readonly effectiveRows: number
  /** Do rows weigh differently? Then Hoeffding alone speaks. */
  readonly weighted: boolean
  readonly confidence: number
  readonly candidates: number
  readonly multicalibration: HeldOutBound
  readonly levelSet?: HeldOutBound
}

export interface HeldOutCertificate extends HeldOutBounds {
  /** Absent where updates are not of the class that the paper counts, as those of a forest. */
  readonly paper?: PaperAtRows
}

/** Undefined without held-out rows, and for linear auditors, which no finite count covers. */
export async function heldOutBounds(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  options: { confidence: number; candidates: number; cellBudget: number },
): Promise<HeldOutBounds | undefined> {
  if (engine.shape.foldCount < 2) return undefined
  const { confidence, candidates } = options
  const found = await levelSetError(engine, compiled, rounding, { ...options, fold: HOLDOUT })
  const scope = { ...options, fold: HOLDOUT, levelSet: found }
  const multicalibration = await judgeMulticalibration(engine, compiled, rounding, scope)
  if (multicalibration === undefined) return undefined
  const levelSet = await judgeLevelSets(engine, compiled, rounding, scope)
  return {
    ...(await foldRows(engine, HOLDOUT)),
    confidence,
    candidates,
    multicalibration: largestBound(multicalibration),
    ...(levelSet !== undefined && { levelSet: largestBound(levelSet) }),
  }
}
