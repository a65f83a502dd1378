// The measures that a certificate carries for the start and for the output: one line each, before and after.

import type { CompiledClass } from '../../classes/compile.ts'
import { type Engine, meanLoss } from '../../engine/engine.ts'
import type { Rounding } from '../../round/discretize.ts'
import { calibrationError } from './calibration.ts'
import { levelSetError } from './levelSet.ts'
import type { AuditScope, Measured } from './measured.ts'
import { meanResidual, multiaccuracyError } from './multiaccuracy.ts'
import { multicalibrationError } from './multicalibration.ts'

export interface AuditSummary {
  /** Mean squared error of the unrounded predictions. */
  readonly loss: number
  readonly meanResidual: number
  /** ECE, multicalibration and level-set error are those of the rounded predictions. */
  readonly calibration: number
  readonly multiaccuracy: Measured
  readonly multicalibration: Measured
  readonly levelSet?: Measured
}

export async function summarize(
  engine: Engine,
  compiled: CompiledClass,
  rounding: Rounding,
  scope: AuditScope,
): Promise<AuditSummary> {
  // First: an engine may have kept cells of the same residuals.
  const multiaccuracy = await multiaccuracyError(engine, compiled, scope)
  const levelSet = await levelSetError(engine, compiled, rounding, scope)
  return {
    loss: meanLoss((await engine.losses())[scope.fold]),
    meanResidual: await meanResidual(engine, scope.fold),
    calibration: await calibrationError(engine, rounding, scope.fold),
    multiaccuracy,
    multicalibration: await multicalibrationError(engine, compiled, rounding, scope, levelSet),
    ...(levelSet !== undefined && { levelSet: plain(levelSet) }),
  }
}

const plain = ({ error, atMost, worst }: Measured): Measured => ({ error, atMost, worst })
