// Faults of files, one after the other: for every command that writes, the first operation on a file of its folder fails, then the
// second, and so on, each in a run of its own. Every output must be the old file or the new one, whole; temporary files must be gone; and
// the command must say with a code what happened, or have done its work all the same.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Run } from '../claim.ts'
import { type Ended, firstLines, runProgram, wrongEnd } from '../program.ts'
import {
  type Expected,
  environmentOf,
  leftovers,
  makeScene,
  prepareInputs,
  stateOf,
  WRITINGS,
  type Writing,
  writeUndisturbed,
} from '../writing.ts'

/** EIO: one operation fails. ENOSPC: all writes from there on. SHORT: one write takes half of what it was given. */
export const FAULT_KINDS = ['EIO', 'ENOSPC', 'SHORT'] as const
type FaultKind = (typeof FAULT_KINDS)[number]

interface Fault {
  readonly kind: FaultKind
  /** Counted from 1. */
  readonly at: number
  /** What an undisturbed run does there. */
  readonly what: string
}

export interface FaultReport {
  readonly faults: number
  readonly commands: number
  /** Operations of undisturbed runs. */
  readonly operations: number
  /** Runs that did their work all the same. */
  readonly done: number
  readonly problems: readonly string[]
}

/** Builds what stands between a program and the C library. */
export function buildFaults(folder: string): string {
  const source = fileURLToPath(new URL('faults.c', import.meta.url))
  const library = join(folder, 'faults.so')
  const { error, stderr } = spawnSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
  })
  if (!existsSync(library))
    throw new Error(
      `Faults need a C compiler (cc; on Debian: apt-get install gcc libc6-dev). ${error ?? stderr}`,
    )
  return library
}

/** `size`: faults of each kind for each command, at most; they are spread over all operations. */
export async function tryFaults({ folder, say, size }: Run): Promise<FaultReport> {
  const scene = await prepareFaults(folder)
  let [faults, operations, done] = [0, 0, 0]
  const problems: string[] = []
  for (const writing of WRITINGS) {
    const found = await tryFaultsOn(scene, writing, counted => chooseFaults(counted, size))
    faults += found.faults
    operations += found.operations
    done += found.done
    problems.push(...found.problems)
    say(`${writing.name}: ${faults} faults, ${problems.length} problems`)
  }
  return { faults, commands: WRITINGS.length, operations, done, problems }
}

/** Where faults are tried. */
interface Scene {
  readonly inputs: string
  readonly scene: string
  readonly library: string
}

export async function prepareFaults(given: string): Promise<Scene> {
  const folder = realpathSync(given)
  const inputs = join(folder, 'inputs')
  await prepareInputs(inputs)
  return { inputs, scene: join(folder, 'scene'), library: buildFaults(folder) }
}

/** Faults of one command, chosen by what it does without them. */
export async function tryFaultsOn(
  { inputs, library, scene }: Scene,
  writing: Writing,
  choose: (counted: readonly string[]) => readonly Fault[],
): Promise<Omit<FaultReport, 'commands'>> {
  const expected = await writeUndisturbed(inputs, scene, writing)
  const counted = await countOperations(inputs, scene, writing, library)
  const faults = choose(counted)
  const problems: string[] = []
  let done = 0
  for (const fault of faults) {
    const { ended, problem } = await tryFault({ inputs, scene, writing, library, expected }, fault)
    if (ended.code === 0) done++
    const { at, kind, what } = fault
    if (problem !== undefined) problems.push(`${writing.name}, ${kind} at ${at} (${what}): ${problem}`)
  }
  return { faults: faults.length, operations: counted.length, done, problems }
}

interface Trial {
  readonly inputs: string
  readonly scene: string
  readonly writing: Writing
  readonly library: string
  readonly expected: Expected
}

/** "open /path", "write", one for each operation. */
async function countOperations(
  inputs: string,
  scene: string,
  writing: Writing,
  library: string,
): Promise<readonly string[]> {
  makeScene(inputs, scene, writing)
  const log = join(inputs, '..', 'operations.txt')
  const env = { ...environmentOf(scene), LD_PRELOAD: library, FAULT_UNDER: scene, FAULT_COUNT: log }
  const { code, stderr } = await runProgram(writing.args, { folder: scene, env })
  if (code !== 0) throw new Error(`${writing.name}, counted, ended with ${code}: ${firstLines(stderr)}`)
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  rmSync(log)
  return lines.map(line => line.replace(/^\d+ /, '').replace(`${scene}/`, ''))
}

const WRITES = /^(write|flush|rename|link|mkdir)/

function chooseFaults(counted: readonly string[], size: number): Fault[] {
  return FAULT_KINDS.flatMap(kind => {
    const places = counted.flatMap((what, index) => {
      const isFit = kind === 'EIO' || (kind === 'SHORT' ? what.startsWith('write') : WRITES.test(what))
      return isFit ? [{ kind, at: index + 1, what }] : []
    })
    const step = Math.max(1, places.length / size)
    return Array.from(
      { length: Math.min(size, places.length) },
      (_, index) => places[Math.floor(index * step)],
    )
  })
}

async function tryFault(
  { expected, inputs, library, scene, writing }: Trial,
  { at, kind }: Fault,
): Promise<{ readonly ended: Ended; readonly problem: string | undefined }> {
  makeScene(inputs, scene, writing)
  const env = environmentOf(scene)
  const faulty = { ...env, LD_PRELOAD: library, FAULT_UNDER: scene, FAULT_AT: String(at), FAULT_KIND: kind }
  const ended = await runProgram(writing.args, { folder: scene, env: faulty })
  const problem = wrongEnd(ended) ?? wrongFiles() ?? (await wrongNext())
  return { ended, problem }

  function wrongFiles(): string | undefined {
    const states = writing.outputs.map(
      name => [name, stateOf(inputs, scene, name, expected, writing)] as const,
    )
    const broken = states.find(([, state]) => state === 'broken' || state === 'missing')
    if (broken !== undefined) return `${broken.join(' is ')}: ${firstLines(ended.stderr)}`
    if (ended.code === 0 && states.some(([, state]) => state === 'old')) return 'said to be done, and is not'
    const left = leftovers(inputs, scene, writing)
    if (left.length > 0) return `left behind or changed: ${left.join(', ')}`
    if (kind === 'SHORT' && ended.code !== 0)
      return `a short write is no failure: ${firstLines(ended.stderr)}`
    return undefined
  }

  /** What was kept must lead to the same file. */
  async function wrongNext(): Promise<string | undefined> {
    if (writing.keeps === undefined || ended.code === 0) return undefined
    const { code, stderr } = await runProgram(writing.args, { folder: scene, env })
    if (code !== 0) return `the next run ended with ${code}: ${firstLines(stderr)}`
    const isNew = writing.outputs.every(name => stateOf(inputs, scene, name, expected, writing) === 'new')
    if (!isNew) return 'the next run wrote another file'
    return existsSync(join(scene, writing.keeps)) ? `the next run left ${writing.keeps}` : undefined
  }
}
