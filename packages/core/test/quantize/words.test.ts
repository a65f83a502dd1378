// Columns of a model in words.

import { describe, expect, it } from 'vitest'
import { type ColumnInput, makeTable } from '../../src/data/table.ts'
import { fitSchema } from '../../src/quantize/quantize.ts'
import { describeColumn } from '../../src/quantize/words.ts'

function wordsOf(values: ColumnInput, rare = 0): string {
  const [column] = makeTable({ x: values }).columns
  return describeColumn(fitSchema(column, undefined, undefined, { bins: 255, coarseBins: 64, rare }))
}

describe('a column in words', () => {
  it('says what its values are, and which there were', () => {
    expect(wordsOf([17, 90, 31])).toBe('whole numbers 17 to 90, none missing')
    expect(wordsOf([0.5, null, -2.25])).toBe('numbers -2.25 to 0.5, some missing')
    expect(wordsOf([3, 3])).toBe('whole numbers, always 3, none missing')
    expect(wordsOf([null, null])).toBe('numbers, some missing')
    expect(wordsOf([true, false])).toBe('true or false, none missing')
    expect(wordsOf(['2024-06-14', '2020-02-29'])).toBe('dates 2020-02-29 to 2024-06-14, none missing')
    expect(wordsOf(['2024-06-14 12:30', null])).toBe('moments, always 2024-06-14 12:30:00, some missing')
  })

  it('names some of its categories', () => {
    expect(wordsOf(['b', 'a', 'b'])).toBe('2 categories: a and b, none missing')
    expect(wordsOf([...'gfedcba'])).toBe('7 categories: a, b, c, d, e and 2 more, none missing')
    expect(wordsOf([...'aaaaaaaaab'], 0.2)).toBe(
      '2 categories, 1 of them rare and taken together: a and b, none missing',
    )
  })
})
