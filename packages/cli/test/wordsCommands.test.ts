// Data in words that people have, in every command: asked for where it is not said, read as said, and remembered by the model.

import { readFileSync } from 'node:fs'
import { makeRandom } from '@featureboost/core/internal'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, openLoans, put, run } from './loans.ts'

describe('commands', () => {
  openLoans()
  const random = makeRandom(6)
  const rows = Array.from({ length: 700 }, (_, row) => {
    const [branch, sex] = [[7, 12, 30][random.integer(3)], random.integer(2) === 0 ? 'f' : 'm']
    const percent = random.integer(1001) / 10
    const isGood = 100 * random.next() < (branch === 12 ? 0.5 : 1) * (sex === 'f' ? 0.5 : 1) * percent
    return {
      branch,
      sex,
      age: 18 + random.integer(50),
      region: ['north', 'south', 'east', ''][random.integer(4)],
      'a,b': random.integer(40),
      percent,
      outcome: row % 100 === 99 ? '' : isGood ? 'good' : 'bad',
    }
  })
  const names = Object.keys(rows[0]) as (keyof (typeof rows)[0])[]
  const csv = [names.map(name => `"${name}"`), ...rows.map(row => names.map(name => row[name]))]
    .map(cells => cells.join(','))
    .join('\n')
  const WORDS = [
    '--label',
    'outcome',
    '--positive',
    'good',
    '--prediction',
    'percent',
    '--score-scale',
    'percent',
  ]
  const ALL = [...WORDS, '--categorical', 'branch', '--drop-missing-labels', '--quiet']

  beforeAll(() => {
    put('words.csv', csv)
    put('groups.json', GROUPS_FILE)
    const { status, stderr } = run('fit', 'words.csv', ...ALL, '--out', 'words.fb.json')
    expect(stderr).toBe('')
    expect(status).toBe(0)
  }, 60_000)

  it('ask for what is not said, one after the other', () => {
    const said = (...args: string[]) =>
      run('fit', 'words.csv', '--out', 'never.fb.json', '--quiet', ...args).stderr
    expect(said('--label', 'outcome')).toContain('Say --positive bad or --positive good')
    expect(said('--label', 'outcome', '--positive', 'good')).toContain('--drop-missing-labels')
    expect(said('--label', 'outcome', '--positive', 'god', '--drop-missing-labels')).toContain(
      'Did you mean "good"?',
    )
    const scored = [
      '--label',
      'outcome',
      '--positive',
      'good',
      '--drop-missing-labels',
      '--prediction',
      'percent',
    ]
    expect(said(...scored)).toContain('--score-scale percent')
    expect(said(...scored, '--score-scale', 'percents')).toContain('Did you mean percent?')
  })

  it('say how many rows were left out, in words and in JSON', () => {
    const sentence = /7 of 700 rows have no label in "outcome" and are left out/
    const json = (...args: string[]) => JSON.parse(run(...args, '--json', '--quiet').stdout)
    const model = ['--model', 'words.fb.json']
    expect(run('verify', 'words.csv', ...model, '--quiet')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(sentence),
    })
    expect(json('verify', 'words.csv', ...model)).toMatchObject({
      rows: 693,
      rowsWithoutLabel: 7,
      matches: true,
    })
    expect(json('audit', 'words.csv', ...model)).toMatchObject({ rows: 693, rowsWithoutLabel: 7 })
    expect(json('audit', 'words.csv', ...model, '--categorical', '["a,b", "sex"]')).toMatchObject({
      rows: 693,
    })
    expect(json('audit', 'words.csv', ...ALL)).toMatchObject({ rows: 693, rowsWithoutLabel: 7 })
    expect(run('audit', 'words.csv', ...ALL, '--format', 'markdown').stdout.replaceAll('\n', ' ')).toMatch(
      sentence,
    )
    expect(json('report', 'words.csv', ...model, '--out', 'w.html')).toMatchObject({
      rows: 693,
      rowsWithoutLabel: 7,
      auditedRows: 'held-out',
    })
    const methods = ['--methods', 'platt,isotonic', '--folds', '3']
    expect(json('compare', 'words.csv', ...ALL, ...methods)).toMatchObject({ rows: 693, rowsWithoutLabel: 7 })
    expect(json('fit', 'words.csv', ...ALL, '--out', 'again.fb.json')).toMatchObject({
      columns: expect.arrayContaining([expect.objectContaining({ name: 'branch', kind: 'categorical' })]),
      rows: 693,
      rowsWithoutLabel: 7,
    })
    expect(json('audit', 'loans.csv', '--label', 'defaulted', '--prediction', 'score')).not.toHaveProperty(
      'rowsWithoutLabel',
    )
  })

  it('read new rows as the model does, and say so where they are others', () => {
    const predicted = run('predict', 'words.csv', '--model', 'words.fb.json', '--quiet')
      .stdout.trimEnd()
      .split('\n')
    expect(predicted).toHaveLength(701)
    const scores = predicted.slice(1).map(line => Number(line.split(',').at(-1)))
    expect(scores.every(score => score >= 0 && score <= 1)).toBe(true)
    put('more.csv', csv.replace(/,[\d.]+,good/, ',100.5,good'))
    const { status, stderr } = run('predict', 'more.csv', '--model', 'words.fb.json', '--quiet')
    expect(status).toBe(3)
    expect(stderr).toMatch(
      /100\.5 is not a percentage\. Expected a number from 0 to 100, because the model was fitted/,
    )
    const other = run('audit', 'words.csv', '--model', 'words.fb.json', '--score-scale', 'logit', '--quiet')
    expect(other).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the model was fitted to scores of the scale percent'),
    })
    expect(run('show', 'words.fb.json').stdout.replaceAll(/\s+/g, ' ')).toContain(
      'predicts "outcome" = "good", corrects "percent" (in percent)',
    )
  })

  it('take a column whose name has a comma wherever a list is', () => {
    const list = '["a,b"]'
    const ok = (...args: string[]) => {
      const { status, stderr } = run(...args, '--quiet')
      expect(stderr).toBe('')
      expect(status).toBe(0)
    }
    const out = ['--out', 'listed.fb.json', '--force', '--no-audit']
    ok('fit', 'words.csv', ...ALL.slice(0, -1), '--except', list, ...out)
    ok(
      'fit',
      'words.csv',
      ...WORDS,
      '--drop-missing-labels',
      '--features',
      '["a,b", "sex"]',
      '--categorical',
      list,
      ...out,
    )
    ok('fit', 'words.csv', ...ALL.slice(0, -1), '--auditors', `groups:${list}`, '--method', 'rounds', ...out)
    ok('audit', 'words.csv', ...ALL.slice(0, -1), '--groups', list)
    const wrong = run('audit', 'words.csv', ...ALL, '--groups', '["a,b"')
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('a JSON list such as') })
  })

  it('look at declared groups in the audit before and after a fit, by columns or by a file', () => {
    const fit = ['fit', 'words.csv', ...ALL, '--holdout', '0.5', '--out', 'g.fb.json', '--force', '--json']
    const groupsOf = (...args: string[]): string[] =>
      JSON.parse(run(...fit, ...args).stdout).audit.groups.map(
        ({ before }: { before: { group: string } }) => before.group,
      )
    const bySex = groupsOf('--groups', 'sex')
    expect(bySex.length).toBeGreaterThan(0)
    expect(bySex.every(group => /^(everyone|sex = [fm])/.test(group))).toBe(true)
    const named = groupsOf('--groups', '@groups.json')
    expect(named.length).toBeGreaterThan(0)
    const audited = run(
      'audit',
      'words.csv',
      ...ALL,
      '--groups',
      '@groups.json',
      '--listed',
      '200',
      '--bins',
      '2',
      '--json',
    )
    const { notEnoughEvidence, worst } = JSON.parse(audited.stdout)
    const words = [...worst, ...notEnoughEvidence].map(({ group }: { group: string }) => group)
    for (const group of ['sex = f', 'age < 25', 'region is missing', 'sex = m and age >= 60', 'young women'])
      expect(
        words.some(each => each.startsWith(group)),
        `${group}: ${words.join('; ')}`,
      ).toBe(true)
    const none = run(...fit, '--groups', 'sex', '--no-audit')
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('--auditors groups:') })
    const lost = run(...fit, '--groups', 'sec')
    expect(lost).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('"sec" is no feature. Did you mean "sex"?'),
    })
    const hash = () => JSON.parse(readFileSync(at('g.fb.json'), 'utf8')).hash
    groupsOf('--groups', 'sex')
    const before = hash()
    groupsOf()
    expect(hash()).toBe(before)
  })

  it('tell ids of units from groups', () => {
    const { stderr } = run(
      'fit',
      'words.csv',
      ...ALL.slice(0, -1),
      '--group-by',
      'sex',
      '--holdout',
      '0.5',
      '--out',
      'ids.fb.json',
      '--no-audit',
    )
    expect(stderr).toMatch(/Column "sex" has 2 values only\. --group-by is for ids of units.*--groups/)
    const ids = run(
      'fit',
      'words.csv',
      ...ALL.slice(0, -1),
      '--group-by',
      'a,b',
      '--out',
      'ids2.fb.json',
      '--no-audit',
    )
    expect(ids.stderr).not.toContain('--group-by is for ids')
  })

  it('refuse words that contradict each other', () => {
    const said = (...args: string[]) => run('fit', 'words.csv', ...ALL, '--out', 'never.fb.json', ...args)
    expect(said('--except', 'branch')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--categorical and in --except'),
    })
    expect(said('--features', 'sex')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not in --features'),
    })
    const report = run(
      'report',
      'words.csv',
      '--model',
      'words.fb.json',
      '--positive',
      'bad',
      '--out',
      'never.html',
    )
    expect(report).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--positive and --categorical'),
    })
  })
})

/** The example of docs/command-line.md. */
const GROUPS_FILE = /```json\n(\[[^`]*"where"[^`]*\])\n```/.exec(
  readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8'),
)![1]
