// One at a time: one fit on a checkpoint folder, one batch on the state of a monitor. The lock is a file that says who holds it: machine, process and when that process began.
// A process that is killed leaves the file behind; whoever comes next sees that nobody holds it any more, and takes it over. What
// cannot be looked at, a process of another machine or container, is taken for alive as long as it keeps touching its file.

import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { FeatureBoostError } from '@featureboost/core'
import { isAlive, removeAtExit } from '../files.ts'
import { LOCK_FILE } from '../outputs.ts'

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

/** What is locked. */
interface Locked {
  /** The file that is the lock. */
  readonly path: string
  /** Somebody holds it; undefined where that is known and no more. */
  readonly inUse: (holder: Holder | undefined) => FeatureBoostError
}

export class FileLock {
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

  /** Of a checkpoint. The folder is there. */
  static ofFolder = (folder: string): FileLock =>
    FileLock.take({ path: join(folder, LOCK_FILE), inUse: holder => inUse(folder, holder) })

  /** Of a file, which need not be there yet; its folder is. */
  static ofFile = (file: string): FileLock =>
    FileLock.take({ path: `${file}.lock`, inUse: holder => fileInUse(file, holder) })

  /** Refuses where somebody holds it. */
  static take({ inUse, path }: Locked): FileLock {
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
        if (tries >= MOST_TRIES) throw inUse(undefined)
        removeLapsed(inUse, path, aside)
      }
    } finally {
      rmSync(aside, { force: true })
    }
    return new FileLock(path, text)
  }

  release(): void {
    clearInterval(this.#touching)
    this.#atExit.done()
    // Never that of somebody else, who found this one lapsed. A drive that fails for once is asked again.
    if ((readText(this.#path) ?? readText(this.#path)) === this.#text) rmSync(this.#path, { force: true })
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
function removeLapsed(inUse: Locked['inUse'], path: string, aside: string): void {
  const text = readText(path)
  if (text === undefined) return
  const holder = readHolder(text)
  if (isHeld(holder, path, aside)) throw inUse(holder)
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
  return new FeatureBoostError(
    'FB_CHECKPOINT_IN_USE',
    `${nameOf(holder, 'fit')} is fitting with this checkpoint.`,
    {
      path: folder,
      hint: `Wait for it to end, or name another folder.${lapseWords(holder, 'fit', join(folder, LOCK_FILE))}`,
    },
  )
}

const fileInUse = (file: string, holder: Holder | undefined): FeatureBoostError =>
  new FeatureBoostError('FB_MONITOR_IN_USE', `${nameOf(holder, 'process')} is adding to this monitor.`, {
    path: file,
    hint: `Wait for it to end, and add this batch again: it was not recorded.${lapseWords(holder, 'process', `${file}.lock`)}`,
  })

const isOfHere = (holder: Holder | undefined): boolean => holder?.machine === machineName()

function nameOf(holder: Holder | undefined, what: string): string {
  if (holder === undefined) return `another ${what}`
  return `process ${holder.pid}${isOfHere(holder) ? '' : ` of ${holder.machine.split(' ')[0]}`}`
}

const lapseWords = (holder: Holder | undefined, what: string, path: string): string =>
  isOfHere(holder) ? '' : ` If that ${what} has ended, its lock lapses within a minute; or remove ${path}.`
