// Where a command may write, asked before the work and not after it. An output is an ordinary file, or is not there yet; it is none that
// the command reads, and no two outputs are one file, however they are spelled or linked.

import {
  type BigIntStats,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { FeatureBoostError } from '@featureboost/core'
import { CommandError } from './errors.ts'
import { systemReason } from './systemReason.ts'

export interface Output {
  /** The flag that names it. */
  readonly flag: string
  /** Undefined where the flag was not given; - is stdout. */
  readonly path: string | undefined
  readonly overwrite: boolean
}

/** What a checkpoint keeps in its folder. */
export const LOG_FILE = 'rounds.log'
export const LOCK_FILE = 'lock'
const CHECKPOINT_FILES = [LOG_FILE, LOCK_FILE]

/** The flags of all commands that name files to write. */
export interface OutputOptions {
  readonly out?: string
  readonly report?: string
  readonly protectOut?: string
  readonly csv?: string
  /** Removed at the end; what an earlier run has left is taken over. */
  readonly database?: string
  /** A folder, whose files are written and removed at the end. */
  readonly checkpoint?: string
  readonly force?: boolean
}

/** `overwrite`: of --out; the others go by --force. */
export function outputsOf(options: OutputOptions, overwrite = options.force ?? false): Output[] {
  const { checkpoint, csv, database, force = false, out, protectOut, report } = options
  const kept = (checkpoint === undefined ? [] : CHECKPOINT_FILES).map(name => ({
    ...{ flag: '--checkpoint', path: join(checkpoint!, name), overwrite: true },
  }))
  return [
    { flag: '--out', path: out, overwrite },
    { flag: '--report', path: report, overwrite: force },
    { flag: '--protect-out', path: protectOut, overwrite: force },
    { flag: '--csv', path: csv, overwrite: force },
    { flag: '--database', path: database, overwrite: true },
    ...kept,
  ]
}

/** The flags of all commands that name files to read. */
interface InputOptions {
  readonly model?: string
  readonly key?: string
  readonly baseline?: string
  readonly comparison?: string
  readonly config?: string
  /** These name a file where they hold an @. */
  readonly groups?: string
  readonly auditors?: string
  readonly losses?: string
}

/** What a command reads, as far as its words name it: patterns are for `refuseReading`, once they are expanded. */
export function inputsOf(paths: readonly string[], options: InputOptions = {}): string[] {
  const { auditors, baseline, comparison, config, groups, key, losses, model } = options
  const listed = [groups, auditors, losses].map(text => (text?.includes('@') ? afterAt(text) : undefined))
  return [...paths, model, key, baseline, comparison, config, ...listed].filter(path => path !== undefined)
}

const afterAt = (text: string): string => text.slice(text.indexOf('@') + 1)

/** Throws where one of the outputs cannot be written, or must not be. */
export function checkOutputs(outputs: readonly Output[], inputs: readonly string[] = []): void {
  refuseSame(outputs)
  refuseReading(outputs, inputs)
  for (const { flag, overwrite, path } of named(outputs)) checkOutput(path, flag, overwrite)
}

/** The outputs that are files. */
const named = (outputs: readonly Output[]) =>
  outputs.filter((output): output is Output & { path: string } => ![undefined, '-'].includes(output.path))

function refuseSame(outputs: readonly Output[]): void {
  const seen = new Map<string, Output>()
  for (const output of named(outputs)) {
    for (const identity of identitiesOf(output.path)) {
      const other = seen.get(identity)
      if (other !== undefined && other !== output)
        throw new FeatureBoostError(
          'FB_OUTPUT_TWICE',
          `${other.flag} ${other.path} and ${output.flag} ${output.path} are one file: only what is written last would be left.`,
          { hint: `Choose another ${output.flag}.` },
        )
      seen.set(identity, output)
    }
  }
}

/** Throws where an output is one of the files that are read: with --force, too, because what was read would be gone. */
export function refuseReading(outputs: readonly Output[], inputs: readonly string[]): void {
  const read = new Map(inputs.flatMap(path => identitiesOf(path).map(identity => [identity, path] as const)))
  for (const { flag, path } of named(outputs)) {
    const [input] = identitiesOf(path).flatMap(identity => read.get(identity) ?? [])
    if (input === undefined) continue
    const same = input === path ? '' : `, which is ${input},`
    throw new FeatureBoostError(
      'FB_OUTPUT_INPUT',
      `${flag} ${path}${same} is read by this command, and would be overwritten.`,
      { hint: `Choose another ${flag}; --force does not allow this.` },
    )
  }
}

/** What two names of one file have in common: where it is once links are followed; and the file itself, for hard links. */
function identitiesOf(path: string): string[] {
  const found = fileAt(path)
  const folder = dirname(resolve(path))
  const place =
    found === undefined
      ? join(existsSync(folder) ? realpathSync(folder) : folder, basename(path))
      : realPathOf(path)
  return found === undefined || found.ino === 0n ? [place] : [place, `${found.dev}:${found.ino}`]
}

/** Undefined where nothing can be seen there: what is wrong with it, others say. */
function fileAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

/** Links of /proc lead to pipes that have no path. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

export function checkOutput(path: string, flag: string, overwrite: boolean): void {
  const found = lookAt(path, flag)
  refuseKind(path, flag, found)
  if (found !== undefined && !overwrite)
    throw new CommandError(
      2,
      `${path} exists already. Pass --force to overwrite it, or choose another ${flag}.`,
      { code: 'FB_FILE_WRITE' },
    )
  requireFolder(path, flag)
}

/** What is there, links followed. Undefined where nothing is. */
function lookAt(path: string, flag: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw noPlace(path, flag, systemReason(error))
  }
}

