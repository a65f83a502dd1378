// One fit at a time on one checkpoint folder. The lock is a file that says who holds it: machine, process and when that process began.
// A process that is killed leaves the file behind; whoever comes next sees that nobody holds it any more, and takes it over. What
// cannot be looked at, a process of another machine or container, is taken for alive as long as it keeps touching its file.

import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { FeatureBoostError } from '@featureboost/core'
import { isAlive, removeAtExit } from '../files.ts'

const LOCK_FILE = 'lock'

/** The holder touches its file so often; what was not touched for so long is nobody's. */
const TOUCH_MS = 5000
const LAPSE_MS = 60_000

interface Holder {
  readonly machine: string
  readonly pid: number
  /** When the process began, as the system counts it; empty where it does not say. */
  readonly began: string
  /** Of this lock alone. */
  readonly token: string
}

export class FolderLock {
  readonly #path: string
  readonly #text: string
  readonly #touching: NodeJS.Timeout
  readonly #atExit: { readonly done: () => void }

  private constructor(path: string, text: string) {
    this.#path = path
    this.#text = text
    this.#atExit = removeAtExit(path)
    this.#touching = setInterval(() => touch(path), TOUCH_MS).unref()
  }

  /** Refuses with FB_CHECKPOINT_IN_USE where somebody holds it. The folder is there. */
  static take(folder: string): FolderLock {
    const path = join(folder, LOCK_FILE)
    const holder: Holder = {
      machine: machineName(),
      pid: process.pid,
      began: beganAt(process.pid),
      token: randomUUID(),
    }
    const text = `${JSON.stringify(holder)}\n`
    // Written aside, so that nobody ever reads half a lock.
    const aside = `${path}.${holder.token}`
    try {
      writeFileSync(aside, text)
      for (let tries = 0; !hasLinked(aside, path); tries++) {
        if (tries >= MOST_TRIES) throw inUse(folder, undefined)
        removeLapsed(folder, path, aside)
      }
    } finally {
      rmSync(aside, { force: true })
    }
    return new FolderLock(path, text)
  }

  release(): void {
    clearInterval(this.#touching)
    this.#atExit.done()
    // Never that of somebody else, who found this one lapsed.
    if (readText(this.#path) === this.#text) rmSync(this.#path, { force: true })
  }
}

/** So many others may come and go while one waits for none. */
const MOST_TRIES = 10

/** A link is made by one only, whoever else tries at that moment. */
function hasLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Takes away a lock that nobody holds; refuses where somebody does. */
function removeLapsed(folder: string, path: string, aside: string): void {
  const text = readText(path)
  if (text === undefined) return
  const holder = readHolder(text)
  if (isHeld(holder, path, aside)) throw inUse(folder, holder)
  const taken = `${aside}.old`
  try {
    renameSync(path, taken)
  } catch {
    return
  }
  // Somebody was faster, and this is the lock of a fit that has just begun: it goes back.
  if (readText(taken) !== text) hasLinked(taken, path)
  rmSync(taken, { force: true })
}

function isHeld(holder: Holder | undefined, path: string, aside: string): boolean {
  if (holder?.machine === machineName())
    return isAlive(holder.pid) && (holder.began === '' || beganAt(holder.pid) === holder.began)
  // Both times are of the drive's own clock.
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return touched !== undefined && statSync(aside).mtimeMs - touched < LAPSE_MS
}

/** Undefined where it is no lock of ours. */
function readHolder(text: string): Holder | undefined {
  try {
    const { began, machine, pid, token } = JSON.parse(text) as Partial<Holder>
    const isWhole = typeof machine === 'string' && typeof began === 'string' && typeof token === 'string'
    return isWhole && Number.isSafeInteger(pid) && pid! > 0 ? { began, machine, pid: pid!, token } : undefined
  } catch {
    return undefined
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // The folder was removed: nothing is left to hold.
  }
}

/** Its name, and since when it runs: after a restart no process of before is alive. */
function machineName(): string {
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return `${hostname()} ${boot}`.trim()
}

/** Numbers of processes are used again; with this they are told apart. Known on Linux. */
function beganAt(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`)
  // The name of the program, in brackets, may hold anything.
  return stat === undefined ? '' : (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '')
}

function inUse(folder: string, holder: Holder | undefined): FeatureBoostError {
  const isHere = holder?.machine === machineName()
  const who =
    holder === undefined
      ? 'another fit'
      : `process ${holder.pid}${isHere ? '' : ` of ${holder.machine.split(' ')[0]}`}`
  const otherwise = isHere
    ? ''
    : ` If that fit has ended, its lock lapses within a minute; or remove ${join(folder, LOCK_FILE)}.`
  return new FeatureBoostError('FB_CHECKPOINT_IN_USE', `${who} is fitting with this checkpoint.`, {
    path: folder,
    hint: `Wait for it to end, or name another folder.${otherwise}`,
  })
}
