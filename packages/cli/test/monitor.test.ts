// featureboost monitor, as users run it: states that are started, added to, looked at, fought over and damaged.

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Row, readModel } from '@featureboost/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FileLock } from '../src/checkpoint/lock.ts'
import { makeLendingPopulation } from '../src/demo/population.ts'
import { Recorder } from '../src/serve/record.ts'
import type { Served } from '../src/serve/shelf.ts'
import { at, folderOf, openLoans, put, run } from './loans.ts'

openLoans()

const MODEL = ['--model', 'loans.fb.json']

/** `wrong`: the share of applicants in the north who default without having to. */
function batchCsv(seed: number, wrong = 0, { labels = true } = {}): string {
  const { columns } = makeLendingPopulation({ rows: 600, seed })
  const names = (Object.keys(columns) as (keyof typeof columns)[]).filter(
    name => labels || name !== 'defaulted',
  )
  const lines = Array.from({ length: 600 }, (_, row) =>
    names.map(name => {
      if (name === 'defaulted' && columns.region[row] === 'north' && row % 10 < 10 * wrong) return '1'
      return String(columns[name][row] ?? '')
    }),
  )
  return [names, ...lines, []].map(cells => cells.join(',')).join('\n')
}

const state = (): string => readFileSync(at('watch.json'), 'utf8')
const reported = (...args: string[]) =>
  JSON.parse(run('monitor', 'watch.json', ...args, ...MODEL, '--json').stdout)

beforeAll(() => {
  const { status, stderr, stdout } = run(
    'monitor',
    'watch.json',
    'loans.csv',
    ...MODEL,
    '--start',
    '--protect',
    'region',
  )
  expect(`${status} ${stderr}`).toMatch(/^0 /)
  expect(stdout).toContain('Started: watch.json watches from now on. The reference has 1,200 rows.')
  expect(stdout).toContain('No outcome has come in yet')
  copyFileSync(at('watch.json'), at('started.json'))
}, 60_000)

const restart = () => copyFileSync(at('started.json'), at('watch.json'))

