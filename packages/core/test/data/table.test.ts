import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CategoricalColumn,
  type Column,
  type ColumnInput,
  findColumn,
  makeTable,
  tableFromRows,
  type Value,
  valueAt,
} from '../../src/data/table.ts'
import { rejectionOf } from './rejection.ts'

const only = (input: ColumnInput): Column => makeTable({ x: input }).columns[0]
const valuesOf = (column: Column): Value[] =>
  Array.from(
    { length: column.kind === 'categorical' ? column.codes.length : column.values.length },
    (_, row) => valueAt(column, row),
  )
/** Inputs that the types forbid but that JavaScript callers can pass. */
const wrong = (input: unknown): ColumnInput => input as ColumnInput

describe('the kind of a column', () => {
  it('is numeric for numbers, and null, undefined, NaN and holes are missing', () => {
    const sparse: (number | null | undefined)[] = [1.5, null, undefined, Number.NaN]
    sparse[5] = -2
    expect(only(sparse)).toEqual({
      name: 'x',
      kind: 'numeric',
      values: Float64Array.of(1.5, Number.NaN, Number.NaN, Number.NaN, Number.NaN, -2),
    })
  })

  it('is boolean for booleans', () => {
    expect(only([true, null, false, undefined])).toEqual({
      name: 'x',
      kind: 'boolean',
      values: Int8Array.of(1, -1, 0, -1),
    })
  })

  it('is categorical for strings, with categories in code unit order; NaN and no letters are missing here too', () => {
    expect(only(['b', 'a', null, 'Z', '', 'b', Number.NaN as unknown as string])).toEqual({
      name: 'x',
      kind: 'categorical',
      codes: Int32Array.of(2, 1, -1, 0, -1, 2, -1),
      categories: ['Z', 'a', 'b'],
    })
  })

  it('is numeric, all NaN, when every value is missing', () => {
    expect(only([null, undefined, ''])).toEqual({
      name: 'x',
      kind: 'numeric',
      values: Float64Array.of(Number.NaN, Number.NaN, Number.NaN),
    })
  })

  it('is a time of day where every text is one, in seconds since midnight', () => {
    const seconds = [45_000, 29_700, Number.NaN, 45_000.999999]
    expect(only(['12:30', '8:15:00', null, '12:30:00.999999'])).toEqual({
      ...{ name: 'x', kind: 'numeric', time: 'time' },
      values: Float64Array.from(seconds),
    })
    expect(only(['12:30', '25:00']).kind).toBe('categorical')
  })

  it('does not depend on missing values before the first value', () => {
    expect(only([null, Number.NaN, 'a']).kind).toBe('categorical')
  })

  it('adopts a Float64Array without copying and copies other typed arrays', () => {
    const doubles = Float64Array.of(1, Number.NaN, 3)
    expect((only(doubles) as { values: Float64Array }).values).toBe(doubles)
    expect(valuesOf(only(Float32Array.of(0.5, Number.NaN)))).toEqual([0.5, null])
    expect(valuesOf(only(Uint8Array.of(0, 255)))).toEqual([0, 255])
    expect(only(Uint8Array.of(7)).kind).toBe('numeric')
  })

  it('is numeric for bigints that a number holds exactly, mixed with numbers or not', () => {
    expect(valuesOf(only([1n, 2, null, -(2n ** 53n) + 1n]))).toEqual([1, 2, null, -(2 ** 53) + 1])
    expect(valuesOf(only(BigInt64Array.of(5n, -6n)))).toEqual([5, -6])
  })

  it('takes any array-like object', () => {
    expect(valuesOf(only({ length: 2, 0: 'a', 1: null }))).toEqual(['a', null])
  })

  it('reads back what was given', () => {
    const column = fc.oneof(
      fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null })),
      fc.array(fc.option(fc.boolean(), { nil: null })),
      fc.array(fc.oneof(fc.constant(null), fc.string(), fc.string({ unit: 'binary' }))),
    )
    fc.assert(
      fc.property(column, given => {
        // An empty text is a missing value, as it is in a CSV file.
        expect(valuesOf(only(given as Value[]))).toEqual(given.map(value => (value === '' ? null : value)))
      }),
    )
  })

  it('gives codes that do not depend on the order of rows', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), given => {
        const forward = only(given) as CategoricalColumn
        const backward = only(given.toReversed()) as CategoricalColumn
        expect(backward.categories).toEqual(forward.categories)
        expect(backward.codes.toReversed()).toEqual(forward.codes)
        expect([...forward.categories]).toEqual([...new Set(given)].sort())
      }),
    )
  })
})

