// Where each of several histograms begins when they lie one after the other.

export function offsetsOf(sizes: readonly number[]): { offsets: number[]; size: number } {
  const offsets: number[] = []
  let size = 0
  for (const one of sizes) {
    offsets.push(size)
    size += one
  }
  return { offsets, size }
}
