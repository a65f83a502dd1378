// fit, predict, audit and verify as processes: exit code, stdout, stderr, files.

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { fit, makeTable, readModel, trees } from '@featureboost/core'
import { describe, expect, it } from 'vitest'
import { at, CSV, FIT, names, openLoans, population, put, ROLES, ROWS, run, runWith } from './loans.ts'

openLoans()

describe('featureboost fit', () => {
  it('runs the methods of others, and says which', () => {
    const told = run(...FIT, '--method', 'platt', '--no-audit', '--out', 'platt.fb.json')
    expect(told.stdout).toContain('The correction: Platt scaling, 1 update.')
    expect(run('show', 'platt.fb.json').stdout).toMatch(
      /1\. everyone: the logit .\d\.\d+, then times \d\.\d+/,
    )
    expect(run('verify', 'loans.csv', '--model', 'platt.fb.json').stdout).toContain('Verified.')
    const kept = run(...FIT, '--method', 'platt', '--checkpoint', 'kept', '--out', 'kept.fb.json')
    expect([kept.status, kept.stderr]).toEqual([2, expect.stringContaining('keeps no checkpoint')])
  })

  it('makes the model that the library makes of the same rows', async () => {
    const model = await fit(makeTable(population.columns), {
      label: 'defaulted',
      prediction: 'score',
      epsilon: 0.2,
      auditors: trees({ depth: 2 }),
    })
    expect(readFileSync(at('loans.fb.json'), 'utf8')).toBe(model.toText())
  })

  it('prints the documented keys with --json, the same model from stdin and gz', () => {
    const { status, stderr, stdout } = runWith(
      gzipSync(CSV),
      'fit',
      '-',
      ...FIT.slice(2),
      '--out',
      'piped.fb.json',
      '--json',
      '--quiet',
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      rows: ROWS,
      rounds: expect.any(Number),
      tolerance: expect.any(Number),
      before: { loss: expect.any(Number) },
      after: { loss: expect.any(Number) },
      audit: { rows: 'held-out', measures: { brier: { judged: expect.any(String) } } },
      certificate: { holds: expect.any(Boolean) },
      modelHash: readModel(readFileSync(at('loans.fb.json'), 'utf8')).hash,
      seconds: { opening: expect.any(Number), boosting: expect.any(Number), total: expect.any(Number) },
    })
    expect(report.columns[1]).toEqual({ name: 'income', kind: 'numeric', duckType: 'BIGINT' })
  })

  it('gives the answer first, in at most 25 lines; words of the paper are left to --details', () => {
    const { stdout } = run('fit', 'loans.csv', ...ROLES, '--out', 'short.fb.json')
    expect(stdout).toMatch(/^Verdict: /)
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(25)
    expect(stdout).toMatch(/\n1,200 rows, \d+ of them held out; 7 columns\. The correction: /)
    expect(stdout).not.toMatch(/auditor|table factors|level-set|K1|units/)
  })

  it('shows a score that was left as it is once, not twice', () => {
    const rows = Array.from({ length: 400 }, (_, row) => `${row % 7},${row % 2},0.5`)
    put('still.csv', ['x,y,p', ...rows].join('\n'))
    const roles = ['--label', 'y', '--prediction', 'p', '--details']
    const { stdout } = run('fit', 'still.csv', ...roles, '--out', 'still.fb.json')
    expect(stdout).toMatch(/^Verdict: Nothing was corrected\./)
    expect(stdout).toContain('Reliability')
    expect(stdout).not.toMatch(/before .──. after|change +interval|groups that were worst/)
  })

  it('tells of protected groups by name, in text, JSON and CSV', () => {
    const args = ['loans.csv', ...ROLES, '--protect', 'employment,first_loan', '--protect-out', 'groups.csv']
    const told = run('fit', ...args, '--out', 'named.fb.json')
    expect(told.stdout).toMatch(/\nProtected groups, outcome less score, on \d+ held-out rows\n/)
    expect(told.stdout).toMatch(/^employment = gig and first_loan = true +\d+ /m)
    const lines = readFileSync(at('groups.csv'), 'utf8').trimEnd().split('\n')
    expect(lines[0]).toBe(
      'group,sql,rows,outcome,score_before,gap_before,low_before,high_before,p_before,score_after,gap_after,low_after,high_after,p_after',
    )
    expect(lines[1]).toMatch(/^"employment = gig",".+ = 'gig'",\d+,0\.\d+,/)
    const again = run('fit', ...args, '--out', 'named.fb.json', '--force', '--json')
    const { audit, certificate } = JSON.parse(again.stdout)
    expect(audit.protected).toHaveLength(lines.length - 1)
    expect(certificate.protected[0]).toMatchObject({ group: 'employment = gig', weight: expect.any(Number) })
    expect(run('show', 'named.fb.json').stdout).toMatch(/^employment = gig +\d+ +[-+]0\.\d{4} +\d+ /m)
    const markdown = run('audit', ...args, '--force', '--format', 'markdown')
    expect(markdown.stdout).toMatch(/## Protected groups\n\n\| group \| rows \| outcome \| score \| gap \|/)
    const refused = run('audit', 'loans.csv', ...ROLES, '--protect-out', 'other.csv')
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('needs --protect')])
  })

  it('counts protected groups that are surely off in its gates', () => {
    const rows = Array.from({ length: 900 }, (_, row) => `${row % 3},${row % 2},${Number(row % 3 === 0)},0.3`)
    put('gate.csv', ['g,x,y,p', ...rows.map(line => `g${line}`)].join('\n'))
    const args = ['gate.csv', '--label', 'y', '--prediction', 'p', '--features', 'x,g', '--protect', 'g']
    const { gates, protected: groups } = JSON.parse(
      run('audit', ...args, '--fail-on-finding', '--max-gap', '0.5', '--json').stdout,
    )
    expect(groups.map(({ group }: { group: string }) => group)).toEqual(['g = g0', 'g = g1', 'g = g2'])
    expect(gates.map(({ passed }: { passed: boolean }) => passed)).toEqual([false, false])
  })

  it('tells columns, audit, certificate and verdict; names ids; does not overwrite unasked', () => {
    const lines = CSV.trimEnd().split('\n')
    put('ids.csv', lines.map((line, row) => (row === 0 ? `id,${line}` : `u${row},${line}`)).join('\n'))
    const args = ['ids.csv', ...ROLES, '--epsilon', '0.2', '--except', 'id', '--out', 'ids.fb.json']
    const told = run('fit', ...args, '--details')
    expect(told.status).toBe(0)
    expect(told.stdout).toMatch(/^Verdict: /)
    expect(told.stdout).toMatch(/\n1,200 rows\n {2}outcome +defaulted\n {2}score +score\n {2}numeric +age, /)
    expect(told.stdout).toMatch(/\n {2}left out +id\n/)
    expect(told.stdout).toMatch(/Audit on \d+ held-out rows\n/)
    expect(told.stdout).toMatch(/\nProven\n/)
    expect(readFileSync(at('ids.fb.json'), 'utf8')).toBe(readFileSync(at('loans.fb.json'), 'utf8'))
    const again = run('fit', 'ids.csv', ...ROLES, '--out', 'ids.fb.json')
    expect(again.status).toBe(2)
    expect(again.stderr).toContain('ids.fb.json exists already')
  })
})

