// Rows for draws of the noise, where all of them fit into one memory: brought in once, put in the order of their levels, and given drawn
// labels.

import { levelOf } from '../../common/units.ts'
import { FIT, type Noise } from '../../engine/engine.ts'
import { drawnLabel } from '../../engine/outcome.ts'
import type { SampledRows } from '../../engine/sample.ts'
import { type Family, pairedAxes } from '../../oracle/groups/family.ts'

/** Beyond so many rows, or bytes of bins, rows are counted where they are: a copy would cost memory, and threads count faster. */
const MOST_ROWS = 2 ** 18
const MOST_BINS = 2 ** 26

export type KeyedRows = SampledRows & { readonly key: Int32Array }

/** Are rows and columns few enough? */
export const fitsOneMemory = (rowCount: number, columns: number): boolean =>
  rowCount <= MOST_ROWS && rowCount * columns <= MOST_BINS

/** Undefined where not all rows can be had, or they are too many. Predictions must be those that the rows came with. */
export async function sampleForDraws(family: Family): Promise<KeyedRows | undefined> {
  const { engine, fold, levelCuts } = family
  const { rowCount } = engine.shape
  const columns = pairedAxes(family).length
  const isFew = columns > 0 && fitsOneMemory(rowCount, columns)
  if (!isFew || fold !== FIT || levelCuts !== undefined) return undefined
  const rows = await engine.sample?.({ rowLimit: rowCount, parts: 1, keys: true })
  if (rows?.key === undefined) return undefined
  const { weight } = (await engine.losses())[fold]
  const sampled = rows.weight?.reduce((sum, each) => sum + each, 0) ?? rows.rowCount
  return sampled === weight ? { ...rows, key: rows.key } : undefined
}

export interface DrawnRows {
  /** The rows, level by level. */
  readonly order: Int32Array
  /** Where each level begins, and the end. */
  readonly starts: Int32Array
  /** Writes the weighted residuals of one draw. */
  draw(into: Float64Array, at: number, noise: Noise, draw: number): void
}

export function orderByLevel({ key, rowCount, start, weight }: KeyedRows, levels: number): DrawnRows {
  const starts = new Int32Array(levels + 1)
  for (let row = 0; row < rowCount; row++) starts[levelOf(start[row], levels) + 1]++
  for (let level = 0; level < levels; level++) starts[level + 1] += starts[level]
  const next = starts.slice()
  const order = new Int32Array(rowCount)
  for (let row = 0; row < rowCount; row++) order[next[levelOf(start[row], levels)]++] = row
  const [keys, predictions] = [key, start].map(column => order.map(row => column[row]))
  const weights = weight === undefined ? undefined : order.map(row => weight[row])
  return {
    order,
    starts,
    draw(into, at, noise, draw) {
      for (let row = 0; row < rowCount; row++) {
        const drawn = drawnLabel(noise, predictions[row], keys[row], draw)
        into[at + row] = (weights === undefined ? 1 : weights[row]) * (drawn - predictions[row])
      }
    },
  }
}
