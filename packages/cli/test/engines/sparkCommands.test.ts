// Rows in Spark, as far as the command line decides about them by itself: no server is needed. What needs one is in spark/real/.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandLine } from '../../src/commands/commandLine.ts'
import { keptMarks } from '../../src/commands/sparkMarks.ts'
import { qualifiedName } from '../../src/engines/spark/work.ts'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NO_COLOR: '1' },
  })

/** Nobody listens there. */
const ENGINE = ['--engine', 'sc://127.0.0.1:9/;token=secret']
const FIT = ['fit', ...ENGINE, '--label', 'y', '--out', 'm.fb.json']

describe('--engine sc://...', () => {
  it.each([
    ['a file besides', [...FIT, 'rows.csv', '--table', 'loans'], 'rows.csv is a file'],
    ['no table', FIT, 'name the rows with --table or with --sql'],
    ['a table and a query', [...FIT, '--table', 'loans', '--sql', 'select 1'], 'one of them'],
    ['a report', [...FIT, '--table', 'loans', '--report', 'r.html'], '--report is for files'],
    ['a date format', [...FIT, '--table', 'loans', '--date-format', '%d'], '--date-format is for files'],
    [
      'another engine',
      ['fit', '--engine', 'sparc', '--label', 'y', '--out', 'm'],
      'Expected memory, duckdb or an address',
    ],
  ])('refuses %s', (_, args, words) => {
    const { status, stderr } = run(...args)
    expect([status, stderr.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(words)])
    expect(stderr).not.toContain('secret')
  })

  it('says that nobody answers, and tells no token', () => {
    const { status, stderr } = run(...FIT, '--table', 'loans', '--quiet')
    expect([status, stderr]).toEqual([3, expect.stringContaining('FB_SPARK_UNREACHABLE')])
    expect(stderr).not.toContain('secret')
  })

  it('is not taken from a file of flags that was not named: it would be sent the token', () => {
    const path = join(folder, 'featureboost.json')
    writeFileSync(path, JSON.stringify({ fit: { engine: 'sc://elsewhere:15002' } }))
    const { status, stderr } = run('fit', '--table', 'loans', '--label', 'y', '--out', 'm.fb.json')
    rmSync(path)
    expect([status, stderr]).toEqual([2, expect.stringContaining('FB_CONFIG')])
  })

  it('is printed without its token', () => {
    const address = 'sc://spark:443/;use_ssl=true;token=secret;user_id=me'
    const shown = `featureboost fit --engine 'sc://spark:443/;use_ssl=true;token=...;user_id=me' --table a.b`
    expect(commandLine(['fit', '--engine', address, '--table', 'a.b'])).toBe(shown)
    expect(commandLine([`--engine=${address}`])).not.toContain('secret')
  })
})

describe('predict', () => {
  it.each([
    [
      '--out-table without Spark',
      ['predict', 'rows.csv', '--model', 'm', '--out-table', 't'],
      '--out-table is for rows in Spark',
    ],
    [
      'no table to write',
      ['predict', ...ENGINE, '--table', 'a', '--model', 'm'],
      'name the table to write with --out-table',
    ],
    [
      'a file to write',
      ['predict', ...ENGINE, '--table', 'a', '--model', 'm', '--out-table', 't', '--out', 'x.csv'],
      'rows do not leave Spark',
    ],
    [
      'DuckDB',
      ['predict', 'rows.csv', '--model', 'm', '--engine', 'duckdb'],
      'predict reads rows one after the other',
    ],
  ])('refuses %s', (_, args, words) => {
    const { status, stderr } = run(...args)
    expect([status, stderr.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(words)])
  })
})

it('names of tables are quoted, part by part', () => {
  expect(qualifiedName('main.bank.loans')).toBe('`main`.`bank`.`loans`')
  expect(qualifiedName('a.`odd.name`')).toBe('`a`.`odd.name`')
  expect(qualifiedName('loans; DROP TABLE x')).toBe('`loans; DROP TABLE x`')
})

describe('the marks of a run', () => {
  const mark = {
    session: '00112233-4455-6677-8899-aabbccddeeff',
    user: 'featureboost',
    schema: '`main`.`work`',
    prefix: 'featureboost_0123abcd_',
  }

  it('are kept until the run ends', async () => {
    const place = join(folder, 'kept')
    await keptMarks(place).keep([mark])
    expect(await keptMarks(place).marks()).toEqual([mark])
    await keptMarks(place).keep([])
    expect(existsSync(join(place, 'spark.json'))).toBe(false)
    expect(await keptMarks(place).marks()).toEqual([])
  })

  it.each([
    ['no JSON', '{'],
    ['another prefix', JSON.stringify([{ ...mark, prefix: 'accounts' }])],
    ['SQL for a schema', JSON.stringify([{ ...mark, schema: 'main; DROP TABLE accounts' }])],
    ['no list', '{}'],
  ])('are refused where they are not as we wrote them: %s', async (_, text) => {
    const place = join(folder, 'damaged')
    await keptMarks(place).keep([mark])
    writeFileSync(join(place, 'spark.json'), text)
    await expect(keptMarks(place).marks()).rejects.toThrow(/FB_CHECKPOINT_DAMAGED: .*spark.json is damaged/)
  })
})
