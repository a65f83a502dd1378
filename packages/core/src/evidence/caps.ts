// What keeps evidence small, whatever the data: texts are cut, long queries left out, numbers shortened.

import type { Predicate } from '../classes/auditors.ts'
import type { GroupRef, SegmentPart } from './groupEvidence.ts'
import { type IsNamed, nameAll, namesOnly } from './naming.ts'

const LONGEST_TEXT = 160
const LONGEST_SQL = 1000
const LONGEST_PART = 90
const LONGEST_WHERE = 240

/** Letters that are not seen, or that turn the direction of those around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** By characters, so that none is cut in two; what cannot be seen is shown as a replacement. */
export function clipText(given: string, longest = LONGEST_TEXT): string {
  const text = given.replace(UNSEEN, '\ufffd')
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
