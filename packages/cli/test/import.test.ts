// featureboost import: what it writes and says, and what the other commands make of such a model.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readModel } from '@featureboost/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))
const ISOTONIC = { isotonic: { x: [0.1, 0.5, 0.9], y: [0.2, 0.4, 0.8] } }
const ROLES = ['--prediction', 'score', '--label', 'y']

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-import-'))
  writeFileSync(join(folder, 'isotonic.json'), JSON.stringify(ISOTONIC))
  const rows = Array.from(
    { length: 400 },
    (_, row) => `${(row % 19) / 20},${row % 7},${(row * 5) % 3 === 0 ? 1 : 0}`,
  )
  writeFileSync(join(folder, 'rows.csv'), `score,age,y\n${rows.join('\n')}\n`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
  })
  return { status, stderr, stdout }
}

describe('featureboost import', () => {
  it('writes a model, says how near it is and that nothing is certified, and how to go on', () => {
    const { status, stdout } = run('import', 'isotonic.json', ...ROLES, '--out', 'm.fb.json')
    expect(status).toBe(0)
    expect(stdout).toContain("within 3.6e-7 of scikit-learn's")
    expect(stdout).toMatch(/nothing is\s+certified/)
    expect(stdout).toContain('  featureboost audit rows.csv --model m.fb.json --features')
    const model = readModel(readFileSync(join(folder, 'm.fb.json'), 'utf8'))
    expect(model.predictRow({ score: 0.3 })).toBeCloseTo(0.3, 6)
  })

  it('gives a model that can be shown and audited, and not verified', () => {
    expect(run('import', 'isotonic.json', ...ROLES, '--out', 'again.fb.json').status).toBe(0)
    const shown = run('show', 'again.fb.json').stdout
    expect(shown).toContain('No certificate')
    expect(shown).not.toContain('mean squared error')
    const audited = run('audit', 'rows.csv', '--model', 'again.fb.json', '--features', 'age', '--json')
    expect([audited.status, JSON.parse(audited.stdout).verdict]).toEqual([
      0,
      expect.stringContaining('tested on 400 rows'),
    ])
    const bare = run('audit', 'rows.csv', '--model', 'again.fb.json')
    expect([bare.status, bare.stderr]).toEqual([2, expect.stringContaining('name with --features')])
    const verified = run('verify', 'rows.csv', '--model', 'again.fb.json')
    expect([verified.status, verified.stderr]).toEqual([3, expect.stringContaining('FB_NOT_CERTIFIED')])
  })

  it('refuses what it cannot read, and writes nothing then', () => {
    writeFileSync(join(folder, 'other.json'), '{"mcgrad": []}')
    const { status, stderr } = run('import', 'other.json', ...ROLES, '--out', 'other.fb.json')
    expect([status, stderr]).toEqual([3, expect.stringContaining('FB_IMPORT_FORMAT')])
    expect(() => readFileSync(join(folder, 'other.fb.json'))).toThrow()
  })
})
