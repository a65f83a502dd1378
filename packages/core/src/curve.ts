// Error against K from one fit: the worst multicalibration error of a model's predictions for every rounding it holds, how
// far it may be from that on new rows, and the K that the rows support.

import { multicalibrationError } from './audit/multicalibration.ts'
import { replay } from './boost/boost.ts'
import { judgeMulticalibration, largestBound, leastError } from './certify/heldOutBound.ts'
import { certifiedClass } from './certify/tolerance.ts'
import { compileAuditors } from './classes/compile.ts'
import type { TableSource } from './data/source.ts'
import type { Table } from './data/table.ts'
import { FIT, HOLDOUT, type MakeEngine } from './engine/engine.ts'
import type { Model } from './model/model.ts'
import { auditorsOf, openModelRows } from './modelRows.ts'
import { type CurvePoint, errorCurve, supportedBins } from './round/curve.ts'

export interface ErrorAgainstBins {
  /**
   * Which rows were measured: the held-out ones where there are any. Predictions were fitted to fitting rows, so on these
   * the intervals only say how much as many new rows could tell; they may miss the error on new rows.
   */
  readonly rows: 'held-out' | 'fitting'
  /** 1 - delta: all intervals hold at once, so K may be chosen by them. */
  readonly confidence: number
  readonly points: readonly CurvePoint[]
  /** The largest K whose slack is at most the width 1/K of its bins (round/curve.ts says why); absent if there is none. */
  readonly supportedBins?: number
}

/** `bins` picks some of the roundings. The confidence is the certificate's; every rounding the model holds is paid for. */
export async function errorAgainstBins(
  model: Model,
  table: Table | TableSource,
  options: { bins?: readonly number[]; engine?: MakeEngine } = {},
): Promise<ErrorAgainstBins> {
  const { cellBudget, certificate, encoding, factors, roundings, updates } = model.data
  const { confidence } = certificate.claim
  const candidates = certificate.claim.candidates * roundings.length
  const wanted = roundings.filter(({ bins }) => options.bins?.includes(bins) ?? true)
  const engine = await openModelRows(model, table, options.engine)
  try {
    await replay(engine, updates)
    const declared = compileAuditors(auditorsOf(model), factors, encoding)
    const fold = engine.shape.foldCount > 1 ? HOLDOUT : FIT
    const points = await errorCurve(wanted, async rounding => {
      const { compiled } = certifiedClass(declared, engine.shape, rounding.bins, cellBudget)
      const scope = { fold, cellBudget, confidence, candidates }
      const judged = await judgeMulticalibration(engine, compiled, rounding, scope)
      if (judged === undefined) {
        return { error: (await multicalibrationError(engine, compiled, rounding, scope)).error }
      }
      const { bound, slack } = largestBound(judged)
      const error = Math.max(...judged.map(each => each.error))
      return { error, low: leastError(judged), high: bound, slack }
    })
    const supported = supportedBins(points)
    return {
      rows: fold === FIT ? 'fitting' : 'held-out',
      confidence,
      points,
      ...(supported !== undefined && { supportedBins: supported }),
    }
  } finally {
    await engine.close()
  }
}
