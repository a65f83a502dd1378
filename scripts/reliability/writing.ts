// Every command that writes files, with what it needs, in a folder of its own: what kills and faults are tried on.

import { createPrivateKey, createPublicKey } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeLendingPopulation, populationCsv } from '../../packages/cli/src/demo/population.ts'
import { firstLines, runProgram } from './program.ts'

export interface Writing {
  readonly name: string
  readonly args: readonly string[]
  /** The files that it writes, in the folder. */
  readonly outputs: readonly string[]
  /** Outputs that are read, too, and the input that they are before; others are no more than text. */
  readonly goesOn?: Readonly<Record<string, string>>
  /** A folder that may be left, to go on from. */
  readonly keeps?: string
  /** Where bytes differ from run to run: is this a whole file? */
  readonly isWhole?: (bytes: Buffer, expected: Buffer) => boolean
}

const ROLES = ['--label', 'defaulted', '--prediction', 'score']
const BRIEF = ['--threads', '1', '--quiet']
const FIT = ['fit', 'loans.csv', ...ROLES, '--epsilon', '0.2', '--force', ...BRIEF]
const MODEL = ['--model', 'loans.fb.json']

function isKey(bytes: Buffer): boolean {
  try {
    const isPrivate = bytes.includes('PRIVATE')
    return (isPrivate ? createPrivateKey(bytes) : createPublicKey(bytes)).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

/** A run that follows one that had recorded its batch records it again. */
function isStateOrPage(bytes: Buffer): boolean {
  const text = bytes.toString()
  if (text.startsWith('<')) return text.trimEnd().endsWith('</html>')
  try {
    return 'batches' in JSON.parse(text)
  } catch {
    return false
  }
}

/** The last two columns of the table of methods are seconds. */
const withoutTimes = (bytes: Buffer): string => bytes.toString().replace(/ \d+\.\d+ \| \d+\.\d+ \|$/gm, '')

export const WRITINGS: readonly Writing[] = [
  {
    name: 'fit',
    args: [
      ...[...FIT, '--method', 'rounds', '--round-limit', '3', '--out', 'new.fb.json'],
      ...['--report', 'fit.html', '--protect', 'region', '--protect-out', 'groups.csv'],
    ],
    outputs: ['new.fb.json', 'fit.html', 'groups.csv'],
  },
  {
    name: 'fit --checkpoint',
    args: [
      ...[...FIT, '--method', 'rounds', '--round-limit', '20', '--no-audit', '--out', 'new.fb.json'],
      ...['--checkpoint', 'kept', '--resume'],
    ],
    outputs: ['new.fb.json'],
    keeps: 'kept',
  },
  {
    name: 'fit --engine duckdb',
    args: [
      ...[...FIT, '--method', 'rounds', '--round-limit', '2', '--no-audit', '--out', 'new.fb.json'],
      ...['--engine', 'duckdb'],
    ],
    outputs: ['new.fb.json'],
  },
  {
    name: 'predict to CSV',
    args: ['predict', 'loans.csv', ...MODEL, '--out', 'scored.csv', '--force', '--quiet'],
    outputs: ['scored.csv'],
  },
  {
    name: 'predict to packed CSV',
    args: ['predict', 'loans.csv', ...MODEL, '--out', 'scored.csv.gz', '--force', '--quiet'],
    outputs: ['scored.csv.gz'],
  },
  {
    name: 'predict to Parquet',
    args: ['predict', 'loans.csv', ...MODEL, '--out', 'scored.parquet', '--force', '--quiet'],
    outputs: ['scored.parquet'],
  },
  {
    name: 'audit',
    args: [
      ...['audit', 'loans.csv', ...ROLES, '--report', 'audit.html', '--force', ...BRIEF],
      ...['--protect', 'region', '--protect-out', 'groups.csv'],
    ],
    outputs: ['audit.html', 'groups.csv'],
  },
  {
    name: 'report',
    args: ['report', 'loans.csv', ...MODEL, '--out', 'report.html', '--force', ...BRIEF],
    outputs: ['report.html'],
  },
  {
    name: 'decide',
    args: [
      ...['decide', 'loans.csv', ...MODEL, '--cost-fp', '1', '--cost-fn', '5', '--draws', '20'],
      ...['--out', 'actions.csv', '--force', ...BRIEF],
    ],
    outputs: ['actions.csv'],
  },
  {
    name: 'compare',
    args: [
      ...['compare', 'loans.csv', ...ROLES, '--methods', 'platt,isotonic', '--folds', '2'],
      ...['--out', 'methods.md', '--force', ...BRIEF],
    ],
    outputs: ['methods.md'],
    isWhole: (bytes, expected) => withoutTimes(bytes) === withoutTimes(expected),
  },
  {
    name: 'demo',
    args: ['demo', '--rows', '300', '--out', 'demo.fb.json', '--csv', 'demo.csv', '--force', '--quiet'],
    outputs: ['demo.fb.json', 'demo.csv'],
  },
  {
    name: 'monitor --start',
    args: ['monitor', 'watch.json', 'loans.csv', ...MODEL, '--start', '--force', '--quiet'],
    outputs: ['watch.json'],
  },
  {
    name: 'monitor',
    args: [
      ...['monitor', 'watch.json', 'loans.csv', ...MODEL, '--again', '--quiet'],
      ...['--report', 'watch.html', '--force'],
    ],
    outputs: ['watch.json', 'watch.html'],
    goesOn: { 'watch.json': 'started.json' },
    isWhole: isStateOrPage,
  },
  {
    name: 'export to JavaScript',
    args: ['export', 'loans.fb.json', '--to', 'js', '--out', 'loans.mjs', '--force'],
    outputs: ['loans.mjs', 'loans.d.mts'],
  },
  {
    name: 'export to Python',
    args: ['export', 'loans.fb.json', '--to', 'python', '--out', 'loans.py', '--force'],
    outputs: ['loans.py'],
  },
  {
    name: 'sign',
    args: ['sign', 'loans.fb.json', '--key', 'bank.private.pem', '--out', 'loans.sig', '--force'],
    outputs: ['loans.sig'],
  },
  {
    name: 'keys',
    args: ['keys', '--out', 'new', '--force'],
    outputs: ['new.private.pem', 'new.public.pem'],
    isWhole: isKey,
  },
]

const OLD = 'what was there before\n'

/** What an output was before. */
const oldOf = (inputs: string, name: string, { goesOn }: Writing): Buffer =>
  goesOn?.[name] === undefined ? Buffer.from(`${OLD}${name}\n`) : readFileSync(join(inputs, goesOn[name]))

/** A folder with all that commands read. */
export async function prepareInputs(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'loans.csv'), populationCsv(makeLendingPopulation({ rows: 400, seed: 3 })))
  for (const args of [
    [...FIT, '--method', 'rounds', '--round-limit', '2', '--no-audit', '--out', 'loans.fb.json'],
    ['keys', '--out', 'bank'],
    ['monitor', 'started.json', 'loans.csv', ...MODEL, '--start', '--quiet'],
  ]) {
    const { code, stderr } = await runProgram(args, { folder })
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${firstLines(stderr)}`)
  }
}

/** A copy of the inputs, with old outputs in it and a folder for temporary files. */
export function makeScene(inputs: string, folder: string, writing: Writing): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(inputs, folder, { recursive: true })
  mkdirSync(join(folder, 'tmp'))
  for (const name of writing.outputs) writeFileSync(join(folder, name), oldOf(inputs, name, writing))
}

export const environmentOf = (folder: string): NodeJS.ProcessEnv => ({ TMPDIR: join(folder, 'tmp') })

/** What an undisturbed run writes. */
export type Expected = ReadonlyMap<string, Buffer>

export async function writeUndisturbed(inputs: string, folder: string, writing: Writing): Promise<Expected> {
  makeScene(inputs, folder, writing)
  const ended = await runProgram(writing.args, { folder, env: environmentOf(folder) })
  if (ended.code !== 0)
    throw new Error(`${writing.name} ended with ${ended.code}: ${firstLines(ended.stderr)}`)
  return new Map(writing.outputs.map(name => [name, readFileSync(join(folder, name))]))
}

type State = 'old' | 'new' | 'missing' | 'broken'

/** `inputs`: the folder that the scene was made from. */
export function stateOf(
  inputs: string,
  folder: string,
  name: string,
  expected: Expected,
  writing: Writing,
): State {
  const path = join(folder, name)
  if (!existsSync(path)) return 'missing'
  const bytes = readFileSync(path)
  if (bytes.equals(oldOf(inputs, name, writing))) return 'old'
  const wanted = expected.get(name)!
  return bytes.equals(wanted) || writing.isWhole?.(bytes, wanted) ? 'new' : 'broken'
}

/** Files that were not there before and are no outputs; and inputs that were changed. */
export function leftovers(inputs: string, folder: string, { keeps, outputs }: Writing): string[] {
  const before = new Set(readdirSync(inputs))
  const more = readdirSync(folder).filter(
    name => !before.has(name) && !outputs.includes(name) && name !== 'tmp' && name !== keeps,
  )
  const changed = [...before].filter(
    name => !readFileSync(join(inputs, name)).equals(readFileSync(join(folder, name))),
  )
  return [...more, ...readdirSync(join(folder, 'tmp')).map(name => `tmp/${name}`), ...changed]
}