describe('a monitor', () => {
  it('records batches, refuses one that it knows, and shows what it has seen', () => {
    restart()
    put('monday.csv', batchCsv(11))
    const { status, stdout } = run('monitor', 'watch.json', 'monday.csv', ...MODEL)
    expect(status).toBe(0)
    expect(stdout).toContain('Recorded batch monday in watch.json.')
    expect(stdout).toContain('No alarm')
    expect(stdout).toContain('Groups, outcome less score, on 600 rows in 1 batch with outcomes')
    const before = state()
    const again = run('monitor', 'watch.json', 'monday.csv', ...MODEL)
    expect(again.status).toBe(3)
    expect(again.stderr).toContain('FB_MONITOR_BATCH: these rows were recorded before, as batch monday.')
    expect(state()).toBe(before)
    expect(run('monitor', 'watch.json', 'monday.csv', ...MODEL, '--again', '--batch', 'twice').status).toBe(0)
    expect(reported()).toMatchObject({ did: 'read', batch: null, batches: 2, rows: 1200, labelledRows: 1200 })
    expect(readdirSync(folderOf()).filter(name => /lock|tmp/.test(name))).toEqual([])
  })

  it('counts columns first and outcomes when they come', () => {
    restart()
    put('early.csv', batchCsv(12, 0, { labels: false }))
    put('late.csv', batchCsv(12))
    expect(reported('early.csv')).toMatchObject({ did: 'recorded', batch: 'early', labelledBatches: 0 })
    expect(reported('late.csv')).toMatchObject({
      did: 'recorded',
      batch: 'early',
      batches: 1,
      labelledBatches: 1,
    })
    restart()
    expect(reported('late.csv', '--unlabelled')).toMatchObject({ batches: 1, labelledBatches: 0 })
  })

  it('raises an alarm that names the group, ends with code 4 if asked, and draws it', () => {
    restart()
    for (let day = 1; day <= 6; day++) {
      put(`day-${day}.csv`, batchCsv(20 + day, 0.6))
      const { status } = run('monitor', 'watch.json', `day-${day}.csv`, ...MODEL)
      expect(status).toBe(0)
    }
    const args = ['monitor', 'watch.json', ...MODEL, '--fail-on-alarm', '--report', 'watch.html', '--force']
    const { status, stderr, stdout } = run(...args)
    expect(status).toBe(4)
    expect(stdout).toContain('ALARM\nRefit on recent rows: scores are surely too low for region = north')
    expect(stdout).toMatch(
      /region = north: scores are surely too low; the alarm was\s+raised\s+after\s+batch\s+day-\d\.\s+Counted\s+from\s+batch\s+day-1\s+on/,
    )
    expect(stdout).toMatch(
      /Timeline: evidence that scores are off somewhere, after each batch\n(.*\n)+.*sure │/,
    )
    expect(stderr).toContain('Report written to watch.html')
    const html = readFileSync(at('watch.html'), 'utf8')
    expect(html).toContain('"format":"featureboost-monitor-report"')
    expect(html).toContain('region = north')
    expect(run(...args, '--ascii').stdout).toMatch(/^[\x20-\x7e\n]*$/)
    expect(run('monitor', 'watch.json', ...MODEL).status).toBe(0)
    expect(run('monitor', 'watch.json', ...MODEL, '--fail-on-drift').status).toBe(0)
  })

  it('tries a batch without recording it', () => {
    restart()
    const before = state()
    expect(reported('late.csv', '--dry-run')).toMatchObject({
      did: 'tried',
      batch: 'late',
      labelledBatches: 1,
    })
    expect(state()).toBe(before)
  })

  it('watches the log of the server by the day, and takes outcomes that are joined to it later', async () => {
    restart()
    const { columns } = makeLendingPopulation({ rows: 300, seed: 31 })
    const rows = Array.from({ length: 300 }, (_, row) => ({
      id: `A-${row}`,
      ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[row]])),
    }))
    const sent = rows.map(({ defaulted: _, ...row }: Record<string, unknown>) => row)
    const recorder = new Recorder(at('rows.ndjson'), error => expect.fail(String(error)))
    const served = { name: 'loans', model: readModel(readFileSync(at('loans.fb.json'), 'utf8')) } as Served
    recorder.add(served, sent as Row[], new Float64Array(300))
    await recorder.close()
    // The log of two days.
    const earlier = readFileSync(at('rows.ndjson'), 'utf8').replaceAll(
      /"featureboost_at":"[^T]*/g,
      '"featureboost_at":"2026-03-01',
    )
    const later = earlier.replaceAll('"2026-03-01', '"2026-03-02').replaceAll('"A-', '"B-')
    put('rows.ndjson', earlier + later)
    put(
      'outcomes.csv',
      [
        'id,defaulted',
        ...rows.map(row => `${row.id},${columns.defaulted[Number(row.id.slice(2))]}`),
        '',
      ].join('\n'),
    )
    const day = "where featureboost_at::date = '2026-03-01'"
    const first = reported('rows.ndjson', '--batch', 'march', '--sql', `select * from data ${day}`)
    expect(first).toMatchObject({ did: 'recorded', batch: 'march', rows: 300, labelledBatches: 0 })
    const join = `select sent.*, defaulted from 'rows.ndjson' as sent left join 'outcomes.csv' using (id) ${day}`
    const outcomes = readFileSync(at('outcomes.csv'), 'utf8')
    put('outcomes.csv', outcomes.replace(/A-7,.*\n/, ''))
    const early = run('monitor', 'watch.json', ...MODEL, '--sql', join)
    expect(early).toMatchObject({ status: 3, stderr: expect.stringContaining('FB_MISSING_VALUE') })
    put('outcomes.csv', outcomes)
    expect(reported('--sql', join)).toMatchObject({
      ...{ did: 'recorded', batch: 'march', batches: 1, labelledRows: 300 },
    })
  })

  it('shows hostile names, and steers no terminal', () => {
    restart()
    const name = 'x\x1b]52;c;aGk=\x07\u202e'
    put('hostile.csv', batchCsv(14).replaceAll(',north,', `,"${name}",`))
    const args = [
      'monitor',
      'watch.json',
      'hostile.csv',
      ...MODEL,
      '--batch',
      name,
      '--report',
      'h.html',
      '--force',
    ]
    const { status, stderr, stdout } = run(...args)
    expect(status).toBe(0)
    expect(stdout).toContain('x\ufffd]52;c;aGk=\ufffd\ufffd')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    const steering = /(?!\n)[\x00-\x1f\x7f\u202e]/
    expect(stdout).not.toMatch(steering)
    expect(stderr).not.toMatch(steering)
    expect(readFileSync(at('h.html'), 'utf8')).not.toMatch(/\p{Cc}\[|\p{Cc}\]|\u202e/u)
    expect(run('monitor', 'watch.json', ...MODEL, '--json').stdout).not.toMatch(steering)
  })

  it('gives the same bytes whatever the order of rows', () => {
    const [head, ...lines] = batchCsv(13).trim().split('\n')
    const texts = [lines, lines.toReversed()].map(rows => {
      restart()
      put('same.csv', [head, ...rows, ''].join('\n'))
      expect(run('monitor', 'watch.json', 'same.csv', ...MODEL).status).toBe(0)
      return state()
    })
    expect(texts[0]).toBe(texts[1])
  })
})

