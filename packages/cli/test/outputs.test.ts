// Where the commands write: nothing but ordinary files, none that is read, no two that are one; and what was there hands on its mode.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { describe, expect, it } from 'vitest'
import { keepText } from '../src/files.ts'
import { checkOutput, checkOutputs, inputsOf, outputsOf, refuseReading } from '../src/outputs.ts'
import { at, CSV, ENVIRONMENT, FIT, folderOf, openLoans, program, put, ROLES, run } from './loans.ts'

openLoans()

const MODEL = ['--model', 'loans.fb.json']
const QUICK = [...FIT, '--method', 'platt', '--no-audit', '--quiet']
const modeOf = (name: string) => statSync(at(name)).mode & 0o777

/** Every command that writes, with the flag before its output last. */
const WRITERS: readonly (readonly string[])[] = [
  [...QUICK, '--out'],
  [...QUICK, '--out', 'other.fb.json', '--report'],
  [...FIT, '--method', 'platt', '--protect', 'region', '--out', 'other.fb.json', '--protect-out'],
  ['predict', 'loans.csv', ...MODEL, '--out'],
  ['decide', 'loans.csv', ...MODEL, '--threshold', '0.2', '--out'],
  ['report', 'loans.csv', ...MODEL, '--out'],
  ['audit', 'loans.csv', ...ROLES, '--report'],
  ['audit', 'loans.csv', ...ROLES, '--protect', 'region', '--protect-out'],
  ['compare', 'loans.csv', ...ROLES, '--out'],
  ['demo', '--out'],
  ['demo', '--csv'],
  ['sign', 'loans.fb.json', '--key', 'bank.private.pem', '--out'],
]

const refused = (args: readonly string[], code: string, status: number) => {
  const told = run(...args)
  expect(told.stderr, args.join(' ')).toMatch(new RegExp(`^${code}\\b`, 'm'))
  // Before the work: no phase was timed, nothing printed.
  expect(told, args.join(' ')).toMatchObject({ status, stdout: '' })
  expect(told.stderr).not.toContain(' s in all')
  return told.stderr
}