describe('a column is rejected', () => {
  it.each([
    ['a string among numbers', [1, null, 'two'], 3, '"two"', 'row 1 holds 1'],
    ['a number among booleans', [null, true, 1], 3, '1', 'row 2 holds true'],
    ['a boolean among strings', ['a', false], 2, 'false', 'row 1 holds "a"'],
    ['an object', [1, { a: 1 }], 2, 'an object', 'a number, a string, a boolean, a Date or null'],
    ['an array', [[1]], 1, 'an array', 'a number, a string'],
    ['an invalid Date', [new Date(Number.NaN)], 1, 'an invalid Date', 'a number, a string'],
    ['a function', ['a', () => 1], 2, 'a function', 'a number, a string'],
    ['a symbol', [Symbol('s')], 1, 'a symbol', 'a number, a string'],
    ['a bigint too large', [1n, 2n ** 53n], 2, '9007199254740992n', 'pass them as strings'],
    ['a bigint among strings', ['a', 3n], 2, '3n', 'row 1 holds "a"'],
  ])('for %s, naming column, row and what was found', (_, values, row, found, rest) => {
    const error = rejectionOf(() => only(wrong(values)))
    expect(error.code).toBe('FB_COLUMN_KIND')
    expect(error.details).toMatchObject({ column: 'x', row })
    expect(error.message).toContain(`column "x", row ${row}: `)
    expect(error.message).toContain(found)
    expect(error.message).toContain(rest)
  })

  it('and a long string is shown cut short', () => {
    const { message } = rejectionOf(() => only(wrong([1, 'y'.repeat(1000)])))
    expect(message).toContain(`"${'y'.repeat(40)}..."`)
  })

  it.each([
    ['an array', [1, Number.POSITIVE_INFINITY]],
    ['a Float64Array', Float64Array.of(1, Number.NEGATIVE_INFINITY)],
    ['a Float32Array', Float32Array.of(1, Number.POSITIVE_INFINITY)],
    ['a ready column', { kind: 'numeric', values: Float64Array.of(1, Number.POSITIVE_INFINITY) }],
  ])('for an infinite number in %s', (_, values) => {
    const error = rejectionOf(() => only(wrong(values)))
    expect(error.code).toBe('FB_NOT_FINITE')
    expect(error.message).toMatch(/column "x", row 2: -?Infinity is not a finite number/)
  })

  it.each([
    ['a string', 'abc'],
    ['a number', 3],
    ['null', null],
    ['an object without a length', {}],
    ['a negative length', { length: -1 }],
    ['a DataView', new DataView(new ArrayBuffer(8))],
  ])('when it is %s instead of an array', (_, input) => {
    const error = rejectionOf(() => only(wrong(input)))
    expect(error.code).toBe('FB_COLUMN_KIND')
    expect(error.message).toContain('column "x": found ')
    expect(error.message).toContain('an array, a typed array or a ready column')
  })
})

