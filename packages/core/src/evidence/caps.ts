// What keeps evidence small, whatever the data: texts are cut, long queries left out, numbers shortened.

import type { Predicate } from '../classes/auditors.ts'
import type { GroupRef } from './evidence.ts'

const LONGEST_TEXT = 160
const LONGEST_SQL = 1000

/** By characters, so that none is cut in two. */
export function clipText(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return text
  return `${Array.from(text.slice(0, 2 * longest), character => character)
    .slice(0, longest - 1)
    .join('')}\u2026`
}

/** Six digits are more than any figure or table shows. */
export const shorten = (value: number): number => Number(value.toPrecision(6))

/** Where the query is too long, so are the predicates: neither is kept, and nobody can drill down. */
export function groupRef(words: string, where: readonly Predicate[], sql: string): GroupRef {
  const kept = sql.length <= LONGEST_SQL
  return { words: clipText(words), where: kept ? where : [], ...(kept && { sql }) }
}
