// From a dataset to an encoding, and from both to the rows an engine takes.

import type { Auditors } from '../classes/auditors.ts'
import { kindOf } from '../classes/kinds/kinds.ts'
import type { LearnableRows, RoleRows } from '../data/roleRows.ts'
import type { Dataset } from '../data/roles.ts'
import type { ColumnCount } from '../engine/columns.ts'
import { type EngineRows, FIT, type RowChunk, type RowSource } from '../engine/engine.ts'
import { makeBinner } from '../kernels/binner.ts'
import { type Encoding, encodeTable } from '../quantize/encoding.ts'
import { type BinNumbers, completeSchema, fitSchema, type QuantizeOptions } from '../quantize/quantize.ts'
import { binCount, coarseCount, coarseMap } from '../quantize/schema.ts'
import type { RowFunctions } from '../quantize/signals.ts'

/** Learned on the fitting rows alone: held-out rows have no say in where the cuts are. */
export function learnEncoding(rows: LearnableRows, auditors: Auditors, options: QuantizeOptions): Encoding {
  const counts = fittingWeights(rows)
  const use = (row: number) => counts === undefined || counts[row] > 0
  const kind = kindOf(auditors)
  const required = kind.requiredCuts(auditors)
  const features = rows.features.map((column, index) => {
    const schema = fitSchema(column, counts, undefined, options, required.get(column.name))
    return rows.presence === undefined ? schema : completeSchema(schema, rows.presence[index])
  })
  const { derived, functions, signals } = kind.extend(auditors, { features, columns: rows.features, use })
  return { features: [...features, ...derived], signals, functions }
}

/** 0 for rows that are held out; undefined where every row weighs 1. */
function fittingWeights({ fold, weight }: LearnableRows): Int32Array | undefined {
  if (fold === undefined) return weight
  const weights = new Int32Array(fold.length)
  for (let row = 0; row < fold.length; row++) if (fold[row] === FIT) weights[row] = weight?.[row] ?? 1
  return weights
}

/** One chunk of rows, or all of them, as engines take them. */
export function encodeRows(
  dataset: Dataset,
  encoding: Encoding,
  functions: RowFunctions,
  binNumbers?: BinNumbers,
): RowChunk {
  const table = { rowCount: dataset.rowCount, columns: dataset.features }
  return {
    rowCount: dataset.rowCount,
    ...encodeTable(encoding, table, functions, binNumbers),
    label: dataset.label,
    start: dataset.start,
    ...(dataset.weight !== undefined && { weight: dataset.weight }),
    ...(dataset.fold !== undefined && { fold: dataset.fold }),
    ...(dataset.key !== undefined && { key: dataset.key }),
  }
}

/** An encoding, and the functions that it names. */
export interface EncodingPart {
  readonly encoding: Encoding
  readonly functions?: RowFunctions
}

/** Rows in chunks, and what is known of all of them. */
export type EncodableRows = Omit<RoleRows, 'weight' | 'learnable'>

/** Rows that are encoded chunk by chunk, while an engine takes them in. */
export const encodedSource = (rows: EncodableRows, encoding: Encoding, functions: RowFunctions): RowSource =>
  joinedSource(rows, [{ encoding, functions }])

/** The same in several encodings, their columns side by side (engine/columns.ts). */
export function joinedSource(rows: EncodableRows, parts: readonly EncodingPart[]): RowSource {
  const shapes = parts.map(({ encoding }) => shapeOf(encoding))
  return {
    rowCount: rows.rowCount,
    units: rows.units,
    ...(rows.observationWeight !== undefined && { observationWeight: rows.observationWeight }),
    binCounts: shapes.flatMap(shape => shape.binCounts),
    coarseOf: shapes.flatMap(shape => shape.coarseOf),
    coarseCounts: shapes.flatMap(shape => shape.coarseCounts),
    signalCount: shapes.reduce((sum, { signalCount }) => sum + signalCount, 0),
    weighted: rows.weighted,
    folded: rows.folded,
    keyed: rows.keyed,
    async *chunks(rowsPerChunk) {
      const { bin } = makeBinner()
      for await (const chunk of rows.chunks(rowsPerChunk)) {
        const [first, ...others] = parts.map(({ encoding, functions = {} }) =>
          encodeRows(chunk, encoding, functions, bin),
        )
        yield {
          ...first,
          bins: [...first.bins, ...others.flatMap(other => other.bins)],
          signals: [...first.signals, ...others.flatMap(other => other.signals)],
        }
      }
    },
  }
}

export const columnCount = ({ features, signals }: Encoding): ColumnCount => ({
  features: features.length,
  signals: signals.length,
})

const shapeOf = (encoding: Encoding) => ({
  binCounts: encoding.features.map(binCount),
  coarseOf: encoding.features.map(coarseMap),
  coarseCounts: encoding.features.map(coarseCount),
  signalCount: encoding.signals.length,
})

/** The same, all at once. */
export function engineRows(dataset: Dataset, encoding: Encoding, functions: RowFunctions): EngineRows {
  const { signalCount: _, ...shape } = shapeOf(encoding)
  return { ...encodeRows(dataset, encoding, functions), ...shape }
}
