// CSV in the page is CSV on the command line: the same columns, kinds and values, or no column at all.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareTexts } from '../src/data/categories.ts'
import { appendColumn } from '../src/data/csv/append.ts'
import { readCsv } from '../src/data/csv/read.ts'
import { readBoth } from './alike.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Pairs of cells that must be read, and alike. */
const READ: Readonly<Record<string, readonly [string, string]>> = {
  truth: ['true', 'false'],
  letters: ['t', 'F'],
  answers: ['YES', 'no'],
  mixedTruth: ['true', 'no'],
  notTruth: ['Y', 'N'],
  onOff: ['on', 'off'],
  bits: ['1', '0'],
  truthAndBit: ['true', '0'],
  spacedTruth: [' true', 'false'],
  plus: ['+5', '3'],
  code: ['007', '008'],
  minusCode: ['-007', '1'],
  paddedZero: ['00', '1'],
  under: ['1_000', '2'],
  largest: ['9223372036854775807', '1'],
  tooLarge: ['9223372036854775808', '1'],
  ids: ['9007199254740993', '9007199254740992'],
  leadingPoint: ['.5', '1'],
  endingPoint: ['5.', '1'],
  exponent: ['1e5', '2E-3'],
  halfExponent: ['1e', '2'],
  nan: ['nan', '1.5'],
  nanOnly: ['NaN', '-nan'],
  decimals: ['0.1234567890123456789', '1'],
  seventeen: ['12345678901234567.5', '0.1'],
  minusZero: ['-0', '0'],
  minusZeroPoint: ['-0.0', '1'],
  paddedPoint: ['00.5', '1'],
  smallest: ['5e-324', '1.7976931348623157e308'],
  vanishing: ['1e-400', '1'],
  commaNumber: ['"1,5"', '"2,5"'],
  money: ['$5', '5%'],
  suffix: ['1.5f', '1L'],
  date: ['2020-01-02', '2021-12-31'],
  shortDate: ['2020-1-2', '2021-12-31'],
  noDate: ['2020-13-01', '2021-01-01'],
  noDay: ['2020-02-30', '2021-01-01'],
  month: ['2020-01', '2021-02'],
  compact: ['20200102', '20210304'],
  dateAndWord: ['2020-01-01', 'x'],
  dateAndNumber: ['2020-01-01', '5'],
  dateMissing: ['2020-01-01', ''],
  stamp: ['2020-01-02 03:04:05', '1969-12-31 23:59:59'],
  stampT: ['2020-01-02T03:04:05', '2021-01-01T00:00:00'],
  stampZ: ['2020-01-02T03:04:05Z', '2021-01-01T00:00:00Z'],
  stampFine: ['2020-01-02 03:04:05.123456', '2021-01-01 00:00:00'],
  stampFiner: ['2020-01-02 03:04:05.123456789', '2021-01-01 00:00:00'],
  stampZone: ['2020-01-02 03:04:05+02', '2021-01-01 00:00:00-03:30'],
  stampShort: ['2020-01-02 03:04', '2021-01-01 00:00'],
  clock: ['03:04:05', '23:59:59.5'],
  shortClock: ['03:04', '23:59'],
  uuid: ['8f14e45f-ceea-467f-a0e6-111111111111', '8F14E45F-ceea-467f-a0e6-111111111112'],
  spaces: [' a ', 'a'],
  none: ['null', 'NA'],
  missing: ['', '1'],
  quotedEmpty: ['""', '1'],
  quotedNumber: ['"1"', '"2"'],
  allMissing: ['', ''],
  marks: ['"a""b"', 'c'],
  lines: ['"a\nb"', '"c\r\nd"'],
  unicode: ['é', '\u{1f600}'],
  address: ['192.168.0.1', '10.0.0.1'],
  range: ['18-24', '25-34'],
  fraction: ['1/2', '3/4'],
  hash: ['#a', 'b'],
}

/** Dates of other forms, each in a file of its own. */
const DATES: Readonly<Record<string, readonly [string, string]>> = {
  slashes: ['2020/01/02', '2021/3/4'],
  dots: ['2020.01.02', '2021.01.02'],
  dayFirst: ['01/02/2020', '03/04/2021'],
  dayFirstSure: ['13/02/2020', '03/04/2021'],
  monthFirst: ['02-13-2020', '03-04-2021'],
  monthFirstShort: ['1/2/2020', '3/14/2021'],
  germanDate: ['02.01.2020', '13.04.2021'],
}

