// All pairs of features, in a fixed order, in batches of so many cells.

/** One pass over the rows serves many pairs, while their cells stay in the cache and an answer stays small. */
const BATCH_CELLS = 2 ** 17

/** Positions among the features, a < b. */
export type PairBatch = readonly (readonly [a: number, b: number])[]

export function pairBatches(binCounts: readonly number[], levels: number): PairBatch[] {
  const batches: [number, number][][] = []
  let room = 0
  for (let a = 0; a < binCounts.length; a++) {
    for (let b = a + 1; b < binCounts.length; b++) {
      const cells = binCounts[a] * binCounts[b] * levels
      if (cells > room) {
        batches.push([])
        room = BATCH_CELLS
      }
      batches[batches.length - 1].push([a, b])
      room -= cells
    }
  }
  return batches
}
