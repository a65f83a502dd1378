import { describe, expect, it } from 'vitest'
import { type CategoricalColumn, type Column, type ColumnInput, makeTable } from '../../src/data/table.ts'
import { rejectionOf } from './rejection.ts'

const only = (input: unknown): Column => makeTable({ x: input as ColumnInput }).columns[0]

describe('ready columns', () => {
  const numeric: Column = { name: 'n', kind: 'numeric', values: Float64Array.of(1, Number.NaN) }
  const flags: Column = { name: 'b', kind: 'boolean', values: Int8Array.of(1, -1) }
  const words: Column = {
    name: 'c',
    kind: 'categorical',
    codes: Int32Array.of(-1, 1),
    categories: ['z', 'a'],
  }

  it('are adopted as they are, in a list or in a record, where the key names them', () => {
    const table = makeTable([numeric, flags, words])
    expect(table).toEqual({ rowCount: 2, columns: [numeric, flags, words] })
    expect((table.columns[2] as CategoricalColumn).codes).toBe(words.codes)
    expect(makeTable({ n: numeric, other: words }).columns).toEqual([numeric, { ...words, name: 'other' }])
  })

  it.each([
    [
      'a boolean code above 1',
      { kind: 'boolean', values: Int8Array.of(0, 2) },
      'row 2: code 2',
      '-1 (missing) to 1',
    ],
    ['a boolean code below -1', { kind: 'boolean', values: Int8Array.of(-2) }, 'row 1: code -2', '-1'],
    [
      'a code past the categories',
      { kind: 'categorical', codes: Int32Array.of(0, 1), categories: ['a'] },
      'row 2: code 1',
      '-1 (missing) to 0',
    ],
    [
      'a code below -1',
      { kind: 'categorical', codes: Int32Array.of(-5), categories: [] },
      'row 1: code -5',
      '-1',
    ],
    ['numbers in an array', { kind: 'numeric', values: [1] }, 'not a well-formed column', 'a Float64Array'],
    ['booleans in an array', { kind: 'boolean', values: [1] }, 'not a well-formed column', 'an Int8Array'],
    [
      'codes in an array',
      { kind: 'categorical', codes: [0], categories: ['a'] },
      'column "x"',
      'an Int32Array',
    ],
    [
      'no list of categories',
      { kind: 'categorical', codes: Int32Array.of(-1) },
      'not a well-formed column',
      'categories in an array',
    ],
    [
      'a category twice',
      { kind: 'categorical', codes: Int32Array.of(0), categories: ['a', 'a'] },
      'found "a"',
      'differ from each other',
    ],
    [
      'a category that is no string',
      { kind: 'categorical', codes: Int32Array.of(0), categories: [7] },
      'found 7',
      'strings',
    ],
    ['an unknown kind', { kind: 'date', values: [] }, 'not a well-formed column', 'kind "numeric"'],
  ])('are rejected for %s', (_, input, place, expected) => {
    const error = rejectionOf(() => only(input))
    expect(error.code).toBe('FB_COLUMN_KIND')
    expect(error.details.column).toBe('x')
    expect(error.message).toContain(place)
    expect(error.message).toContain(expected)
  })

  it('are not rows: a list of rows points to tableFromRows', () => {
    const rows = [{ age: 3 }] as unknown as Column[]
    const error = rejectionOf(() => makeTable(rows))
    expect(error.code).toBe('FB_COLUMN_KIND')
    expect(error.message).toContain('tableFromRows')
  })
})