describe('featureboost predict', () => {
  it('reads a pipe, and a name without a format', () => {
    const model = ['--model', 'loans.fb.json', '--quiet']
    const piped = runWith(CSV, 'predict', '/dev/stdin', ...model)
    expect(piped.status).toBe(0)
    put('plain', CSV)
    expect(run('predict', 'plain', ...model).stdout).toBe(piped.stdout)
    expect(run('predict', '-', ...model)).toMatchObject({
      status: 3,
      stderr: 'FB_NO_ROWS: stdin is empty.\n',
    })
  })

  it('gives every row its corrected score, in order, all columns kept', () => {
    const { status, stdout } = runWith(CSV, 'predict', '-', '--model', 'loans.fb.json', '--quiet')
    expect(status).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toBe(`${names.join(',')},corrected`)
    expect(lines.map(line => line.slice(0, line.lastIndexOf(','))).join('\n')).toBe(CSV.trimEnd())
    const expected = readModel(readFileSync(at('loans.fb.json'), 'utf8')).predict(
      makeTable(population.columns),
    )
    const scores = lines.slice(1).map(line => Number(line.slice(line.lastIndexOf(',') + 1)))
    expect(scores).toEqual([...expected])
  })

  it('tells of values that the model has not seen, and of values that are missing where none were', () => {
    const [head, first, ...rest] = CSV.trimEnd().split('\n')
    const column = head.split(',').indexOf('region')
    const swapped = first.split(',').map((cell, index) => (index === column ? 'atlantis' : cell))
    put('news.csv', [head, swapped.join(','), ...rest].join('\n'))
    const args = ['--model', 'loans.fb.json', '--out', 'news-scored.csv']
    const told = run('predict', 'news.csv', ...args, '--json')
    expect(told.stderr).toContain(
      `Column "region": 1 of ${ROWS.toLocaleString('en-US')} rows have values that the model has not seen, such as "atlantis"`,
    )
    expect(JSON.parse(told.stdout).columns).toContainEqual(
      expect.objectContaining({ column: 'region', unseen: 1, examples: ['atlantis'] }),
    )
  })

  it('tells of numbers outside the range of the fit', () => {
    const [head, first, ...rest] = CSV.trimEnd().split('\n')
    const column = head.split(',').indexOf('age')
    const swapped = first.split(',').map((cell, index) => (index === column ? '200' : cell))
    put('old.csv', [head, swapped.join(','), ...rest].join('\n'))
    const told = run('predict', 'old.csv', '--model', 'loans.fb.json', '--out', 'old-scored.csv', '--json')
    expect(told.stderr).toMatch(
      /Column "age": 1 of [\d,]+ rows have values outside 19 to 7\d, the range when the model was fitted \(found: 1\d to 200\)/,
    )
    expect(JSON.parse(told.stdout).columns).toContainEqual(
      expect.objectContaining({ column: 'age', outside: 1 }),
    )
  })

  it('shows what a model knows of its columns', () => {
    const { stdout } = run('show', 'loans.fb.json')
    expect(stdout).toMatch(/^ {2}age +whole numbers 19 to \d\d, none missing$/m)
    expect(stdout).toMatch(/^ {2}region +8 categories: centre, /m)
    const { columnsInWords } = JSON.parse(run('show', 'loans.fb.json', '--json').stdout)
    expect(columnsInWords[0]).toEqual({ name: 'age', words: expect.stringMatching(/^whole numbers 19 to/) })
  })

  it('writes Parquet that can be audited, rounded on request', () => {
    const args = [
      '--model',
      'loans.fb.json',
      '--out',
      'scored.parquet',
      '--as',
      'better',
      '--rounded',
      '--json',
    ]
    const { status, stdout } = run('predict', 'loans.csv', ...args)
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ rows: ROWS, column: 'better', file: 'scored.parquet' })
    const audited = run(
      'audit',
      'scored.parquet',
      '--label',
      'defaulted',
      '--prediction',
      'better',
      '--draws',
      '0',
      '--json',
      '--quiet',
    )
    expect(JSON.parse(audited.stdout)).toMatchObject({ rows: ROWS, score: 'better' })
  })

  it('names the column that the data lacks, and the flag that is wrong', () => {
    put('lacking.csv', CSV.replace('employment', 'employmnt'))
    const lacking = run('predict', 'lacking.csv', '--model', 'loans.fb.json')
    expect(lacking).toMatchObject({ status: 3, stdout: '' })
    expect(lacking.stderr).toContain('no column "employment". Did you mean "employmnt"?')
    const scores = 'case when n > 70000 then 1.7 else score end as score'
    const many = 'select *, row_number() over () as n from data, range(70)'
    const sql = `select * exclude (n, range) replace (${scores}) from (${many}) order by n limit 70010`
    const late = run('predict', 'loans.csv', '--model', 'loans.fb.json', '--sql', sql)
    expect(late).toMatchObject({ status: 3, stdout: '' })
    expect(late.stderr).toContain('Column "score", row 70,001: 1.7 is not a probability.')
    expect(run('predict', 'loans.csv', '--model', 'loans.fb.json', '--out', 'x.xlsx')).toMatchObject({
      status: 2,
    })
    expect(run('predict', 'loans.csv', '--model', 'loans.fb.json', '--json')).toMatchObject({ status: 2 })
    expect(run('predict', 'loans.csv', '--model', 'absent.json')).toMatchObject({ status: 3 })
  })
})

