// The rows that bench/engines.ts asks about: 10 columns of uniform numbers, drawn in the same way each time they are read.

import { makeTable, type TableSource } from '@featureboost/core'
import { makeRandom, type RowSource } from '@featureboost/core/internal'

export const FEATURES = 10
const CHUNK = 2 ** 16
const ONE = 2 ** 24
const FINE = 256
const COARSE = 64

/** Bins of columns that are uniform, with labels that follow the start. */
export function binnedRows(rowCount: number): RowSource {
  const coarse = Uint8Array.from({ length: FINE }, (_, bin) =>
    bin === FINE - 1 ? COARSE - 1 : Math.floor((bin * (COARSE - 1)) / (FINE - 1)),
  )
  const each = <T>(value: T) => new Array<T>(FEATURES).fill(value)
  return {
    ...{
      rowCount,
      binCounts: each(FINE),
      coarseOf: each(coarse),
      coarseCounts: each(COARSE),
      signalCount: 0,
    },
    ...{ weighted: false, folded: true, keyed: true },
    *chunks(rowsPerChunk) {
      const random = makeRandom(4)
      for (let from = 0; from < rowCount; from += rowsPerChunk) {
        const length = Math.min(rowsPerChunk, rowCount - from)
        const words = () => new Int32Array(length)
        const bytes = () => new Uint8Array(length)
        const [label, start, key] = [words(), words(), words()]
        const [fold, bins] = [bytes(), each(0).map(bytes)]
        // Row by row, so that they are the same in chunks of any size.
        for (let row = 0; row < length; row++) {
          start[row] = random.integer(ONE + 1)
          label[row] = random.next() * ONE < start[row] ? ONE : 0
          fold[row] = random.next() < 0.1 ? 1 : 0
          key[row] = random.integer(2 ** 32)
          for (const column of bins) column[row] = random.integer(FINE)
        }
        yield { rowCount: length, bins, signals: [], label, start, fold, key }
      }
    },
  }
}

/** Uniform numbers and scores; the score is too low by 0.15 for one corner of x0 and x1. */
export function tableSource(rowCount: number): TableSource {
  const names = Array.from({ length: FEATURES }, (_, index) => `x${index}`)
  return {
    *chunks() {
      const random = makeRandom(2)
      for (let from = 0; from < rowCount; from += CHUNK) {
        const length = Math.min(CHUNK, rowCount - from)
        const draw = () => Float64Array.from({ length }, () => random.next())
        const columns = Object.fromEntries([...names, 'score'].map(name => [name, draw()]))
        const { score, x0, x1 } = columns
        const y = score.map((value, row) => {
          const off = x0[row] < 0.2 && x1[row] > 0.5 ? 0.15 : 0
          return random.next() < value + off ? 1 : 0
        })
        yield makeTable({ ...columns, y })
      }
    },
  }
}
