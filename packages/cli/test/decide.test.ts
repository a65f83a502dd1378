// decide as a process: exit code, stdout, the file of actions.

import { readFileSync } from 'node:fs'
import { decide, makeTable, readModel } from '@featureboost/core'
import { describe, expect, it } from 'vitest'
import { at, CSV, openLoans, population, put, ROWS, run } from './loans.ts'

openLoans()

const MODEL = ['--model', 'loans.fb.json'] as const
const model = () => readModel(readFileSync(at('loans.fb.json'), 'utf8'))
const LOSSES = [
  { name: 'three ways', utilities: { refuse: [0, 0], 'look, again': [-0.2, 1], '=accept': [-2, 2] } },
  { name: 'plain', threshold: 0.25 },
] as const

describe('featureboost decide', () => {
  it('prints what the library finds, and says that these are held-out rows', async () => {
    const told = run('decide', 'loans.csv', ...MODEL, '--cost-fp', '1', '--cost-fn', '5', '--json', '--quiet')
    expect({ status: told.status, stderr: told.stderr }).toEqual({ status: 0, stderr: '' })
    const report = JSON.parse(told.stdout)
    const found = await decide(model(), makeTable(population.columns), {
      losses: [{ falsePositive: 1, falseNegative: 5 }],
    })
    expect(found.rows).toBe('held-out')
    expect(report).toMatchObject({
      rows: found.rowCount,
      rowsAre: 'held-out',
      label: 'defaulted',
      file: null,
    })
    const [{ after, before, change, loss }] = found.losses
    expect(report.losses).toEqual([
      JSON.parse(JSON.stringify({ ...loss, before, after, change, groups: [] })),
    ])
    const text = run('decide', 'loans.csv', ...MODEL, '--cost-fp', '1', '--cost-fn', '5').stdout
    expect(text).toMatch(new RegExp(`on ${found.rowCount}\\sheld-out\\srows\\.`))
    expect(text).toContain('"yes" from a score of 0.1667 on, else "no".')
    expect(text).toContain(after.meanLoss!.toFixed(4))
    expect(text).toMatch(/bound by calibration +\d/)
  })

  it('writes every row with its corrected score and the action for it, one column for each loss', () => {
    put('losses.json', JSON.stringify(LOSSES))
    const asked = [
      'decide',
      'loans.csv',
      ...MODEL,
      '--losses',
      '@losses.json',
      '--out',
      'actions.csv',
    ] as const
    const told = run(...asked, '--neutralise')
    expect(told.status, told.stderr).toBe(0)
    expect(told.stdout).toContain('1,200 rows written to actions.csv')
    const lines = readFileSync(at('actions.csv'), 'utf8').trim().split('\n')
    expect(lines[0]).toBe(`${CSV.split('\n')[0]},corrected,three ways,plain`)
    const scores = model().predict(makeTable(population.columns))
    const wayOf = (score: number) =>
      score >= 1.8 / 2.8 ? "'=accept" : score >= 1 / 6 ? '"look, again"' : 'refuse'
    const expected = [...scores].map(
      (score, row) => `${CSV.split('\n')[row + 1]},${score},${wayOf(score)},${score >= 0.25 ? 'yes' : 'no'}`,
    )
    expect(lines.slice(1)).toEqual(expected)
    expect(run(...asked)).toMatchObject({ status: 2, stderr: expect.stringContaining('exists already') })
  })

  it('decides about rows without an outcome', () => {
    const header = CSV.split('\n')[0].split(',')
    const place = header.indexOf('defaulted')
    const lines = CSV.trim().split('\n')
    put('new.csv', lines.map(line => line.split(',').toSpliced(place, 1).join(',')).join('\n'))
    const told = run('decide', 'new.csv', ...MODEL, '--threshold', '0.25', '--protect', 'region', '--quiet')
    expect({ status: told.status, stderr: told.stderr }).toEqual({ status: 0, stderr: '' })
    expect(told.stdout).toContain('there is no outcome in them')
    expect(told.stdout).toContain('region = north')
    expect(told.stdout).not.toMatch(/regret|loss|rate/i)
    const report = JSON.parse(
      run('decide', 'new.csv', ...MODEL, '--threshold', '0.25', '--json', '--quiet').stdout,
    )
    expect(report).toMatchObject({ rows: ROWS, rowsAre: 'other', label: null, auditors: null })
  })

  it.each<[string, readonly string[], RegExp]>([
    ['no loss', [], /What do decisions cost\?/],
    ['half a cost', ['--cost-fp', '1'], /--cost-fp and --cost-fn go together/],
    [
      'costs of nothing',
      ['--cost-fp', '0', '--cost-fn', '0'],
      /FB_LOSS losses\[0\]: .* whatever the score is/,
    ],
    ['a threshold of 1', ['--threshold', '1'], /Expected a number between 0 and 1, both excluded/],
    ['a loss that is no file', ['--losses', 'losses.json'], /expected @ and the name of a JSON file/],
    ['rows to stdout', ['--threshold', '0.2', '--out', '-'], /name a file, such as actions.csv/],
    ['a taken name', ['--threshold', '0.2', '--out', 'a.csv', '--as', 'action'], /column "action" already/],
  ])('refuses %s', (_, flags, message) => {
    const told = run('decide', 'loans.csv', ...MODEL, ...flags)
    expect(told.status).toBe(2)
    expect(told.stderr).toMatch(message)
  })

  it('refuses a file that holds no list of losses', () => {
    put('bad.json', '{"threshold": 0.2}')
    const told = run('decide', 'loans.csv', ...MODEL, '--losses', '@bad.json')
    expect([told.status, told.stderr]).toEqual([3, expect.stringContaining('holds no list of losses')])
  })
})
