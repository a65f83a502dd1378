// Every command as a process: exit code, stdout, stderr, files. Runs the built program, as users do.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTable, readModel, verify } from '@featureboost/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLendingPopulation } from '../src/demo/population.ts'

const program = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))
let folder = ''

const run = (...args: string[]) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...args], {
    maxBuffer: 2 ** 26,
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, NO_COLOR: '1' },
  })
  return { status, stderr, stdout }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const DEMO = ['demo', '--rows', '4000', '--epsilon', '0.2', '--seed', '3']

describe('featureboost demo', () => {
  it('keeps its applicants as a table with --csv, and overwrites none', () => {
    const args = ['demo', '--rows', '300', '--csv', 'loans.csv', '--quiet']
    expect(run(...args).status).toBe(0)
    const lines = readFileSync(join(folder, 'loans.csv'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(301)
    expect(lines[0]).toBe('age,income,employment,region,first_loan,debt_ratio,months_at_job,score,defaulted')
    const again = run(...args)
    expect(again.status).toBe(2)
    expect(again.stderr).toContain('choose another --csv')
    expect(run(...args, '--force').status).toBe(0)
  })

  it('fits, audits, certifies, writes a model that verifies on the same rows', async () => {
    const { status, stderr, stdout } = run(...DEMO)
    expect(status).toBe(0)
    expect(stderr).toMatch(/made-up loan applications/)
    expect(stdout).toMatch(/young gig workers/)
    expect(stdout).toMatch(/log loss +0\.\d{4} +0\.\d{4} +[-+]?0\.\d{4} +\[/)
    const words = stdout.replace(/\s+/g, ' ')
    expect(words).toMatch(
      /^Verdict: (Better|Neither surely better nor surely worse) on [\d,]+ held-out rows: log loss 0\.\d+ before, 0\.\d+ after\. No group is surely off, of [\d,]+ tested\. These are the [\d,]+ of [\d,]+ rows that the fit has not seen.* Proven: multicalibration error at most 0\.\d+ on the fitting rows, and at most 0\.\d+ on new rows \(with 95 % confidence\)\./,
    )
    const model = readModel(readFileSync(join(folder, 'featureboost-demo.fb.json'), 'utf8'))
    const table = makeTable(makeLendingPopulation({ rows: 4000, seed: 3 }).columns)
    expect((await verify(model, table)).matches).toBe(true)
  })

  it('has all measures, charts and the certificate with --details', () => {
    const { stdout } = run(...DEMO, '--details')
    expect(stdout).toMatch(/multicalibration error +0\.\d{4} +0\.\d{4} +[-+]?0\.\d{4} +\[/)
    expect(stdout).toMatch(/Proven\n- What is said of the fitting rows/)
    const words = stdout.replace(/\s+/g, ' ')
    expect(words).toMatch(
      /held-out rows \(25 % of the rows, seed 1; a row and its exact copies being one\) were drawn independently/,
    )
    expect(words).toContain('- auditor: a function of the columns')
  })

  it('prints one JSON document with --json, and nothing on stderr with --quiet', () => {
    const { status, stderr, stdout } = run(...DEMO, '--json', '--quiet')
    expect(status).toBe(0)
    expect(stderr).toBe('')
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ rows: 4000, modelFile: 'featureboost-demo.fb.json' })
    expect(Object.keys(report)).toEqual(
      expect.arrayContaining(['rounds', 'tolerance', 'before', 'after', 'certificate', 'modelHash']),
    )
    expect(report.groups).toHaveLength(5)
  })

  it('makes the same model file every time', () => {
    const read = () => readFileSync(join(folder, 'featureboost-demo.fb.json'))
    run(...DEMO)
    const first = read()
    run(...DEMO)
    expect(read().equals(first)).toBe(true)
  })

  it('does not overwrite a file that was named, unless forced', () => {
    writeFileSync(join(folder, 'mine.json'), 'precious')
    const refused = run(...DEMO, '--out', 'mine.json')
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('mine.json exists already. Pass --force')
    expect(readFileSync(join(folder, 'mine.json'), 'utf8')).toBe('precious')
    expect(run(...DEMO, '--out', 'mine.json', '--force').status).toBe(0)
    expect(readFileSync(join(folder, 'mine.json'), 'utf8')).toContain('featureboost-model')
  })

  it('says so when the model cannot be written, and leaves nothing behind', () => {
    const { status, stderr } = run(...DEMO, '--out', join('nowhere', 'model.json'))
    expect(status).toBe(3)
    expect(stderr).toContain('could not be written')
    expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  })
})

describe('featureboost show', () => {
  it('tells a model in words', () => {
    run(...DEMO)
    const { status, stdout } = run('show', 'featureboost-demo.fb.json')
    expect(status).toBe(0)
    expect(stdout).toContain('predicts "defaulted", corrects "score"')
    expect(stdout).toMatch(/income +whole numbers/)
    expect(JSON.parse(run('show', 'featureboost-demo.fb.json', '--json').stdout)).toHaveProperty(
      'updatesInWords',
    )
  })

  it('refuses what is not a model, with a code', () => {
    writeFileSync(join(folder, 'broken.json'), '{"format":"other"}')
    const broken = run('show', 'broken.json')
    expect(broken).toMatchObject({ status: 3, stdout: '' })
    expect(broken.stderr).toContain('FB_MODEL_FORMAT')
    const absent = run('show', 'absent.json')
    expect(absent.status).toBe(3)
    expect(absent.stderr).toContain('absent.json: there is no such file')
  })
})

describe('featureboost plan', () => {
  it('says in words what epsilon asks for', () => {
    const { status, stdout } = run('plan', '--epsilon', '0.05', '--rows', '50000')
    expect(status).toBe(0)
    expect(stdout).toContain('0.000625')
    expect(stdout).toContain('round to 40 bins')
    expect(stdout).toContain('vacuous')
    const words = stdout.replace(/\s+/g, ' ')
    // sqrt(2 (ln 40 + 3 ln 1271 + 4 ln 2 + 40 ln 2) / 50000) and sqrt(2 ln 20 / 50000)
    expect(words).toContain('above or below; with 50,000 rows, within 0.04718.')
    expect(words).toContain('measured on them; with 50,000 rows, at most 0.01095 above.')
  })

  it('gives the numbers as JSON', () => {
    const { tolerance, bins, heldOut } = JSON.parse(run('plan', '--epsilon', '0.1', '--json').stdout)
    expect({ tolerance, bins }).toEqual({ tolerance: 0.0025, bins: 20 })
    expect(heldOut.everyAuditor.rowsNeeded).toBeGreaterThan(1000)
    expect(heldOut.worstError.rowsNeeded).toBe(600)
  })

  it('counts a sign for every leaf and level of a level-set error', () => {
    const asked = ['plan', '--epsilon', '0.02', '--guarantee', 'level-set', '--rows', '1000000', '--json']
    const { everyAuditor } = JSON.parse(run(...asked).stdout).heldOut
    expect(everyAuditor.rowsNeeded).toBe(1_511_953)
    expect(everyAuditor.slack).toBeCloseTo(0.0246, 4)
  })

  it("rounds nothing for multiaccuracy in the paper's bound", () => {
    const asked = ['plan', '--epsilon', '0.1', '--guarantee', 'multiaccuracy', '--json']
    const { paper } = JSON.parse(run(...asked).stdout)
    expect(paper.bound).toBeCloseTo(Math.sqrt(0.02), 12)
    expect(paper.vacuous).toBe(false)
  })

  it('refuses parameters that contradict each other', () => {
    const { status, stderr } = run('plan', '--guarantee', 'level-set', '--factors', 'constant')
    expect(status).toBe(2)
    expect(stderr).toContain('FB_PLAN')
  })
})

describe('wrong usage', () => {
  it('ends with code 2 and the nearest name', () => {
    const command = run('dmeo')
    expect(command.status).toBe(2)
    expect(command.stderr).toContain('Did you mean demo?')
    const flag = run('demo', '--row', '10')
    expect(flag.status).toBe(2)
    expect(flag.stderr).toContain('--rows')
    const value = run('demo', '--epsilon', '7')
    expect(value.status).toBe(2)
    expect(value.stderr).toContain('Expected a number between 0 and 1')
  })

  it('a reader that has seen enough is no failure', async () => {
    run(...DEMO, '--out', 'shown.fb.json', '--force')
    const child = spawn(process.execPath, [program, 'show', 'shown.fb.json'], { cwd: folder })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', data => {
      stderr += data
    })
    const code = await new Promise(resolve => child.on('close', resolve))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('prints help and version with code 0', () => {
    expect(run('--help')).toMatchObject({ status: 0, stderr: '' })
    expect(run('demo', '--help').stdout).toContain('Examples:')
    expect(run('--version').stdout.trim()).toBe('0.1.0')
  })
})
