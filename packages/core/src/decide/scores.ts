// Rows that have no outcome yet, with the score that a model starts from and the corrected one.

import { type CancelSignal, throwIfCancelled } from '../common/cancel.ts'
import { fromUnits } from '../common/units.ts'
import { freeName, type ModelScores, numbersOf } from '../compare/modelScores.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { readWording } from '../data/wording.ts'
import type { Model } from '../model/model.ts'
import { modelRowRoles, wordingOf } from '../model/modelRows.ts'
import { makeReadPredictor } from '../model/predict.ts'

/** Is there a column of outcomes? */
export async function hasLabels(rows: Table | TableSource, label: string): Promise<boolean> {
  for await (const { columns } of isSource(rows) ? rows.chunks() : [rows])
    return columns.some(({ name }) => name === label)
  return false
}

/** Scores are computed as the rows are read: each reading gives the same. */
export async function scoreUnlabelled(
  model: Model,
  rows: Table | TableSource,
  also: readonly string[],
  signal: CancelSignal | undefined,
): Promise<ModelScores> {
  const { categorical, scoreScale, scores } = wordingOf(model)
  const read = readWording(rows, { categorical, scoreScale, ...(scores !== undefined && { scores }) })
  const { start } = model.data
  const kept = [...new Set([...modelRowRoles(model).features, ...also])]
  const before = freeName(start.kind === 'column' ? start.column : 'base rate', kept)
  const after = freeName('corrected', [...kept, before])
  const predictor = makeReadPredictor(model.data, model.functions)
  const withScores = (chunk: Table): Table => {
    const given = start.kind === 'column' ? numbersOf(chunk, start.column) : () => fromUnits(start.units)
    const columns = chunk.columns.filter(({ name }) => name !== before && name !== after)
    const numeric = (name: string, values: Float64Array) => ({ name, kind: 'numeric', values }) as const
    const olds = Float64Array.from({ length: chunk.rowCount }, (_, row) => given(row))
    const news = predictor.predict(chunk)
    return { rowCount: chunk.rowCount, columns: [...columns, numeric(before, olds), numeric(after, news)] }
  }
  const source: TableSource = {
    async *chunks() {
      for await (const chunk of isSource(read) ? read.chunks() : [read]) {
        throwIfCancelled(signal, 'scoring')
        yield withScores(chunk)
      }
    },
  }
  return {
    ...{ rows: source, rowCount: 0, allRows: 0, heldOut: false },
    names: [...kept, before, after],
    ...{ before, after },
  }
}
