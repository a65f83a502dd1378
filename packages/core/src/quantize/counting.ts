// Which rows a schema is learned from, and how much each counts.

export interface Counting {
  /** Absent: every row weighs 1. */
  readonly weight: Int32Array | undefined
  /** Absent: every row is used. */
  readonly use: ((row: number) => boolean) | undefined
}

/** 0 for a row that is not used. */
export function countOf({ weight, use }: Counting, row: number): number {
  if (use !== undefined && !use(row)) return 0
  return weight === undefined ? 1 : weight[row]
}
