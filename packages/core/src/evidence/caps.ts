// What keeps evidence small, whatever the data: texts are cut, long queries left out, numbers shortened.

import type { Predicate } from '../classes/auditors.ts'
import type { GroupRef, SegmentPart } from './evidence.ts'
import { type IsNamed, nameAll, namesOnly } from './naming.ts'

const LONGEST_TEXT = 160
const LONGEST_SQL = 1000
const LONGEST_PART = 90
const LONGEST_WHERE = 240

/** By characters, so that none is cut in two. */
export function clipText(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return text
  return `${Array.from(text.slice(0, 2 * longest), character => character)
    .slice(0, longest - 1)
    .join('')}\u2026`
}

/** Six digits are more than any figure or table shows. */
export const shorten = (value: number): number => Number(value.toPrecision(6))

/** Where the query is too long, or names what may not be named, it is not kept, nor are the predicates: nobody can drill down. */
export function groupRef(
  words: string,
  where: readonly Predicate[],
  sql: string,
  isNamed: IsNamed = nameAll,
): GroupRef {
  const kept = sql.length <= LONGEST_SQL && namesOnly(where, isNamed)
  return { words: clipText(words), where: kept ? where : [], ...(kept && { sql }) }
}

/** There may be many of these. */
export function segmentPart(
  words: string,
  where: readonly Predicate[],
  isNamed: IsNamed = nameAll,
): SegmentPart {
  const kept = JSON.stringify(where).length <= LONGEST_WHERE && namesOnly(where, isNamed)
  return { words: clipText(words, LONGEST_PART), ...(kept && { where }) }
}
