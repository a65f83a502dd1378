// The TypeScript of README and docs, each block as a module: checked by the compiler, and run. A block may use what earlier blocks of its
// page import, and what given.ts has.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeLendingPopulation, populationCsv } from '../../packages/cli/src/demo/population.ts'
import { ROOT } from '../site/pages.ts'
import { blocksOf, type Snippet } from './blocks.ts'

const GIVEN = join(ROOT, 'scripts/snippets/given.ts')
const IMPORT = /^import (?:type )?\{([^}]*)\} from '([^']+)'\n?/gm
const LIMIT = 5 * 60_000

/** How many ran. Throws with what the compiler or the first failure says. */
export function runTypeScript(pages: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'featureboost-snippets-'))
  try {
    const files = pages.flatMap(page => writeModules(folder, page, blocksOf(page, 'ts')))
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    check(folder, files)
    mkdirSync(join(folder, 'work'))
    const people = makeLendingPopulation({ rows: 1000, seed: 3 })
    const [head, ...lines] = populationCsv(people).trim().split('\n')
    const rows = [`id,${head}`, ...lines.map((line, row) => `${row},${line}`)]
    writeFileSync(join(folder, 'work/loans.csv'), `${rows.join('\n')}\n`)
    writeFileSync(
      join(folder, 'all.ts'),
      files.map(file => `console.log('${file}')\nawait (await import('./${file}')).run()`).join('\n'),
    )
    run(
      folder,
      process.execPath,
      ['--import', join(ROOT, 'node_modules/tsx/dist/esm/index.mjs'), '../all.ts'],
      'work',
    )
    return files.length
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeModules(folder: string, page: string, blocks: readonly Snippet[]): string[] {
  const imported = new Map<string, string>()
  return blocks.map(({ code, line }) => {
    const body = code.replace(IMPORT, (_, names: string, from: string) => {
      for (const name of names.split(',')) imported.set(name.trim(), from)
      return ''
    })
    const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(body)
    const imports = [...imported].filter(([name]) => uses(name))
    const given = givenNames().filter(name => uses(name) && !imported.has(name))
    const file = `${page.replace(/\W+/g, '-')}-${line}.ts`
    const text = [
      ...imports.map(([name, from]) => `import { ${name} } from '${from}'`),
      given.length > 0 ? `import { ${given.join(', ')} } from '${GIVEN}'` : '',
      // Earlier blocks of a page may have made what a later one looks at.
      `export async function run(): Promise<void> {`,
      body,
      '}',
    ]
    writeFileSync(join(folder, file), `${text.join('\n')}\n`)
    return file
  })
}

let names: readonly string[] | undefined

function givenNames(): readonly string[] {
  names ??= [
    ...readFileSync(GIVEN, 'utf8').matchAll(/^export (?:const|async function\*) (?:\{([^}]*)\}|(\w+))/gm),
  ].flatMap(([, several, one]) =>
    several === undefined ? [one] : several.split(',').map(name => name.trim()),
  )
  return names
}

function check(folder: string, files: readonly string[]): void {
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023'],
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    allowImportingTsExtensions: true,
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  run(folder, process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', 'tsconfig.json'])
}

function run(folder: string, program: string, args: readonly string[], inside = '.'): void {
  const { error, status, stderr, stdout } = spawnSync(program, args, {
    cwd: join(folder, inside),
    encoding: 'utf8',
    timeout: LIMIT,
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  if (status === 0) return
  throw new Error(
    `A snippet of the docs fails (named by its page and line), ${error ?? status}:\n${stdout}${stderr}`,
  )
}
