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

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** The text of a number as JavaScript writes it, "12" for "12.0". Whatever is none, or may be a name as "007" is, stays as it is. */
export function plainNumberText(text: string): string {
  if (!PLAIN_NUMBER.test(text)) return text
  const number = Number(text)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : String(number)
}
