// featureboost compare: as a process, and how what it found is laid out.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Estimate, METHODS, type MethodComparison } from '@featureboost/core'
import type { MeasuredScore } from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layoutComparison, markdownComparison } from '../src/commands/compareReport.ts'
import { nextFit } from '../src/commands/nextFit.ts'
import { makeLendingPopulation } from '../src/demo/population.ts'
import { viewOf } from '../src/terminal/view.ts'
import { displayWidth } from '../src/terminal/width.ts'

const program = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))
const ENVIRONMENT = { ...process.env, NO_COLOR: '1', COLUMNS: '100', LANG: 'C.UTF-8' }
let folder = ''
const at = (name: string) => join(folder, name)

const run = (...args: string[]) =>
  spawnSync(process.execPath, [program, 'compare', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: ENVIRONMENT,
  })

function csvOf(rows: number, extra: Record<string, (row: number) => string> = {}): string {
  const { columns } = makeLendingPopulation({ rows, seed: 3 })
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const cell = (value: unknown) => (value === null ? '' : String(value))
  const lines = Array.from({ length: rows }, (_, row) =>
    [...names.map(name => cell(columns[name][row])), ...Object.values(extra).map(of => of(row))].join(','),
  )
  return [[...names, ...Object.keys(extra)].join(','), ...lines, ''].join('\n')
}

const ROLES = ['--label', 'defaulted', '--prediction', 'score']
const ONE = ['loans.csv', ...ROLES, '--folds', '2', '--methods', 'rounds', '--quiet']
const QUICK = ['loans.csv', ...ROLES, '--folds', '2', '--methods', 'forest,rounds']

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-compare-'))
  writeFileSync(at('loans.csv'), csvOf(400))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('featureboost compare', () => {
  it('prints the recommendation first, then a line for the base score and each method', () => {
    const { status, stderr, stdout } = run(...QUICK)
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Recommendation: (Use|None|\w+ does not)/)
    expect(stdout).toMatch(
      /\nComparison of ways to correct "score" against "defaulted" on 400 rows: each of 2/,
    )
    for (const name of ['base', 'forest', 'rounds'])
      expect(stdout).toMatch(new RegExp(`\n${name} +0\\.\\d{4}`))
    expect(stdout).toMatch(/\nLess the base score, with 95 % intervals\n/)
    expect(stderr).toMatch(/fitting \d+\.\d s.*: \d+\.\d s in all\n$/)
  })

  it('writes a file in the format of its name, and does not overwrite it unless forced', () => {
    const first = run(...ONE, '--out', 'found.md')
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout).toMatch(/^Recommendation: [\s\S]*\nWritten to found\.md\.\n$/)
    expect(readFileSync(at('found.md'), 'utf8')).toMatch(/^# Ways to correct [\s\S]*\n\| base \| /)
    const again = run(...ONE, '--out', 'found.md')
    expect({ status: again.status, stderr: again.stderr }).toEqual({
      status: 2,
      stderr:
        'FB_FILE_WRITE: found.md exists already. Pass --force to overwrite it, or choose another --out.\n',
    })
    run(...ONE, '--out', 'found.md', '--force', '--format', 'json', '--seed', '4')
    const found = JSON.parse(readFileSync(at('found.md'), 'utf8'))
    expect(Object.keys(found)).toEqual([
      ...['rows', 'label', 'score', 'folds', 'seed', 'confidence', 'auditors', 'bins', 'base', 'methods'],
      ...['failed', 'best', 'recommendation', 'seconds'],
    ])
    expect(found).toMatchObject({ rows: 400, folds: 2, seed: 4, failed: [] })
  })

  it.each([
    [['--methods', 'forests'], 2, /Expected one of forest-rounds, forest, rounds.*Did you mean forest\?/],
    [
      ['--folds', '1'],
      2,
      /'--folds <value>' argument '1' is invalid\. Expected a whole number from 2 to 50\./,
    ],
    [['--label', 'default'], 3, /Did you mean "defaulted"\?/],
    [
      ['--folds', '50', '--sql', 'from data limit 100'],
      3,
      /FB_NO_ROWS: fold \d+ of 50 has \d+ of 100 rows.*fewer folds/,
    ],
  ])('refuses %j with code %i', (flags, code, words) => {
    const { status, stderr } = run(...QUICK, '--quiet', ...flags)
    expect({ status, stderr }).toEqual({ status: code, stderr: expect.stringMatching(words) })
  })

  it('ends with a code where all methods fail', () => {
    // Five ids in all: of the few that are fitted to, none may be held out.
    writeFileSync(at('people.csv'), csvOf(400, { person: row => `p${row % 5}` }))
    const found = run('people.csv', ...ROLES, '--group-by', 'person', '--folds', '2', '--seed', '1')
    expect(found.stdout).toMatch(/^Recommendation: No method could be fitted/)
    expect(found.stdout).toMatch(/Left out: forest, fold \d of 2: FB_NO_ROWS/)
    expect(found.status).toBe(3)
  })

  it('takes methods from featureboost.json', () => {
    writeFileSync(at('flags.json'), JSON.stringify({ compare: { methods: ['rounds'], folds: 2 } }))
    const { stderr, stdout } = run('loans.csv', ...ROLES, '--config', 'flags.json', '--json')
    expect(stderr).toMatch(/From flags\.json: --methods, --folds\./)
    expect((JSON.parse(stdout) as MethodComparison).methods.map(({ method }) => method)).toEqual(['rounds'])
    writeFileSync(at('flags.json'), JSON.stringify({ compare: { methods: ['round'] } }))
    expect(run('loans.csv', ...ROLES, '--config', 'flags.json').stderr).toMatch(/Did you mean rounds\?/)
  })

  it('ends on Ctrl-C, and leaves no file', async () => {
    writeFileSync(at('many.csv'), csvOf(30_000))
    const child = spawn(process.execPath, [program, 'compare', 'many.csv', ...ROLES, '--out', 'never.json'], {
      cwd: folder,
      env: ENVIRONMENT,
    })
    let told = ''
    child.stderr.on('data', data => {
      if (!told.includes('fitting') && String(data).includes('fitting')) child.kill('SIGINT')
      told += String(data)
    })
    const code = await new Promise(resolve => child.on('exit', resolve))
    expect({ code, told }).toEqual({
      code: 130,
      told: expect.stringMatching(/Interrupted\. Nothing was written\.\n$/),
    })
    expect(existsSync(at('never.json'))).toBe(false)
  })
})

