// Error against K from one fit: the worst multicalibration error of a model's predictions for every rounding it holds, how
// far it may be from that on new rows, and the K that the rows support.

import { replay } from '../boost/boost.ts'
import { countAuditors } from '../certify/auditorCount.ts'
import { evidenceOf, limitBelow } from '../certify/rowEvidence.ts'
import { certifiedClass } from '../certify/tolerance.ts'
import { intervalOf } from '../certify/worstErrors.ts'
import { type CompiledClass, compileAuditors } from '../classes/compile.ts'
import { checkOptionsObject } from '../data/given.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { type Engine, FIT, HOLDOUT, type MakeEngine } from '../engine/engine.ts'
import { multicalibrationError } from '../measures/class/multicalibration.ts'
import { type CurvePoint, errorCurve, supportedBins } from '../round/curve.ts'
import type { Rounding } from '../round/discretize.ts'
import type { RowStore } from '../store/store.ts'
import { checkModel, type Model } from './model.ts'
import { auditorsOf, openModelRows } from './modelRows.ts'

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

/**
 * The multicalibration error of a model rounded to K bins, for several K. `bins` picks some of the
 * roundings. The confidence is the certificate's; every rounding the model holds is paid for.
 */
export async function errorAgainstBins(
  model: Model,
  table: Table | TableSource | RowStore,
  options: { bins?: readonly number[]; engine?: MakeEngine } = {},
): Promise<ErrorAgainstBins> {
  checkModel(model)
  checkOptionsObject(options)
  const { roundings, updates } = model.data
  const wanted = roundings.filter(({ bins }) => options.bins?.includes(bins) ?? true)
  const engine = await openModelRows(model, table, options.engine)
  try {
    await replay(engine, updates)
    const fold = engine.shape.foldCount > 1 ? HOLDOUT : FIT
    const curve = await measureCurve(engine, wanted, { ...curveTerms(model), fold })
    return { rows: fold === FIT ? 'fitting' : 'held-out', ...curve }
  } finally {
    await engine.close()
  }
}

/** What a curve is measured with. */
export interface CurveTerms {
  readonly declared: CompiledClass
  readonly cellBudget: number
  readonly confidence: number
  /** Predictors, roundings included, that the rows may help to choose between. */
  readonly candidates: number
}

export function curveTerms(model: Model): CurveTerms {
  const { cellBudget, certificate, encoding, factors, roundings } = model.data
  const { candidates, confidence } = certificate.claim
  return {
    declared: compileAuditors(auditorsOf(model), factors, encoding),
    cellBudget,
    confidence,
    candidates: candidates * roundings.length,
  }
}

/** Of one K: a curve has twenty of them. What the search does not reach is bounded. */
const CURVE_WORK = 2 ** 22

/** The predictions that the engine holds now, rounded in every way. */
export async function measureCurve(
  engine: Engine,
  roundings: readonly Rounding[],
  { declared, ...scope }: CurveTerms & { readonly fold: number },
): Promise<Omit<ErrorAgainstBins, 'rows'>> {
  const points = await errorCurve(roundings, async rounding => {
    const { compiled } = certifiedClass(declared, engine.shape, rounding.bins, scope.cellBudget)
    const measured = await multicalibrationError(engine, compiled, rounding, { ...scope, work: CURVE_WORK })
    const count = countAuditors(compiled)
    if (count === undefined) return { error: measured.error }
    const evidence = await evidenceOf(engine, scope.fold, rounding)
    const failure = (1 - scope.confidence) / scope.candidates
    const logMeans = count.logAuditors + rounding.bins * Math.LN2
    const { high, low } = intervalOf(evidence, measured, { failure, logMeans, rounding: 0 })
    const slack = measured.error - limitBelow(evidence, measured.error, failure / 2, logMeans)
    return { error: measured.error, low, high, slack }
  })
  const supported = supportedBins(points)
  return {
    confidence: scope.confidence,
    points,
    ...(supported !== undefined && { supportedBins: supported }),
  }
}
