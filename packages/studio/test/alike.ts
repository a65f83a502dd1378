// What the page reads and what the command line reads of one file, made comparable.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Column, FeatureBoostError, type Table } from '@featureboost/core'
import { type OpenOptions, openData } from '../../cli/src/data/open.ts'
import { CommandError } from '../../cli/src/errors.ts'
import type { LoadedTable } from '../src/data/loaded.ts'
import { type FileWords, openFile } from '../src/data/open.ts'
import { DataProblem } from '../src/data/problem.ts'

/** Kind and values, null where missing. */
export interface Seen {
  readonly kind: Column['kind']
  readonly values: readonly (number | string | null)[]
}

export const seenOf = (table: Table): Record<string, Seen> =>
  Object.fromEntries(
    table.columns.map(column => [column.name, { kind: column.kind, values: valuesOf(column) }]),
  )

function valuesOf(column: Column): (number | string | null)[] {
  if (column.kind === 'categorical')
    return Array.from(column.codes, code => (code < 0 ? null : column.categories[code]))
  if (column.kind === 'boolean') return Array.from(column.values, value => (value < 0 ? null : value))
  return Array.from(column.values, value => (Number.isNaN(value) ? null : value))
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'featureboost-studio-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function readByCommandLine(
  path: string,
  options: Pick<OpenOptions, 'only' | 'missing' | 'decimal' | 'encoding'> = {},
): Promise<Record<string, Seen>> {
  const data = await openData(path, options)
  try {
    const parts: Record<string, Seen>[] = []
    for await (const chunk of data.source.chunks()) parts.push(seenOf(chunk))
    return Object.fromEntries(
      data.columns.map(({ name }) => [
        name,
        { kind: parts[0][name].kind, values: parts.flatMap(part => part[name].values) },
      ]),
    )
  } finally {
    await data.close()
  }
}

/** The same bytes, read both ways; columns that the page leaves out are left out of both. */
export async function readBoth(
  name: string,
  bytes: Uint8Array | string,
  missing: readonly string[] = [],
  written: Omit<FileWords, 'missing'> = {},
): Promise<{
  readonly page: Record<string, Seen>
  readonly line: Record<string, Seen>
  readonly loaded: LoadedTable
}> {
  const loaded = await openFile(name, new Blob([bytes as BlobPart]), { ...written, missing })
  const line = await inFolder(async folder => {
    const path = join(folder, name)
    await writeFile(path, bytes)
    const only = loaded.table.columns.map(column => column.name)
    return await readByCommandLine(path, { ...written, only, missing })
  })
  return { page: seenOf(loaded.table), line, loaded }
}

/** What came of a file that may be damaged. Throws where the page and the command line have read it in two ways, or one of them fails. */
export async function readOrRefuse(name: string, bytes: Uint8Array, path: string): Promise<string> {
  const page = await readByPage(name, bytes)
  await writeFile(path, bytes)
  const line = await readByCommandLine(path).catch(refusalCode)
  if (typeof line === 'string') return page === undefined ? 'refused by both' : `page only (${line})`
  if (page === undefined) return 'command line only'
  refuseDifferent(page, line)
  return 'accepted by both'
}

/** The code of a refusal; whatever is none is thrown on. */
export function refusalCode(error: unknown): string {
  if (error instanceof FeatureBoostError) return error.code
  if (error instanceof CommandError && error.code !== undefined) return error.code
  throw error
}

async function readByPage(name: string, bytes: Uint8Array): Promise<Record<string, Seen> | undefined> {
  try {
    return seenOf((await openFile(name, new Blob([bytes as BlobPart]))).table)
  } catch (error) {
    if (error instanceof DataProblem) return undefined
    throw error
  }
}

/** Columns that the page leaves out, because it is not sure of them, may be there for the command line. */
function refuseDifferent(page: Record<string, Seen>, line: Record<string, Seen>): void {
  for (const [name, { kind, values }] of Object.entries(page)) {
    const other = line[name]
    if (other === undefined) throw new Error(`column ${JSON.stringify(name)} is in the page only`)
    if (kind === other.kind && JSON.stringify(values) === JSON.stringify(other.values)) continue
    const row = values.findIndex((value, index) => !Object.is(value, other.values[index]))
    throw new Error(
      `column ${JSON.stringify(name)} is ${kind} x ${values.length} in the page and ${other.kind} x ${other.values.length} on the command line; row ${row + 1}: ${JSON.stringify(values[row])} and ${JSON.stringify(other.values[row])}`,
    )
  }
}
