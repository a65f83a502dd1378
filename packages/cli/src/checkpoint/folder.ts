// The checkpoint of a fit on disk: one log in a folder of the user's choice, removed once the model is written.
//
// A round costs one write of its own line, so thousands of small rounds are no burden. What is written survives the end of the
// process at once; that it survives the end of the machine, too, is seen to every few seconds. Rounds that are lost are
// computed again. One fit at a time: lock.ts.

import { closeSync, existsSync, openSync, rmdirSync, statSync, writeSync } from 'node:fs'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CheckpointStore, FeatureBoostError } from '@featureboost/core'
import type { CheckpointEntry } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { flush, makeFolder, readModelFile, replaceFile, unreadable } from '../files.ts'
import { LOG_FILE } from '../outputs.ts'
import { systemReason } from '../systemReason.ts'
import { FileLock } from './lock.ts'
import { FIRST_SEAL, type LogLine, readLog, writeLine } from './log.ts'

const FLUSH_AFTER_MS = 2000

export class CheckpointFolder implements CheckpointStore {
  readonly folder: string
  readonly #path: string
  readonly #lock: FileLock
  readonly #tell: (line: string) => void
  #entries: readonly unknown[] = []
  /** Of the model that was about to be written when the process ended. */
  #modelHash: string | undefined
  #seal = FIRST_SEAL
  #end = 0
  #file: number | undefined
  #flushed = performance.now()
  #saved = 0

  private constructor(folder: string, lock: FileLock, tell: (line: string) => void) {
    this.folder = folder
    this.#lock = lock
    this.#path = join(folder, LOG_FILE)
    this.#tell = tell
  }

  /** Reads what is there. Without `resume` there must be nothing. Nobody else has it until it is closed. */
  static async open(
    folder: string,
    { resume, tell }: { readonly resume: boolean; readonly tell: (line: string) => void },
  ): Promise<CheckpointFolder> {
    if (existsSync(folder) && !statSync(folder).isDirectory())
      throw new CommandError(
        2,
        `--checkpoint ${folder}: this is a file. Name a folder; it need not exist yet.`,
      )
    const checkpoint = new CheckpointFolder(folder, lockFolder(folder), tell)
    try {
      if (!existsSync(checkpoint.#path)) return checkpoint
      if (!resume)
        throw new CommandError(
          2,
          `${folder} holds the checkpoint of a fit that was cut off. Pass --resume to go on with it, or name another folder.`,
          { code: 'FB_CHECKPOINT_THERE' },
        )
      await checkpoint.#read()
      return checkpoint
    } catch (error) {
      checkpoint.close()
      throw error
    }
  }

  /** How many rounds are kept. */
  get roundCount(): number {
    return Math.max(0, this.#entries.length - 1) + this.#saved
  }

  async load(): Promise<readonly unknown[]> {
    return this.#entries
  }

  async save(entry: CheckpointEntry): Promise<void> {
    if (entry.kind === 'run') return await this.#create(entry)
    this.#append(entry)
    this.#saved++
    if (performance.now() - this.#flushed < FLUSH_AFTER_MS) return
    await flush(this.#path, 'r+')
    this.#flushed = performance.now()
  }

  /** Says which model is about to be written: should the process end right after that, the file is known to be ours. */
  async announce(modelHash: string): Promise<void> {
    // Said already, by a process that ended before it could remove the checkpoint: at no moment may it be unsaid.
    if (modelHash === this.#modelHash) return
    this.#append({ kind: 'model', hash: modelHash })
    await flush(this.#path, 'r+')
  }

  /** Is this file the model that the checkpoint led to? */
  async hasWritten(path: string): Promise<boolean> {
    if (this.#modelHash === undefined || !existsSync(path)) return false
    return await readModelFile(path).then(
      model => model.hash === this.#modelHash,
      () => false,
    )
  }

  /** Lets others have it; a folder with nothing in it goes. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#lock.release()
    removeIfEmpty(this.folder)
  }

  /** The log, and the folder if nothing else is in it. */
  async remove(): Promise<void> {
    await rm(this.#path, { force: true })
    this.close()
  }

  async #read(): Promise<void> {
    const bytes = await readFile(this.#path).catch(error => {
      throw unreadable(this.#path, error)
    })
    const { damagedLines, lines } = readLog(bytes)
    if (lines.length === 0)
      throw new CommandError(
        3,
        `${this.#path} is damaged from its first line on. Delete it, and fit from the beginning.`,
        { code: 'FB_CHECKPOINT_DAMAGED' },
      )
    const good = lines[lines.length - 1]
    // New lines go where the torn or damaged ones began; what is longer than they are would stick out behind.
    if (bytes.length > good.end) await truncate(this.#path, good.end)
    const announced = modelHashIn(good)
    const kept = announced === undefined ? lines : lines.slice(0, -1)
    this.#entries = kept.map(({ value }) => value)
    this.#modelHash = announced
    const last = kept.at(-1)
    this.#seal = last?.seal ?? FIRST_SEAL
    this.#end = last?.end ?? 0
    if (damagedLines > 0)
      this.#tell(`${this.#path} is damaged after ${this.roundCount} rounds: later ones are computed again.`)
  }

  async #create(entry: CheckpointEntry): Promise<void> {
    const { seal, text } = writeLine(entry, FIRST_SEAL)
    await replaceFile(this.#path, temporary => writeFile(temporary, text))
    this.#seal = seal
    this.#end = Buffer.byteLength(text)
  }

  /** At a place of its own, which is the same for every process that runs this fit. */
  #append(value: unknown): void {
    const { seal, text } = writeLine(value, this.#seal)
    try {
      this.#file ??= openSync(this.#path, 'r+')
      const bytes = Buffer.from(text)
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(this.#file, bytes, written, bytes.length - written, this.#end + written)
      }
      this.#seal = seal
      this.#end += bytes.length
    } catch (error) {
      throw new FeatureBoostError('FB_FILE_WRITE', `could not be written: ${systemReason(error)}.`, {
        path: this.#path,
        hint: 'What was kept before is as it was: see to that, and go on with --resume.',
      })
    }
  }
}

function lockFolder(folder: string): FileLock {
  try {
    makeFolder(folder)
    return FileLock.ofFolder(folder)
  } catch (error) {
    if (error instanceof FeatureBoostError) throw error
    throw new FeatureBoostError('FB_FILE_WRITE', `this folder takes no files: ${systemReason(error)}.`, {
      path: folder,
      hint: 'Choose another --checkpoint.',
    })
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Something is in it.
  }
}

function modelHashIn({ value }: LogLine): string | undefined {
  const { hash, kind } = value as { kind?: unknown; hash?: unknown }
  return kind === 'model' && typeof hash === 'string' ? hash : undefined
}
