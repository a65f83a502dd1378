// The state of a monitor on disk: read, changed and written by one process at a time; what is there is the old state or the new one, whole.

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { FeatureBoostError, type Model, type Monitor, readMonitor } from '@featureboost/core'
import { FileLock } from '../checkpoint/lock.ts'
import { CommandError } from '../errors.ts'
import { readText, replaceFile } from '../files.ts'
import { targetOf } from '../outputs.ts'
import { systemReason } from '../systemReason.ts'

export async function readStateFile(path: string, model: Model): Promise<Monitor> {
  if (!existsSync(path))
    throw new CommandError(
      3,
      `${path}: there is no such file. Begin with --start and rows as they usually are: featureboost monitor ${path} DATA --model MODEL --start.`,
      { code: 'FB_FILE_MISSING' },
    )
  return readMonitor(await readText(path), model)
}

export const writeStateFile = (path: string, monitor: Monitor): Promise<void> =>
  replaceFile(path, temporary => writeFile(temporary, monitor.toText()))

/** Nobody else reads to write, or writes, meanwhile. */
export async function whileLocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = lockFor(path)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

function lockFor(path: string): FileLock {
  try {
    return FileLock.ofFile(targetOf(path))
  } catch (error) {
    if (error instanceof FeatureBoostError) throw error
    throw new FeatureBoostError('FB_FILE_WRITE', `its folder takes no files: ${systemReason(error)}.`, {
      path,
      hint: 'What was there before is as it was. With --dry-run nothing is written.',
    })
  }
}
