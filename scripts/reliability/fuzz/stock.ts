// Whole files that are to be damaged, of every format that is read.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { parquetFile } from '../../../packages/cli/test/parquetFile.ts'
import type { Stock } from './mutate.ts'

const ROWS = Array.from({ length: 12 }, (_, row) => ({
  age: row === 3 ? null : 18 + ((row * 7) % 50),
  income: row === 5 ? null : 1000.5 * row,
  region: ['north', 'south', 'a,b', 'say "x"', 'Größe', null][row % 6],
  member: row % 4 === 1 ? null : row % 2 === 0,
  since: `20${10 + row}-0${1 + (row % 9)}-1${row % 9}`,
  at: `2024-01-0${1 + (row % 9)} 12:0${row % 9}:30`,
  score: row / 12,
  y: row % 3 === 0 ? 1 : 0,
}))

type Cell = string | number | boolean | null
const NAMES = Object.keys(ROWS[0])

function csvOf(delimiter: string, end: string, quoteAll = false): Buffer {
  const cell = (value: Cell): string => {
    const text = value === null ? '' : String(value)
    const mustQuote = quoteAll || text.includes(delimiter) || /["\r\n]/.test(text)
    return mustQuote ? `"${text.replaceAll('"', '""')}"` : text
  }
  const lines = [NAMES, ...ROWS.map(row => Object.values(row))].map(cells => cells.map(cell).join(delimiter))
  return Buffer.from(lines.join(end) + end)
}

const CSV_TOKENS = [
  ...['"', '""', "'", ',', ';', '\t', '|', '\n', '\r', '\r\n', '\n\n', '\ufeff', '\0', '#', '\\', '\\"', ' '],
  ...[
    'nan',
    'inf',
    '-0',
    '1e400',
    '9223372036854775808',
    '0x10',
    '1_000',
    '007',
    '1,5',
    '24:00:00',
    '2020-02-30',
  ],
  ...['true', 'f', 'NULL', 'NA', 'x'.repeat(3000), '9'.repeat(400), ','.repeat(300), '"'.repeat(301)],
  ...['=1+1', '\u202e', '\u{1f600}', 'é', '\u0301', '2020-01-01T00:00:00+14:00', '-infinity', 'epoch'],
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xc0, 0x80]),
  Buffer.from([0xed, 0xa0, 0x80]),
]

const JSON_TOKENS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '{}',
    '[]',
    ':',
    ',',
    '"',
    '\\',
    '\\u0000',
    '\\ud800',
    'null',
    'true',
    'NaN',
    '1e999',
    '-',
  ],
  ...[
    '{"age":',
    '"age"',
    '"__proto__":{"x":1},',
    '"constructor":1,',
    '"":1,',
    '[['.repeat(500),
    '{"a":'.repeat(500),
  ],
  ...[
    '9007199254740993',
    '1e-400',
    '-0',
    '"2020-01-01"',
    '"1"',
    '\n',
    '\r\n',
    '\n\n',
    '\ufeff',
    '\0',
    ' '.repeat(500),
  ],
  ...['"\u2028"', '"x":"y",', '{"age":{"b":1}}', '"age":[1,2],', '18446744073709551616', '0.1e1'],
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xed, 0xa0, 0x80]),
]

const asNdjson = (rows: readonly object[]): Buffer =>
  Buffer.from(`${rows.map(row => JSON.stringify(row)).join('\n')}\n`)

const few = (row: Record<string, unknown>, index: number): object =>
  Object.fromEntries(Object.entries(row).filter((_, column) => (index + column) % 3 > 0))

export const csvStock = (): Stock => ({
  files: [
    csvOf(',', '\n'),
    csvOf(';', '\r\n'),
    csvOf('\t', '\n'),
    csvOf('|', '\n', true),
    Buffer.concat([Buffer.from('\ufeff'), csvOf(',', '\n', true)]),
  ],
  tokens: CSV_TOKENS,
})

/** Packed as gzip: damage of the container itself. */
export const gzipStock = (): Stock => ({
  files: csvStock()
    .files.slice(0, 2)
    .map(file => gzipSync(file)),
  tokens: [Buffer.from([0x1f, 0x8b]), Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(40)],
})

export const jsonStock = (): Stock => ({
  files: [
    asNdjson(ROWS),
    asNdjson(ROWS.map(few)),
    Buffer.from(JSON.stringify(ROWS)),
    Buffer.from(JSON.stringify(ROWS, null, 2)),
  ],
  tokens: JSON_TOKENS,
})

