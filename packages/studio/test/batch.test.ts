// A batch that is added in the page gives the state that the command line gives, byte for byte, from files of every kind.

import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../cli/src/data/database.ts'
import type { FileWords } from '../src/data/open.ts'
import { DataProblem } from '../src/data/problem.ts'
import { batchCommand } from '../src/run/command.ts'
import type { BatchChoice } from '../src/worker/protocol.ts'
import { addBatch, openMonitor } from '../src/worker/watching.ts'

const MAIN = fileURLToPath(new URL('../../cli/bin/featureboost.js', import.meta.url))
const FIT =
  'fit past.csv --label outcome --positive bad --prediction score --score-scale percent --categorical zip --weight weight --method platt --no-audit --out m.fb.json --quiet'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'featureboost-batch-'))
  await writeFile(join(folder, 'past.csv'), csvOf(600, 0))
  await line(FIT)
  await line('monitor start.json past.csv --model m.fb.json --start --protect city')
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Codes are text, some of which look like numbers; postal codes are numbers that are names. */
const CELLS: Readonly<Record<string, (row: number) => string>> = {
  code: row => ['007', '12', 'A1', '3'][row % 4],
  zip: row => ['10115', '80331', '20095'][row % 3],
  city: row => ['north', 'south', '', 'west'][(row * 7) % 4],
  since: row => (row % 9 === 0 ? '' : `2021-0${1 + (row % 8)}-1${row % 10}`),
  member: row => String(row % 3 === 0),
  amount: row => (row % 11 === 0 ? '' : String((row * 37) % 1000)),
  weight: row => String(1 + (row % 2)),
  score: row => String((row * 13) % 101),
  outcome: row => ((row * 7919) % 100 < (row * 13) % 101 ? 'bad' : 'good'),
}

/** `others` replace columns, or leave them out. */
function csvOf(rows: number, from: number, others: Partial<typeof CELLS> = {}, sign = ','): string {
  const columns = Object.entries({ ...CELLS, ...others }).flatMap(([name, cell]) =>
    cell === undefined ? [] : [[name, cell] as const],
  )
  const lines = Array.from({ length: rows }, (_, row) => columns.map(([, cell]) => cell(from + row)))
  return [columns.map(([name]) => name), ...lines, []].map(cells => cells.join(sign)).join('\n')
}

const line = (args: string) =>
  promisify(execFile)('sh', ['-c', `exec "${process.execPath}" "${MAIN}" ${args}`], {
    cwd: folder,
    timeout: 120_000,
  })

const text = (name: string) => readFile(join(folder, name), 'utf8')
const PLAIN: BatchChoice = { name: 'week', unlabelled: false, again: false }

async function byPage(file: string, state: string, { choice = PLAIN, written = {} }: Said = {}) {
  return await addBatch(
    {
      kind: 'batch',
      ...{ stateText: await text(state), modelText: await text('m.fb.json'), name: file },
      ...{ blob: new Blob([await readFile(join(folder, file))]), written, choice },
    },
    () => {},
  )
}

interface Said {
  readonly choice?: BatchChoice
  readonly written?: FileWords
}

/** The command that the page prints. */
async function byLine(file: string, state: string, { choice = PLAIN, written = {} }: Said = {}) {
  await copyFile(join(folder, state), join(folder, 'line.json'))
  const command = batchCommand(choice, { state: 'line.json', model: 'm.fb.json', file, ...written })
  await line(command.replace(/^featureboost /, ''))
  return await text('line.json')
}

async function expectSame(file: string, said: Said = {}, state = 'start.json'): Promise<string> {
  const page = await byPage(file, state, said)
  expect(page.text).toBe(await byLine(file, state, said))
  return page.text
}

