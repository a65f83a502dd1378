// In a pseudo-terminal, as a person sees it: the bar, colours, widths, Ctrl-C. `script` of util-linux makes the terminal; it is
// part of every Debian. The script of other systems takes other flags, so there these tests are left out.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLendingPopulation } from '../src/demo/population.ts'
import { displayWidth } from '../src/terminal/width.ts'
import { LONG } from './loans.ts'

const program = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))
const hasScript = /util-linux/.test(String(spawnSync('script', ['--version']).stdout))
let folder = ''

const ROWS = 1500
const { columns } = makeLendingPopulation({ rows: ROWS, seed: 3 })
const names = Object.keys(columns) as (keyof typeof columns)[]
const CSV = [
  names.join(','),
  ...Array.from({ length: ROWS }, (_, row) => names.map(name => String(columns[name][row] ?? '')).join(',')),
].join('\n')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-terminal-'))
  writeFileSync(join(folder, 'loans.csv'), CSV)
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

interface Terminal {
  readonly width?: number
  readonly environment?: Readonly<Record<string, string>>
  /** Ctrl-C is pressed when this has come up. */
  readonly interruptAt?: RegExp
}

/** What a terminal was sent, and the exit code. */
async function type(args: string[], { environment, interruptAt, width = 72 }: Terminal = {}) {
  const quoted = [process.execPath, program, ...args].map(arg => `'${arg}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols ${width} rows 40; exec ${quoted}`, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...environment },
    timeout: 90_000,
  })
  let sent = ''
  let pressed = false
  child.stdout.on('data', data => {
    sent += data
    if (interruptAt?.test(sent) && !pressed) {
      pressed = true
      child.stdin.write('\x03')
    }
  })
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, sent }
}

/** Lines as they were left standing: what stands after the last return to their beginning. */
const standing = (sent: string): string[] =>
  sent
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(line => stripVTControlCharacters(line.slice(line.lastIndexOf('\r') + 1)))

/** Whatever was drawn, standing or not. */
const drawn = (sent: string): string[] => sent.split(/[\r\n]+/).map(line => stripVTControlCharacters(line))

const ROLES = ['--label', 'defaulted', '--prediction', 'score']
const colours = (sent: string): boolean => sent.includes('\x1b[32m') || sent.includes('\x1b[31m')

describe.runIf(hasScript)('on a terminal', () => {
  it('a fit shows a bar that is gone in the end, colours, and keeps to the width', async () => {
    const fit = [
      'fit',
      'loans.csv',
      ...ROLES,
      '--method',
      'rounds',
      '--stop',
      'certificate',
      '--epsilon',
      '0.1',
      '--out',
      'm.fb.json',
      '--details',
    ]
    const { code, sent } = await type(fit)
    expect(code, sent).toBe(0)
    expect(drawn(sent).some(line => /^opening {2,}\d+ s$/.test(line))).toBe(true)
    expect(drawn(sent).some(line => /^boosting .*round \d+ {2}loss 0\.\d+/.test(line))).toBe(true)
    expect(colours(sent)).toBe(true)
    for (const line of drawn(sent)) expect(displayWidth(line), line).toBeLessThanOrEqual(72)
    const lines = standing(sent).filter(line => line !== '')
    expect(lines.some(line => /^(boosting|certifying|auditing|opening) {2,}/.test(line))).toBe(false)
    const verdict = lines.slice(lines.findLastIndex(line => line.startsWith('Verdict: '))).join(' ')
    expect(verdict).toMatch(/^Verdict: (Better|Worse|Neither|Nothing) .* Proven: /)
    expect(sent).toContain('○')
  })

  it('an audit says the same without colours where NO_COLOR is set, in plain letters where the locale is C', async () => {
    const audit = ['audit', 'loans.csv', ...ROLES, '--draws', '0', '--segment-depth', '0']
    const environment = { NO_COLOR: '1', LC_ALL: 'C' }
    const { code, sent } = await type(audit, { width: 50, environment })
    expect(code, sent).toBe(0)
    expect(sent.replaceAll('\x1b[K', '')).not.toContain('\x1b')
    const lines = standing(sent)
    for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(50)
    expect(lines.join('\n')).toMatch(/^[\x20-\x7e\n]*$/)
    expect(lines.find(line => line !== '')).toMatch(/^opening \d/)
    expect(lines.some(line => line.startsWith('Verdict: '))).toBe(true)
  })

  it('--quiet leaves nothing but the result', async () => {
    const { code, sent } = await type(['audit', 'loans.csv', ...ROLES, '--draws', '0', '--quiet'])
    expect(code).toBe(0)
    expect(standing(sent)[0]).toMatch(/^Verdict: /)
    expect(sent).not.toContain('\x1b[K')
  })

  it('Ctrl-C ends with 130, clears the line, says so, and leaves no file', async () => {
    const fit = ['fit', 'loans.csv', ...ROLES, ...LONG, '--out', 'never.fb.json']
    const { code, sent } = await type(fit, { interruptAt: /round \d/ })
    expect(code).toBe(130)
    const lines = standing(sent).filter(line => line !== '')
    expect(lines.at(-1)).toMatch(/^Interrupted\./)
    expect(lines.some(line => line.startsWith('boosting'))).toBe(false)
    expect(existsSync(join(folder, 'never.fb.json'))).toBe(false)
  })
})
