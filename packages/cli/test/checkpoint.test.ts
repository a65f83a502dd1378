// Checkpoints on disk: any beginning of a log is a checkpoint, damage is noticed, and killed fits end with the same bytes.

import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CheckpointEntry } from '@featureboost/core/internal'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killFits } from '../../../scripts/kill.ts'
import { CheckpointFolder } from '../src/checkpoint/folder.ts'
import { FIRST_SEAL, readLog, writeLine } from '../src/checkpoint/log.ts'
import { resumeCommand } from '../src/commands/resume.ts'
import { makeLendingPopulation } from '../src/demo/population.ts'

let folder = ''
const at = (...names: string[]) => join(folder, ...names)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-checkpoint-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function logOf(values: readonly unknown[]): Buffer {
  let seal = FIRST_SEAL
  const lines = values.map(value => {
    const line = writeLine(value, seal)
    seal = line.seal
    return line.text
  })
  return Buffer.from(lines.join(''))
}

const valuesOf = (bytes: Buffer) => readLog(bytes).lines.map(({ value }) => value)

describe('a log', () => {
  const anyValues = fc.array(fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)) as unknown))

  it('gives back what was written, and of a torn one all lines but the torn', () => {
    fc.assert(
      fc.property(anyValues, fc.nat(), (values, cut) => {
        const bytes = logOf(values)
        expect(readLog(bytes)).toMatchObject({ damagedLines: 0 })
        expect(valuesOf(bytes)).toEqual(values)
        const torn = bytes.subarray(0, cut % (bytes.length + 1))
        const whole = torn.toString('latin1').split('\n').length - 1
        expect(valuesOf(torn)).toEqual(values.slice(0, whole))
        expect(readLog(torn).damagedLines).toBe(0)
      }),
    )
  })

  it('ends before the first byte that was changed, or line that was removed, repeated or moved', () => {
    const values = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(values, fc.nat(), fc.integer({ min: 1, max: 255 }), (written, place, change) => {
        const bytes = logOf(written)
        const index = place % bytes.length
        const line = bytes.subarray(0, index).toString('latin1').split('\n').length - 1
        bytes[index] ^= change
        expect(valuesOf(bytes)).toHaveLength(line)
      }),
    )
    const lines = logOf([1, 2, 3, 4]).toString().split('\n').slice(0, -1)
    const read = (...indexes: number[]) =>
      readLog(Buffer.from(indexes.map(index => `${lines[index]}\n`).join('')))
    expect(read(0, 2, 3)).toMatchObject({ lines: [{ value: 1 }], damagedLines: 2 })
    expect(read(0, 1, 1, 2)).toMatchObject({ lines: [{ value: 1 }, { value: 2 }], damagedLines: 2 })
    expect(read(1, 0, 2, 3)).toMatchObject({ lines: [], damagedLines: 4 })
  })
})

describe('a checkpoint folder', () => {
  const run = { kind: 'run', identity: { version: '1' } } as unknown as CheckpointEntry
  const round = (number: number) =>
    ({ kind: 'round', stage: 'boosting', round: { round: number } }) as unknown as CheckpointEntry
  const told: string[] = []
  const open = (resume = true) => CheckpointFolder.open(at('kept'), { resume, tell: line => told.push(line) })

  /** What is kept, as the next process would read it. */
  async function load(): Promise<readonly unknown[]> {
    const checkpoint = await open()
    const entries = await checkpoint.load()
    checkpoint.close()
    return entries
  }

  async function keep(rounds: number): Promise<void> {
    const checkpoint = await open()
    if ((await checkpoint.load()).length === 0) await checkpoint.save(run)
    for (let number = 1; number <= rounds; number++) await checkpoint.save(round(checkpoint.roundCount + 1))
    checkpoint.close()
  }

  it('keeps entries from process to process, whatever was torn off', async () => {
    await keep(2)
    const path = at('kept', 'rounds.log')
    appendFileSync(path, '0123456789abcdef {"kind":"rou')
    expect(await load()).toEqual([run, round(1), round(2)])
    await keep(1)
    expect(await load()).toEqual([run, round(1), round(2), round(3)])
    expect(told).toEqual([])
    expect(readLog(readFileSync(path)).damagedLines).toBe(0)
  })

  it('drops damaged rounds, and says so; refuses a log that is damaged from the start', async () => {
    await keep(3)
    const path = at('kept', 'rounds.log')
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, lines.with(2, lines[2].replace('2', '7')).join('\n'))
    expect(await load()).toEqual([run, round(1)])
    expect(told.pop()).toMatch(/rounds\.log is damaged after 1 rounds: later ones are computed again/)
    writeFileSync(path, lines.with(0, 'x').join('\n'))
    await expect(open()).rejects.toMatchObject({
      exitCode: 3,
      code: 'FB_CHECKPOINT_DAMAGED',
      message: expect.stringMatching(/first line/),
    })
  })

  it('is refused without --resume if it holds a checkpoint, and if it is a file', async () => {
    mkdirSync(at('kept'))
    await keep(1)
    await expect(open(false)).rejects.toMatchObject({
      exitCode: 2,
      code: 'FB_CHECKPOINT_THERE',
      message: expect.stringMatching(/holds the checkpoint .* Pass --resume/),
    })
    rmSync(at('kept'), { recursive: true })
    writeFileSync(at('kept'), '')
    await expect(open()).rejects.toMatchObject({ exitCode: 2, code: 'FB_USAGE' })
  })

  it('knows the model that it led to, and removes itself but nothing else', async () => {
    await keep(1)
    const before = await open()
    await before.announce('abc')
    before.close()
    const checkpoint = await open()
    writeFileSync(at('model.json'), '{}')
    expect(await checkpoint.hasWritten(at('model.json'))).toBe(false)
    checkpoint.close()
    expect(await load()).toEqual([run, round(1)])
    writeFileSync(at('kept', 'mine.txt'), '')
    await checkpoint.remove()
    expect(readdirSync(at('kept'))).toEqual(['mine.txt'])
    rmSync(at('kept', 'mine.txt'))
    await checkpoint.remove()
    expect(existsSync(at('kept'))).toBe(false)
  })
})