describe('the state', () => {
  it('is the old one, whole, where a process is killed before the new one takes its place', () => {
    restart()
    const files = fileURLToPath(new URL('../dist/files.js', import.meta.url))
    const script = `
      import { writeFileSync } from 'node:fs'
      import { replaceFile } from ${JSON.stringify(files)}
      await replaceFile('watch.json', async temporary => {
        writeFileSync(temporary, '{ "half": ')
        process.kill(process.pid, 'SIGKILL')
        await new Promise(resolve => setTimeout(resolve, 60000))
      })`
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folderOf() })
    expect(signal).toBe('SIGKILL')
    expect(readdirSync(folderOf()).some(name => /^watch\.json\.\d+\.tmp$/.test(name))).toBe(true)
    expect(state()).toBe(readFileSync(at('started.json'), 'utf8'))
    expect(reported('late.csv')).toMatchObject({ did: 'recorded', batches: 1 })
    expect(readdirSync(folderOf()).some(name => /\.tmp$/.test(name))).toBe(false)
  })

  it('is added to by one process at a time', () => {
    restart()
    const before = state()
    const lock = FileLock.ofFile(at('watch.json'))
    try {
      const { status, stderr } = run('monitor', 'watch.json', 'late.csv', ...MODEL)
      expect(status).toBe(2)
      expect(stderr).toMatch(
        /FB_MONITOR_IN_USE .*watch\.json: process \d+ is adding to this monitor\. Wait for it to end/,
      )
      expect(state()).toBe(before)
      // Looking takes no lock.
      expect(reported()).toMatchObject({ batches: 0 })
    } finally {
      lock.release()
    }
    expect(existsSync(at('watch.json.lock'))).toBe(false)
    expect(run('monitor', 'watch.json', 'late.csv', ...MODEL).status).toBe(0)
  })

  it('is not overwritten, and belongs to its model', () => {
    restart()
    const start = ['monitor', 'watch.json', 'loans.csv', ...MODEL, '--start', '--delta', '0.01']
    expect(run(...start)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('watch.json exists already. Pass --force'),
    })
    expect(run(...start, '--force').status).toBe(0)
    expect(reported()).toMatchObject({ delta: 0.01 })
    expect(
      run(
        'fit',
        'loans.csv',
        '--label',
        'defaulted',
        '--prediction',
        'score',
        '--epsilon',
        '0.3',
        '--no-audit',
        '--out',
        'other.fb.json',
      ).status,
    ).toBe(0)
    const { status, stderr } = run('monitor', 'watch.json', 'late.csv', '--model', 'other.fb.json')
    expect(status).toBe(3)
    expect(stderr).toContain('FB_MONITOR_MODEL: this monitor was started with another model.')
    writeFileSync(at('broken.json'), state().replace('"delta": 0.01', '"delta": 0.02'))
    expect(run('monitor', 'broken.json', 'late.csv', ...MODEL)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('FB_MONITOR_FORMAT state: the state does not match its own seal.'),
    })
  })
})

describe('misuse', () => {
  it.each([
    [
      'a state that is not there',
      ['nowhere.json', 'late.csv'],
      3,
      'FB_FILE_MISSING: nowhere.json: there is no such file. Begin with --start',
    ],
    [
      'settings of a state that was started',
      ['watch.json', 'late.csv', '--delta', '0.1'],
      2,
      'FB_USAGE: --delta is settled by --start',
    ],
    [
      'a batch for a start',
      ['new.json', 'loans.csv', '--start', '--dry-run'],
      2,
      'FB_USAGE: --dry-run is about a batch',
    ],
    ['a start without rows', ['new.json', '--start'], 2, 'FB_USAGE: --start needs data'],
    [
      'a name for no batch',
      ['watch.json', '--batch', 'x'],
      2,
      'FB_USAGE: --batch is about a batch, and no data are named.',
    ],
    ['the data as the state', ['loans.csv', 'loans.csv'], 2, 'FB_OUTPUT_INPUT'],
    ['a report over the state', ['watch.json', '--report', 'watch.json', '--force'], 2, 'FB_OUTPUT_INPUT'],
    [
      'a column that is not there',
      ['new.json', 'loans.csv', '--start', '--protect', 'planet'],
      3,
      'FB_COLUMN_UNKNOWN',
    ],
    [
      'a group that is none',
      ['new.json', 'loans.csv', '--start', '--groups', 'planet'],
      3,
      'FB_COLUMN_UNKNOWN',
    ],
  ])('by %s is refused with a code', (_, args, code, message) => {
    const { status, stderr } = run('monitor', ...args, ...MODEL)
    expect(stderr).toContain(message)
    expect(status).toBe(code)
    expect(existsSync(at('new.json'))).toBe(false)
  })
})