describe('an output', () => {
  it('is refused before the work where its folder is not there, by every command', () => {
    for (const writer of WRITERS)
      expect(refused([...writer, 'nowhere/x.csv'], 'FB_OUTPUT_FOLDER nowhere/x.csv', 3)).toContain(
        'there is no folder',
      )
    refused(['keys', '--out', 'nowhere/bank'], 'FB_OUTPUT_FOLDER', 3)
    refused([...QUICK, '--out', 'loans.csv/x.json'], 'FB_OUTPUT_FOLDER', 3)
    refused([...QUICK, '--out', 'x'.repeat(300)], 'FB_OUTPUT_FOLDER', 3)
    expect(readdirSync(folderOf()).sort()).toEqual(['loans.csv', 'loans.fb.json'])
  })

  it('is never a device or a pipe that a file would replace', () => {
    execFileSync('mkfifo', [at('pipe.csv')])
    symlinkSync('/dev/null', at('null.csv'))
    symlinkSync('gone/away.csv', at('dangling.csv'))
    refused([...QUICK, '--out', 'pipe.csv', '--force'], 'FB_OUTPUT_KIND pipe.csv', 2)
    refused(['predict', 'loans.csv', ...MODEL, '--out', 'pipe.csv', '--force'], 'FB_OUTPUT_KIND pipe.csv', 2)
    refused([...QUICK, '--out', '/dev/full', '--force'], 'FB_OUTPUT_KIND /dev/full', 2)
    const links = ['null.csv', 'dangling.csv'].map(at)
    for (const path of [...links, '/dev/null', '/dev/stdout', '/proc/self/fd/1'])
      expect(() => checkOutput(path, '--out', true), path).toThrow(/^FB_OUTPUT_KIND/)
    expect(lstatSync(at('pipe.csv')).isFIFO()).toBe(true)
    expect(readlinkSync(at('null.csv'))).toBe('/dev/null')
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true)
  })

  it('goes through a link, which stays', () => {
    mkdirSync(at('elsewhere'))
    put('elsewhere/real.csv', 'old')
    symlinkSync('elsewhere/real.csv', at('link.csv'))
    const args = ['predict', 'loans.csv', ...MODEL, '--quiet', '--out', 'link.csv']
    expect(run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('exists already') })
    expect(run(...args, '--force').status).toBe(0)
    expect(readlinkSync(at('link.csv'))).toBe('elsewhere/real.csv')
    expect(readFileSync(at('elsewhere/real.csv'), 'utf8').split('\n')).toHaveLength(CSV.split('\n').length)
    expect(readdirSync(at('elsewhere'))).toEqual(['real.csv'])
  })

  it('is none of the files that are read, by whatever name, not even with --force', () => {
    const before = readFileSync(at('loans.fb.json'), 'utf8')
    symlinkSync('loans.csv', at('soft.csv'))
    linkSync(at('loans.csv'), at('hard.csv'))
    put('groups.json', '["region"]')
    const inputs = inputsOf([at('loans.csv')], {
      model: at('loans.fb.json'),
      groups: `@${at('groups.json')}`,
    })
    for (const name of [
      'loans.csv',
      './x/../loans.csv',
      'soft.csv',
      'hard.csv',
      'loans.fb.json',
      'groups.json',
    ])
      expect(() => refuseReading(outputsOf({ out: `${folderOf()}/${name}` }), inputs), name).toThrow(
        /^FB_OUTPUT_INPUT: --out .* is read by this command/,
      )
    expect(() => refuseReading(outputsOf({ out: at('new.csv') }), inputs)).not.toThrow()
    for (const writer of WRITERS.slice(3, 6))
      refused([...writer, 'soft.csv', '--force'], 'FB_OUTPUT_INPUT', 2)
    refused([...QUICK, '--out', 'loans.csv', '--force'], 'FB_OUTPUT_INPUT', 2)
    refused(['audit', 'loans.csv', ...MODEL, '--report', 'loans.fb.json', '--force'], 'FB_OUTPUT_INPUT', 2)
    refused(['compare', 'loans.csv', ...ROLES, '--out', 'loans.csv', '--force'], 'FB_OUTPUT_INPUT', 2)
    refused(
      ['audit', 'loans.csv', ...ROLES, '--groups', '@groups.json', '--report', 'groups.json', '--force'],
      'FB_OUTPUT_INPUT',
      2,
    )
    expect(readFileSync(at('loans.csv'), 'utf8')).toBe(CSV)
    expect(readFileSync(at('loans.fb.json'), 'utf8')).toBe(before)
  })

  it('that somebody else makes during a fit is left as it is, and the model is kept beside it', async () => {
    const args = ['fit', '-', ...ROLES, '--method', 'platt', '--no-audit', '--out', 'taken.fb.json']
    const child = spawn(process.execPath, [program, ...args], { cwd: folderOf(), env: ENVIRONMENT })
    const heard = { out: '', err: '' }
    child.stdout.on('data', data => {
      heard.out += data
    })
    child.stderr.on('data', data => {
      heard.err += data
    })
    // Once it reads so much, it has looked at where it is to write.
    const [head, ...lines] = CSV.trimEnd().split('\n')
    const rows = new Array(20).fill(lines.join('\n')).join('\n')
    await new Promise(resolve => child.stdin.write(`${head}\n${rows}\n`, resolve))
    put('taken.fb.json', 'mine')
    child.stdin.end()
    expect(await once(child, 'close')).toEqual([3, null])
    expect(heard.err).toMatch(
      /^FB_FILE_WRITE taken\.fb\.json: somebody else has made this file meanwhile\. .* is in taken\.2\.fb\.json, whole\./m,
    )
    expect(heard.out).toContain('Model written to taken.2.fb.json')
    expect(readFileSync(at('taken.fb.json'), 'utf8')).toBe('mine')
    expect(run('show', 'taken.2.fb.json').status).toBe(0)
  })

  it('that is kept beside another takes the first name that is free, and follows no link', async () => {
    symlinkSync('elsewhere.txt', at('kept.txt'))
    put('kept.2.txt', 'theirs')
    await expect(keepText(at('kept.txt'), 'ours')).rejects.toMatchObject({ kept: at('kept.3.txt') })
    expect(readFileSync(at('kept.3.txt'), 'utf8')).toBe('ours')
    expect(readFileSync(at('kept.2.txt'), 'utf8')).toBe('theirs')
    expect(existsSync(at('elsewhere.txt'))).toBe(false)
    await keepText(at('new.txt'), 'ours')
    expect(readFileSync(at('new.txt'), 'utf8')).toBe('ours')
    expect(readdirSync(folderOf()).filter(name => name.endsWith('.tmp'))).toEqual([])
  })

  it('is none of the files of a pattern', () => {
    const told = run('predict', 'loans*.csv', ...MODEL, '--out', 'loans.csv', '--force')
    expect(told).toMatchObject({ status: 2, stderr: expect.stringContaining('FB_OUTPUT_INPUT') })
    expect(readFileSync(at('loans.csv'), 'utf8')).toBe(CSV)
  })

  it('is none of the files that a query names, nor the file of flags', () => {
    put('flags.json', '{"fit": {"method": "platt"}}')
    put('featureboost.json', '{"predict": {"as": "better"}}')
    const named = [
      '--label',
      'defaulted',
      '--prediction',
      'score',
      '--method',
      'platt',
      '--no-audit',
      '--force',
    ]
    for (const from of ["'loans.csv'", "read_csv(['loan?.csv'])", "(select * from './loans.csv')"])
      expect(
        run('fit', '--sql', `select a.* from ${from} a`, ...named, '--out', 'loans.csv').stderr,
        from,
      ).toMatch(/^FB_OUTPUT_INPUT\b/m)
    refused([...QUICK, '--config', 'flags.json', '--out', 'flags.json', '--force'], 'FB_OUTPUT_INPUT', 2)
    const found = run('predict', 'loans.csv', ...MODEL, '--out', 'featureboost.json', '--force')
    expect(found.stderr).toContain('FB_OUTPUT_INPUT: --out featureboost.json is read by this command')
    rmSync(at('featureboost.json'))
    const own = run('fit', '--sql', "with m as (from 'loans.csv') from m", ...named, '--quiet', '--out', 'm')
    expect(own).toMatchObject({ status: 0, stderr: '' })
    expect(readFileSync(at('loans.csv'), 'utf8')).toBe(CSV)
    expect(readFileSync(at('flags.json'), 'utf8')).toContain('platt')
  })

  it('is none of the files that a checkpoint is made of, which go when the model is written', () => {
    for (const name of ['rounds.log', 'lock'])
      for (const flags of [
        ['--out', `kept/${name}`],
        ['--out', 'other.json', '--report', `kept/${name}`],
      ])
        refused([...FIT, '--checkpoint', 'kept', ...flags, '--force'], 'FB_OUTPUT_TWICE', 2)
  })

  it.skipIf(process.platform === 'win32')('follows no link that lies where it is written first', () => {
    const temporary = `${at('free.csv')}.${process.pid}.tmp`
    symlinkSync(at('planted'), temporary)
    checkOutput(at('free.csv'), '--out', false)
    expect([existsSync(at('planted')), existsSync(temporary)]).toEqual([false, false])
  })

  it('of signing is neither the model nor the key', () => {
    expect(run('keys', '--out', 'bank').status).toBe(0)
    for (const path of ['loans.fb.json', 'bank.private.pem'])
      refused(
        ['sign', 'loans.fb.json', '--key', 'bank.private.pem', '--out', path, '--force'],
        'FB_OUTPUT_INPUT',
        2,
      )
  })

  it('is another file than every other output', () => {
    mkdirSync(at('sub'))
    symlinkSync('.', at('here'))
    refused([...QUICK, '--out', 'm.json', '--report', './m.json'], 'FB_OUTPUT_TWICE', 2)
    for (const report of ['m.json', 'sub/../m.json', 'here/m.json'])
      expect(() => checkOutputs(outputsOf({ out: at('m.json'), report: `${folderOf()}/${report}` }))).toThrow(
        /^FB_OUTPUT_TWICE/,
      )
    put('one.json', '')
    linkSync(at('one.json'), at('two.json'))
    refused([...QUICK, '--out', 'one.json', '--report', 'two.json', '--force'], 'FB_OUTPUT_TWICE', 2)
    refused(
      ['audit', 'loans.csv', ...ROLES, '--protect', 'region', '--report', 'x', '--protect-out', 'x'],
      'FB_OUTPUT_TWICE',
      2,
    )
    refused(['demo', '--out', 'x', '--csv', 'x'], 'FB_OUTPUT_TWICE', 2)
    expect(existsSync(at('m.json'))).toBe(false)
  })

  it('keeps the mode of the file that it replaces, and is made as usual where there was none', () => {
    for (const [name, args] of [
      ['kept.fb.json', [...QUICK, '--out']],
      ['kept.csv', ['predict', 'loans.csv', ...MODEL, '--quiet', '--out']],
      ['kept.parquet', ['predict', 'loans.csv', ...MODEL, '--quiet', '--out']],
    ] as const) {
      expect(run(...args, name).status).toBe(0)
      expect(modeOf(name)).toBe(0o666 & ~process.umask())
      chmodSync(at(name), 0o600)
      expect(run(...args, name, '--force')).toMatchObject({ status: 0, stderr: '' })
      expect(modeOf(name)).toBe(0o600)
    }
    chmodSync(at('bank.private.pem'), 0o644)
    expect(run('keys', '--out', 'bank', '--force').status).toBe(0)
    expect(modeOf('bank.private.pem')).toBe(0o600)
    expect(readdirSync(folderOf()).filter(name => name.includes('tmp'))).toEqual([])
  })
})
