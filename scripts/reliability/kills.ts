// kill -9 while files are written: every command that writes is killed at random moments, most of them while its output is under way.
// Every output must be the old file or the new one, whole; and the next run must do its work and take what was left beside it away.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeRandom, type Random } from '../../packages/core/src/common/random.ts'
import type { Run } from './claim.ts'
import { firstLines, runProgram } from './program.ts'
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
} from './writing.ts'

export interface WriteKillReport {
  kills: number
  /** Kills after which an output was the new file; the old one. */
  newFiles: number
  oldFiles: number
  /** Kills that left a temporary file for the next run to take away. */
  leftFiles: number
  readonly problems: string[]
}

interface Target {
  readonly writing: Writing
  readonly expected: Expected
  readonly lifetime: number
}

/** `size`: kills. */
export async function killWrites({ folder, say, size }: Run, seed = 1): Promise<WriteKillReport> {
  const report: WriteKillReport = { kills: 0, newFiles: 0, oldFiles: 0, leftFiles: 0, problems: [] }
  const random = makeRandom(seed)
  const inputs = join(folder, 'inputs')
  await prepareInputs(inputs)
  const targets: Target[] = []
  for (const writing of WRITINGS) {
    const started = performance.now()
    const expected = await writeUndisturbed(inputs, join(folder, 'scene'), writing)
    targets.push({ writing, expected, lifetime: performance.now() - started })
  }
  for (let count = 0; report.kills < size; count++) {
    await killOnce(inputs, join(folder, 'scene'), targets[count % targets.length], random, report)
    say(`${report.kills} kills, ${report.problems.length} problems`)
  }
  return report
}

/** Where outputs are, as names of files that are under way have it: name.PID.tmp. */
const isUnderWay = (folder: string): boolean => readdirSync(folder).some(name => name.endsWith('.tmp'))

async function killOnce(
  inputs: string,
  scene: string,
  { expected, lifetime, writing }: Target,
  random: Random,
  report: WriteKillReport,
): Promise<void> {
  makeScene(inputs, scene, writing)
  const env = environmentOf(scene)
  const waits = random.next() < 0.7
  const wait = waits ? 4 * random.next() : 1.1 * lifetime * random.next()
  let timer: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined
  const ended = await runProgram(writing.args, {
    ...{ folder: scene, env },
    started: child => {
      const kill = () => child.kill('SIGKILL')
      if (!waits) timer = setTimeout(kill, wait)
      else
        watch = setInterval(() => {
          if (timer === undefined && isUnderWay(scene)) timer = setTimeout(kill, wait)
        }, 1)
    },
  })
  clearTimeout(timer)
  clearInterval(watch)
  if (ended.signal !== 'SIGKILL') return
  report.kills++
  const tell = (problem: string) => report.problems.push(`${writing.name}, kill ${report.kills}: ${problem}`)
  for (const name of writing.outputs) {
    const state = stateOf(inputs, scene, name, expected, writing)
    if (state === 'old') report.oldFiles++
    else if (state === 'new') report.newFiles++
    else tell(`${name} is ${state}`)
  }
  if (isUnderWay(scene)) report.leftFiles++
  const next = await runProgram(writing.args, { folder: scene, env })
  if (next.code !== 0) return void tell(`the next run ended with ${next.code}: ${firstLines(next.stderr)}`)
  for (const name of writing.outputs)
    if (stateOf(inputs, scene, name, expected, writing) !== 'new')
      tell(`${name} is not new after the next run`)
  // What DuckDB had in the folder for temporary files is not beside the output, and goes when that folder is emptied.
  const left = leftovers(inputs, scene, writing).filter(name => !name.startsWith('tmp/'))
  if (left.length > 0) tell(`left behind: ${left.join(', ')}`)
}
