// Who is in which group, listed both ways: the rows of each group, and the groups of each row.

import { ROOT } from '../../update/update.ts'
import type { BaselineGroup, BaselineRows } from '../baseline.ts'

export interface Memberships {
  readonly rowsOf: readonly Int32Array[]
  /** The groups of a row stand from offsets[row] up to offsets[row + 1]. */
  readonly groupsOf: Uint16Array | Uint32Array
  readonly offsets: Float64Array
}

export function membershipsOf(groups: readonly BaselineGroup[], rowCount: number): Memberships {
  const rowsOf = groups.map(({ member }) => rowsWhere(rowCount, row => member[row] === 1))
  const offsets = new Float64Array(rowCount + 1)
  for (const rows of rowsOf) for (const row of rows) offsets[row + 1]++
  for (let row = 0; row < rowCount; row++) offsets[row + 1] += offsets[row]
  const Numbers = groups.length > 2 ** 16 ? Uint32Array : Uint16Array
  const groupsOf = new Numbers(offsets[rowCount])
  const next = Float64Array.from(offsets)
  rowsOf.forEach((rows, group) => {
    for (const row of rows) groupsOf[next[row]++] = group
  })
  return { rowsOf, groupsOf, offsets }
}

/** The numbers of the rows that a question holds for. */
export function rowsWhere(rowCount: number, holds: (row: number) => boolean): Int32Array {
  const found = new Int32Array(rowCount)
  let count = 0
  for (let row = 0; row < rowCount; row++) if (holds(row)) found[count++] = row
  return found.slice(0, count)
}

/** Everyone, and then the groups. */
export const everyoneAnd = ({ groups, rowCount }: BaselineRows): BaselineGroup[] => [
  { name: 'everyone', tree: ROOT, member: new Uint8Array(rowCount).fill(1) },
  ...groups,
]
