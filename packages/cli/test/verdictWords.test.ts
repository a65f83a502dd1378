// One verdict, in the same words everywhere: `fit` and its JSON, `report`, what the page shows, `verify` and `show`. Of tables that are
// small, without held-out rows, and fitted until they overfit.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectEvidence, type FitOptions, makeTable, readModel } from '@featureboost/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Case, makeCase } from '../../../bench/verdicts/cases.ts'
import { program } from './loans.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-words-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function run(...args: string[]): string {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '80', LANG: 'C.UTF-8' },
  })
  expect(status, stderr).toBe(0)
  return stdout
}

/** As if lines had no end. */
const unwrapped = (text: string): string => text.replace(/\s+/g, ' ')

/** Few rows, to be done soon. */
const ROWS = 400

function columnsOf({ fold, rows }: Case): Record<string, Float64Array | string[]> {
  const all = { ...rows.columns, label: rows.label, ...(fold !== undefined && { fold: [...fold] }) }
  return Object.fromEntries(Object.entries(all).map(([name, cells]) => [name, cells.slice(0, ROWS)]))
}

function writeCsv(it: Case): void {
  const columns = Object.entries(columnsOf(it))
  const lines = Array.from({ length: ROWS }, (_, row) => columns.map(([, cells]) => cells[row]).join(','))
  writeFileSync(join(folder, 'rows.csv'), [columns.map(([name]) => name).join(','), ...lines, ''].join('\n'))
}

const FLAGS = ['label', 'prediction', 'weight', 'fold', 'holdout', 'method', 'stop'] as const

const flagsOf = (options: FitOptions): string[] =>
  FLAGS.flatMap(name => (options[name] === undefined ? [] : [`--${name}`, String(options[name])]))

describe('a verdict', () => {
  it.each([2, 4, 8])(
    'is in the same words wherever it is: table %s',
    async index => {
      const it = makeCase(index, 5, 10)
      writeCsv(it)
      const fit = ['fit', 'rows.csv', ...flagsOf(it.options), '--out', 'm.fb.json', '--force']
      const { proven, sentence } = JSON.parse(run(...fit, '--json')).verdict
      expect(unwrapped(run(...fit))).toContain(`Verdict: ${sentence} ${proven}`)
      const report = ['report', 'rows.csv', '--model', 'm.fb.json', '--out', 'r.html', '--force']
      expect(JSON.parse(run(...report, '--json')).verdict).toBe(sentence)
      const model = readModel(readFileSync(join(folder, 'm.fb.json'), 'utf8'))
      const page = await collectEvidence(makeTable(columnsOf(it)), { model, fitted: true })
      expect(page.verdict.sentence).toBe(sentence)
      // Without a repeated fit there is only the word of the file for new rows.
      const claimed = proven.replace(/and (at most \S+ on new rows)/, 'and, as the file claims, $1')
      expect(unwrapped(run('verify', 'rows.csv', '--model', 'm.fb.json'))).toContain(`Verdict: ${claimed}`)
      expect(unwrapped(run('show', 'm.fb.json'))).toContain(`Verdict (not verified): ${claimed}`)
    },
    300_000,
  )
})
