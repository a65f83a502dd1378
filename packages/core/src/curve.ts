// Error against K from one fit: the worst multicalibration error of a model's predictions for every rounding it holds.

import { multicalibrationError } from './audit/multicalibration.ts'
import { replay } from './boost/boost.ts'
import { certifiedClass } from './certify/tolerance.ts'
import { compileAuditors } from './classes/compile.ts'
import type { Table } from './data/table.ts'
import { FIT, type MakeEngine } from './engine/engine.ts'
import type { Model } from './model/model.ts'
import { auditorsOf, openModelRows } from './modelRows.ts'
import { type CurvePoint, errorCurve } from './round/curve.ts'

/** On the fitting rows among the given ones; `bins` picks some of the roundings. */
export async function errorAgainstBins(
  model: Model,
  table: Table,
  options: { bins?: readonly number[]; engine?: MakeEngine } = {},
): Promise<CurvePoint[]> {
  const { cellBudget, encoding, factors, roundings, updates } = model.data
  const wanted = roundings.filter(({ bins }) => options.bins?.includes(bins) ?? true)
  const engine = await openModelRows(model, table, options.engine)
  try {
    await replay(engine, updates)
    const declared = compileAuditors(auditorsOf(model), factors, encoding)
    return await errorCurve(wanted, async rounding => {
      const { compiled } = certifiedClass(declared, engine.shape, rounding.bins, cellBudget)
      return (await multicalibrationError(engine, compiled, rounding, { fold: FIT, cellBudget })).error
    })
  } finally {
    await engine.close()
  }
}
