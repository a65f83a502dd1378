// featureboost report, fit --report and audit --report as processes: one file, no rows in it unless asked for, clear refusals.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Evidence } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReportCommandOptions, runReport } from '../src/commands/report.ts'
import { readComparison } from '../src/report/comparison.ts'

const program = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))
let folder = ''
const at = (name: string) => join(folder, name)

function run(...args: string[]) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...args, '--quiet'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NO_COLOR: '1' },
    maxBuffer: 2 ** 26,
  })
  return { status, stderr, stdout }
}

/** Each row has a note that no other has, and a fold. */
function csvOf(rows: number, seed: number): string {
  const random = makeRandom(seed)
  const lines = Array.from({ length: rows }, (_, row) => {
    const region = ['east', 'north', 'south'][random.integer(3)]
    const truth = 0.2 + 0.6 * random.next()
    const score = (region === 'east' ? truth * 0.6 : truth).toFixed(4)
    const fold = row % 4 === 0 ? 'holdout' : 'fit'
    return [
      region,
      20 + random.integer(40),
      `note-of-${row}`,
      score,
      Number(random.next() < truth),
      fold,
    ].join()
  })
  return ['region,age,note,score,y,fold', ...lines, ''].join('\n')
}

const evidenceIn = (text: string): Evidence =>
  JSON.parse(/<script type="application\/json" id="evidence">([^<]*)<\/script>/.exec(text)![1])