/** Pairs that DuckDB reads in ways of its own: the page must say that it cannot. */
const LEFT_OUT: Readonly<Record<string, readonly [string, string]>> = {
  spacedNumber: [' 5', '6 '],
  spacedPoint: [' 1.5', '2'],
  hex: ['0x10', '2'],
  binary: ['0b11', '1'],
  infinite: ['inf', '1'],
  infinity: ['Infinity', '-inf'],
  tooFar: ['1e400', '1'],
  shortYear: ['20-01-02', '21-03-04'],
  dayStamp: ['01/02/2020 03:04:05', '03/04/2021 00:00:00'],
  afternoon: ['01/02/2020 03:04:05 PM', '03/04/2021 11:00:00 AM'],
  dateAndStamp: ['2020-01-02', '2021-01-01 00:00:00'],
  zoneAndNone: ['2020-01-01 00:00:00', '2021-01-01 00:00:00Z'],
  namedZone: ['2020-01-02 03:04:05 UTC', '2021-01-01 00:00:00 UTC'],
  midnight: ['24:00:00', '1:00:00'],
  version: ['1.2.3', '4.5.6'],
  epoch: ['epoch', 'epoch'],
}

const csvOf = (columns: Readonly<Record<string, readonly string[]>>): string => {
  const names = Object.keys(columns)
  const rows = columns[names[0]].map((_, row) => names.map(name => columns[name][row]).join(','))
  return `${[names.join(','), ...rows].join('\n')}\n`
}

