// Rows as a monitor reads them, chunk by chunk: words as the model reads its own, corrected scores in units, and outcomes and weights where
// they are there.

import { type CancelSignal, throwIfCancelled } from '../common/cancel.ts'
import { toUnits } from '../common/units.ts'
import { freeName } from '../compare/modelScores.ts'
import type { Column } from '../data/column.ts'
import { checkRows } from '../data/given.ts'
import { readLabel } from '../data/probabilities.ts'
import { isSource, type TableSource } from '../data/source.ts'
import { findColumn, type Table } from '../data/table.ts'
import { givenWeights } from '../data/weights.ts'
import { readWording } from '../data/wording.ts'
import type { Model } from '../model/model.ts'
import { modelRowRoles, wordingOf } from '../model/modelRows.ts'
import { makeReadPredictor } from '../model/predict.ts'

export interface MonitorChunk {
  /** With the corrected score as one more column. */
  readonly table: Table
  /** In units. */
  readonly scores: Int32Array
  /** In units; absent where outcomes are not known. */
  readonly labels?: Int32Array
  /** As they were given. */
  readonly weights?: Float64Array
}

export interface ReadingOptions {
  /** What the column of corrected scores is called; a column of the rows that has this name is left out. */
  readonly score: string
  /** Whether outcomes are read: they are not even where they are there, unless this says so. */
  readonly labelled: boolean
  readonly signal?: CancelSignal | undefined
  /** Is told how many rows have no label and are left out. */
  readonly onWarning?: ((sentence: string) => void) | undefined
}

/** The columns that are watched beside the score: those of the model, and what else is named. */
export const watchedColumns = (model: Model, also: readonly string[]): string[] => [
  ...new Set([...modelRowRoles(model).features, ...also]),
]

/** What the column of corrected scores is called. */
export const scoreName = (columns: readonly string[]): string => freeName('corrected score', columns)

export async function* readChunks(
  model: Model,
  rows: Table | TableSource,
  { labelled, onWarning, score, signal }: ReadingOptions,
): AsyncGenerator<MonitorChunk> {
  const { label, weight } = modelRowRoles(model)
  const { dropMissingLabels, label: _, positive, ...words } = wordingOf(model)
  const read = readWording(
    checkRows(rows),
    labelled ? { ...words, label, positive, dropMissingLabels, mayLackPositive: true } : words,
    onWarning,
  ) as Table | TableSource
  const predictor = makeReadPredictor(model.data, model.functions)
  let before = 0
  for await (const table of isSource(read) ? read.chunks() : [read]) {
    throwIfCancelled(signal, 'watching')
    const scores = predictor.predict(table)
    const weights = weight === undefined ? undefined : givenWeights(findColumn(table, weight), before)
    yield {
      table: {
        rowCount: table.rowCount,
        columns: [
          ...table.columns.filter(({ name }) => name !== score),
          { name: score, kind: 'numeric', values: scores } satisfies Column,
        ],
      },
      scores: Int32Array.from(scores, toUnits),
      ...(labelled && { labels: readLabel(findColumn(table, label, 'label'), before) }),
      ...(weights !== undefined && { weights }),
    }
    before += table.rowCount
  }
}
