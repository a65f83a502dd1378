// verify: the certificate of a model computed again from the rows, trusting neither the file nor the training run.

import { certify } from '../certify/certificate.ts'
import { type Difference, findDifferences } from '../certify/differences.ts'
import { type Certificate, splitOf } from '../certify/facts.ts'
import { compileAuditors } from '../classes/compile.ts'
import { FeatureBoostError } from '../common/errors.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import type { MakeEngine } from '../engine/engine.ts'
import type { RowStore } from '../store/store.ts'
import { MODEL_VERSION } from './data.ts'
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
  if (data.version < MODEL_VERSION) throw tooOld(data.version)
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
      copies: data.roles.copies,
      updates: data.updates,
    })
    const differences = findDifferences(data.certificate, JSON.parse(JSON.stringify(certificate)))
    return { matches: differences.length === 0, differences, certificate }
  } finally {
    await engine.close()
  }
}

/** Its predictions stay what they were; what its certificate says was computed by rules that this version no longer has. */
const tooOld = (version: number): FeatureBoostError =>
  new FeatureBoostError('FB_MODEL_VERSION', `the certificate is of format version ${version}.`, {
    found: version,
    expected: `version ${MODEL_VERSION}`,
    hint: 'Rows were held out and errors on new rows bounded by older rules: fit again, or verify with the featureboost that wrote it.',
  })