describe('the lock of a checkpoint folder', () => {
  const path = () => at('kept', 'lock')
  const open = () => CheckpointFolder.open(at('kept'), { resume: true, tell: () => {} })
  const held = { code: 'FB_CHECKPOINT_IN_USE' }

  it('lets one have it at a time, and leaves nothing behind', async () => {
    const first = await open()
    await expect(open()).rejects.toMatchObject({
      ...held,
      message: expect.stringContaining(`process ${process.pid} is fitting with this checkpoint`),
    })
    expect(readdirSync(at('kept'))).toEqual(['lock'])
    first.close()
    expect(existsSync(at('kept'))).toBe(false)
    ;(await open()).close()
  })

  /** Another lock in the place of the first: who wrote it is as given, or as it was. */
  async function lockOf(other: Record<string, unknown>): Promise<string> {
    const own = await open()
    const text = JSON.stringify({ ...JSON.parse(readFileSync(path(), 'utf8')), token: 'other', ...other })
    own.close()
    mkdirSync(at('kept'), { recursive: true })
    writeFileSync(path(), text)
    return text
  }

  it('of a process that is gone, or whose number another one has, is taken over', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    await lockOf({ pid })
    ;(await open()).close()
    await lockOf({ began: '1' })
    ;(await open()).close()
    expect(existsSync(at('kept'))).toBe(false)
  })

  it('of another machine, or that nobody can read, holds until it is not touched for a minute', async () => {
    for (const other of ['{', JSON.stringify({ machine: 'far', pid: 1, began: '', token: 'x' })]) {
      mkdirSync(at('kept'), { recursive: true })
      writeFileSync(path(), other)
      await expect(open()).rejects.toMatchObject({
        ...held,
        message: expect.stringMatching(/lapses within a minute; or remove .*lock/),
      })
      expect(readFileSync(path(), 'utf8')).toBe(other)
      const longAgo = new Date(Date.now() - 120_000)
      utimesSync(path(), longAgo, longAgo)
      ;(await open()).close()
      expect(existsSync(path())).toBe(false)
    }
  })

  it('that another one has taken over is not removed', async () => {
    const own = await open()
    writeFileSync(path(), 'somebody else')
    own.close()
    expect(readFileSync(path(), 'utf8')).toBe('somebody else')
  })
})

describe('the command to go on with', () => {
  it('is the same, as a shell takes it, with --resume once', () => {
    expect(resumeCommand(['fit', 'my loans.csv', '--label', "it's", '--checkpoint', 'kept'])).toBe(
      "featureboost fit 'my loans.csv' --label 'it'\\''s' --checkpoint kept --resume",
    )
    expect(resumeCommand(['fit', '--resume', 'a.csv'])).toBe('featureboost fit --resume a.csv')
  })
})