describe('featureboost audit', () => {
  it('prints the documented keys, and ends with code 4 where the gate fails', () => {
    const failed = run(
      'audit',
      'loans.csv',
      ...ROLES,
      '--draws',
      '9',
      '--fail-over',
      '0.001',
      '--json',
      '--quiet',
    )
    expect(failed).toMatchObject({ status: 4, stderr: '' })
    const report = JSON.parse(failed.stdout)
    for (const key of ['brier', 'logLoss', 'ece', 'multiaccuracy', 'multicalibration', 'levelSet']) {
      expect(report[key], key).toMatchObject({ value: expect.any(Number), low: expect.any(Number) })
    }
    expect(report).toMatchObject({
      rows: ROWS,
      mce: { value: {} },
      verdict: expect.any(String),
      passed: false,
    })
    expect(report.worst[0]).toMatchObject({ group: expect.any(String), sql: expect.any(String) })
    const passed = run('audit', 'loans.csv', ...ROLES, '--draws', '0', '--fail-over', '0.9')
    expect(passed.status).toBe(0)
    expect(passed.stdout).toMatch(
      /Passed\. The multicalibration error 0\.\d{4}, exact on these rows, is within 0\.9\./,
    )
  })

  it('audits a model, on declared groups, as Markdown', () => {
    const args = [
      '--model',
      'loans.fb.json',
      '--groups',
      'region,employment',
      '--format',
      'markdown',
      '--quiet',
    ]
    const { status, stderr, stdout } = run('audit', 'loans.csv', ...args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^# Audit of "corrected" against "defaulted" on 1,200 rows\n/)
    expect(stdout).toContain('| multicalibration error | 0.')
  })

  it('says where it looks at the rows that the model was fitted to', () => {
    const own = run('audit', 'loans.csv', '--model', 'loans.fb.json')
    expect(own.stdout.replace(/\s+/g, ' ')).toContain('These are the rows that the model was fitted to')
    put('fewer.csv', CSV.split('\n').slice(0, 1000).join('\n'))
    const json = (name: string) =>
      JSON.parse(run('audit', name, '--model', 'loans.fb.json', '--json').stdout).fittedRows
    expect([json('loans.csv'), json('fewer.csv')]).toEqual([true, false])
    expect(JSON.parse(run('audit', 'fewer.csv', ...ROLES, '--json').stdout).fittedRows).toBe(null)
  })

  it('sets itself against an earlier audit, and refuses what is none', () => {
    const audited = ['audit', 'loans.csv', '--label', 'defaulted', '--draws', '0', '--quiet']
    const good = run(...audited, '--prediction', 'score', '--json')
    put('then.json', good.stdout)
    const worse = ['--sql', 'select * replace (least(1, score + 0.2) as score) from data']
    const now = run(...audited, '--prediction', 'score', ...worse, '--baseline', 'then.json', '--json')
    expect(now.status).toBe(0)
    const { baseline } = JSON.parse(now.stdout)
    expect(baseline).toMatchObject({
      file: 'then.json',
      rows: ROWS,
      measures: { ece: { before: { value: JSON.parse(good.stdout).ece.value }, judged: 'worse' } },
      notes: [],
    })
    expect(baseline.worse).toContain('ece')
    expect(baseline.worse).not.toContain('auc')
    const text = run(...audited, '--prediction', 'score', '--baseline', 'then.json', '--bins', '5')
    expect(text.status).toBe(0)
    expect(text.stdout).toMatch(/Against then\.json \(1,200 rows\)\nmeasure +then +now +change/)
    expect(text.stdout).toContain('Nothing is worse than in the baseline by more than the intervals allow.')
    expect(text.stdout).toContain('Mind: Groups were looked at in other levels of the score: 20 then, 5 now.')
    put('other.json', '{"rows": 3}')
    const refused = run(...audited, '--prediction', 'score', '--baseline', 'other.json')
    expect(refused).toMatchObject({ status: 3, stdout: '' })
    expect(refused.stderr).toMatch(
      /other\.json is no audit: "brier" has no value, low and high\. Expected what/,
    )
    expect(run(...audited, '--prediction', 'score', '--baseline', 'loans.csv').stderr).toMatch(/is no audit/)
  })

  it('wants a score or a model', () => {
    expect(run('audit', 'loans.csv', '--label', 'defaulted')).toMatchObject({ status: 2 })
  })
})

describe('featureboost verify', () => {
  it('ends with 0 on the rows of the fit, in any order, and with 4 on others', () => {
    const shuffled = ['--sql', 'select * from data order by income, age, score']
    const same = run('verify', 'loans.csv', '--model', 'loans.fb.json', ...shuffled, '--json', '--quiet')
    expect(same.status).toBe(0)
    expect(JSON.parse(same.stdout)).toMatchObject({ rows: ROWS, matches: true, differences: [] })
    const fewer = ['--sql', 'select * from data limit 1100']
    const other = run('verify', 'loans.csv', '--model', 'loans.fb.json', ...fewer)
    expect(other.status).toBe(4)
    expect(other.stdout).toMatch(/Not verified\. These are not the rows that the model was fitted to/)
    expect(other.stdout).toMatch(/rows\.rowCount +1200 +1100/)
  })
})
