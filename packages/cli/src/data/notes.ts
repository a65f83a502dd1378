// What a person may want to know of a column: ids, constants, numbers that are text because of a word.

import { idSentence, looksLikeIds, MISSING_WORDS } from '@featureboost/core/internal'
import { isText } from './kinds.ts'
import type { ReadColumn } from './read.ts'
import type { Facts } from './survey.ts'

export function notesOn(
  { categories, duckType, kind, name }: ReadColumn,
  facts: Facts,
  rowCount: number,
): string[] {
  if (facts.present === 0) return [`Column "${name}" has no value in any row.`]
  const id = `looks like an id: leave it out with --except, or hold its rows out together with --group-by.`
  if (kind === 'numeric') {
    const { distinct, high, low } = facts
    if (low === null || high === null || distinct === null) return []
    if (low === high && facts.present === rowCount) return [constantNote(name)]
    const counts = high - low + 1 === rowCount && distinct > 0.9 * rowCount && rowCount > 10
    return counts ? [`Column "${name}" counts the rows, so it ${id}`] : []
  }
  if (categories === undefined) return []
  if (categories.length === 1 && facts.present === rowCount) return [constantNote(name)]
  if (looksLikeIds(categories.length, rowCount)) return [idSentence(name)]
  if (categories.length === facts.present && rowCount > 10)
    return [`Column "${name}" has another value in every row, so it ${id}`]
  if (!isText(duckType)) return []
  const words = categories.filter(category => MISSING_WORDS.includes(category.trim()))
  const numbers = categories.length > words.length + 1 && categories.every(isNumberOr(words))
  return words.length > 0 && numbers
    ? [
        `Column "${name}" is text because of ${words.map(word => `"${word}"`).join(', ')}: pass ${words.map(word => `--missing '${word}'`).join(' ')} to have numbers.`,
      ]
    : []
}

const constantNote = (name: string): string => `Column "${name}" is the same in every row.`

const isNumberOr =
  (words: readonly string[]) =>
  (text: string): boolean =>
    words.includes(text) || (text.trim() !== '' && Number.isFinite(Number(text)))