describe('fit --checkpoint as a process', () => {
  const program = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))
  const ROLES = [
    '--label',
    'defaulted',
    '--prediction',
    'score',
    '--epsilon',
    '0.05',
    '--method',
    'rounds',
    '--stop',
    'certificate',
  ]
  const ROUNDS = [
    '--learning-rate',
    '0.01',
    '--tolerance',
    '0.0000000001',
    '--round-limit',
    '1000',
    '--auditors',
    'trees:1',
  ]
  const FIT = ['fit', 'loans.csv', ...ROLES, ...ROUNDS]
  const env = { ...process.env, NO_COLOR: '1' }
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8', timeout: 60_000, env })

  beforeEach(() => {
    const { columns } = makeLendingPopulation({ rows: 1500, seed: 5 })
    const names = Object.keys(columns) as (keyof typeof columns)[]
    const line = (_: unknown, row: number) => names.map(name => columns[name][row] ?? '').join(',')
    writeFileSync(at('loans.csv'), [names.join(','), ...Array.from({ length: 1500 }, line), ''].join('\n'))
  })

  it('Ctrl-C says how to resume; that ends with the same bytes; other options are refused', async () => {
    const kept = ['--out', 'm.fb.json', '--checkpoint', 'kept']
    const child = spawn(process.execPath, [program, ...FIT, ...kept], { cwd: folder, env })
    let stderr = ''
    const ended = new Promise<number | null>(resolve => child.on('close', resolve))
    child.stderr.on('data', data => {
      stderr += data
      if (/round/.test(stderr) && !child.killed) child.kill('SIGINT')
    })
    expect(await ended).toBe(130)
    expect(stderr).toMatch(/Interrupted\. \d+ steps? kept in kept\. Go on with:\n/)
    expect(stderr.trimEnd()).toMatch(
      new RegExp(`\n {2}featureboost ${[...FIT, ...kept, '--resume'].join(' ')}$`),
    )
    expect(readdirSync(folder).sort()).toEqual(['kept', 'loans.csv'])

    const again = run(...FIT, ...kept)
    expect(again.status).toBe(2)
    expect(again.stderr).toContain('Pass --resume to go on with it')
    const other = run(...FIT, ...kept, '--resume', '--seed', '4', '--holdout', '0.2')
    expect(other.stderr).toMatch(/FB_CHECKPOINT_OTHER kept: .*holdout was not set and is .*rows/)
    expect(other.status).toBe(2)
    writeFileSync(
      at('fewer.csv'),
      readFileSync(at('loans.csv'), 'utf8').split('\n').slice(0, 1400).join('\n'),
    )
    const fewer = run('fit', 'fewer.csv', ...FIT.slice(2), ...kept, '--resume')
    expect(fewer.stderr).toContain('there were 1,500 rows and are 1,399')
    expect(fewer.status).toBe(2)

    const resumed = run(...FIT, ...kept, '--resume')
    expect(resumed.stderr).toMatch(/Going on after \d+ steps? in kept\./)
    expect(resumed.status).toBe(0)
    expect(run(...FIT, '--out', 'undisturbed.fb.json').status).toBe(0)
    expect(readFileSync(at('m.fb.json')).equals(readFileSync(at('undisturbed.fb.json')))).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['fewer.csv', 'loans.csv', 'm.fb.json', 'undisturbed.fb.json'])
  })

  it('is refused while another fit runs in the folder, which is not disturbed', async () => {
    const kept = ['--checkpoint', 'kept', '--resume']
    const child = spawn(process.execPath, [program, ...FIT, '--out', 'm.fb.json', ...kept], {
      cwd: folder,
      env,
    })
    const ended = new Promise<number | null>(resolve => child.on('close', resolve))
    while (!existsSync(at('kept', 'lock'))) await new Promise(resolve => setTimeout(resolve, 5))
    const { status, stderr } = run(...FIT, '--out', 'n.fb.json', ...kept)
    expect(stderr).toMatch(/^FB_CHECKPOINT_IN_USE kept: process \d+ is fitting with this checkpoint\. Wait/)
    expect(status).toBe(2)
    expect(await ended).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['loans.csv', 'm.fb.json'])
  })

  it.runIf(existsSync('/proc/self'))('is refused where no folder can be made', () => {
    const { status, stderr } = run(...FIT, '--out', 'm.fb.json', '--checkpoint', '/proc/x/y')
    expect(stderr).toMatch(/^FB_FILE_WRITE \/proc\/x\/y: this folder takes no files: /)
    expect(status).toBe(3)
  })

  it('needs a folder to resume from', () => {
    const { status, stderr } = run(...FIT, '--out', 'm.fb.json', '--resume')
    expect(status).toBe(2)
    expect(stderr).toMatch(/^FB_USAGE: --resume needs --checkpoint/)
  })

  it('killed at random moments, ends with the bytes of an undisturbed fit', async () => {
    const report = await killFits({ kills: 6, jobs: 1 })
    expect(report.kills).toBeGreaterThanOrEqual(6)
    expect(report.fits).toBeGreaterThanOrEqual(1)
  })
})