/** Names that stand for streams of this process, whatever is behind them. */
const STREAM = /^\/(dev\/(stdin|stdout|stderr|fd\/)|proc\/)/

function refuseKind(path: string, flag: string, found: Stats | undefined): void {
  if (found?.isDirectory())
    throw new CommandError(2, `${path} is a folder. Name a file with ${flag}.`, { code: 'FB_FILE_WRITE' })
  const what = kindOf(path, found)
  if (what === undefined) return
  throw new FeatureBoostError('FB_OUTPUT_KIND', `${what}, and files are written to ordinary files only.`, {
    path,
    hint: `Choose another ${flag}.`,
  })
}

function kindOf(path: string, found: Stats | undefined): string | undefined {
  if (STREAM.test(resolve(path))) return 'this is a stream'
  if (found === undefined)
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
      ? `this is a link to ${readlinkSync(path)}, which is not there`
      : undefined
  if (found.isFile()) return undefined
  return found.isFIFO() ? 'this is a pipe' : found.isSocket() ? 'this is a socket' : 'this is a device'
}

/** A file is written beside its place first, so its folder has to be there and to take files: one is made and removed. */
function requireFolder(path: string, flag: string): void {
  const target = targetOf(path)
  const folder = dirname(target)
  if (!existsSync(folder))
    throw noPlace(path, flag, `there is no folder ${folder}`, 'Make it first, or choose')
  const temporary = temporaryOf(target)
  try {
    // A link that somebody has put there is not followed.
    rmSync(temporary, { force: true })
    closeSync(openSync(temporary, 'wx'))
    rmSync(temporary)
  } catch (error) {
    throw noPlace(path, flag, systemReason(error))
  }
}

const noPlace = (path: string, flag: string, reason: string, todo = 'Choose') =>
  new FeatureBoostError('FB_OUTPUT_FOLDER', `could not be written: ${reason}.`, {
    path,
    hint: `${todo} another ${flag}.`,
  })

/** What a path stands for: a link is followed and kept. */
export const targetOf = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realPathOf(dirname(path)), basename(path))

/** Beside its target, so that a rename is all that is left to do. */
export const temporaryOf = (target: string): string => `${target}.${process.pid}.tmp`
