// featureboost export: what is written where, and what is refused.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fit, type Model, tableFromRows } from '@featureboost/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../bin/featureboost.js', import.meta.url))
const ROWS = Array.from({ length: 300 }, (_, row) => ({
  y: (row * 29) % 48 < 20 + (row % 4 === 2 ? 12 : 0) ? 1 : 0,
  score: ((row * 7) % 24) / 24,
  age: row % 11 === 5 ? null : 18 + ((row * 5) % 13),
  region: ['east', 'north', 'south', null][row % 4],
}))

let folder = ''
let model: Model
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-export-'))
  model = await fit(tableFromRows(ROWS), {
    ...{
      label: 'y',
      prediction: 'score',
      method: 'rounds',
      stop: 'certificate',
      epsilon: 0.2,
      roundLimit: 3,
    },
  })
  writeFileSync(join(folder, 'm.fb.json'), model.toText())
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, 'export', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  return { status, stderr, stdout }
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('featureboost export', () => {
  it('writes a module and its types, which says what the model says', async () => {
    const { status, stdout } = run('m.fb.json', '--to', 'js', '--out', 'm.mjs', '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      ...{ model: 'm.fb.json', modelHash: model.hash, to: 'js', files: ['m.mjs', 'm.d.mts'] },
    })
    const { predict } = await import(pathToFileURL(join(folder, 'm.mjs')).href)
    expect(ROWS.map(predict)).toEqual(ROWS.map(row => model.predictRow(row)))
    expect(read('m.d.mts')).toContain('export interface Row')
  })

  it('writes SQL, Python and ONNX, and says what it wrote', () => {
    const sql = run('m.fb.json', '--to', 'sql', '--dialect', 'duckdb', '--table', 'loans', '--out', 'm.sql')
    expect(sql).toMatchObject({ status: 0, stderr: '' })
    expect(sql.stdout).toMatch(/^m\.sql: the SELECT/)
    expect(read('m.sql')).toContain('FROM loans AS fb_source')
    expect(run('m.fb.json', '--to', 'python', '--out', 'm.py').status).toBe(0)
    expect(read('m.py')).toContain(model.hash)
    expect(run('m.fb.json', '--to', 'onnx', '--out', 'm.onnx').status).toBe(0)
    expect(existsSync(join(folder, 'm.onnx'))).toBe(true)
  })

  it('rounds where it is told to', async () => {
    expect(run('m.fb.json', '--to', 'js', '--rounded', '--out', 'r.js').status).toBe(0)
    expect(existsSync(join(folder, 'r.d.ts'))).toBe(true)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const { predict } = await import(pathToFileURL(join(folder, 'r.js')).href)
    const rounded = model.round()
    expect(ROWS.map(predict)).toEqual(ROWS.map(row => rounded.predictRow(row)))
  })

  it.each<[string[], number, string]>([
    [['m.fb.json', '--to', 'js'], 2, '--out'],
    [['m.fb.json', '--out', 'x'], 2, '--to'],
    [['m.fb.json', '--to', 'sql', '--out', 'x.sql'], 2, '--to sql needs --dialect'],
    [['m.fb.json', '--to', 'sqll', '--out', 'x'], 2, 'Did you mean sql?'],
    [['m.fb.json', '--to', 'python', '--table', 't', '--out', 'x.py'], 2, '--table is for --to sql'],
    [['m.fb.json', '--to', 'sql', '--dialect', 'snowflake', '--out', 'x.sql'], 2, '--key id'],
    [
      ['m.fb.json', '--to', 'sql', '--dialect', 'duckdb', '--table', 'a;b', '--out', 'x.sql'],
      2,
      'option "table"',
    ],
    [['m.fb.json', '--to', 'python', '--out', 'm.fb.json', '--force'], 2, 'FB_OUTPUT_INPUT'],
    [['m.fb.json', '--to', 'python', '--rounded', '977', '--out', 'x.py'], 3, 'FB_ROUNDING'],
    [['none.fb.json', '--to', 'python', '--out', 'x.py'], 3, 'FB_FILE_MISSING'],
  ])('refuses %j', (args, code, words) => {
    const { status, stderr } = run(...args)
    expect({ status, said: stderr.includes(words) }).toEqual({ status: code, said: true })
    expect(existsSync(join(folder, args.at(-1)!)) && args.at(-1)!.startsWith('x')).toBe(false)
  })

  it('overwrites nothing unless it is told to', () => {
    writeFileSync(join(folder, 'old.py'), 'mine')
    expect(run('m.fb.json', '--to', 'python', '--out', 'old.py')).toMatchObject({ status: 2 })
    expect(read('old.py')).toBe('mine')
    expect(run('m.fb.json', '--to', 'python', '--out', 'old.py', '--force')).toMatchObject({ status: 0 })
    // The types of a module are an output as well.
    writeFileSync(join(folder, 'kept.d.mts'), 'mine')
    expect(run('m.fb.json', '--to', 'js', '--out', 'kept.mjs')).toMatchObject({ status: 2 })
    expect(existsSync(join(folder, 'kept.mjs'))).toBe(false)
  })
})
