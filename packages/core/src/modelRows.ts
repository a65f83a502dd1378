// The rows of a table in an engine, read as a model read its own: the same roles, split, cuts and start.

import type { Auditors } from './classes/auditors.ts'
import { assignRoles } from './data/roles.ts'
import type { Table } from './data/table.ts'
import { engineRows } from './encode.ts'
import type { Engine, MakeEngine } from './engine/engine.ts'
import { memoryEngine } from './engine/memory/memory.ts'
import type { Model } from './model/model.ts'

export async function openModelRows(
  model: Model,
  table: Table,
  makeEngine: MakeEngine = memoryEngine(),
): Promise<Engine> {
  const { data } = model
  const { encoding, roles, start } = data
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
  return await makeEngine({ ...rows, start: startUnits })
}

/** The model's auditors, with the functions that the file could not hold. */
export function auditorsOf({ data: { auditors }, functions }: Model): Auditors {
  return auditors.kind === 'functions' ? { ...auditors, functions } : auditors
}