describe('CSV in the page', () => {
  it('has the kinds and values of the command line', async () => {
    const { line, loaded, page } = await readBoth('x.csv', csvOf({ ...READ, end: ['a', 'b'] }))
    expect(loaded.leftOut).toEqual([])
    expect(page).toEqual(line)
  })

  it.each(Object.entries(DATES))('reads dates with %s as the command line does', async (name, pair) => {
    const { line, page } = await readBoth('x.csv', csvOf({ a: ['x', 'y'], [name]: pair }))
    expect(page).toEqual(line)
    expect(page[name].kind).toBe('numeric')
  })

  it('leaves out all dates of a file that has them in several forms', () => {
    const { leftOut } = readCsv(bytesOf(csvOf({ a: ['x', 'y'], iso: READ.date, other: DATES.dayFirst })))
    expect(leftOut.map(({ name }) => name)).toEqual(['iso', 'other'])
  })

  it('leaves out a column that can be read in several ways, and says which', () => {
    const { leftOut, table } = readCsv(bytesOf(csvOf({ ...LEFT_OUT, end: ['a', 'b'] })))
    expect(leftOut.map(({ name }) => name).sort()).toEqual(Object.keys(LEFT_OUT).sort())
    expect(table.columns.map(({ name }) => name)).toEqual(['end'])
  })

  it('is the same for random tables of all these cells', { timeout: 60_000 }, async () => {
    const cells = Object.values({ ...READ, ...DATES })
      .flat()
      .filter(cell => !cell.includes('\n'))
    const column = fc.oneof(
      fc.array(fc.constantFrom(...cells), { minLength: 6, maxLength: 6 }),
      fc
        .constantFrom(...Object.values(READ))
        .chain(pair => fc.array(fc.constantFrom(...pair, ''), { minLength: 6, maxLength: 6 })),
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), {
        minLength: 6,
        maxLength: 6,
      }),
      fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String), {
        minLength: 6,
        maxLength: 6,
      }),
    )
    const table = fc.array(column, { minLength: 2, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(table, async columns => {
        const named = {
          start: ['a', 'b', 'c', 'd', 'e', 'f'],
          ...Object.fromEntries(columns.map((cells, index) => [`c${index}`, cells])),
        }
        const { line, page } = await readBoth('x.csv', csvOf(named))
        expect(page).toEqual(line)
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    ['semicolons', 'a;b\n1;x\n2;y\n'],
    ['tabs', 'a\tb\n1\tx\n2\ty\n'],
    ['bars', 'a|b\n1|x\n2|y\n'],
    ['carriage returns', 'a,b\r\n1,x\r\n2,y\r\n'],
    ['no last line end', 'a,b\n1,x\n2,y'],
    ['an empty last cell', 'a,b\n1,x\n2,'],
    ['empty lines', 'a,b\n1,x\n\n2,y\n\n'],
    ['a byte order mark', '\ufeffa,b\n1,x\n2,y\n'],
    ['commas in marks', 'a,b\n1,"x,y"\n2,"z"\n'],
    ['semicolons and marks', '"a";"b"\n"1;2";x\n"3";y\n'],
    ['semicolons and decimal commas', 'a;b\n1,5;x\n2,5;y\n'],
    ['single marks', "a,b\n1,'x,y'\n2,'z'\n"],
    ['marks in the header', '"a","b, c"\n1,x\n2,y\n'],
  ])('may be written with %s', async (_, text) => {
    const { line, page } = await readBoth('x.csv', text)
    expect(page).toEqual(line)
  })

  it('is packed or not', async () => {
    const text = 'a,b\n1,x\n2,y\n'
    const packed = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')))
    const { line, page } = await readBoth('x.csv.gz', new Uint8Array(await packed.arrayBuffer()))
    expect(page).toEqual(line)
    expect(page.a.values).toEqual([1, 2])
  })

  it('changes its mind about a type where a late row asks for it, as the command line does', async () => {
    const rows = Array.from({ length: 25_000 }, (_, row) => [
      row,
      row < 24_000 ? row : row + 0.5,
      '',
      row < 24_000 ? '2020-01-01' : 'x',
    ])
    const late = rows.map(([a, b, c, d], row) => [a, b, row === 24_999 ? 7 : c, d].join(','))
    const { line, page } = await readBoth('x.csv', `a,b,c,d\n${late.join('\n')}\n`)
    expect(page).toEqual(line)
    expect(Object.values(page).map(({ kind }) => kind)).toEqual([
      'numeric',
      'numeric',
      'numeric',
      'categorical',
    ])
    const calm = rows.map(([a, , c], row) => [a, row === 24_999 ? 7 : c].join(','))
    const other = await readBoth('x.csv', `a,c\n${calm.join('\n')}\n`)
    expect(other.page).toEqual(other.line)
    expect(other.page.c.kind).toBe('categorical')
  })

  it('is given a further column, and keeps all others as they were written', async () => {
    const text = '\ufeff"a";b\r\n"x;""y""";1.50\r\n\r\n;\r\nz;007'
    const blob = appendColumn(bytesOf(text), 'p', [0.5, 0.25, 1])
    expect(await blob.text()).toBe('"a";b;p\n"x;""y""";1.50;0.5\n;;0.25\nz;007;1\n')
  })

  it('takes texts for missing that it is told of, as the command line does', async () => {
    const text = 'a,b,c\n1,x,"NA"\nNA,?,2\n,NA ,3\n'
    const { line, page } = await readBoth('x.csv', text, ['NA', '?'])
    expect(page).toEqual(line)
    expect(page.a).toEqual({ kind: 'numeric', values: [1, null, null] })
  })

  it.each([
    ['a line with too few cells', 'a,b\n1,2\n3\n', /Line 3: 1 field where the header line has 2/],
    ['a line with too many cells', 'a,b\n1,2\n3,4,5\n', /Line 3: 3 fields where the header line has 2/],
    ['an open mark', 'a,b\n1,"2\n3,4\n', /Line 2: a quotation mark is opened and never closed/],
    ['a mark inside', 'a,b\n1,"x"y\n', /Line 2: a quotation mark stands inside/],
    ['no rows', 'a,b\n', /no rows/],
    ['two columns of a name', 'a,A\n1,2\n', /Two columns are named "A"/],
    ['a column without a name', 'a,\n1,2\n', /no name for column 2/],
  ])('refuses %s and says where', (_, text, message) => {
    expect(() => readCsv(bytesOf(text))).toThrow(message)
  })

  const COMMAS: readonly (readonly [string, string])[] = [
    ['1,5', '2,5'],
    ['1,5', '12'],
    ['12', '13'],
    ['1.5', '2.5'],
    ['1,5', '2.5'],
    ['-0,5', '1'],
    [',5', '1'],
    ['5,', '1'],
    ['1,5e3', '2E-3'],
    ['nan', '1,5'],
    ['1,5,2', '1'],
    ['01,5', '1'],
    ['1.234,5', '2,5'],
    ['1,234', '5,678'],
    ['1.000', '2.000'],
    ['.5', '1'],
    ['01.02.2020', '13.03.2021'],
    ['2020-01-02', '2021-12-31'],
    ['03:04:05.5', '01:02:03'],
    ['2020-01-02 03:04:05.123', '2021-01-01 00:00:00'],
    ['9007199254740993', '1'],
    ['9007199254740993,5', '1'],
    ['0,1234567890123456789', '1'],
    ['-0,0', '1'],
    ['x', '1,5'],
  ]

  it.each(COMMAS)('reads %j and %j with a decimal comma as the command line does', async (first, second) => {
    const { line, loaded, page } = await readBoth('x.csv', `c;k\n${first};u\n${second};v\n`, [], {
      decimal: ',',
    })
    expect(loaded.leftOut).toEqual([])
    expect(page).toEqual(line)
  })

  it('reads quoted numbers with a decimal comma between commas', async () => {
    const { line, page } = await readBoth('x.csv', 'a,b\n"1,5",x\n"2,25",y\n', [], { decimal: ',' })
    expect(page).toEqual(line)
    expect(page.a).toEqual({ kind: 'numeric', values: [1.5, 2.25] })
  })

  it('refuses what is not UTF-8, and says what to say', () => {
    const bytes = bytesOf('a,b\n1,x\n')
    bytes[6] = 0xff
    expect(() => readCsv(bytes)).toThrow(
      'The file holds bytes that are no UTF-8. Say how it is encoded: latin-1, windows-1252, utf-16.',
    )
  })

  it('sorts categories as UTF-8 does', () => {
    const letters = ['', 'a', 'B', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}']
    const word = fc.array(fc.constantFrom(...letters), { maxLength: 4 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(word, word, (a, b) => {
        const expected = Buffer.compare(Buffer.from(a), Buffer.from(b))
        expect(Math.sign(compareTexts(a, b))).toBe(expected)
      }),
    )
  })
})
