// The rows that forests learn from, in an engine of their own: predictions can start where they like, and some parts be held out.

import type { CancelSignal } from '../../common/cancel.ts'
import { type Engine, FIT, HOLDOUT } from '../../engine/engine.ts'
import { memoryEngine } from '../../engine/memory/memory.ts'
import type { ForestUpdate } from '../../engine/update.ts'
import { binCount, coarseCount, coarseMap, type FeatureSchema } from '../../quantize/schema.ts'
import type { ForestRows } from '../forest/rows.ts'

export interface SampleOptions {
  readonly schemas: readonly FeatureSchema[]
  readonly threads?: number | undefined
  readonly signal?: CancelSignal | undefined
}

/** `held`: rows of these parts are held out. */
export async function openSample(
  rows: ForestRows,
  start: Int32Array,
  { schemas, signal, threads }: SampleOptions,
  held: readonly number[] = [],
): Promise<Engine> {
  const { bins, label, part, rowCount, weight } = rows
  const make = memoryEngine({
    ...(threads !== undefined && { mostThreads: threads }),
    ...(signal !== undefined && { signal }),
  })
  return await make({
    rowCount,
    bins,
    binCounts: schemas.map(binCount),
    coarseOf: schemas.map(coarseMap),
    coarseCounts: schemas.map(coarseCount),
    signals: [],
    label,
    start,
    ...(weight !== undefined && { weight }),
    ...(held.length > 0 && { fold: part.map(one => (held.includes(one) ? HOLDOUT : FIT)) }),
  })
}

/** Every row as the forest predicts it that did not see it. */
export async function predictApart(
  rows: ForestRows,
  start: Int32Array,
  apart: ReadonlyMap<number, ForestUpdate>,
  options: SampleOptions,
): Promise<Int32Array> {
  const predictions = Int32Array.from(start)
  for (const [part, forest] of apart) {
    const members = rowsOfPart(rows, part)
    const engine = await openSample(takeRows(rows, members), take(start, members), options)
    try {
      await engine.apply(forest)
      const moved = await engine.snapshot()
      for (let index = 0; index < members.length; index++) predictions[members[index]] = moved[index]
    } finally {
      await engine.close()
    }
  }
  return predictions
}

function rowsOfPart({ part, rowCount }: ForestRows, wanted: number): Int32Array {
  const members = new Int32Array(rowCount)
  let count = 0
  for (let row = 0; row < rowCount; row++) if (part[row] === wanted) members[count++] = row
  return members.subarray(0, count)
}

const takeRows = (rows: ForestRows, members: Int32Array): ForestRows => ({
  ...rows,
  rowCount: members.length,
  bins: rows.bins.map(column => takeBytes(column, members)),
  label: take(rows.label, members),
  ...(rows.weight !== undefined && { weight: take(rows.weight, members) }),
})

/*
 * One loop for each kind of array: engines compile a loop that sees both several times slower.
 */

function take(values: Int32Array, members: Int32Array): Int32Array {
  const taken = new Int32Array(members.length)
  for (let index = 0; index < members.length; index++) taken[index] = values[members[index]]
  return taken
}

function takeBytes(values: Uint8Array, members: Int32Array): Uint8Array {
  const taken = new Uint8Array(members.length)
  for (let index = 0; index < members.length; index++) taken[index] = values[members[index]]
  return taken
}
