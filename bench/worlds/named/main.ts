// Runs named worlds, some or all, in one process or in several, and says what came of them.

import { fork } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { layoutTable } from '../../../packages/cli/src/terminal/layout.ts'
import { figuresOf, missedPromises, type NamedFigures } from './figures.ts'
import { pageOf, type Slacks, slacksOf } from './page.ts'
import { runNamed } from './run.ts'
import { NAMED, type NamedWorld } from './worlds.ts'

export interface NamedOptions {
  /** Names, or "all". */
  readonly world: string
  readonly draws: number
  readonly seed: number
  readonly jobs: number
  /** A file to write the page to. */
  readonly page?: string
  /** Are slacks printed as JSON? */
  readonly slacks: boolean
}

const BEFORE = new URL('../before.json', import.meta.url)

/** Were all promises kept? */
export async function runNamedWorlds(options: NamedOptions): Promise<boolean> {
  const worlds = chosenWorlds(options.world)
  const { draws, jobs, page, seed, slacks } = options
  const figures = jobs === 1 ? await figuresHere(worlds, options) : await figuresElsewhere(worlds, options)
  const missed = missedPromises(figures)
  if (process.send !== undefined) {
    await new Promise(resolve => process.send!(figures, resolve))
    process.disconnect()
    return true
  }
  if (slacks) console.log(JSON.stringify(slacksOf(figures, seed), null, 2))
  else printNamed(figures)
  if (page !== undefined) {
    const before = existsSync(BEFORE) ? (JSON.parse(readFileSync(BEFORE, 'utf8')) as Slacks) : undefined
    const command = `npx tsx bench/worlds.ts --world ${options.world} --draws ${draws} --page ${page}`
    writeFileSync(page, pageOf(figures, { before, command, seed }))
  }
  console.error(missed.length === 0 ? 'nothing missed' : `MISSED: ${missed.join('; ')}`)
  return missed.length === 0
}

function chosenWorlds(names: string): NamedWorld[] {
  if (names === 'all') return [...NAMED]
  return names.split(',').map(name => {
    const found = NAMED.find(world => world.name === name.trim())
    if (found !== undefined) return found
    throw new Error(`--world ${name}: expected all, or some of ${NAMED.map(world => world.name).join(', ')}`)
  })
}

async function figuresHere(
  worlds: readonly NamedWorld[],
  { draws, seed }: NamedOptions,
): Promise<NamedFigures[]> {
  const figures: NamedFigures[] = []
  for (const world of worlds) {
    const started = performance.now()
    figures.push(figuresOf(world, await runNamed(world, draws, seed)))
    console.error(`${world.name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  }
  return figures
}

/** Each process takes every so many worlds; what is counted of a world does not depend on the others. */
async function figuresElsewhere(
  worlds: readonly NamedWorld[],
  { draws, jobs, seed }: NamedOptions,
): Promise<NamedFigures[]> {
  const parts = Array.from({ length: jobs }, (_, job) => worlds.filter((_, index) => index % jobs === job))
  const found = await Promise.all(
    parts.filter(part => part.length > 0).map(part => askProcess(part, draws, seed)),
  )
  return worlds.map(({ name }) => found.flat().find(({ world }) => world === name)!)
}

function askProcess(worlds: readonly NamedWorld[], draws: number, seed: number): Promise<NamedFigures[]> {
  const names = worlds.map(({ name }) => name).join(',')
  const given = ['--world', names, '--draws', String(draws), '--seed', String(seed)]
  const child = fork(process.argv[1], given, { execArgv: process.execArgv })
  return new Promise((resolve, reject) => {
    child.on('message', message => resolve(message as NamedFigures[]))
    child.on('exit', code => reject(new Error(`a process ended with ${code}`)))
  })
}

function printNamed(figures: readonly NamedFigures[]): void {
  const shares = ({ count, of }: { count: number; of: number }) => (count / of).toFixed(3)
  console.log(
    layoutTable(
      ['world', 'draws', 'false', 'truth', 'measured', 'slack', 'bound', 'p <= 0.05', 'p <= 0.2', 'missed'],
      figures.map(({ draws, missed, multicalibration: m, pValues, world }) => [
        ...[world, String(draws), `${m.violations.count} (${m.violations.allowed})`],
        ...[m.truth, m.measured, m.slack, m.bound].map(value => value.toFixed(3)),
        ...[...pValues.upTo, missed.worst].map(shares),
      ]),
    ),
  )
}
