// What a column of a table shows, sorts by and saves.

import type { ComponentChildren } from 'preact'
import type { Cell } from './csv.ts'

export interface TableColumn<Row> {
  readonly title: string
  /** What is sorted by, filtered and saved. */
  readonly value: (row: Row) => Cell
  /** What is shown, where that is something else. */
  readonly show?: (row: Row) => ComponentChildren
  readonly number?: boolean
  /** Only saved. */
  readonly hidden?: boolean
  /** Something to press: not printed. */
  readonly onScreen?: boolean
}
