// Rows in DuckDB from the command line: the same files and numbers as from memory, and nothing left behind.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseEngine, requireMemory } from '../../src/commands/engine.ts'
import { bytesOf, memorySize, sizeText } from '../../src/commands/size.ts'
import { WorkDatabase } from '../../src/engines/duckdb/work.ts'

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
let folder = ''

const run = (...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], {
    maxBuffer: 2 ** 26,
    cwd: folder,
    encoding: 'utf8',
    timeout: 150_000,
    env: { ...process.env, NO_COLOR: '1', TMPDIR: folder },
  })

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const without = (text: string, ...keys: string[]) =>
  Object.fromEntries(Object.entries(JSON.parse(text)).filter(([key]) => !keys.includes(key)))

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-'))
  expect(run('demo', '--rows', '800', '--csv', 'loans.csv', '--quiet').status).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ROLES = ['--label', 'defaulted', '--prediction', 'score', '--quiet']

describe('--engine duckdb', () => {
  it('writes the model of --engine memory, byte for byte, verifies it, and leaves no file behind', () => {
    for (const engine of ['memory', 'duckdb']) {
      const { status, stderr } = run(
        'fit',
        'loans.csv',
        ...ROLES,
        '--engine',
        engine,
        '--out',
        `${engine}.fb.json`,
      )
      expect(stderr).toBe('')
      expect(status).toBe(0)
    }
    expect(read('duckdb.fb.json')).toBe(read('memory.fb.json'))
    const verified = run(
      ...['verify', 'loans.csv', '--model', 'memory.fb.json', '--engine', 'duckdb', '--refit', '--quiet'],
      ...['--memory', '400MB', '--database', 'work.duckdb'],
    )
    expect(verified.status).toBe(0)
    expect(verified.stdout).toContain('Verified.')
    const left = readdirSync(folder).filter(
      name => name.startsWith('work') || name.startsWith('featureboost-'),
    )
    expect(left.filter(name => !name.endsWith('.fb.json'))).toEqual([])
  })

  it.each(['loans.csv', 'rare.csv'])('audits %s as --engine memory does', file => {
    // Four rows have a region of their own: no group may be named after it, wherever rows are.
    const lines = read('loans.csv').split('\n')
    writeFileSync(
      join(folder, 'rare.csv'),
      lines
        .map((line, row) =>
          row % 200 === 7 ? line.replace(/,(north|south|east|west|centre),/, ',lighthouse,') : line,
        )
        .join('\n'),
    )
    expect(read('rare.csv').match(/,lighthouse,/g)?.length).toBeGreaterThan(2)
    const [memory, duckdb] = ['memory', 'duckdb'].map(engine =>
      run('audit', file, ...ROLES, '--engine', engine, '--json'),
    )
    expect(duckdb.status).toBe(0)
    expect(without(duckdb.stdout, 'seconds')).toEqual(without(memory.stdout, 'seconds'))
  })

  it('refuses a database of somebody else, and leaves it as it was', async () => {
    const path = join(folder, 'theirs.duckdb')
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    await connection.run('CREATE TABLE accounts AS SELECT 1 AS id')
    connection.closeSync()
    instance.closeSync()
    const args = [
      'fit',
      'loans.csv',
      ...ROLES,
      '--out',
      'x.fb.json',
      '--no-audit',
      '--database',
      'theirs.duckdb',
    ]
    const refused = run(...args)
    expect(refused.status).toBe(3)
    expect(refused.stderr).toContain('FB_ENGINE_DATABASE')
    expect(refused.stderr).toContain('this database holds tables of somebody else')
    expect(existsSync(path)).toBe(true)
    expect(existsSync(join(folder, 'x.fb.json'))).toBe(false)
  })

  it('refuses a file that is no database, and leaves it as it was', () => {
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    const args = ['--out', 'x.fb.json', '--no-audit', '--database', 'notes.txt']
    const { status, stderr } = run('fit', 'loans.csv', ...ROLES, ...args)
    expect(status).toBe(3)
    expect(stderr).toMatch(/^FB_ENGINE_DATABASE .*notes\.txt: this file is no database of DuckDB/)
    expect(stderr).toContain('Name another file with --database.')
    expect(stderr).not.toContain('memory')
    expect(read('notes.txt')).toBe('mine')
  })

  it('refuses a database that is read, or that is for rows in memory', () => {
    const same = run('fit', 'loans.csv', ...ROLES, '--out', 'y.fb.json', '--database', 'loans.csv')
    expect(same.status).toBe(2)
    expect(same.stderr).toContain('FB_OUTPUT_INPUT')
    const memory = run(
      'fit',
      'loans.csv',
      ...ROLES,
      '--out',
      'y.fb.json',
      '--engine',
      'memory',
      '--database',
      'w.duckdb',
    )
    expect(memory.status).toBe(2)
    expect(memory.stderr).toContain('--database is for --engine duckdb')
  })

  it('refuses sizes that are none', () => {
    const { status, stderr } = run('fit', 'loans.csv', ...ROLES, '--out', 'y.fb.json', '--memory', 'much')
    expect(status).toBe(2)
    expect(stderr).toContain('Expected a size such as 2GB or 512MB.')
  })
})

