// Which parts of a cross-fit are held back while groups are searched, so that groups and a forest can be held against each other on
// rows that neither was found by.

import { type ForestRows, partCount } from '../../forest/forestRows.ts'

type Parts = Pick<ForestRows, 'part'>

/** Rows that are enough to find the groups of a score by. */
const SEARCHED_ROWS = 2 ** 17

/** The last parts, as many as are not needed to have enough rows. */
export function heldParts(rows: Parts, enough = SEARCHED_ROWS): number[] {
  const parts = Array.from({ length: partCount(rows) }, (_, part) => part)
  const isEnough = (count: number) => countRows(rows, parts.slice(0, count)) >= enough
  const needed = parts.findIndex((_, index) => isEnough(index + 1)) + 1
  return needed === 0 ? [] : parts.slice(needed)
}

/** A third of the parts; of four, one. */
export function lastThird(rows: Parts): number[] {
  const parts = partCount(rows)
  return Array.from({ length: Math.max(1, Math.floor(parts / 3)) }, (_, index) => parts - 1 - index)
}

export const countRows = ({ part }: Parts, parts: readonly number[]): number =>
  part.reduce((count, one) => (parts.includes(one) ? count + 1 : count), 0)
