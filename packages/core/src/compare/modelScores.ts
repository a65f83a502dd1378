// The rows of a table with two scores: the one that a model starts from and the corrected one.

import { joinChunks } from '../audit/scores.ts'
import { type CancelSignal, throwIfCancelled } from '../common/cancel.ts'
import { fromUnits } from '../common/units.ts'
import { gatherColumn, type NumericColumn } from '../data/column.ts'
import { HELD_CELLS } from '../data/hold.ts'
import { openRows } from '../data/rows.ts'
import { isSource, type TableSource } from '../data/source.ts'
import { findColumn, type Table } from '../data/table.ts'
import type { Model } from '../model/model.ts'
import { modelRowRoles } from '../model/openRows.ts'

export interface ModelScores {
  readonly rows: Table | TableSource
  readonly rowCount: number
  /** Of these rows: were they held out from the fit? */
  readonly heldOut: boolean
  /** Of all columns. */
  readonly names: readonly string[]
  /** Names of the two columns of scores. */
  readonly before: string
  readonly after: string
}

export interface ModelScoreOptions {
  readonly signal?: CancelSignal | undefined
  /** Whether the model's own split into fitting and held-out rows applies to these rows. Default: yes. */
  readonly split?: boolean
  readonly heldCells?: number
}

/** The held-out rows where there are any, else all. */
export async function scoreModelRows(
  model: Model,
  rows: Table | TableSource,
  { heldCells = HELD_CELLS, signal, split = true }: ModelScoreOptions = {},
): Promise<ModelScores> {
  const { holdout, ...roles } = modelRowRoles(model)
  const opened = split ? await openRows(rows, roles, { holdout, sampleRows: 0, signal }) : undefined
  return holdRows(await scoreRows(model, rows, opened?.folded ? opened : undefined, signal), heldCells)
}

async function holdRows(scored: ModelScores, heldCells: number): Promise<ModelScores> {
  const { names, rowCount, rows } = scored
  if (!isSource(rows) || rowCount * names.length > heldCells) return scored
  return { ...scored, rows: { rowCount, columns: await joinChunks(rows, names) } }
}

/** The rows to audit, with both scores. These are computed once and kept; the other columns are read as often as needed. */
async function scoreRows(
  model: Model,
  rows: Table | TableSource,
  folded: Awaited<ReturnType<typeof openRows>> | undefined,
  signal: CancelSignal | undefined,
): Promise<ModelScores> {
  const { start } = model.data
  const chunksOf = () => (isSource(rows) ? rows.chunks() : [rows])
  const pieces: { picked: Int32Array; before: Float64Array; after: Float64Array }[] = []
  const folds = folded === undefined ? undefined : await readFolds(folded)
  let [offset, rowCount] = [0, 0]
  for await (const chunk of chunksOf()) {
    throwIfCancelled(signal, 'scoring')
    const picked = pickRows(chunk.rowCount, folds, offset)
    const after = model.predict(chunk)
    const before =
      start.kind === 'constant'
        ? new Float64Array(picked.length).fill(fromUnits(start.units))
        : Float64Array.from(picked, numbersOf(chunk, start.column))
    pieces.push({ picked, before, after: Float64Array.from(picked, row => after[row]) })
    offset += chunk.rowCount
    rowCount += picked.length
  }
  const { features, ...named } = modelRowRoles(model)
  const kept = [...new Set([...features, named.label, ...(named.weight === undefined ? [] : [named.weight])])]
  const before = freeName(start.kind === 'column' ? start.column : 'base rate', kept)
  const after = freeName('corrected', [...kept, before])
  const numeric = (name: string, values: Float64Array): NumericColumn => ({ name, kind: 'numeric', values })
  const source: TableSource = {
    async *chunks() {
      let index = 0
      for await (const chunk of chunksOf()) {
        const piece = pieces[index++]
        const columns = kept.map(name => gatherColumn(findColumn(chunk, name), piece.picked))
        const scores = [numeric(before, piece.before), numeric(after, piece.after)]
        if (piece.picked.length > 0) yield { rowCount: piece.picked.length, columns: [...columns, ...scores] }
      }
    },
  }
  return {
    rows: source,
    rowCount,
    heldOut: folded !== undefined,
    names: [...kept, before, after],
    before,
    after,
  }
}

async function readFolds(rows: Awaited<ReturnType<typeof openRows>>): Promise<Uint8Array> {
  const folds = new Uint8Array(rows.rowCount)
  let offset = 0
  for await (const { fold, rowCount } of rows.chunks(FOLD_ROWS)) {
    if (fold !== undefined) folds.set(fold, offset)
    offset += rowCount
  }
  return folds
}

const FOLD_ROWS = 2 ** 16

/** The held-out ones; all where none are. */
function pickRows(rowCount: number, folds: Uint8Array | undefined, offset: number): Int32Array {
  const picked = new Int32Array(rowCount)
  let count = 0
  for (let row = 0; row < rowCount; row++) {
    if (folds === undefined || folds[offset + row] === 1) picked[count++] = row
  }
  return picked.slice(0, count)
}

export function numbersOf(table: Table, name: string): (row: number) => number {
  const column = findColumn(table, name)
  if (column.kind === 'categorical') return () => Number.NaN
  const { values } = column
  return row => values[row]
}

function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  while (taken.includes(name)) name = `${name} score`
  return name
}
