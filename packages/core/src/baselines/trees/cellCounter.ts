// Sums of rows in the bins of every column, for trees that are grown on the same columns again and again. Columns of few bins are
// counted together (forest/joined.ts). All sums are of whole numbers, so it does not matter how they come about.

import type { CellSums } from '../../engine/engine.ts'
import {
  type Bins,
  type JoinedColumn,
  type JoinedMember,
  joinColumns,
  usedBins,
  writeJoined,
} from '../../forest/joined.ts'

/** All columns of one kind: loops over both kinds take twice as long. */
export type BinColumns = readonly Uint8Array[] | readonly Uint16Array[]

export interface BinnedRows {
  /** At least one; bins of every column, each below its count. */
  readonly columns: BinColumns
  readonly binCounts: readonly number[]
  /** Absent: every row weighs 1. */
  readonly weight?: Int32Array | undefined
}

/** Bins of a joined column, at most. Bytes hold 256. */
const MAX_BINS = 1024

/** Fewer rows take longer to be told apart again than they save. */
const WORTH_JOINING = 4096

interface CountedColumn extends JoinedColumn {
  readonly codes: Bins
}

export class CellCounter {
  readonly columns: BinColumns
  readonly binCounts: readonly number[]
  readonly #weight: Int32Array | undefined
  readonly #joined: readonly CountedColumn[]

  constructor({ binCounts, columns, weight }: BinnedRows) {
    this.columns = columns
    this.binCounts = binCounts
    this.#weight = weight
    const areBytes = columns[0] instanceof Uint8Array
    const joined = joinColumns(
      columns.map((column, index) => (binCounts[index] > MAX_BINS ? binCounts[index] : usedBins(column))),
      columns[0].length < WORTH_JOINING ? 0 : areBytes ? 256 : MAX_BINS,
    )
    this.#joined = joined.map(column => {
      if (column.members.length === 1) return { ...column, codes: columns[column.members[0].feature] }
      const codes = areBytes ? new Uint8Array(columns[0].length) : new Uint16Array(columns[0].length)
      writeJoined(column, columns, codes, 0, 1)
      return { ...column, codes }
    })
  }

  /** Of the targets of some rows: column by column, or of the first columns only. */
  count(members: Int32Array, target: Int32Array, columns: number = this.columns.length): CellSums[] {
    if (columns < this.columns.length || members.length < WORTH_JOINING) {
      const counted = this.binCounts.slice(0, columns)
      return counted.map((bins, column) => this.#sum(this.columns[column], bins, members, target))
    }
    const found: CellSums[] = []
    for (const { codes, members: parts, size } of this.#joined) {
      const sums = this.#sum(codes, size, members, target)
      for (const part of parts) {
        const bins = this.binCounts[part.feature]
        found[part.feature] = part.bins === size && size === bins ? sums : partSums(sums, part, bins)
      }
    }
    return found
  }

  #sum(bins: Bins, count: number, members: Int32Array, target: Int32Array): CellSums {
    const sums = { counts: new Float64Array(count), residuals: new Float64Array(count) }
    addRows(sums, bins, members, target, this.#weight)
    return sums
  }
}

/** What the sums of a joined column say of one of its members. */
function partSums({ counts, residuals }: CellSums, { bins, step }: JoinedMember, binCount: number): CellSums {
  const part = { counts: new Float64Array(binCount), residuals: new Float64Array(binCount) }
  for (let first = 0; first < counts.length; first += step * bins) {
    for (let bin = 0, at = first; bin < bins; bin++) {
      for (const next = at + step; at < next; at++) {
        part.counts[bin] += counts[at]
        part.residuals[bin] += residuals[at]
      }
    }
  }
  return part
}

function addRows(
  { counts, residuals }: CellSums,
  bins: Bins,
  members: Int32Array,
  target: Int32Array,
  weight: Int32Array | undefined,
): void {
  if (weight === undefined) {
    for (let index = 0; index < members.length; index++) {
      const bin = bins[members[index]]
      counts[bin]++
      residuals[bin] += target[members[index]]
    }
    return
  }
  for (let index = 0; index < members.length; index++) {
    const row = members[index]
    counts[bins[row]] += weight[row]
    residuals[bins[row]] += weight[row] * target[row]
  }
}
