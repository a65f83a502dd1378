// Two scores on the same rows: columns of the file, or what models make of them. Rows that a model was fitted to are left out.

import {
  type AuditOptions,
  compareScores,
  FeatureBoostError,
  readModel,
  type Table,
} from '@featureboost/core'
import { type AuditedRows, changesOf, probabilityOf, scoreModelRows } from '@featureboost/core/internal'
import { namesOf } from '../data/roles.ts'
import { auditOptionsFor, type Choice, tableFor } from '../run/choice.ts'
import type { ScorePair, ScoreRecipe } from './protocol.ts'
import { rowsOf } from './rows.ts'
import { freeName } from './tableCsv.ts'

interface Asked {
  /** Label, weight and features are those of this choice. */
  readonly choice: Choice
  readonly a: ScoreRecipe
  readonly b: ScoreRecipe
}

type Watched = Pick<AuditOptions, 'signal' | 'onPhase' | 'onWarning' | 'engine'>

/** Differences are b less a, with the intervals that a verdict goes by. */
export async function pairScores(
  table: Table,
  { a, b, choice }: Asked,
  watched: Watched,
): Promise<ScorePair> {
  const [one, other] = [await scoreOf(table, a, watched), await scoreOf(table, b, watched)]
  const isShared = one.has.map((has, row) => has & other.has[row])
  const kept = tableFor(table, choice)
  const names = kept.columns.map(({ name }) => name)
  const prediction = freeName('A', names)
  const scores = { a: prediction, b: freeName('B', [...names, prediction]) }
  const columns = [
    { name: scores.a, kind: 'numeric', values: one.values } as const,
    { name: scores.b, kind: 'numeric', values: other.values } as const,
  ]
  const rows = rowsOf({ ...kept, columns: [...kept.columns, ...columns] }, isShared)
  if (rows.rowCount === 0)
    throw new FeatureBoostError('FB_NO_ROWS', 'the two models have no held-out row in common.', {
      hint: 'Hold out the same rows: leave seed and holdout alike.',
    })
  const { protect: _, scoreScale: __, ...options } = auditOptionsFor(choice)
  const given = { ...options, ...watched, prediction: scores.a, other: scores.b, draws: 0 }
  const compared = await compareScores(rows, { ...given, changes: 'sure' })
  const used = [one.rows, other.rows]
  return {
    rowCount: compared.a.rows.rowCount,
    rows: used.includes('fitting') ? 'fitting' : used.includes('held-out') ? 'held-out' : 'all',
    changes: changesOf(compared),
  }
}

interface RowScores {
  readonly values: Float64Array
  /** 1: this row can be measured on. */
  readonly has: Uint8Array
  readonly rows: AuditedRows
}

async function scoreOf(table: Table, recipe: ScoreRecipe, { signal }: Watched): Promise<RowScores> {
  const { choice, modelText } = recipe
  if (modelText !== undefined) return await modelScores(tableFor(table, choice), modelText, signal)
  const [name] = namesOf(choice.roles, 'score')
  const column = table.columns.find(each => each.name === name)!
  const scale = choice.words?.scoreScale ?? 'probability'
  const read = (score: number) => probabilityOf(score, scale) ?? Number.NaN
  const values =
    column.kind === 'categorical'
      ? new Float64Array(table.rowCount).fill(Number.NaN)
      : Float64Array.from(column.values, read)
  return { values, has: new Uint8Array(table.rowCount).fill(1), rows: 'all' }
}

/** Rows are told by their number in the file. */
async function modelScores(table: Table, modelText: string, signal: Watched['signal']): Promise<RowScores> {
  const number = freeName('row', [...table.columns.map(({ name }) => name)])
  const numbers = Float64Array.from({ length: table.rowCount }, (_, row) => row)
  const columns = [...table.columns, { name: number, kind: 'numeric', values: numbers } as const]
  const options = { also: [number], heldCells: Number.POSITIVE_INFINITY, signal }
  const found = await scoreModelRows(readModel(modelText), { ...table, columns }, options)
  const scored = found.rows as Table
  const valuesOf = (name: string) =>
    scored.columns.find(each => each.name === name)! as { values: Float64Array }
  const values = new Float64Array(table.rowCount).fill(Number.NaN)
  const has = new Uint8Array(table.rowCount)
  const [rows, after] = [valuesOf(number).values, valuesOf(found.after).values]
  for (let at = 0; at < scored.rowCount; at++) {
    values[rows[at]] = after[at]
    has[rows[at]] = 1
  }
  return { values, has, rows: found.heldOut ? 'held-out' : 'fitting' }
}
