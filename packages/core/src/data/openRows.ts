// Rows with their roles, from a table or from a source of chunks: what is known of all of them, those to learn cuts from,
// and all of them in chunks. Either way the same rows give the same facts, the same sample and the same model.

import type { CancelSignal } from '../common/cancel.ts'
import { once } from '../common/once.ts'
import { PresenceTally } from './presence.ts'
import { contentOf, type RoleColumns, resolveRoles } from './resolve.ts'
import { type LearnableRows, learnableRows, type RoleRows, sampledColumns, sliceDataset } from './roleRows.ts'
import { assignRoles, type Dataset, type Holdout, type Roles } from './roles.ts'
import { RowHasher, type RowHashes } from './rowHash.ts'
import { RowSample, SAMPLE_ROWS } from './rowSample.ts'
import { isSource, type TableSource, untilCancelled } from './source.ts'
import { keysOf } from './split.ts'
import { surveySource } from './survey.ts'
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

function tableRows(
  table: Table,
  roles: Roles,
  holdout: Holdout | undefined,
  sampleRows: number,
  keyed: boolean,
): RoleRows {
  const hashes = once(() => hashTable(table, roles, holdout))
  const assigned = assignRoles(table, roles, holdout, hashes)
  const ids = resolveRoles(table, roles, holdout?.groupBy).group
  const dataset = { ...assigned, ...(keyed && { key: keysOf(ids, holdout, hashes) }) }
  const { fold, rowCount, startKind, weight, weightScale } = dataset
  return {
    rowCount,
    startKind,
    weighted: weight !== undefined,
    weightScale,
    folded: fold !== undefined,
    keyed,
    learnable:
      rowCount <= sampleRows || sampleRows === 0
        ? dataset
        : sampleTable(table, resolveRoles(table, roles, holdout?.groupBy), dataset, hashes().b, sampleRows),
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
  { fold, weight, weightScale }: Dataset,
  keys: Int32Array,
  sampleRows: number,
): LearnableRows {
  const use = (row: number) =>
    (fold === undefined || fold[row] === 0) && (weight === undefined || weight[row] > 0)
  const sample = new RowSample(sampleRows)
  sample.add(sampledColumns(columns, weight && columns.weight), keys, use)
  const presence = new PresenceTally(columns.features.length)
  presence.add(columns.features, use)
  const kinds = new Map(table.columns.map(column => [column.name, column.kind]))
  const kept = sample.finish(name => kinds.get(name)!)
  return learnableRows(kept, columns, weight && weightScale, presence.finish())
}

const hashTable = (table: Table, roles: Roles, holdout: Holdout | undefined): RowHashes =>
  new RowHasher(holdout?.seed ?? 0).hash(contentOf(resolveRoles(table, roles, holdout?.groupBy)))
