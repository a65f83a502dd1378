// Packs the packages, installs them in an empty folder, and uses them there as others will: the commands on a small table, the
// library by `import` and by `require`, and its types under every way in which TypeScript finds modules. Asks the package registry for
// DuckDB. Build first.
//
//   npx tsx scripts/check-packages.ts

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loansCsv } from './write-compare.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MINUTE = 60_000

const started = performance.now()
const home = mkdtempSync(join(tmpdir(), 'featureboost-packages-'))
const folder = join(home, 'empty')
const seconds = () => ((performance.now() - started) / 1000).toFixed(0)

/** What it printed. Throws where it did not end with code 0 in time. */
function run(program: string, args: readonly string[], cwd = folder): string {
  const { error, status, stderr, stdout } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: 5 * MINUTE,
    env: { ...process.env, NO_COLOR: '1', npm_config_loglevel: 'error' },
  })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')}\nends with ${error ?? status}:\n${stdout}${stderr}`)
}

function pack(name: string): string {
  const stdout = run('npm', ['pack', '--json', '--pack-destination', home], join(ROOT, 'packages', name))
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  return join(home, filename)
}

function install(tarballs: readonly string[]): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs])
  console.log(`installed: ${seconds()} s`)
}

function runCommands(): void {
  writeFileSync(join(folder, 'loans.csv'), loansCsv(1500))
  const roles = ['--label', 'defaulted', '--prediction', 'score']
  const model = ['--model', 'loans.fb.json']
  const commands = [
    ['demo', '--rows', '2000'],
    ['fit', 'loans.csv', ...roles, '--out', 'loans.fb.json'],
    ['audit', 'loans.csv', ...roles],
    ['verify', 'loans.csv', ...model],
    ['report', 'loans.csv', ...model, '--out', 'report.html'],
    ['predict', 'loans.csv', ...model, '--out', 'scored.parquet'],
  ]
  // --no: what is not installed here is not fetched instead.
  for (const args of commands) run('npx', ['--no', '--', 'featureboost', ...args])
  console.log(`${commands.length} commands ran: ${seconds()} s`)
}

/** The same file, read by `import` and by `require`, gives the model that the command wrote. */
function useLibrary(): void {
  const body = `
    const data = await openData('loans.csv')
    const model = await fit(data.source, { label: 'defaulted', prediction: 'score' })
    await data.close()
    console.log(model.hash)`
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { fit } from '@featureboost/core'\nimport { openData } from 'featureboost'\n${body}\n`,
  )
  writeFileSync(
    join(folder, 'use.cjs'),
    `const { fit, FeatureBoostError } = require('@featureboost/core')
    const { openData, ...both } = require('featureboost')
    async function main() {
      const imported = await import('@featureboost/core')
      if (imported.fit !== fit || both.fit !== fit) throw new Error('There are two copies of the library.')
      const { BASELINES } = require('@featureboost/core/baselines')
      const { CONFORMANCE } = require('@featureboost/core/testing')
      if (!BASELINES.platt || CONFORMANCE.length === 0) throw new Error('A sub-path is empty.')
      ${body}
    }
    main()\n`,
  )
  const written = JSON.parse(readFileSync(join(folder, 'loans.fb.json'), 'utf8'))
  for (const file of ['use.mjs', 'use.cjs']) {
    const hash = run(process.execPath, [file]).trim()
    if (hash !== written.hash) throw new Error(`${file} fits ${hash}, the command ${written.hash}.`)
  }
  console.log(`by import and by require, one model: ${seconds()} s`)
}

/** Values, types, classes as both, and a mistake that has to be seen: where types are lost, all is "any". */
const TYPED = `
import { FeatureBoostError, fit, makeTable, type FitOptions, Model, groups } from '@featureboost/core'
import { BASELINES, type BaselineName } from '@featureboost/core/baselines'
import { CONFORMANCE, type ConformanceCase } from '@featureboost/core/testing'
import { type OpenOptions, openData } from 'featureboost'

export async function use(options: FitOptions, open: OpenOptions, name: BaselineName): Promise<Model> {
  const data = await openData('loans.csv', open)
  const model: Model = await fit(data.source, { ...options, auditors: groups(['region']) })
  const chance: number = model.predictRow({ region: 'north' })
  const error: FeatureBoostError = new FeatureBoostError('FB_NO_ROWS', BASELINES[name].title)
  const [first]: readonly ConformanceCase[] = CONFORMANCE
  // @ts-expect-error A probability is no text.
  const wrong: string = model.predictRow({ region: 'north' })
  // @ts-expect-error There is no such method.
  await fit(makeTable({ a: [0, 1] }), { label: 'a', method: 'none' })
  return chance > 0 && error.code === 'FB_NO_ROWS' && first.title === wrong ? new Model(model.data) : model
}
`

const RESOLUTIONS = [
  { module: 'node16', files: ['use.mts', 'use.cts', 'required.cts'] },
  { module: 'nodenext', files: ['use.mts', 'use.cts', 'required.cts'] },
  { module: 'commonjs', moduleResolution: 'bundler', files: ['use.ts'] },
  { module: 'esnext', moduleResolution: 'bundler', files: ['use.ts'] },
]

function checkTypes(): void {
  for (const file of ['use.mts', 'use.cts', 'use.ts']) writeFileSync(join(folder, file), TYPED)
  writeFileSync(
    join(folder, 'required.cts'),
    "import core = require('@featureboost/core')\nexport const hash = (model: core.Model): string => core.readModel(model.toText()).hash\n",
  )
  for (const { files, module, moduleResolution = module } of RESOLUTIONS) {
    const compilerOptions = { module, moduleResolution, target: 'es2022', strict: true, noEmit: true }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'])
  }
  console.log(`types under ${RESOLUTIONS.length} settings: ${seconds()} s`)
}

try {
  install(['core', 'cli'].map(pack))
  runCommands()
  useLibrary()
  checkTypes()
  console.log(`The packages work where they are installed: ${seconds()} s.`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
