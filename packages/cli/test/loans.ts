// A folder with loan applications and a model of them, and the built program run in it, as users do.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { makeLendingPopulation } from '../src/demo/population.ts'

export const program = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))
export const ENVIRONMENT = { ...process.env, NO_COLOR: '1', COLUMNS: '80' }
let folder = ''
export const folderOf = () => folder
export const at = (name: string) => join(folder, name)
export const put = (name: string, content: string | Buffer) => writeFileSync(at(name), content)

export const runWith = (input: string | Buffer, ...args: string[]) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    input,
    env: ENVIRONMENT,
    maxBuffer: 2 ** 26,
  })
  return { status, stderr, stdout }
}
export const run = (...args: string[]) => runWith('', ...args)

export const ROWS = 1200
export const population = makeLendingPopulation({ rows: ROWS, seed: 3 })
export const names = Object.keys(population.columns) as (keyof typeof population.columns)[]
const cell = (value: unknown) => (value === null ? '' : String(value))
export const CSV = [
  names.join(','),
  ...Array.from({ length: ROWS }, (_, row) =>
    names.map(name => cell(population.columns[name][row])).join(','),
  ),
  '',
].join('\n')

export const ROLES = ['--label', 'defaulted', '--prediction', 'score']
export const FIT = ['fit', 'loans.csv', ...ROLES, '--epsilon', '0.2']

/** Rounds that go on until they are interrupted. */
export const LONG = ['--method', 'rounds', '--stop', 'certificate', '--epsilon', '0.01']

/** loans.csv and loans.fb.json, for all tests of a file. */
export function openLoans(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'featureboost-commands-'))
    put('loans.csv', CSV)
    const { status, stderr } = run(...FIT, '--out', 'loans.fb.json')
    expect(stderr).toMatch(/boosting \d+\.\d s, .*: \d+\.\d s in all\n$/)
    expect(status).toBe(0)
  }, 60_000)

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })
}
