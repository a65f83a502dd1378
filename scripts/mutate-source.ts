// Mutation testing: one change at a time is made to a source file, and the tests nearest to it must fail. What they do not notice is listed: a
// hole in the tests, or a change that changes nothing.
//
//   npx tsx scripts/mutate-source.ts [--folder boost] [--mutants 50] [--seed 1] [--json]
//
// Changes are made in a copy of the repository (with links to node_modules), so that the one at hand is never touched.

import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeRandom, type Random } from '../packages/core/src/common/random.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = 'packages/core/src'
const TESTS = 'packages/core/test'

/** Where changes are made, and the tests that are to notice them. */
export const MUTATED: Readonly<Record<string, readonly string[]>> = {
  boost: ['boost', 'fit/fit.test.ts', 'fit/checkpoint.test.ts', 'fit/forest.test.ts', 'fit/perRound.test.ts'],
  certify: ['certify'],
  model: ['model'],
  'audit/worst': ['audit/worst'],
}

export interface SourceMutant {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly before: string
  readonly after: string
}

/** What is replaced, and by what. Applied to code alone: comments, texts and imports are left. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/ \/ /g, ' * '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\bMath\.max\b/g, 'Math.min'],
  [/\bMath\.min\b/g, 'Math.max'],
  [/\bMath\.ceil\b/g, 'Math.floor'],
  [/\bMath\.floor\b/g, 'Math.ceil'],
  [/\bif \((?!.*\) return$)/g, 'if (!'],
  [/\+\+/g, '--'],
  [/\b0\b(?![.\d])/g, '1'],
  [/\b1\b(?![.\d])/g, '2'],
]

/** All mutants of a source text. */
export function mutantsOf(file: string, text: string): SourceMutant[] {
  const found: SourceMutant[] = []
  let isComment = false
  for (const [index, line] of text.split('\n').entries()) {
    const code = line.trim()
    if (code.startsWith('/*')) isComment = true
    const skip =
      isComment || /^(\/\/|\*|import |export (type|interface) |type |interface |\} from )/.test(code)
    if (code.endsWith('*/')) isComment = false
    if (skip) continue
    const plain = blankTexts(line)
    for (const [pattern, put] of CHANGES) {
      for (const match of plain.matchAll(pattern)) {
        const at = match.index
        const after =
          put === 'if (!'
            ? negated(line, at)
            : `${line.slice(0, at)}${put}${line.slice(at + match[0].length)}`
        if (after !== undefined) found.push({ file, line: index + 1, before: line, after })
      }
    }
  }
  return found
}

/** Texts and comments at the end as spaces, so that nothing in them is found. */
const blankTexts = (line: string): string =>
  line
    .replace(/'(?:[^'\\]|\\.)*'|`[^`]*`|"(?:[^"\\]|\\.)*"/g, text => ' '.repeat(text.length))
    .replace(/\/\/.*$/, text => ' '.repeat(text.length))
    // Types are checked by the compiler, not by tests.
    .replace(/<[A-Za-z][^<>]*>/g, text => '_'.repeat(text.length))

/** `if (a) b` with its condition turned round; undefined where it goes on in the next line. */
function negated(line: string, at: number): string | undefined {
  const open = line.indexOf('(', at)
  let depth = 0
  for (let place = open; place < line.length; place++) {
    if (line[place] === '(') depth++
    else if (line[place] === ')' && --depth === 0)
      return `${line.slice(0, open)}(!(${line.slice(open + 1, place)}))${line.slice(place + 1)}`
  }
  return undefined
}

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, SOURCE, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
    .map(name => join(SOURCE, folder, name))

