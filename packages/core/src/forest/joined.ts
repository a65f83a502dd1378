// Columns of few bins, counted together: one with 4 bins and one with 7 are one with 28, whose sums add up to those of either.
// Counting takes most of the time that a forest grows, and its time goes with the columns; bins are nearly free.

/** The bin of every row. */
export type Bins = Uint8Array | Uint16Array

/** One column to count: bins of its members as the digits of one number, the first member's being the lowest. */
export interface JoinedColumn {
  readonly members: readonly JoinedMember[]
  /** All bins that it can have. */
  readonly size: number
}

export interface JoinedMember {
  readonly feature: number
  /** What one bin of it counts. */
  readonly step: number
  /** Bins that rows lie in, from 0: all others are empty. */
  readonly bins: number
}

/** `bins` of every feature; none is joined where the joined one would have more than `most`. */
export function joinColumns(bins: readonly number[], most: number): JoinedColumn[] {
  const features = bins.map((_, feature) => feature)
  const columns: { members: JoinedMember[]; size: number }[] = []
  // The largest first, each into the first column that has room for it.
  for (const feature of features.sort((a, b) => bins[b] - bins[a] || a - b)) {
    const column = columns.find(({ size }) => size * bins[feature] <= most)
    if (column === undefined) {
      columns.push({ members: [{ feature, step: 1, bins: bins[feature] }], size: bins[feature] })
      continue
    }
    column.members.push({ feature, step: column.size, bins: bins[feature] })
    column.size *= bins[feature]
  }
  return columns.sort((a, b) => a.members[0].feature - b.members[0].feature)
}

/** Up to the last that a row lies in; the missing one often stays empty. */
export function usedBins(column: Bins): number {
  let most = 0
  for (let row = 0; row < column.length; row++) if (column[row] > most) most = column[row]
  return most + 1
}

/** Into every `stride`th place from `at` on. */
export function writeJoined(
  { members }: JoinedColumn,
  columns: readonly Bins[],
  into: Bins,
  at: number,
  stride: number,
): void {
  for (const { feature, step } of members) {
    const column = columns[feature]
    if (step === 1)
      for (let row = 0, to = at; row < column.length; row++, to += stride) into[to] = column[row]
    else for (let row = 0, to = at; row < column.length; row++, to += stride) into[to] += step * column[row]
  }
}

/** As the kernel reads them, four words for every feature: its column, what one bin counts there, its bins, the column's size. */
export const tableOfJoined = (columns: readonly JoinedColumn[]): number[] =>
  columns
    .flatMap(({ members, size }, column) => members.map(member => ({ ...member, column, size })))
    .sort((a, b) => a.feature - b.feature)
    .flatMap(({ bins, column, size, step }) => [column, step, bins, size])
