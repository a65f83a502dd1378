// Folders that are made once and kept: prepared rows, base scores and what each method did with them. A folder is named by
// a hash of everything that decides its content, and appears whole or not at all.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Outside the repository, so that clones share it and an installation does not empty it. */
export const defaultCache = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'featureboost', 'versus')

/** The same value gives the same key, in whatever order its fields were written. */
export const keyOf = (value: unknown): string => hashText(canonical(value)).slice(0, 16)

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}

/** Of the names and contents of files, in the order of their paths; clones of the repository agree. */
export function hashFiles(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of [...paths].sort()) hash.update(basename(path)).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

/** Of what a folder holds, wherever the folder is. */
export function hashFolder(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)))
  return hash.digest('hex').slice(0, 16)
}

export function hashNumbers({ buffer, byteLength, byteOffset }: Float64Array): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength)
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

export interface Kept {
  readonly folder: string
  /** False where it was made just now. */
  readonly found: boolean
}

/** `make` fills an empty folder, which takes its place only when `make` is through. */
export async function keepFolder(
  folder: string,
  fresh: boolean,
  make: (folder: string) => Promise<void> | void,
): Promise<Kept> {
  if (existsSync(folder) && !fresh) return { folder, found: true }
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  try {
    await make(unfinished)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(dirname(folder), { recursive: true })
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return { folder, found: false }
}