function choose(folder: string, count: number, random: Random): SourceMutant[] {
  const all = filesIn(folder).flatMap(file => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')))
  const chosen: SourceMutant[] = []
  while (chosen.length < count && all.length > 0) chosen.push(...all.splice(random.integer(all.length), 1))
  return chosen
}

/** A copy to work in. */
function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'featureboost-mutants-'))
  for (const name of ['package.json', 'tsconfig.base.json', 'vitest.config.ts'])
    cpSync(join(ROOT, name), join(copy, name))
  for (const folder of [
    'packages/core/src',
    'packages/core/test',
    'packages/core/kernels',
    'scripts',
    'docs',
    'bench',
  ]) {
    mkdirSync(dirname(join(copy, folder)), { recursive: true })
    cpSync(join(ROOT, folder), join(copy, folder), { recursive: true })
  }
  for (const name of ['core', 'cli'])
    cpSync(join(ROOT, `packages/${name}/package.json`), join(copy, `packages/${name}/package.json`))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** So much longer than without a change may tests take, and so long at least: a busy machine is no test that fails. */
const LONGER = 5
const LIMIT_MS = 240_000

/** Do the tests pass? A run that does not end is noticed, too. */
function passes(copy: string, tests: readonly string[], limitMs = Infinity): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn('npx', ['vitest', 'run', '--bail', '1', '--reporter', 'dot', ...tests], {
      ...{ cwd: copy, stdio: 'ignore', detached: true },
      env: { ...process.env, CI: '' },
    })
    // Timers end at 2^31 - 1.
    const limit = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), Math.min(limitMs, 2 ** 31 - 1))
    child.on('close', code => {
      clearTimeout(limit)
      resolve(code === 0)
    })
  })
}

export interface MutationReport {
  readonly folder: string
  readonly mutants: number
  readonly killed: number
  readonly survivors: readonly SourceMutant[]
}

export async function mutateFolder(
  folder: string,
  count: number,
  { say = () => {}, seed = 1 }: { readonly seed?: number; readonly say?: (line: string) => void } = {},
): Promise<MutationReport> {
  const copy = makeCopy()
  const tests = MUTATED[folder].map(name => join(TESTS, name))
  try {
    const started = performance.now()
    if (!(await passes(copy, tests))) throw new Error(`the tests of ${folder} fail without a change`)
    const limitMs = Math.max(LIMIT_MS, LONGER * (performance.now() - started))
    const survivors: SourceMutant[] = []
    const mutants = choose(folder, count, makeRandom(seed))
    for (const [index, mutant] of mutants.entries()) {
      const path = join(copy, mutant.file)
      const lines = readFileSync(path, 'utf8').split('\n')
      writeFileSync(path, lines.with(mutant.line - 1, mutant.after).join('\n'))
      if (await passes(copy, tests, limitMs)) {
        survivors.push(mutant)
        say(`${mutant.file}:${mutant.line} ${mutant.before.trim()} -> ${mutant.after.trim()}`)
      }
      writeFileSync(path, lines.join('\n'))
      say(`${folder}: ${index + 1} of ${mutants.length}, ${survivors.length} survived`)
    }
    return { folder, mutants: mutants.length, killed: mutants.length - survivors.length, survivors }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      mutants: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  })
  const folders = values.folder === undefined ? Object.keys(MUTATED) : [values.folder]
  const reports: MutationReport[] = []
  for (const folder of folders)
    reports.push(
      await mutateFolder(folder, Number(values.mutants), {
        seed: Number(values.seed),
        say: line => process.stderr.write(`${line}\n`),
      }),
    )
  if (values.json) return console.log(JSON.stringify(reports, null, 2))
  for (const { folder, killed, mutants, survivors } of reports) {
    console.log(`${folder}: ${killed} of ${mutants} noticed`)
    for (const { after, before, file, line } of survivors)
      console.log(`  ${relative(SOURCE, file)}:${line}\n    - ${before.trim()}\n    + ${after.trim()}`)
  }
}

if (
  process.argv[1] !== undefined &&
  existsSync(process.argv[1]) &&
  fileURLToPath(import.meta.url) === process.argv[1]
)
  await main()
