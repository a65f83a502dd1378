// Names of columns, categories and files may hold anything: nothing of it steers the terminal, by whatever way it is printed.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { visible, visibleJson, visiblePage } from '../src/terminal/width.ts'
import { at, CSV, openLoans, put, run } from './loans.ts'

openLoans()

/** Sets the clipboard, colours, turns the direction of reading, erases. */
const HOSTILE = 'x\x1b]52;c;aGk=\x07\x9b31m\x1b[1m\u202egnp\u2066\x7f\u200f'
const DATA = `rows ${HOSTILE}.csv`
const MODEL = `model ${HOSTILE}.fb.json`
const COLUMN = `region ${HOSTILE}`

const steers = (letter: string): boolean => {
  const code = letter.codePointAt(0)!
  if (code < 0x20) return code !== 9 && code !== 10
  return (
    (code >= 0x7f && code <= 0x9f) ||
    '\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'.includes(letter)
  )
}

function isClean(text: string, where: string): void {
  const found = [...text].findIndex(steers)
  expect(found < 0 ? '' : JSON.stringify(text.slice(Math.max(0, found - 60), found + 10)), where).toBe('')
}

/** Runs, and looks at what is printed. */
function cleanly(status: number, ...args: string[]) {
  const told = run(...args)
  isClean(told.stderr, `stderr of ${args[0]}`)
  isClean(told.stdout, `stdout of ${args[0]}`)
  expect(told.status, told.stderr).toBe(status)
  return told
}

/** loans.csv with hostile names for a column, the label, the score and one region. */
function hostileCsv(): string {
  const [head, ...lines] = CSV.split('\n')
  const names = head.split(',').map(name => (name === 'income' ? name : `"${name} ${HOSTILE}"`))
  return [names.join(','), ...lines].join('\n').replaceAll(',north,', `,"north ${HOSTILE}",`)
}

const ROLES = ['--label', `defaulted ${HOSTILE}`, '--prediction', `score ${HOSTILE}`]

describe('hostile names', () => {
  it('are shown by every command, and steer no terminal', () => {
    put(DATA, hostileCsv())
    const fitted = cleanly(
      0,
      ...['fit', DATA, ...ROLES, '--epsilon', '0.2', '--details', '--protect', COLUMN],
      ...['--out', MODEL, '--report', `r ${HOSTILE}.html`, '--protect-out', `p ${HOSTILE}.csv`],
    )
    // The names are there, with marks: the test would see them.
    expect(fitted.stdout).toContain('region x\ufffd]52;c;aGk=\ufffd')
    expect(fitted.stderr).toContain('Protected groups written to p x\ufffd]52')
    cleanly(0, 'show', MODEL)
    cleanly(0, 'verify', DATA, '--model', MODEL)
    cleanly(0, 'predict', DATA, '--model', MODEL, '--out', `o ${HOSTILE}.csv`, '--as', `new ${HOSTILE}`)
    cleanly(0, 'decide', DATA, '--model', MODEL, '--threshold', '0.2', '--groups', JSON.stringify([COLUMN]))
    cleanly(0, 'audit', DATA, ...ROLES, '--protect', COLUMN)
    cleanly(0, 'audit', DATA, ...ROLES, '--protect', COLUMN, '--format', 'markdown')
    const { stdout } = cleanly(0, 'audit', DATA, ...ROLES, '--protect', COLUMN, '--json', '--quiet')
    expect(JSON.stringify(JSON.parse(stdout))).toContain('\u202e')
    isClean(cleanly(0, 'report', DATA, '--model', MODEL, '--out', '-').stdout, 'report')
    cleanly(0, 'compare', DATA, ...ROLES, '--methods', 'platt', '--folds', '2', '--out', `c ${HOSTILE}.md`)
    for (const name of [`r ${HOSTILE}.html`, `c ${HOSTILE}.md`]) isClean(readFileSync(at(name), 'utf8'), name)
  }, 60_000)

  it('are said in errors, and steer no terminal', () => {
    put(`half ${HOSTILE}.csv`, `a,"b ${HOSTILE}",z\n1,"c ${HOSTILE}",1\n0,d,2\n`)
    const cases = [
      [`fit${HOSTILE}`],
      ['fit', `--${HOSTILE}`],
      ['fit', DATA, ...ROLES, '--out', MODEL],
      ['fit', `gone ${HOSTILE}.csv`, ...ROLES, '--out', 'never'],
      ['fit', DATA, '--label', `gone ${HOSTILE}`, '--out', 'never'],
      ['fit', DATA, ...ROLES, '--out', `gone ${HOSTILE}/never`],
      ['audit', `half ${HOSTILE}.csv`, '--label', 'a', '--prediction', `b ${HOSTILE}`],
      ['show', `gone ${HOSTILE}`],
      ['predict', `half ${HOSTILE}.csv`, '--model', MODEL],
      ['audit', DATA, ...ROLES, '--sql', `select ${HOSTILE}`],
    ]
    for (const args of cases) {
      const told = run(...args)
      isClean(told.stderr, args.join(' '))
      expect(told.stderr, args.join(' ')).toContain('\ufffd')
      expect([2, 3], told.stderr).toContain(told.status)
    }
  }, 60_000)

  it('are marked once for each character; pages keep lines, tabs and colours of ours', () => {
    expect(visible('a\x1bb\nc\u202e')).toBe('a\ufffdb\ufffdc\ufffd')
    expect(visiblePage('a\tb\n\x1b[1mc\x1b[22m', true)).toBe('a\tb\n\x1b[1mc\x1b[22m')
    expect(visiblePage('a\x1b[1mb\x1b]52;c;x\x07')).toBe('a\ufffdb\ufffd]52;c;x\ufffd')
    expect(visiblePage('\x1b[2J\x1b]0;x\x07', true)).toBe('\ufffd[2J\ufffd]0;x\ufffd')
    const value = { [HOSTILE]: HOSTILE }
    const json = visibleJson(JSON.stringify(value, null, 2))
    isClean(json, 'json')
    expect(JSON.parse(json)).toEqual(value)
  })
})
