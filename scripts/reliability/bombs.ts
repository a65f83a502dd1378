// Bombs: files that are small on disk, or quickly made, and large for whoever reads them without care. Each is made, given to the built
// program, and removed.

import { closeSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { type Ended, runProgram } from './program.ts'

export interface Bomb {
  readonly name: string
  readonly file: string
  readonly make: (path: string) => void | Promise<void>
  /** Default: it is audited. */
  readonly args?: readonly string[]
}

const MANY = 1_000_000

/** A gzip file of one member after the other, each of the same text: unpacks to all of them. */
function packMany(path: string, head: string, text: string, times: number): void {
  const file = openSync(path, 'w')
  writeSync(file, gzipSync(head))
  const member = gzipSync(text)
  for (let count = 0; count < times; count++) writeSync(file, member)
  closeSync(file)
}

const put = (text: () => string) => (path: string) => writeFileSync(path, text())

/** So many bytes of nothing after a beginning; takes no room on the disk. */
const sparse = (head: string, bytes: number) => (path: string) => {
  writeFileSync(path, head)
  truncateSync(path, bytes)
}

export const BOMBS: readonly Bomb[] = [
  {
    name: 'a gigabyte of zeros, packed',
    file: 'zeros.csv.gz',
    make: path => packMany(path, 'y,p\n', '\0'.repeat(2 ** 24), 64),
  },
  {
    name: '200 million rows, packed, where a million may be read',
    file: 'rows.csv.gz',
    make: path => packMany(path, 'y,p\n', '0,0.5\n'.repeat(2 ** 20), 200),
    args: ['--max-rows', '1000000'],
  },
  { name: 'a cell of a gigabyte', file: 'cell.csv', make: sparse('y,p\n1,', 2 ** 30) },
  {
    name: 'a million columns',
    file: 'columns.csv',
    make: put(() => {
      const cells = (cell: (index: number) => string) =>
        Array.from({ length: MANY }, (_, index) => cell(index)).join()
      return `${cells(index => `c${index}`)}\n${cells(() => '1')}\n`
    }),
  },
  {
    name: 'two million different categories',
    file: 'ids.csv',
    make: put(
      () =>
        `y,p,id\n${Array.from({ length: 2 * MANY }, (_, index) => `${index % 2},0.5,user ${index}`).join('\n')}\n`,
    ),
  },
  { name: 'a million brackets of JSON', file: 'lists.json', make: put(() => '['.repeat(MANY)) },
  {
    name: 'objects of JSON within each other, 100,000 deep',
    file: 'deep.ndjson',
    make: put(() => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}\n`),
  },
  {
    name: 'a million keys in one object',
    file: 'keys.ndjson',
    make: put(() => `{${Array.from({ length: MANY }, (_, index) => `"k${index}":1`).join()}}\n`),
  },
  { name: 'a text of a gigabyte in JSON', file: 'text.ndjson', make: sparse('{"y":1,"p":"', 2 ** 30) },
  {
    name: 'Parquet of 300 million equal rows in a few kilobytes, where a million may be read',
    file: 'equal.parquet',
    make: async path => {
      const instance = await DuckDBInstance.create(':memory:')
      const connection = await instance.connect()
      await connection.run(
        `copy (select 1 as y, 0.5 as p from range(300000000)) to '${path}' (format parquet, compression zstd, row_group_size 10000000)`,
      )
      connection.closeSync()
      instance.closeSync()
    },
    args: ['--max-rows', '1000000'],
  },
  {
    name: 'a model of a million trees',
    file: 'trees.fb.json',
    make: put(
      () =>
        `{"format":"featureboost-model","version":3,"updates":[{"kind":"forest","clip":1,"trees":[${Array(MANY).fill('{"tree":{"leaf":0},"steps":[1]}').join()}]}]}`,
    ),
    args: ['show'],
  },
  { name: 'a model file of a terabyte', file: 'large.fb.json', make: sparse('{', 2 ** 40), args: ['show'] },
  {
    name: 'a file of flags that nests a million times',
    file: 'flags.json',
    make: put(() => `{"audit":${'{"label":'.repeat(MANY)}`),
    args: ['--config'],
  },
  {
    name: 'half a million groups',
    file: 'groups.json',
    make: put(() => JSON.stringify(Array(MANY / 2).fill({ column: 'x', below: 1 }))),
    args: ['--groups'],
  },
]

const TABLE = 'y,p,x\n1,0.5,1\n0,0.5,2\n'

export async function tryBomb({ args = [], file, make }: Bomb, folder: string): Promise<Ended> {
  const path = join(folder, file)
  await make(path)
  const table = join(folder, 'table.csv')
  writeFileSync(table, TABLE)
  const roles = ['--label', 'y', '--prediction', 'p', '--quiet']
  const [first] = args
  const command =
    first === 'show'
      ? ['show', path]
      : first === '--config'
        ? ['audit', table, '--config', path, ...roles]
        : first === '--groups'
          ? ['audit', table, '--groups', `@${path}`, ...roles]
          : ['audit', path, ...roles, ...args]
  try {
    return await runProgram(command, { folder, limitMs: 60_000 })
  } finally {
    rmSync(path)
  }
}
