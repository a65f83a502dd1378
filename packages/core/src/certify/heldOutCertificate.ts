// What the held-out rows prove about the population they were drawn from: the largest error measured on them, and how far the worst
// auditor's error on new rows can be above it (oneMean.ts). Beside it, what the paper's own bound makes of the fitting rows.

import type { CompiledClass } from '../classes/compile.ts'
import type { FoldUnits } from '../data/foldUnits.ts'
import { type Engine, HOLDOUT } from '../engine/engine.ts'
import { levelSetError } from '../measures/class/levelSet.ts'
import type { Measured } from '../measures/class/measured.ts'
import { multiaccuracyError } from '../measures/class/multiaccuracy.ts'
import { multicalibrationError } from '../measures/class/multicalibration.ts'
import type { Rounding } from '../round/discretize.ts'
import type { PaperAtRows } from './paperAtRows.ts'
import { heldOutEvidence, limitAbove } from './rowEvidence.ts'

export interface HeldOutBound {
  /** The largest error of any auditor on the held-out rows, or no less than that. */
  readonly measured: number
  readonly slack: number
  /** With the stated confidence, the error of every auditor on new rows is at most this; 1 says nothing. */
  readonly bound: number
  /** The worst auditor that was found on the held-out rows, in words. */
  readonly worst: string
}

interface HeldOutBounds {
  /** What is independent among the held-out rows. Absent, as is the mean square, in files of versions 1 and 2. */
  readonly units?: FoldUnits
  readonly confidence: number
  readonly candidates: number
  /** Of y - v_S, on the held-out rows. */
  readonly meanSquare?: number
  /** Absent in files of versions 1 and 2. */
  readonly multiaccuracy?: HeldOutBound
  readonly multicalibration: HeldOutBound
  readonly levelSet?: HeldOutBound
}

export interface HeldOutCertificate extends HeldOutBounds {
  /** Absent where updates are not of the class that the paper counts, as those of a forest. */
  readonly paper?: PaperAtRows
}

interface HeldOutClaim {
  readonly confidence: number
  readonly candidates: number
  readonly cellBudget: number
}

/** Undefined without held-out rows, and for linear auditors: the largest on these rows need not be among those of the population. */
export async function heldOutBounds(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  { candidates, cellBudget, confidence }: HeldOutClaim,
): Promise<HeldOutBounds | undefined> {
  const { space } = compiled
  if (engine.shape.foldCount < 2 || (space.kind === 'signals' && space.span)) return undefined
  const scope = { fold: HOLDOUT, cellBudget }
  const evidence = await heldOutEvidence(engine, rounding)
  const ofScore = await heldOutEvidence(engine)
  const boundOf = ({ atMost, worst }: Measured, from = evidence): HeldOutBound => {
    const bound = limitAbove(from, atMost, (1 - confidence) / candidates)
    return { measured: atMost, slack: Math.max(0, bound - atMost), bound, worst }
  }
  const levelSet = await levelSetError(engine, compiled, rounding, scope)
  const error = await multicalibrationError(engine, compiled, rounding, scope, levelSet)
  return {
    units: evidence.units,
    confidence,
    candidates,
    meanSquare: evidence.meanSquare,
    multiaccuracy: boundOf(await multiaccuracyError(engine, compiled, scope), ofScore),
    multicalibration: boundOf(error),
    ...(levelSet !== undefined && { levelSet: boundOf(levelSet) }),
  }
}
