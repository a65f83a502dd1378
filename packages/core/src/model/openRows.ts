// The rows of a table in an engine, read as a model read its own: the same roles, split, cuts and start.

import type { Auditors } from '../classes/auditors.ts'
import type { CancelSignal } from '../common/cancel.ts'
import { FeatureBoostError } from '../common/errors.ts'
import type { RoleRows } from '../data/roleRows.ts'
import { openRows } from '../data/rows.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import type { Engine, MakeEngine } from '../engine/engine.ts'
import { defaultEngine } from '../engine/engines.ts'
import { fingerprintSource } from '../engine/fingerprint.ts'
import type { RowSource } from '../engine/rows.ts'
import { encodedSource } from '../store/encode.ts'
import type { Model } from './model.ts'

export async function openModelRows(
  model: Model,
  table: Table | TableSource,
  makeEngine: MakeEngine = defaultEngine(),
): Promise<Engine> {
  return await makeEngine(await readModelRows(model, table))
}

async function readModelRows(
  model: Model,
  table: Table | TableSource,
  signal?: CancelSignal,
): Promise<RowSource> {
  const { encoding, start } = model.data
  const { holdout, ...roles } = modelRowRoles(model)
  const rows = await openRows(table, roles, { holdout, sampleRows: 0, signal })
  const started = start.kind === 'constant' ? startAt(rows, start.units) : rows
  return encodedSource(started, encoding, model.functions)
}

/** Are these the rows that the model was fitted to, held-out ones included? */
export async function isFittedTo(
  model: Model,
  table: Table | TableSource,
  signal?: CancelSignal,
): Promise<boolean> {
  try {
    const source = await readModelRows(model, table, signal)
    return (await fingerprintSource(source)) === model.certificate.rows.fingerprint
  } catch (error) {
    // Rows without the fold column of the fit, or with too few rows to be split, are other rows.
    if (error instanceof FeatureBoostError && error.code !== 'FB_ABORTED') return false
    throw error
  }
}

/** The roles that the columns of its rows had. */
export function modelRowRoles({ data: { encoding, roles, start } }: Model) {
  const given = encoding.features.filter(feature => !encoding.functions.includes(feature.name))
  return {
    ...roles,
    features: given.map(feature => feature.name),
    ...(start.kind === 'column' && { prediction: start.column }),
  }
}

/** The model's base rate, whatever that of these rows is. */
const startAt = (rows: RoleRows, units: number): RoleRows => ({
  ...rows,
  async *chunks(rowsPerChunk) {
    for await (const chunk of rows.chunks(rowsPerChunk)) {
      yield { ...chunk, start: new Int32Array(chunk.rowCount).fill(units) }
    }
  },
})

/** The model's auditors, with the functions that the file could not hold. */
export function auditorsOf({ data: { auditors }, functions }: Model): Auditors {
  return auditors.kind === 'functions' ? { ...auditors, functions } : auditors
}
