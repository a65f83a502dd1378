// Bad data and wrong usage: what is said, the exit code, and that nothing is left behind.

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  at,
  CSV,
  ENVIRONMENT,
  FIT,
  folderOf,
  LONG,
  names,
  openLoans,
  program,
  put,
  ROLES,
  run,
} from './loans.ts'

openLoans()

describe('bad data and wrong usage', () => {
  const says = (status: number, said: RegExp, ...args: string[]) => ({ status, said, args })
  const check = async ({ args, said, status }: ReturnType<typeof says>) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folderOf(), env: ENVIRONMENT })
    let stderr = ''
    child.stderr.on('data', data => {
      stderr += data
    })
    const code = await new Promise(resolve => child.on('close', resolve))
    expect(stderr).toMatch(said)
    expect(code, stderr).toBe(status)
  }
  const rest = (out = 'never.fb.json') => [...ROLES, '--out', out, '--quiet']

  it('is said with a code and what to do, and leaves no file', async () => {
    put('empty.csv', '')
    put('header.csv', `${names.join(',')}\n`)
    put('broken.parquet', 'PAR1')
    put(
      'wide.csv',
      `${Array.from({ length: 10_000 }, (_, index) => `c${index}`).join(',')}\n${'1,'.repeat(9999)}1\n`,
    )
    put('cell.csv', `defaulted,score,x\n1,0.5,${'x'.repeat(50_000_000)}\n`)
    put('label.csv', 'defaulted,score,x\ngood,0.5,1\nbad,0.5,2\n')
    put('range.csv', 'defaulted,score,x\n1,0.5,1\n0,1.7,2\n')
    put('unlabelled.csv', 'defaulted,score,x\n,0.5,1\n,0.2,2\n')
    put('two.csv', 'defaulted,score,x\n2,0.5,1\n0,0.2,2\n')
    put('constant.csv', 'defaulted,score,x\n1,0.5,1\n1,0.2,2\n')
    put('ragged.csv', CSV.replace('\n', ',more\n'))
    put('cut.csv.gz', gzipSync(CSV).subarray(0, 5000))
    put('taken.fb.json', 'precious')
    put('half.parquet', Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(5000, 7), Buffer.from('PAR1')]))
    const once = (flag: string) => rest().toSpliced(rest().indexOf(flag), 2)
    const cases = [
      says(3, /Did you mean loans\.csv\?/, 'fit', 'loan.csv', ...rest()),
      says(3, /^FB_NO_ROWS: empty\.csv is empty/, 'fit', 'empty.csv', ...rest()),
      says(3, /^FB_NO_ROWS: header\.csv has no rows/, 'fit', 'header.csv', ...rest()),
      says(3, /broken\.parquet could not be read as parquet/, 'fit', 'broken.parquet', ...rest()),
      says(3, /10,000 columns; at most 2,000/, 'fit', 'wide.csv', ...rest()),
      says(3, /cell\.csv has a line of more than 2,000,000 bytes/, 'fit', 'cell.csv', ...rest()),
      says(3, /FB_COLUMN_KIND column "defaulted"/, 'fit', 'label.csv', ...rest()),
      says(3, /FB_PREDICTION_RANGE column "score", row 2/, 'fit', 'range.csv', ...rest()),
      says(2, /does not read the option "stop"/, 'fit', 'loans.csv', ...rest(), '--stop', 'certificate'),
      says(
        2,
        /Say method "rounds" to learn from them/,
        'fit',
        'loans.csv',
        ...rest(),
        '--auditors',
        'linear',
      ),
      says(
        3,
        /Did you mean "defaulted"\?/,
        'fit',
        'loans.csv',
        '--label',
        'default',
        '--out',
        'never.fb.json',
        '--quiet',
      ),
      says(
        3,
        /FB_MISSING_VALUE column "defaulted", row 1: the label is missing\./,
        'fit',
        'unlabelled.csv',
        ...rest(),
      ),
      says(3, /FB_LABEL_RANGE column "defaulted", row 1: 2 is not a label/, 'fit', 'two.csv', ...rest()),
      says(3, /FB_LABEL_CONSTANT column "defaulted"/, 'fit', 'constant.csv', ...rest()),
      says(3, /ragged\.csv, line 2: 9 fields where the header line has 10\./, 'fit', 'ragged.csv', ...rest()),
      says(3, /cut\.csv\.gz is cut short/, 'fit', 'cut.csv.gz', ...rest()),
      says(3, /half\.parquet could not be read as parquet/, 'audit', 'half.parquet', ...ROLES),
      says(2, /taken\.fb\.json exists already\. Pass --force/, 'fit', 'loans.csv', ...rest('taken.fb.json')),
      says(2, /required option '--label <column>'/, 'fit', 'loans.csv', ...once('--label')),
      says(
        2,
        /unknown option '--lable'\n\(Did you mean one of --label, --table\?\)/,
        'fit',
        'loans.csv',
        '--lable',
        'defaulted',
      ),
      says(2, /required option '--out <file>'/, 'fit', 'loans.csv', ...once('--out')),
      says(2, /required option '--model <file>'/, 'predict', 'loans.csv'),
      says(2, /unknown command 'predct'\n\(Did you mean predict\?\)/, 'predct', 'loans.csv'),
      says(
        2,
        /'0\.5x' is invalid\. Expected a number between 0 and 1/,
        'fit',
        'loans.csv',
        ...rest(),
        '--epsilon',
        '0.5x',
      ),
      says(
        3,
        /no column "incom"\. Did you mean "income"\?/,
        'fit',
        'loans.csv',
        ...rest(),
        '--features',
        'incom',
      ),
      says(2, /No data/, 'fit', ...rest()),
      says(2, /expected trees/, 'fit', 'loans.csv', ...rest(), '--auditors', 'bushes'),
      says(
        2,
        /Did you mean --prediction\?/,
        'fit',
        'loans.csv',
        '--predicton',
        'score',
        '--out',
        'never.fb.json',
      ),
    ]
    // A few at a time: each is a process.
    for (let from = 0; from < cases.length; from += 4)
      await Promise.all(cases.slice(from, from + 4).map(check))
    expect(readFileSync(at('taken.fb.json'), 'utf8')).toBe('precious')
    expect(readdirSync(folderOf()).filter(name => /never|tmp/.test(name))).toEqual([])
  })

  it('a column that is missing in every row is named, and does no harm', async () => {
    const lines = CSV.trimEnd().split('\n')
    put('void.csv', lines.map((line, row) => `${line},${row === 0 ? 'nothing' : ''}`).join('\n'))
    const { status, stderr } = run('fit', 'void.csv', ...ROLES, '--epsilon', '0.2', '--out', 'void.fb.json')
    expect(stderr).toContain('Column "nothing" has no value in any row.')
    expect(status).toBe(0)
    const predicted = run('predict', 'void.csv', '--model', 'void.fb.json', '--quiet')
    expect(predicted.status).toBe(0)
    expect(predicted.stdout.split('\n')[0]).toMatch(/,nothing,corrected$/)
  })

  it('Ctrl-C ends with code 130 and leaves no file', async () => {
    const child = spawn(process.execPath, [program, ...FIT, ...LONG, '--out', 'never.fb.json'], {
      cwd: folderOf(),
      env: ENVIRONMENT,
    })
    let stderr = ''
    const ended = new Promise<number | null>(resolve => child.on('close', resolve))
    child.stderr.on('data', data => {
      stderr += data
      if (/round/.test(stderr) && !child.killed) child.kill('SIGINT')
    })
    expect(await ended).toBe(130)
    expect(stderr).toContain('Interrupted. Nothing was written. With --checkpoint FOLDER')
    expect(existsSync(at('never.fb.json'))).toBe(false)
  })

  it('help has examples', () => {
    for (const command of ['fit', 'audit']) {
      const { status, stdout } = run(command, '--help')
      expect(status).toBe(0)
      expect(stdout).toMatch(/Examples?:\n {2}featureboost/)
    }
  })
})