const ROLES = ['--label', 'y', '--prediction', 'score']
const QUICK = ['--bins', '5', '--coarse-bins', '8', '--draws', '0', '--segment-depth', '1']

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-reports-'))
  writeFileSync(at('people.csv'), csvOf(1500, 5))
  const fit = ['fit', 'people.csv', ...ROLES, '--fold', 'fold', '--no-audit', '--out', 'people.fb.json']
  expect(run(...fit, '--report', 'fitted.html')).toMatchObject({ status: 0 })
}, 120_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('featureboost report', () => {
  it('writes the evidence of a score, and says the verdict', () => {
    const command = ['report', 'people.csv', ...ROLES, '--except', 'note,fold', ...QUICK]
    const { status, stdout } = run(...command, '--out', 'score.html')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Verdict: /)
    expect(stdout).toContain('Report written to score.html (')
    const html = readFileSync(at('score.html'), 'utf8')
    expect(html.length).toBeLessThan(1_000_000)
    const { about, after, before } = evidenceIn(html)
    expect(about).toMatchObject({
      name: 'people.csv',
      rowCount: 1500,
      rows: 'all',
      label: 'y',
      score: 'score',
    })
    expect(about.command).toBe(`featureboost ${command.join(' ')} --out score.html --quiet`)
    expect(before.measures.map(({ key }) => key)).toContain('mce')
    expect(after).toBeUndefined()
  })

  it('does not overwrite a report unless told to', () => {
    const command = ['report', 'people.csv', '--model', 'people.fb.json', ...QUICK, '--out', 'fitted.html']
    expect(run(...command)).toMatchObject({ status: 2, stderr: expect.stringContaining('Pass --force') })
    const { status, stdout } = run(...command, '--force', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      file: 'fitted.html',
      bytes: readFileSync(at('fitted.html')).length,
      rows: 1500,
      audited: 375,
      auditedRows: 'held-out',
      level: expect.stringMatching(/good|attention|bad/),
    })
  })

  it('holds no row unless it is asked to', () => {
    const command = ['report', 'people.csv', '--model', 'people.fb.json', ...QUICK, '--out']
    expect(run(...command, 'without.html').status).toBe(0)
    expect(run(...command, 'with.html', '--include-rows').status).toBe(0)
    expect(evidenceIn(readFileSync(at('without.html'), 'utf8')).moved).not.toHaveProperty('rows')
    expect(evidenceIn(readFileSync(at('with.html'), 'utf8')).moved!.rows).toHaveLength(20)
    // The model looks at the notes, too; but each is of one row, and so none is named.
    expect(readFileSync(at('without.html'), 'utf8').includes('note-of-')).toBe(false)
    expect(readFileSync(at('with.html'), 'utf8').includes('note-of-')).toBe(true)
  })

  it('takes new rows without the columns that said which were held out, and writes to stdout', () => {
    const lines = csvOf(400, 9).trim().split('\n')
    writeFileSync(at('new.csv'), lines.map(line => line.slice(0, line.lastIndexOf(','))).join('\n'))
    const { status, stdout } = run('report', 'new.csv', '--model', 'people.fb.json', ...QUICK, '--out', '-')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^<!doctype html>/)
    expect(evidenceIn(stdout).about).toMatchObject({ rows: 'all', auditedCount: 400 })
  })

  it('shows a comparison of methods that compare has printed', () => {
    const estimate = { value: 0.5, low: 0.4, high: null }
    const comparison = {
      base: { logLoss: estimate, brier: { value: null, low: null, high: null } },
      methods: [{ method: 'forest', measures: { logLoss: estimate }, fitSeconds: 1 }],
      failed: [{ method: 'platt', code: 'FB_NO_ROWS' }],
      best: { logLoss: { best: 'base', ties: ['forest'] } },
      recommendation: { sentence: 'Stay.' },
    }
    writeFileSync(at('compared.json'), JSON.stringify(comparison))
    const command = ['report', 'people.csv', ...ROLES, '--features', 'age', ...QUICK, '--comparison']
    expect(run(...command, 'compared.json', '--out', 'compared.html').status).toBe(0)
    expect(evidenceIn(readFileSync(at('compared.html'), 'utf8')).comparison).toEqual({
      recommendation: 'Stay.',
      measures: [{ key: 'logLoss', name: 'log loss' }],
      rows: [
        { name: 'base', values: { logLoss: estimate }, best: ['logLoss'] },
        { name: 'forest', values: { logLoss: estimate }, best: ['logLoss'], seconds: 1 },
        { name: 'platt', values: {}, best: [], error: 'FB_NO_ROWS' },
      ],
    })
  })

  it.each(['{', '[]', '{"base":{}}', '{"base":{},"methods":[{}]}', '{"base":{},"methods":[],"failed":[{}]}'])(
    'refuses a comparison that is none: %s',
    async broken => {
      writeFileSync(at('broken.json'), broken)
      await expect(readComparison(at('broken.json'))).rejects.toMatchObject({
        exitCode: 3,
        message: expect.stringContaining('is no comparison'),
      })
    },
  )

  it.each<[Partial<ReportCommandOptions>, string]>([
    [{}, '--label and --prediction are needed'],
    [{ label: 'y' }, '--label and --prediction are needed'],
    [{ model: 'people.fb.json', label: 'age' }, '--label age: the model was fitted with y.'],
    [{ model: 'people.fb.json', prediction: 'age' }, '--prediction age: the model was fitted with score.'],
    [{ model: 'people.fb.json', groups: 'region' }, 'for reports without --model'],
  ])('refuses %j', async (flags, expected) => {
    const model = flags.model === undefined ? {} : { model: at(flags.model) }
    const out = at('refused.html')
    const options = { out, force: false, includeRows: false, json: false, quiet: true, ...flags, ...model }
    await expect(runReport([at('people.csv')], options)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(expected),
    })
    expect(existsSync(out)).toBe(false)
  })
})

describe('a report beside', () => {
  it('a fit is that of the model, on the rows that were held out', () => {
    const refused = run('fit', 'people.csv', ...ROLES, '--out', 'other.fb.json', '--report', 'fitted.html')
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('choose another --report') })
    expect(existsSync(at('other.fb.json'))).toBe(false)
    const { about, certificate } = evidenceIn(readFileSync(at('fitted.html'), 'utf8'))
    expect(about.rows).toBe('held-out')
    expect(certificate!.rowCount).toBe(1500)
  })

  it('an audit has the numbers that the audit prints; with a model it has both scores', () => {
    const audit = ['audit', 'people.csv', ...QUICK, '--json']
    const { status, stdout } = run(...audit, ...ROLES, '--except', 'note,fold', '--report', 'audited.html')
    expect(status).toBe(0)
    const { before } = evidenceIn(readFileSync(at('audited.html'), 'utf8'))
    const brier = before.measures.find(({ key }) => key === 'brier')!
    expect(brier.estimate).toEqual(JSON.parse(stdout).brier)
    expect(run(...audit, '--model', 'people.fb.json', '--report', 'both.html').status).toBe(0)
    expect(evidenceIn(readFileSync(at('both.html'), 'utf8')).after!.name).toBe('corrected')
  })
})
