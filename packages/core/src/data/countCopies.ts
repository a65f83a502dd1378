// How many rows of some columns are exact copies of an earlier one.

import type { Column } from './column.ts'
import { CopyCounter } from './copyCounter.ts'
import { hashContent } from './rowHash.ts'

export function countCopies(columns: readonly Column[]): number {
  if (columns.length === 0) return 0
  const { a, b } = hashContent(columns, 1)
  const counter = new CopyCounter()
  counter.expect(a.length)
  let copies = 0
  for (let row = 0; row < a.length; row++) if (counter.count(a[row], b[row]) > 0) copies++
  counter.close()
  return copies
}
