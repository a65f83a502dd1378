// Rows with their roles, from a table or from a source of chunks: what is known of all of them, those to learn cuts from,
// and all of them in chunks. Either way the same rows give the same facts, the same sample and the same model.

import type { CancelSignal } from '../common/cancel.ts'
import { once } from '../common/once.ts'
import type { RowLedger } from './ledger.ts'
import { observationWeight } from './observations.ts'
import { PresenceTally } from './presence.ts'
import { type RoleColumns, resolveRoles } from './resolve.ts'
import { type LearnableRows, learnableRows, type RoleRows, sampledColumns, sliceDataset } from './roleRows.ts'
import { assignRoles, type Dataset, type Holdout, type Roles } from './roles.ts'
import { RowHasher } from './rowHash.ts'
import { RowSample, SAMPLE_ROWS } from './rowSample.ts'
import { RowUnits } from './rowUnits.ts'
import { isSource, type TableSource, untilCancelled } from './source.ts'
import { keysOf } from './split.ts'
import { surveySource } from './survey.ts'
import { type LedgerRoleRows, surveyByLedger } from './surveyLedger.ts'
import type { Table } from './table.ts'

export interface RowsOptions {
  readonly holdout?: Holdout | undefined
  /** Rows to learn cuts from, at most; 0 where nothing is to be learned. */
  readonly sampleRows?: number
  /** Are rows to carry keys? */
  readonly keyed?: boolean
  readonly signal?: CancelSignal | undefined
}

export async function openRows(
  rows: Table | TableSource,
  roles: Roles,
  options: RowsOptions = {},
): Promise<RoleRows> {
  const { holdout, keyed = false, sampleRows = SAMPLE_ROWS, signal } = options
  if (!isSource(rows)) return tableRows(rows, roles, holdout, sampleRows, keyed)
  return surveySource(untilCancelled(rows, signal), roles, holdout, sampleRows, keyed)
}

/** The same for rows of which each is noted in a ledger, and none is kept. */
export function openByLedger(
  source: TableSource,
  roles: Roles,
  ledger: RowLedger,
  { holdout, keyed = false, sampleRows = SAMPLE_ROWS, signal }: RowsOptions = {},
): Promise<LedgerRoleRows> {
  return surveyByLedger({
    source: untilCancelled(source, signal),
    ...{ roles, holdout, keyed, ledger, sampleRows },
  })
}

function tableRows(
  table: Table,
  roles: Roles,
  holdout: Holdout | undefined,
  sampleRows: number,
  keyed: boolean,
): RoleRows {
  const columns = once(() => resolveRoles(table, roles, holdout?.groupBy))
  const rule = roles.copies ?? 'one'
  const hasher = new RowHasher(holdout?.seed ?? 0, rule)
  const hashes = once(() => hasher.hash(columns()))
  const assigned = assignRoles(table, roles, holdout, hashes)
  const { fold, rowCount, startKind, weightScale } = assigned
  const known = new RowUnits(rule, holdout?.seed ?? 0)
  known.add(columns(), hashes(), assigned.weight)
  const { countedRows, units, weight } = known.finish(rowCount, assigned.weight, fold)
  known.close()
  hasher.close()
  const dataset = {
    ...assigned,
    ...(weight !== undefined && { weight }),
    ...(keyed && { key: keysOf(columns().group, holdout, hashes) }),
  }
  const { keys, rows: learnable } =
    rowCount <= sampleRows || sampleRows === 0
      ? { keys: hashes().b, rows: dataset }
      : sampleTable(table, columns(), dataset, hashes().b, sampleRows)
  const isCounted = rule === 'one' && assigned.whole && sampleRows > 0
  return {
    ...{ rowCount, countedRows, units, startKind, weight, weightScale, keyed },
    copyCount: known.copyCount + hasher.copyCount,
    weighted: weight !== undefined,
    ...(isCounted && { observationWeight: observationWeight(learnable, keys, startKind) }),
    folded: fold !== undefined,
    learnable,
    *chunks(rowsPerChunk) {
      for (let from = 0; from < rowCount; from += rowsPerChunk) {
        yield sliceDataset(dataset, from, Math.min(rowCount, from + rowsPerChunk))
      }
    },
  }
}

function sampleTable(
  table: Table,
  columns: RoleColumns,
  { fold, weight }: Dataset,
  keys: Int32Array,
  sampleRows: number,
): { keys: Int32Array; rows: LearnableRows } {
  const use = (row: number) =>
    (fold === undefined || fold[row] === 0) && (weight === undefined || weight[row] > 0)
  const sample = new RowSample(sampleRows)
  sample.add(sampledColumns(columns), keys, use)
  const presence = new PresenceTally(columns.features.length)
  presence.add(columns.features, use)
  const kinds = new Map(table.columns.map(column => [column.name, column.kind]))
  const kept = sample.finish(name => kinds.get(name)!)
  return {
    keys: sample.keys(),
    rows: learnableRows(kept, sample.rows(), columns, weight, presence.finish()),
  }
}
