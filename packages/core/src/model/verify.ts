// verify: the certificate of a model computed again from the rows, trusting neither the file nor the training run.

import { certify } from '../certify/certificate.ts'
import { type Difference, findDifferences } from '../certify/differences.ts'
import { type Certificate, splitOf } from '../certify/facts.ts'
import { compileAuditors } from '../classes/compile.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import type { MakeEngine } from '../engine/engine.ts'
import type { RowStore } from '../store/store.ts'
import type { Model } from './model.ts'
import { auditorsOf, openModelRows } from './modelRows.ts'

export interface Verification {
  /** Does the model's certificate say exactly what these rows give? */
  readonly matches: boolean
  readonly differences: readonly Difference[]
  readonly certificate: Certificate
}

export async function verify(
  model: Model,
  table: Table | TableSource | RowStore,
  options: { engine?: MakeEngine } = {},
): Promise<Verification> {
  const { data } = model
  const engine = await openModelRows(model, table, options.engine)
  try {
    const auditors = auditorsOf(model)
    const certificate = await certify(engine, {
      compiled: compileAuditors(auditors, data.factors, data.encoding),
      auditors,
      claim: data.certificate.claim,
      oracle: data.certificate.oracle,
      cellBudget: data.cellBudget,
      protect: data.roles.protect,
      split: splitOf(data.roles),
      updates: data.updates,
      asVersion1: data.version === 1,
    })
    const differences = findDifferences(data.certificate, JSON.parse(JSON.stringify(certificate)))
    return { matches: differences.length === 0, differences, certificate }
  } finally {
    await engine.close()
  }
}