const around = (value: number, reach = 0.01): Estimate => ({ value, low: value - reach, high: value + reach })
const measured = (logLoss: number, mceSigma = 3): MeasuredScore => ({
  logLoss: around(logLoss),
  brier: around(0.2),
  auc: around(0.7),
  ece: around(0.02),
  multicalibration: around(0.03),
  levelSet: around(0.04),
  mceSigma: around(mceSigma),
})

const FOUND: MethodComparison = {
  rows: 1000,
  label: 'y',
  score: 'a|b',
  folds: 5,
  seed: 1,
  confidence: 0.9,
  auditors: 'groups',
  bins: 20,
  base: measured(0.5, Number.POSITIVE_INFINITY),
  methods: (['forest', 'rounds'] as const).map((method, index) => ({
    method,
    measures: measured(0.4 + index / 100),
    differences: {
      ...measured(-0.1 + index / 100),
      mceSigma: { value: -Infinity, low: -Infinity, high: -Infinity },
    },
    fitSeconds: 12.345,
    predictSeconds: 0.12,
  })),
  failed: [{ method: 'rounds', fold: 2, code: 'FB_MEMORY', message: 'FB_MEMORY: not enough.' }],
  best: { logLoss: { best: 'forest', ties: ['rounds'] } },
  recommendation: { methods: ['forest'], unsure: [], harmful: [], sentence: 'Use forest.' },
  seconds: { fitting: 1, scoring: 1, total: 2 },
}

describe('a comparison laid out', () => {
  it.each([40, 60, 80, 140])('fits into %i columns, with the best marked and ties, too', columns => {
    const page = layoutComparison(FOUND, viewOf({ columns }, {}, {})).join('\n\n')
    expect(page).toMatch(/^Recommendation: Use forest\.\n/)
    expect(page).toMatch(/\nbase +0\.5000 {2}/)
    expect(page).toMatch(/\nforest +0\.4000 ●/)
    expect(page).toMatch(/\nrounds +0\.4100 ○/)
    expect(page.replace(/\s+/g, ' ')).toContain('○ not told from the best by the 90 % interval')
    expect(page.replace(/\s+/g, ' ')).toContain('Left out: rounds, fold 2 of 5: FB_MEMORY: not enough.')
    for (const line of page.split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(columns)
  })

  it('has seconds and level sets where there is room, and plain letters where asked for', () => {
    const page = layoutComparison(FOUND, viewOf({ columns: 140 }, { ascii: true }, {})).join('\n\n')
    expect(page).toMatch(/level sets +MCE sigma +fit s +predict s\n/)
    expect(page).toMatch(/\nforest +0\.4000 \* .* 12\.3 +0\.12\n/)
    expect(page).toMatch(/\nbase .*infinite/)
    expect(page).toMatch(/^[\x20-\x7e\n]*$/)
  })

  it('is a table in Markdown, with names from the data escaped', () => {
    const page = markdownComparison(FOUND).join('\n\n')
    expect(page).toMatch(/^# Ways to correct "a\\\|b" against "y"/)
    const lines = page.split('\n').filter(line => line.startsWith('| '))
    expect(lines).toHaveLength(5)
    const bars = lines.map(line => line.split('|').length)
    expect(new Set(bars).size).toBe(1)
    expect(lines[3]).toMatch(/^\| forest \| \*\*0\.4000\*\*<br>\[-0\.1100, -0\.0900\] \|/)
    expect(lines[4]).toMatch(/^\| rounds \| \*0\.4100\*<br>/)
    expect(page).toMatch(/\n- Left out: rounds, fold 2 of 5: FB\\_MEMORY: not enough\.$/)
  })
})

describe('the methods on offer', () => {
  it('are told by --help', () => {
    expect(run('--help').stdout.replace(/\s+/g, ' ')).toContain(
      `(choices: ${METHODS.map(method => `"${method}"`).join(', ')}`,
    )
  })
})

describe('the command that follows', () => {
  it('reads the same data, fits the method, and has nothing of the comparison', () => {
    const args = ['compare', 'my loans.csv', '--label', 'y', '--prediction', 'p', '--group-by', 'person']
    const asked = [
      '--methods',
      'forest,rounds',
      '--folds=10',
      '--format',
      'markdown',
      '--out',
      'a.md',
      '--quiet',
    ]
    expect(nextFit('rounds', 2, [...args, ...asked])).toBe(
      "featureboost fit 'my loans.csv' --label y --prediction p --group-by person --method rounds --chosen-from 2 --out model.fb.json",
    )
  })
})