describe('a batch that is added in the page gives the bytes of the command line', {
  timeout: 120_000,
}, () => {
  it('from CSV, packed or with other signs', async () => {
    await writeFile(join(folder, 'week.csv'), csvOf(300, 1000))
    const state = await expectSame('week.csv')
    await writeFile(join(folder, 'week.csv.gz'), gzipSync(csvOf(300, 1000)))
    expect(await expectSame('week.csv.gz')).toBe(state)
    const comma = csvOf(300, 1000, { amount: row => CELLS.amount(row).replace(/(\d)$/, '$1,5') }, ';')
    await writeFile(join(folder, 'comma.csv'), comma)
    await expectSame('comma.csv', { written: { decimal: ',' } })
  })

  it('from Parquet and NDJSON', async () => {
    await writeFile(join(folder, 'typed.csv'), csvOf(300, 2000))
    const database = await Database.open()
    const read = `read_csv('${join(folder, 'typed.csv')}', types = {'code': 'VARCHAR', 'zip': 'VARCHAR'})`
    try {
      await database.run(`copy (from ${read}) to '${join(folder, 'typed.parquet')}' (format parquet)`)
      await database.run(`copy (from ${read}) to '${join(folder, 'typed.ndjson')}' (format json)`)
    } finally {
      await database.close()
    }
    const choice = { ...PLAIN, name: 'typed' }
    const state = await expectSame('typed.csv', { choice })
    expect(await expectSame('typed.parquet', { choice })).toBe(state)
    expect(await expectSame('typed.ndjson', { choice })).toBe(state)
  })

  it('where codes look like numbers, a column is empty, and one that nobody asked for cannot be read', async () => {
    await writeFile(
      join(folder, 'odd.csv'),
      csvOf(300, 3000, {
        code: row => ['12', '3'][row % 2],
        city: () => '',
        noise: row => (row === 3005 ? 'inf' : '1.5'),
      }),
    )
    await expectSame('odd.csv', { choice: { ...PLAIN, name: "o'dd week" } })
  })

  it('where outcomes come later', async () => {
    await writeFile(join(folder, 'early.csv'), csvOf(300, 4000, { outcome: undefined }))
    await writeFile(join(folder, 'late.csv'), csvOf(300, 4000))
    await writeFile(join(folder, 'early.json'), await expectSame('early.csv'))
    const late = await byPage('late.csv', 'early.json', { choice: { ...PLAIN, name: 'late' } })
    expect(late.batch).toBe('week')
    expect(late.report).toMatchObject({ batches: 1, labelledBatches: 1 })
    await expectSame('late.csv', { choice: { ...PLAIN, name: 'late' } }, 'early.json')
    await expectSame('late.csv', { choice: { ...PLAIN, unlabelled: true } })
  })

  it('where the same rows count once more', async () => {
    await writeFile(join(folder, 'twice.csv'), csvOf(200, 5000))
    await writeFile(join(folder, 'once.json'), await expectSame('twice.csv'))
    await expect(byPage('twice.csv', 'once.json')).rejects.toMatchObject({ code: 'FB_MONITOR_BATCH' })
    await expectSame('twice.csv', { choice: { ...PLAIN, again: true } }, 'once.json')
  })
})

describe('a batch is refused', { timeout: 120_000 }, () => {
  it('where a watched column is not there, or cannot be read', async () => {
    await writeFile(join(folder, 'less.csv'), csvOf(50, 0, { amount: undefined }))
    await expect(byPage('less.csv', 'start.json')).rejects.toMatchObject({ code: 'FB_COLUMN_UNKNOWN' })
    await writeFile(join(folder, 'far.csv'), csvOf(50, 0, { amount: row => (row === 7 ? 'inf' : '1.5') }))
    await expect(byPage('far.csv', 'start.json')).rejects.toThrow(
      'Column "amount" cannot be read. Its values are dates or numbers in a form',
    )
  })

  it('where a file with types has numbers for what the model knows as text', async () => {
    const rows = Array.from({ length: 20 }, (_, row) => ({
      ...Object.fromEntries(Object.entries(CELLS).map(([name, cell]) => [name, cell(row)])),
      ...{ code: 12, amount: row, score: 50, weight: 1 },
    }))
    await writeFile(join(folder, 'numbers.json'), JSON.stringify(rows))
    const refused = byPage('numbers.json', 'start.json')
    await expect(refused).rejects.toBeInstanceOf(DataProblem)
    await expect(refused).rejects.toThrow('Column "code" holds no text in this file')
  })
})

describe('a state', { timeout: 120_000 }, () => {
  it('says the same by itself and with its model', async () => {
    const [state, model] = [await text('start.json'), await text('m.fb.json')]
    const alone = await openMonitor({ kind: 'watch', state })
    const both = await openMonitor({ kind: 'watch', state: new Blob([state]), model: new Blob([model]) })
    expect(both.state).toEqual(alone.state)
    expect(both.model).toEqual({ text: model, hash: alone.state!.report.modelHash })
  })

  it('that was edited, cut off, or is of another model is refused with a code', async () => {
    const [state, model] = [await text('start.json'), await text('m.fb.json')]
    const refusal = (given: { state?: string; model?: string }) =>
      openMonitor({ kind: 'watch', ...given }).then(
        () => 'taken',
        error => error.code,
      )
    expect(await refusal({ state: state.replace('"delta": 0.05', '"delta": 0.5') })).toBe('FB_MONITOR_FORMAT')
    expect(await refusal({ state: state.slice(0, 900) })).toBe('FB_MONITOR_FORMAT')
    expect(await refusal({ state: state.replace('"version": 1', '"version": 2') })).toBe('FB_MONITOR_FORMAT')
    await line(FIT.replace('--method platt', '--method isotonic').replace('m.fb.json', 'other.fb.json'))
    expect(await refusal({ state, model: await text('other.fb.json') })).toBe('FB_MONITOR_MODEL')
    expect(await refusal({ state, model: model.slice(0, 900) })).toBe('FB_MODEL_FORMAT')
  })
})
