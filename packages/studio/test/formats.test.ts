// JSON and Parquet in the page are what they are on the command line.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Database } from '../../cli/src/data/database.ts'
import { openFile } from '../src/data/open.ts'
import { inFolder, readBoth } from './alike.ts'

const linesOf = (rows: readonly object[]): string => `${rows.map(row => JSON.stringify(row)).join('\n')}\n`

describe('JSON in the page', () => {
  const rows = [
    {
      int: 1,
      real: 1.5,
      flag: true,
      word: 'a',
      date: '2020-01-02',
      stamp: '2020-01-02T03:04:05.123Z',
      clock: '03:04',
      none: null,
    },
    {
      int: null,
      real: 2,
      flag: false,
      word: '',
      date: '2021-1-1',
      stamp: '2021-01-01 00:00:00',
      clock: '23:59:59.5',
      none: null,
      late: 5,
    },
    {
      int: -3,
      real: 1e21,
      word: '7',
      date: '2021-12-31',
      stamp: '2020-01-02T03:04:05+02:00',
      clock: '1:2:3',
      none: null,
      late: null,
    },
  ]

  it('has the kinds and values of the command line, one object per line or in a list', async () => {
    const wanted = rows.map(({ none, real, ...rest }) => ({ ...rest, real: Math.min(real, 1e15) }))
    for (const text of [linesOf(wanted), JSON.stringify(wanted)]) {
      const { line, loaded, page } = await readBoth('x.json', text)
      expect(loaded.leftOut).toEqual([])
      expect(page).toEqual(line)
    }
  })

  it('keeps text that looks like numbers, and takes "true" and "false" for what they say', async () => {
    const { line, page } = await readBoth(
      'x.ndjson',
      linesOf([
        { a: '1', b: 'true', c: '01/02/2020', d: 'x' },
        { a: '2', b: 'false', c: '03/04/2021' },
      ]),
    )
    expect(page).toEqual(line)
    expect(Object.values(page).map(({ kind }) => kind)).toEqual([
      'categorical',
      'boolean',
      'categorical',
      'categorical',
    ])
  })

  it('writes ids as the command line does', async () => {
    const { line, page } = await readBoth(
      'x.ndjson',
      linesOf([
        { a: '8F14E45F-ceea-467f-a0e6-111111111111', b: 1 },
        { a: '8f14e45f-ceea-467f-a0e6-111111111112', b: 2 },
      ]),
    )
    expect(page).toEqual(line)
  })

  it('leaves out columns of several kinds, of lists and of numbers too large to tell apart', async () => {
    const text = '{"a":1,"b":[1],"c":9007199254740993,"d":1}\n{"a":"x","b":[2],"c":1,"d":2}\n'
    const { leftOut, table } = await openFile('x.ndjson', new Blob([text]))
    expect(leftOut.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(table.columns.map(({ name }) => name)).toEqual(['d'])
  })

  it.each([
    ['{"a":1}\n{"a":\n', /Line 2 is no JSON/],
    ['{"a":1}\n[1]\n', /Line 2 is no object/],
    ['[1, 2]', /Entry 1 is no object/],
  ])('refuses %j and says where', async (text, message) => {
    await expect(openFile('x.json', new Blob([text]))).rejects.toThrow(message)
  })
})

describe('text in other encodings', () => {
  const csv = 'name,x\nZoë,1\nJosé,2\n'
  const utf16 = (text: string, isBig: boolean, mark = '\ufeff') => {
    const bytes = Buffer.from(mark + text, 'utf16le')
    return isBig ? bytes.swap16() : bytes
  }

  it.each([
    ['latin-1', 'x.csv', Buffer.from(csv, 'latin1')],
    ['windows-1252', 'x.csv', Buffer.from(csv, 'latin1')],
    ['windows-1252', 'x.csv', Buffer.from([...Buffer.from('name,x\n'), 0x80, ...Buffer.from(',1\n')])],
    ['latin-1', 'x.csv', Buffer.from([...Buffer.from('name,x\n'), 0x80, 0xff, ...Buffer.from(',1\n')])],
    ['utf-16', 'x.csv', utf16(csv, false)],
    ['utf-16', 'x.csv', utf16(csv, true)],
    ['utf-16', 'x.csv', utf16(csv, false, '')],
    ['utf-16', 'x.csv', utf16(csv, true, '')],
    ['latin-1', 'x.ndjson', Buffer.from('{"name":"Zoë","x":1}\n{"name":"a","x":2}\n', 'latin1')],
  ] as const)('is read as the command line reads it: %s, %s', async (encoding, name, bytes) => {
    const { line, page } = await readBoth(name, new Uint8Array(bytes), [], { encoding })
    expect(page).toEqual(line)
    expect(page.name.kind).toBe('categorical')
  })

  it('asks for its encoding, and refuses a wrong one', async () => {
    const open = (bytes: Uint8Array, encoding?: 'utf-16' | 'latin-1', name = 'x.csv') =>
      openFile(name, new Blob([bytes as BlobPart]), encoding === undefined ? {} : { encoding })
    const asks = { asks: 'encoding' }
    const latin = Buffer.from(csv, 'latin1')
    await expect(open(latin)).rejects.toMatchObject({
      message:
        'The file holds bytes that are no UTF-8. Say how it is encoded: latin-1, windows-1252, utf-16.',
      ...asks,
    })
    await expect(open(Buffer.from('{"a":"Zoë"}\n', 'latin1'), undefined, 'x.json')).rejects.toMatchObject(
      asks,
    )
    for (const bytes of [utf16(csv, false), utf16(csv, true, '')])
      await expect(open(bytes)).rejects.toMatchObject({
        message: 'This is text in UTF-16. Say that it is encoded as utf-16.',
        ...asks,
      })
    await expect(open(utf16(csv, false), 'latin-1')).rejects.toMatchObject(asks)
    await expect(open(Buffer.from('a,b\n1,2\n3,4'), 'utf-16')).rejects.toThrow(/cannot be read as utf-16/)
    await expect(open(await parquetOf('select 1 as a'), 'latin-1', 'x.parquet')).rejects.toThrow(
      'An encoding is for text files, and this is Parquet.',
    )
  })
})

/** A Parquet file of what a query gives. */
async function parquetOf(query: string, options = ''): Promise<Uint8Array<ArrayBuffer>> {
  return await inFolder(async folder => {
    const path = join(folder, 'x.parquet')
    const database = await Database.open()
    try {
      await database.run(`copy (${query}) to '${path}' (format parquet${options})`)
    } finally {
      await database.close()
    }
    return new Uint8Array(await readFile(path))
  })
}

const ALL_TYPES = `select * from (values
  (1::tinyint, 2::utinyint, 3::smallint, 4::integer, 5::bigint, 6::uinteger, 0.1::float, 0.1::double, true, 'a', 1.25::decimal(4,2), 123456.789::decimal(18,6),
   date '2020-01-02', timestamp '2020-01-02 03:04:05.123456', timestamp_s '2020-01-02 03:04:05', timestamp_ms '2020-01-02 03:04:05.123', timestamp_ns '2020-01-02 03:04:05.123456789', timestamptz '2020-01-02 03:04:05+02', time '03:04:05.5', uuid '8f14e45f-ceea-467f-a0e6-111111111111', 9007199254740993::bigint, 'nan'::double),
  (-1, 200, -3, -4, null, 4000000000, null, 1e300, null, 'é', -0.07, -1.1,
   date '1969-12-31', timestamp '1960-01-02 03:04:05', null, timestamp_ms '1960-01-02 03:04:05.123', timestamp_ns '1960-01-02 03:04:05.123456789', null, time '00:00:00', null, 1, 2)
) t(i8, u8, i16, i32, i64, u32, f32, f64, flag, word, money, wide, day, us, s, ms, ns, tz, clock, id, big, nan)`

describe('Parquet in the page', () => {
  it.each([
    '',
    ', compression zstd',
    ', compression gzip',
    ', compression uncompressed',
    ', parquet_version v2',
  ])('has the kinds and values of the command line%s', async options => {
    const { line, loaded, page } = await readBoth('x.parquet', await parquetOf(ALL_TYPES, options))
    expect(loaded.leftOut).toEqual([])
    expect(page).toEqual(line)
  })

  it('reads all row groups, pages and dictionaries', async () => {
    const query = `select i, i % 7 as seven, 'v' || (i % 1000) as text, case when i % 3 = 0 then null else i / 7.0 end as part from range(20000) t(i)`
    const { line, page } = await readBoth('x.parquet', await parquetOf(query, ', row_group_size 2048'))
    expect(page).toEqual(line)
    expect(page.i.values).toHaveLength(20_000)
  })

  it('reads decimals as the command line does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), { minLength: 5, maxLength: 20 }),
        async numbers => {
          const values = numbers.map(number => `(${number}::decimal(18,0) * 0.000001)`)
          const { line, page } = await readBoth(
            'x.parquet',
            await parquetOf(`select * from (values ${values.join(', ')}) t(d)`),
          )
          expect(page).toEqual(line)
        },
      ),
      { numRuns: 5 },
    )
  })

  it('leaves out what is no number, text, date or truth value', async () => {
    const bytes = await parquetOf(
      `select 1 as a, [1, 2] as list, {'x': 1} as thing, 'ab'::blob as bytes, 12345678901234567890.5::decimal(38,1) as huge`,
    )
    const { leftOut, table } = await openFile('x.parquet', new Blob([bytes]))
    expect(leftOut.map(({ name }) => name).sort()).toEqual(['bytes', 'huge', 'list', 'thing'])
    expect(table.columns.map(({ name }) => name)).toEqual(['a'])
  })

  it('says that a file is cut short', async () => {
    const bytes = await parquetOf('select 1 as a')
    await expect(openFile('x.parquet', new Blob([bytes.subarray(0, -9)]))).rejects.toThrow(
      /could not be read as Parquet/,
    )
  })
})

