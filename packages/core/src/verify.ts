// verify: the certificate of a model computed again from the rows, trusting neither the file nor the training run.

import { certify } from './certify/certificate.ts'
import type { Certificate } from './certify/facts.ts'
import { type Difference, findDifferences } from './certify/verify.ts'
import type { Auditors } from './classes/auditors.ts'
import { compileAuditors } from './classes/compile.ts'
import { assignRoles } from './data/roles.ts'
import type { Table } from './data/table.ts'
import { engineRows } from './encode.ts'
import type { MakeEngine } from './engine/engine.ts'
import { memoryEngine } from './engine/memory/memory.ts'
import type { ModelData } from './model/data.ts'
import type { Model } from './model/model.ts'

export interface Verification {
  /** Does the model's certificate say exactly what these rows give? */
  readonly matches: boolean
  readonly differences: readonly Difference[]
  readonly certificate: Certificate
}

export async function verify(
  model: Model,
  table: Table,
  options: { engine?: MakeEngine } = {},
): Promise<Verification> {
  const { data } = model
  const { certificate: stated, encoding, roles, start } = data
  const given = encoding.features.filter(feature => !encoding.functions.includes(feature.name))
  const { holdout, ...named } = roles
  const dataset = assignRoles(
    table,
    {
      ...named,
      features: given.map(feature => feature.name),
      ...(start.kind === 'column' && { prediction: start.column }),
    },
    holdout,
  )
  const rows = engineRows(dataset, encoding, model.functions)
  const startUnits =
    start.kind === 'constant' ? new Int32Array(dataset.rowCount).fill(start.units) : rows.start
  const engine = await (options.engine ?? memoryEngine())({ ...rows, start: startUnits })
  try {
    const auditors = auditorsOf(data, model)
    const certificate = await certify(engine, {
      compiled: compileAuditors(auditors, data.factors, encoding),
      auditors,
      claim: stated.claim,
      oracle: stated.oracle,
      cellBudget: data.cellBudget,
      updates: data.updates,
    })
    const differences = findDifferences(stated, JSON.parse(JSON.stringify(certificate)))
    return { matches: differences.length === 0, differences, certificate }
  } finally {
    await engine.close()
  }
}

function auditorsOf(data: ModelData, model: Model): Auditors {
  const { auditors } = data
  return auditors.kind === 'functions' ? { ...auditors, functions: model.functions } : auditors
}