describe('a table', () => {
  it('may have no rows and no columns', () => {
    expect(makeTable({})).toEqual({ rowCount: 0, columns: [] })
    expect(makeTable([])).toEqual({ rowCount: 0, columns: [] })
    expect(makeTable({ x: [] }).rowCount).toBe(0)
    expect(tableFromRows([])).toEqual({ rowCount: 0, columns: [] })
  })

  it('rejects columns of different length, naming both', () => {
    const error = rejectionOf(() => makeTable({ a: [1, 2], b: [1, 2], c: ['x'] }))
    expect(error.code).toBe('FB_COLUMN_LENGTH')
    expect(error.message).toContain('column "c": has 1 rows, but column "a" has 2')
  })

  it.each([
    ['an empty name in a record', () => makeTable({ '': [1] })],
    ['a blank name in a row', () => tableFromRows([{ '  ': 1 }])],
    [
      'an empty name of a ready column',
      () => makeTable([{ name: '', kind: 'numeric', values: new Float64Array(1) }]),
    ],
    [
      'no name of a ready column',
      () => makeTable([{ kind: 'numeric', values: new Float64Array(1) } as unknown as Column]),
    ],
  ])('rejects %s', (_, work) => {
    const error = rejectionOf(work)
    expect(error.code).toBe('FB_COLUMN_NAME')
    expect(error.message).toContain('a name that is not empty')
  })

  it('rejects two columns of one name', () => {
    const column: Column = { name: 'age', kind: 'numeric', values: new Float64Array(1) }
    const error = rejectionOf(() => makeTable([column, column]))
    expect(error.code).toBe('FB_COLUMN_NAME')
    expect(error.message).toContain('column "age": two columns have this name')
  })

  it('keeps keys such as __proto__ and toString as plain columns', () => {
    const record = JSON.parse('{"__proto__": [1, 2], "toString": [3, 4]}')
    expect(makeTable(record).columns.map(column => [column.name, ...valuesOf(column)])).toEqual([
      ['__proto__', 1, 2],
      ['toString', 3, 4],
    ])
    const rows = JSON.parse('[{"a": 1}, {"__proto__": 5, "toString": 6}]')
    expect(tableFromRows(rows).columns.map(column => [column.name, ...valuesOf(column)])).toEqual([
      ['a', 1, null],
      ['__proto__', null, 5],
      ['toString', null, 6],
    ])
  })
})

describe('a table from rows', () => {
  it('has the union of keys in first-seen order; an absent key is a missing value', () => {
    const table = tableFromRows([{ b: 1 }, { a: 'x', b: null }, { c: true, a: 'y' }])
    expect(table.rowCount).toBe(3)
    expect(table.columns.map(column => [column.name, ...valuesOf(column)])).toEqual([
      ['b', 1, null, null],
      ['a', null, 'x', 'y'],
      ['c', null, null, true],
    ])
  })

  it('counts rows that have no keys', () => {
    expect(tableFromRows([{}, {}])).toEqual({ rowCount: 2, columns: [] })
  })

  it('names the row of a mixed kind', () => {
    const error = rejectionOf(() => tableFromRows([{ a: 1 }, {}, { a: '1' }]))
    expect(error.message).toContain('FB_COLUMN_KIND column "a", row 3: found "1", but row 1 holds 1.')
  })

  it.each([
    ['null', null, 'null'],
    ['an array', [1], 'an array'],
    ['a number', 7, '7'],
  ])('rejects %s in place of a row', (_, row, found) => {
    const rows = [{ a: 1 }, row] as unknown as Record<string, unknown>[]
    const error = rejectionOf(() => tableFromRows(rows))
    expect(error.message).toContain(`FB_COLUMN_KIND row 2: found ${found} instead of a row`)
  })
})

describe('finding a column', () => {
  const table = makeTable({ income: [1], age: [2] })

  it('gives the column of that name', () => {
    expect(findColumn(table, 'age')).toBe(table.columns[1])
  })

  it('rejects an unknown name with the nearest one and the role it was wanted for', () => {
    const error = rejectionOf(() => findColumn(table, 'incmoe', 'label'))
    expect(error.code).toBe('FB_COLUMN_UNKNOWN')
    expect(error.message).toContain('column "incmoe"')
    expect(error.message).toContain('(named as label)')
    expect(error.message).toContain('Did you mean "income"?')
    expect(rejectionOf(() => findColumn(table, 'zzzzzz')).message).toContain('no such column. Known names:')
  })
})