describe('where rows are kept', () => {
  it('is memory where they fit, and DuckDB where they do not, with a line that says so', () => {
    const told: string[] = []
    const tell = (line: string) => told.push(line)
    const columns = new Array(11).fill('x')
    expect(chooseEngine({ columns, rowCount: 1_000_000 }, { memory: '2GB' }, tell)).toBe('memory')
    expect(told).toEqual([])
    expect(chooseEngine({ columns, rowCount: 50_000_000 }, { memory: '2GB' }, tell)).toBe('duckdb')
    expect(told[0]).toBe(
      '50,000,000 rows would take about 3.4GB of memory, more than --memory 2GB: they are kept on disk, in DuckDB, which takes longer and gives the same. --engine memory keeps them in memory all the same.',
    )
    expect(chooseEngine({ columns, rowCount: 50_000_000 }, { memory: '2GB', engine: 'memory' }, tell)).toBe(
      'memory',
    )
    expect(chooseEngine({ columns, rowCount: 10 }, { database: 'work.duckdb' }, tell)).toBe('duckdb')
    expect(told).toHaveLength(1)
  })

  it('is memory alone for some commands, which refuse before the work what would not fit', () => {
    const columns = new Array(10).fill('x')
    const wanted = (rowCount: number, copies: number, memory?: string) => () =>
      requireMemory({ columns, rowCount }, memory === undefined ? {} : { memory }, copies)
    expect(wanted(4_000_000, 2, '2GB')).not.toThrow()
    expect(wanted(10_000_000, 2, '2GB')).toThrow(
      'FB_MEMORY: 10,000,000 rows would take about 2.3GB of memory, more than --memory 2GB, and this command keeps them there. Raise --memory, or work on some of the rows: --sql "from data using sample 500000".',
    )
    expect(wanted(10_000_000, 0, '2GB')).not.toThrow()
    expect(wanted(1e12, 0)).toThrow(
      /more than 80 % of the memory of this machine, .* Work on some of the rows/,
    )
  })

  it('has a size that is read and written as people do', () => {
    expect(bytesOf('2GB')).toBe(2e9)
    expect(bytesOf('1.5 gib')).toBe(1.5 * 2 ** 30)
    expect(bytesOf('2')).toBeNaN()
    expect(sizeText(1.5e9)).toBe('1.5GB')
    expect(sizeText(250e6)).toBe('250MB')
    expect(() => memorySize('20MB')).toThrow('at least 200MB')
  })
})

describe('a work database', () => {
  it('that another process has open is refused, with what to do', async () => {
    const path = join(folder, 'shared.duckdb')
    const script = `import { WorkDatabase } from ${JSON.stringify(new URL('../../dist/engines/duckdb/work.js', import.meta.url).href)}
      await WorkDatabase.open({ path: ${JSON.stringify(path)} }).catch(error => console.log(error.message))`
    const work = await WorkDatabase.open({ path })
    const other = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(other.stdout).toMatch(
      /^FB_ENGINE_DATABASE .*: this database is in use by another process\. .* Wait/,
    )
    await work.close()
  })

  it('that a process left behind is taken over, and its tables are dropped', async () => {
    const path = join(folder, 'left.duckdb')
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    await connection.run(
      'CREATE TABLE featureboost_manifest (engine VARCHAR PRIMARY KEY, rows VARCHAR, state VARCHAR, version BIGINT)',
    )
    await connection.run('CREATE TABLE fb_1_rows AS SELECT 1 AS y')
    connection.closeSync()
    instance.closeSync()
    const work = await WorkDatabase.open({ path })
    const found = await work.connection.runAndReadAll('SELECT table_name FROM information_schema.tables')
    expect(found.getColumnsJS()[0]).toEqual(['featureboost_manifest'])
    await work.close()
    expect(existsSync(path)).toBe(false)
  })
})
