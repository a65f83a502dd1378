// Model files on disk. Writing is atomic: a temporary file beside the target, flushed, then renamed; a crash leaves
// the old file or the new one, never half of either.

import { existsSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { type Model, readModel } from '@featureboost/core'
import { CommandError } from './errors.ts'

type ReadOptions = Parameters<typeof readModel>[1]

interface WriteOptions {
  readonly overwrite?: boolean
}

/** Throws where a file would be overwritten: commands ask before the work, not after it. */
export function refuseOverwriting(path: string, { overwrite = false }: WriteOptions): void {
  if (overwrite || !existsSync(path)) return
  throw new CommandError(2, `${path} exists already. Pass --force to overwrite it, or choose another --out.`)
}

export async function writeModelFile(path: string, model: Model, options: WriteOptions = {}): Promise<void> {
  refuseOverwriting(path, options)
  await writeAtomically(path, model.toText())
}

export async function readModelFile(path: string, options: ReadOptions = {}): Promise<Model> {
  return readModel(await readText(path), options)
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message
    throw new CommandError(3, `${path}: ${reason}.`)
  }
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const file = await open(temporary, 'w')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new CommandError(3, `${path} could not be written: ${(error as Error).message}.`)
  }
}