/** Packed as zstd, which only the command line reads. */
export async function zstdStock(): Promise<Stock> {
  const [file] = await writtenByDuckdb(['rows.csv.zst'], path => `copy t to '${path}' (format csv, header)`)
  return {
    files: [file],
    tokens: [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.alloc(40), Buffer.from([0xff, 0xff])],
  }
}

/** By DuckDB, in every packing that it writes; and by hand, with checksums. */
export async function parquetStock(): Promise<Stock> {
  const codecs = ['uncompressed', 'snappy', 'zstd', 'gzip', 'lz4']
  const files = [
    ...(await writtenByDuckdb(
      codecs,
      (path, codec) => `copy t to '${path}' (format parquet, compression ${codec})`,
    )),
    ...(await writtenByDuckdb(['v2'], path => `copy t to '${path}' (format parquet, parquet_version v2)`)),
  ]
  const numbers = { x: ROWS.map(({ score }) => score), y: ROWS.map(({ y }) => y) }
  for (const checksums of [true, false]) files.push(parquetFile(numbers, { checksums, pageRows: 5 }).bytes)
  const odd = [
    [0],
    [0xff],
    [0x7f],
    [0x80, 0x80, 0x80, 0x80, 0x10],
    [0xff, 0xff, 0xff, 0xff, 0x0f],
    [0x19, 0xfc],
    [0x15, 0],
  ]
  return {
    files,
    tokens: ['PAR1', 'PARE', ...odd.map(bytes => Buffer.from(bytes)), Buffer.alloc(9), Buffer.alloc(300)],
    // The footer, whose length stands before the last mark.
    tender: bytes => {
      const to = bytes.length
      const length = to < 12 ? 0 : bytes.readUInt32LE(to - 8)
      return { from: Math.max(0, to - 8 - (length < to ? length : 100)), to }
    },
  }
}

/** The rows, written once for each name. */
async function writtenByDuckdb(
  names: readonly string[],
  copySql: (path: string, name: string) => string,
): Promise<Buffer[]> {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-stock-'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const text = (value: string | null) => (value === null ? 'null' : `'${value}'`)
    const rows = ROWS.map(
      ({ age, at, income, member, region, score, since, y }) =>
        `(${age}, ${income}, ${text(region)}, ${member}, DATE '${since}', TIMESTAMP '${at}', ${score}::DOUBLE, ${y})`,
    )
    const columns = NAMES.map(name => `"${name}"`).join(', ')
    await connection.run(`create table t as from (values ${rows.join(', ')}) v(${columns})`)
    const files: Buffer[] = []
    for (const name of names) {
      const path = join(folder, name)
      await connection.run(copySql(path, name))
      files.push(readFileSync(path))
    }
    return files
  } finally {
    connection.closeSync()
    instance.closeSync()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Files of flags, groups, losses, expectations, and what audit --json printed. */
export const SETTINGS = {
  config: {
    fit: { label: 'y', prediction: 'score', epsilon: 0.1, except: ['id', 'a, b'], audit: false, threads: 2 },
    audit: { label: 'y', groups: 'region', 'fail-over': 0.03, 'fail-on-finding': true },
    demo: { rows: 100 },
  },
  groups: [
    'region',
    { column: 'age', below: 21 },
    [
      { column: 'member', is: true },
      { column: 'age', missing: false },
    ],
    {
      name: 'old members',
      where: [
        { column: 'member', in: [true] },
        { column: 'age', above: 25 },
      ],
    },
  ],
  losses: [
    { name: 'loan', falsePositive: 1, falseNegative: 5 },
    { name: 'call', losses: { none: [0, 4], letter: [1, 2], visit: [3, 0] } },
    { name: 'gain', utilities: { none: [0, 0], visit: [-1, 2] } },
    { threshold: 0.2 },
    { named: 'squared' },
  ],
  expectations: { epsilon: 0.05, holdout: 0.2, label: 'y', features: ['age', 'region'] },
} as const

export const settingsStock = (kind: keyof typeof SETTINGS): Stock => ({
  files: [
    Buffer.from(JSON.stringify(SETTINGS[kind])),
    Buffer.from(JSON.stringify(SETTINGS[kind], null, 2)),
    Buffer.from(JSON.stringify(SETTINGS)),
  ],
  tokens: [
    ...JSON_TOKENS,
    '"column":',
    '"where":[',
    '"in":[]',
    '"above":1e999',
    '"is":null',
    '"fit":{',
    '"out":"x"',
  ],
})
