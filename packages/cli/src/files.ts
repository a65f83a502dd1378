// Files on disk. Writing is atomic: a temporary file beside the target, flushed, then renamed; a crash leaves
// the old file or the new one, never half of either.

import { accessSync, constants, existsSync, rmSync, statSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FeatureBoostError, type Model, readModel } from '@featureboost/core'
import { nearestName } from '@featureboost/core/internal'
import { CommandError } from './errors.ts'

type ReadOptions = Parameters<typeof readModel>[1]

interface WriteOptions {
  readonly overwrite?: boolean
}

/** Throws where a file cannot be written, or would be overwritten: commands ask before the work, not after it. */
export function refuseOverwriting(path: string, { overwrite = false }: WriteOptions, flag = '--out'): void {
  requireFolder(path, flag)
  if (overwrite || !existsSync(path)) return
  throw new CommandError(
    2,
    `${path} exists already. Pass --force to overwrite it, or choose another ${flag}.`,
    { code: 'FB_FILE_WRITE' },
  )
}

/** A file is written beside its place first, so its folder has to be there and to take files. */
function requireFolder(path: string, flag: string): void {
  const folder = dirname(path)
  if (existsSync(path) && statSync(path).isDirectory())
    throw new CommandError(2, `${path} is a folder. Name a file with ${flag}.`, { code: 'FB_FILE_WRITE' })
  if (!existsSync(folder))
    throw new CommandError(
      3,
      `${path} could not be written: there is no folder ${folder}. Make it first, or choose another ${flag}.`,
      { code: 'FB_FILE_WRITE' },
    )
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw new CommandError(
      3,
      `${path} could not be written: ${folder} takes no files. Choose another ${flag}.`,
      { code: 'FB_FILE_WRITE' },
    )
  }
}

export async function writeModelFile(path: string, model: Model, options: WriteOptions = {}): Promise<void> {
  await writeTextFile(path, model.toText(), options)
}

export async function writeTextFile(path: string, text: string, options: WriteOptions = {}): Promise<void> {
  refuseOverwriting(path, options)
  await replaceFile(path, temporary => writeFile(temporary, text))
}

export async function readModelFile(path: string, options: ReadOptions = {}): Promise<Model> {
  return readModel(await readText(path), options)
}

export const readText = async (path: string): Promise<string> => textOf(await readBytes(path))

/** UTF-8; a byte order mark stays. */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = absent
      ? `there is no such file.${await nearestFile(path)}`
      : `${(error as Error).message}.`
    throw new CommandError(
      3,
      `${path}: ${reason}`,
      absent ? { code: 'FB_FILE_MISSING' } : { code: 'FB_FILE_FORMAT' },
    )
  }
}

/** " Did you mean ...?" where a file of a similar name lies there. */
async function nearestFile(path: string): Promise<string> {
  const folder = dirname(path)
  const close = nearestName(basename(path), await readdir(folder).catch(() => []))
  return close === undefined ? '' : ` Did you mean ${folder === '.' ? close : join(folder, close)}?`
}

/** Temporary files under way; whatever ends the process in good order takes them along. */
const unfinished = new Set<string>()
process.on('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true, recursive: true })
})

/** `path` is removed when the process exits, unless `done` was called. A kill -9 leaves it. */
export function removeAtExit(path: string): { readonly done: () => void } {
  unfinished.add(path)
  return { done: () => unfinished.delete(path) }
}

/** Where a file is written before it takes its place. */
export const temporaryFor = (path: string): string => `${path}.${process.pid}.tmp`

/** `write` fills a temporary file beside the target, which then takes the target's place, or is removed. */
export async function replaceFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = temporaryFor(path)
  const { done } = removeAtExit(temporary)
  try {
    await removeLeftovers(path)
    await write(temporary)
    await flush(temporary, 'r+')
    await rename(temporary, path)
    // The rename itself lasts only once the folder is flushed; not every platform can.
    await flush(dirname(path), 'r').catch(() => {})
  } catch (error) {
    await rm(temporary, { force: true })
    if (error instanceof CommandError || error instanceof FeatureBoostError) throw error
    throw new CommandError(3, `${path} could not be written: ${(error as Error).message}.`, {
      code: 'FB_FILE_WRITE',
    })
  } finally {
    done()
  }
}

/** Temporary files for the same target whose process was killed. */
async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => [])
  for (const name of names) {
    const [, pid] = /\.(\d+)\.tmp$/.exec(name) ?? []
    if (pid === undefined || name !== `${basename(path)}.${pid}.tmp` || isAlive(Number(pid))) continue
    await rm(join(dirname(path), name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

export async function flush(path: string, flags: string): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
