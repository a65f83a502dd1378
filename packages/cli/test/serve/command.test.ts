// featureboost serve as a process: its address on stdout, its events on stderr, its signals.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ENVIRONMENT, program } from '../loans.ts'
import { asJson, ROWS, zooFile } from './started.ts'

let folder = ''
let child: ChildProcess | undefined
const at = (name: string) => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-serve-'))
  copyFileSync(zooFile('default'), at('loans.fb.json'))
})
afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function serve(args: readonly string[], environment: Record<string, string> = {}) {
  const started = spawn(process.execPath, [program, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: { ...ENVIRONMENT, ...environment },
  })
  child = started
  const heard = { out: '', err: '' }
  started.stdout.on('data', data => {
    heard.out += data
  })
  started.stderr.on('data', data => {
    heard.err += data
  })
  const ended = once(started, 'close')
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  await untilHeard(() => isOver || heard.out.includes('\n'))
  return { started, heard, ended, url: heard.out.trim() }
}

async function untilHeard(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise(resolve => setTimeout(resolve, 10))
}

const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/predict`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: asJson(ROWS[0]),
  })

describe('featureboost serve', () => {
  it('makes up a token and says it; reads files again on SIGHUP; ends in order on SIGTERM', async () => {
    const { ended, heard, started, url } = await serve(['--model', 'loans.fb.json', '--no-watch'])
    await untilHeard(() => heard.err.includes('"serving"'))
    const [, token] = /Authorization: Bearer (\S+)"/.exec(heard.err)!
    expect((await ask(url)).status).toBe(401)
    const first = await (await ask(url, { Authorization: `Bearer ${token}` })).json()
    copyFileSync(zooFile('platt'), at('loans.fb.json'))
    started.kill('SIGHUP')
    await untilHeard(() => heard.err.includes('"model read"'))
    const second = await (await ask(url, { Authorization: `Bearer ${token}` })).json()
    expect((second as { model: string }).model).not.toBe((first as { model: string }).model)
    writeFileSync(at('loans.fb.json'), 'broken')
    started.kill('SIGHUP')
    await untilHeard(() => heard.err.includes('"model refused, the one before serves on"'))
    expect(heard.err).toContain('"code":"FB_MODEL_FORMAT"')
    started.kill('SIGTERM')
    const [code] = await ended
    expect(code).toBe(0)
    expect(heard.err).toContain('"event":"ended"')
    expect(heard.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
  })

  it('takes the token of a file, writes rows down where that is asked for, and says nothing of them', async () => {
    const token = '0123456789abcdefg'
    writeFileSync(at('token.txt'), `${token}\n`)
    const args = ['--model', 'loans.fb.json', '--token-file', 'token.txt', '--record', 'rows.ndjson']
    const { ended, heard, started, url } = await serve([...args, '--log', 'requests'])
    expect((await ask(url, { Authorization: `Bearer ${token}` })).status).toBe(200)
    started.kill('SIGINT')
    await ended
    const lines = readFileSync(at('rows.ndjson'), 'utf8').trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { score: ROWS[0].score, featureboost_prediction: expect.any(Number) },
    ])
    expect(statSync(at('rows.ndjson')).mode & 0o777).toBe(0o600)
    expect(heard.err).toMatch(/"event":"answered","method":"POST","route":"\/predict","status":200,"rows":1/)
    expect(heard.err).not.toContain(token)
    for (const column of Object.keys(ROWS[0])) expect(heard.err).not.toContain(column)
  })

  it.each([
    ['a model that is not there', ['--model', 'none.fb.json'], 3, /FB_FILE_MISSING/],
    ['a name that is none', ['--model', 'a b=loans.fb.json'], 2, /FB_USAGE: --model a b=/],
    ['no model', [], 2, /FB_USAGE/],
    ['a short token', ['--model', 'loans.fb.json', '--token-file', 'short.txt'], 2, /shorter than 16/],
    ['two wishes', ['--model', 'loans.fb.json', '--token-file', 'x', '--no-token'], 2, /contradict/],
  ])('refuses %s', async (_, args, status, message) => {
    writeFileSync(at('short.txt'), 'short')
    const { ended, heard } = await serve(args)
    expect([(await ended)[0], heard.out]).toEqual([status, ''])
    expect(heard.err).toMatch(message)
  })

  it('refuses a token in the environment that no header can carry', async () => {
    const { ended, heard } = await serve(['--model', 'loans.fb.json'], {
      FEATUREBOOST_TOKEN: 'two words, and long',
    })
    expect((await ended)[0]).toBe(2)
    expect(heard.err).toContain('The token of FEATUREBOOST_TOKEN')
  })
})
