// Numbers that are names, such as postal codes, as categories.

import { FeatureBoostError } from '../common/errors.ts'
import type { CategoricalColumn, Column, NumericColumn } from './column.ts'
import { columnFromTexts } from './infer.ts'

/** Numbers by how they are written; text and truth values are categories already. */
export function asCategories(column: Column): Column {
  if (column.kind !== 'numeric') return column
  if (column.time !== undefined)
    throw new FeatureBoostError('FB_COLUMN_KIND', 'dates and times cannot be read as categories.', {
      column: column.name,
      expected: 'numbers that are names, such as postal codes',
      hint: 'Leave the column out of the categorical ones, or make it text first.',
    })
  return numbersAsCategories(column)
}

/** 12 is "12" and 0.5 is "0.5", wherever the numbers come from. */
export function numbersAsCategories({ name, values }: NumericColumn): CategoricalColumn {
  const texts = new Map<number, string>()
  const textOf = (value: number): string => {
    const known = texts.get(value)
    if (known !== undefined) return known
    texts.set(value, String(value))
    return String(value)
  }
  const column = columnFromTexts(
    name,
    Array.from(values, value => (Number.isNaN(value) ? null : textOf(value))),
  )
  return { ...column, numbers: true }
}

/** A number without anything that could be part of a name, such as a 0 in front, and of no more digits than a double has. */
export const PLAIN_NUMBER = String.raw`-?(0|[1-9]\d{0,14})(\.\d{1,15})?`
const IS_PLAIN = new RegExp(`^${PLAIN_NUMBER}$`)

/** The text of a number as JavaScript writes it, "12" for "12.0". Whatever is none, or may be a name as "007" is, stays as it is. */
export const plainNumberText = (text: string): string => (IS_PLAIN.test(text) ? String(Number(text)) : text)

/** Texts that are one number become one category. */
export function joinPlainNumbers(column: CategoricalColumn): CategoricalColumn {
  const plain = column.categories.map(plainNumberText)
  if (plain.every((text, code) => text === column.categories[code])) return column
  const categories = [...new Set(plain)]
  const codeOf = new Map(categories.map((text, code) => [text, code]))
  const codes = plain.map(text => codeOf.get(text)!)
  return { ...column, categories, codes: column.codes.map(code => (code < 0 ? -1 : codes[code])) }
}

/** As from a file with types: text that is numbers, all of it, is numbers that are names. */
export function textsAsCategories(column: CategoricalColumn): CategoricalColumn {
  const { categories } = column
  if (categories.length === 0 || !categories.every(text => IS_PLAIN.test(text))) return column
  return { ...joinPlainNumbers(column), numbers: true }
}