describe('other files', () => {
  it.each([
    ['x.duckdb', /command line only/],
    ['x.csv.zst', /cannot unpack/],
    ['x.xlsx', /Save the sheet as CSV/],
  ])('%s is refused with what to do', async (name, message) => {
    await expect(openFile(name, new Blob(['x']))).rejects.toThrow(message)
  })

  it.each([
    ['PK\x03\x04..........................[Content_Types].xml', /Excel workbook/],
    ['PK\x03\x04..........................a.csv', /ZIP archive/],
    ['\xd0\xcf\x11\xe0\xa1\xb1', /Excel workbook/],
    ['ARROW1\0\0', /Arrow/],
    ['SQLite format 3\0', /SQLite database/],
    ['%PDF-1.7', /PDF document/],
    ['\x01\x02\x03\x04\x05\x06\x07\0\x01\x02\x03\x04abc', /binary file/],
    ['\xff\xfea\0,\0b\0', /UTF-16/],
  ])('are named as what they are, whatever their name is: %#', async (bytes, message) => {
    await expect(openFile('x.csv', new Blob([Buffer.from(bytes, 'latin1')]))).rejects.toThrow(message)
  })

  it('with numbers that are names have them as categories, as the command line does', async () => {
    const csv = new Blob(['branch,zip\n12.0,01067\n7,10115\n12,\n'])
    const { table } = await openFile('x.csv', csv, { categorical: ['branch', 'zip'] })
    expect(table.columns).toMatchObject([
      { kind: 'categorical', numbers: true, categories: ['12', '7'] },
      { kind: 'categorical', categories: ['01067', '10115'] },
    ])
    const json = new Blob(['{"branch":12.5}\n{"branch":7}'])
    const { table: other } = await openFile('x.ndjson', json, { categorical: ['branch'] })
    expect(other.columns).toMatchObject([{ numbers: true, categories: ['12.5', '7'] }])
  })

  it('are told by their first bytes where the name says nothing', async () => {
    expect((await openFile('data', new Blob(['{"a":1}']))).table.columns[0].name).toBe('a')
    expect((await openFile('data', new Blob([await parquetOf('select 1 as b')]))).table.columns[0].name).toBe(
      'b',
    )
    expect((await openFile('data', new Blob(['c,d\n1,2\n']))).table.columns[0].name).toBe('c')
  })

  it('that are packed and cut short are refused', async () => {
    const packed = new Response(new Blob(['a,b\n1,2\n']).stream().pipeThrough(new CompressionStream('gzip')))
    const bytes = new Uint8Array(await packed.arrayBuffer())
    await expect(openFile('x.csv.gz', new Blob([bytes.subarray(0, -6)]))).rejects.toThrow(
      /damaged or cut short/,
    )
  })

  it('that are empty are refused', async () => {
    await expect(openFile('x.csv', new Blob([]))).rejects.toThrow(/empty/)
  })
})
