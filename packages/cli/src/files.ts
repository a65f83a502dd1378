// Files on disk. Writing is atomic: a temporary file beside the target, flushed, then renamed; a crash leaves
// the old file or the new one, never half of either.

import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { chmod, chown, link, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FeatureBoostError, type Model, readModel } from '@featureboost/core'
import { formatCount, nearestName } from '@featureboost/core/internal'
import { CommandError } from './errors.ts'
import { checkOutput, targetOf, temporaryOf } from './outputs.ts'
import { systemReason } from './systemReason.ts'

type ReadOptions = Parameters<typeof readModel>[1]

interface WriteOptions {
  readonly overwrite?: boolean
}

export async function writeModelFile(path: string, model: Model, options: WriteOptions = {}): Promise<void> {
  await writeTextFile(path, model.toText(), options)
}

export async function writeTextFile(path: string, text: string, options: WriteOptions = {}): Promise<void> {
  checkOutput(path, '--out', options.overwrite ?? false)
  await keepText(path, text, options)
}

/** After work that must not be lost: what has come to be there meanwhile is no reason to refuse, and is not overwritten unasked. */
export const keepText = (
  path: string,
  text: string,
  { overwrite = false }: WriteOptions = {},
): Promise<void> => replaceFile(path, temporary => writeFile(temporary, text), { overwrite })

export async function readModelFile(path: string, options: ReadOptions = {}): Promise<Model> {
  return readModel(textOf(await readBytes(path, 'more than a model has')), options)
}

export const readText = async (path: string): Promise<string> => textOf(await readBytes(path))

/** UTF-8; a byte order mark stays. */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** Bytes of a file that is read at once, at most: a model has at most 2^28 characters, few of them of more than one byte. */
const MOST_BYTES = 2 ** 29

export const isDevice = (path: string): CommandError =>
  new CommandError(3, `${path} is a device, which may have no end. Name a file or a pipe.`, {
    code: 'FB_FILE_FORMAT',
  })

/** Never more than are allowed, whatever the system says of its size: a pipe has none. */
export async function readBytes(path: string, tooMany = 'more than are read at once'): Promise<Uint8Array> {
  const file = await open(path).catch(async error => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new CommandError(3, `${path}: there is no such file.${await nearestFile(path)}`, {
        code: 'FB_FILE_MISSING',
      })
    throw unreadable(path, error)
  })
  try {
    const stat = await file.stat()
    if (stat.isCharacterDevice() || stat.isBlockDevice()) throw isDevice(path)
    const { size } = stat
    const chunks: Buffer[] = []
    let length = 0
    if (size <= MOST_BYTES) {
      for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: READ_BYTES })) {
        chunks.push(chunk as Buffer)
        length += (chunk as Buffer).length
        if (length > MOST_BYTES) break
      }
    }
    if (Math.max(size, length) > MOST_BYTES)
      throw new CommandError(3, `${path} has over ${formatCount(MOST_BYTES)} bytes, ${tooMany}.`, {
        code: 'FB_FILE_LIMIT',
      })
    return Buffer.concat(chunks, length)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw unreadable(path, error)
  } finally {
    await file.close()
  }
}

const READ_BYTES = 2 ** 20

export const unreadable = (path: string, error: unknown): CommandError =>
  new CommandError(
    3,
    `${path} could not be read: ${systemReason(error)}. Name another file, or change what the system permits.`,
    { code: 'FB_FILE_FORMAT' },
  )

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
export const temporaryFor = (path: string): string => temporaryOf(targetOf(path))

/** Somebody else has made the file meanwhile, and it is not to be overwritten: what was to be there is beside it, whole. */
export class KeptBeside extends FeatureBoostError {
  readonly kept: string

  constructor(path: string, kept: string) {
    super(
      'FB_FILE_WRITE',
      `somebody else has made this file meanwhile. It is left as it is, and what was to be written is in ${kept}, whole.`,
      { path, hint: 'Rename one of the two.' },
    )
    this.kept = kept
  }
}

interface ReplaceOptions {
  /** false: a file that was not there when the work began is not overwritten; then it ends with `KeptBeside`. */
  readonly overwrite?: boolean
  /** Who may read and write the file; otherwise as the file that is replaced, or as is usual. */
  readonly mode?: number
}

/**
 * `write` fills a temporary file beside the target, which then takes the target's place, or is removed. A link is followed and kept. The
 * file that is replaced hands on its mode, and its owner where that is permitted.
 */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void>,
  { mode, overwrite = true }: ReplaceOptions = {},
): Promise<void> {
  // A link that somebody has put there meanwhile is not followed, either.
  const target = overwrite ? targetOf(path) : join(targetOf(dirname(path)), basename(path))
  const temporary = temporaryOf(target)
  const { done } = removeAtExit(temporary)
  const before = overwrite ? statSync(target, { throwIfNoEntry: false }) : undefined
  const kept = mode ?? (before === undefined ? undefined : before.mode & 0o777)
  try {
    await removeLeftovers(target)
    await rm(temporary, { force: true })
    // Nobody else reads what a private file is to hold, not even while it is written.
    await (await open(temporary, 'wx', kept === undefined ? 0o666 : 0o600)).close()
    await write(temporary)
    await flush(temporary, 'r+')
    if (before !== undefined) await chown(temporary, before.uid, before.gid).catch(() => {})
    if (kept !== undefined) await chmod(temporary, kept)
    if (overwrite) await rename(temporary, target)
    const place = overwrite ? target : await placeFree(temporary, target)
    // The rename itself lasts only once the folder is flushed; not every platform can.
    await flush(dirname(target), 'r').catch(() => {})
    if (place !== target) throw new KeptBeside(path, join(dirname(path), basename(place)))
  } catch (error) {
    await rm(temporary, { force: true })
    if (error instanceof CommandError || error instanceof FeatureBoostError) throw error
    throw new FeatureBoostError('FB_FILE_WRITE', `could not be written: ${systemReason(error)}.`, {
      path,
      hint: 'What was there before is as it was.',
    })
  } finally {
    done()
  }
}

/** What drives say that have no links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/** Where nothing is yet: the target, or `loans.2.fb.json` beside it, and so on. A link, other than a rename, overwrites nothing. */
async function placeFree(temporary: string, target: string): Promise<string> {
  for (let number = 1; ; number++) {
    const place = number === 1 ? target : numbered(target, number)
    try {
      await link(temporary, place)
      await rm(temporary, { force: true })
      return place
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      if (!NO_LINKS.includes(code)) throw error
      if (existsSync(place)) continue
      await rename(temporary, place)
      return place
    }
  }
}

/** The number comes before what says the format. */
const numbered = (path: string, number: number): string =>
  join(dirname(path), basename(path).replace(/^(.[^.]*)/, `$1.${number}`))

/** Temporary files for the same target whose process was killed. */
async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => [])
  for (const name of names) {
    const [, pid] = /\.(\d+)\.tmp$/.exec(name) ?? []
    if (pid === undefined || name !== `${basename(path)}.${pid}.tmp` || isAlive(Number(pid))) continue
    await rm(join(dirname(path), name), { force: true })
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/**
 * Makes a folder and those above it, one by one. `mkdir` with `recursive` never ends below a folder such as /proc, which is there and
 * takes no folder.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const above = dirname(path)
  if (above !== path) makeFolder(above)
  try {
    mkdirSync(path)
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
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
