// Limits hold while data is read: what lies behind the place where a limit is passed is never looked at.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundBytes } from '../src/data/boundBytes.ts'
import { DEFAULT_LIMITS } from '../src/data/bounds.ts'
import { type OpenOptions, openData } from '../src/data/open.ts'
import { readBytes } from '../src/files.ts'

let folder = ''
const at = (name: string) => join(folder, name)
const put = (name: string, content: string | Buffer) => {
  writeFileSync(at(name), content)
  return at(name)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-bounds-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function refuses(path: string, said: RegExp, options: OpenOptions = {}): Promise<void> {
  await expect(openData(path, options)).rejects.toMatchObject({
    message: expect.stringMatching(said),
    exitCode: 3,
  })
}

async function rowsIn(path: string, options: OpenOptions): Promise<number> {
  const data = await openData(path, options)
  await data.close()
  return data.rowCount
}

describe('a limit', () => {
  const row = (number: number) => `${number % 2},0.${10 + (number % 90)},${(number * 7919) % 10_007}\n`
  const rows = (count: number) => `y,p,x\n${Array.from({ length: count }, (_, index) => row(index)).join('')}`

  it('of rows: a packed file is not unpacked to its end, which is missing here', async () => {
    const cut = gzipSync(rows(400_000))
    const path = put('cut.csv.gz', cut.subarray(0, cut.length - 1000))
    await refuses(path, /^FB_FILE_LIMIT: .*cut\.csv\.gz has more than 1,000 rows; at most 1,000 are read\./, {
      limits: { rows: 1000 },
    })
    await refuses(path, /^FB_FILE_FORMAT: .*is cut short/)
  })

  it('of rows lets as many through as it says, and none less', async () => {
    const path = put('rows.csv', rows(3000))
    expect(await rowsIn(path, { limits: { rows: 3000 } })).toBe(3000)
    await refuses(path, /more than 2,999 rows/, { limits: { rows: 2999 } })
  })

  it('of columns: no type is looked for in a text file', async () => {
    const wide = Array.from({ length: 2001 }, (_, index) => `c${index}`).join(',')
    const line = Array(2001).fill('1').join(',')
    const broken = Buffer.concat([
      Buffer.from(`${wide}\n${line}\n${line}\n`),
      Buffer.from([0xff, 0xfe, 0xff, 10]),
    ])
    const said = /^FB_FILE_LIMIT: .* has 2,001 columns; at most 2,000 are read/
    await refuses(put('wide.csv', broken), said)
    await refuses(put('wide.csv.gz', gzipSync(broken)), said)
    // A header alone, or one with other fields than the next line, is left to whoever finds the dialect.
    await refuses(put('header.csv', `${wide}\n`), said)
    expect(await rowsIn(put('commas.csv', `a;"${','.repeat(3000)}"\n1;2\n`), {})).toBe(1)
  })

  it('of different texts in a column that is read', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `${index % 2},0.5,user ${index}\n`).join('')
    const path = put('ids.csv', `y,p,id\n${ids}`)
    const limits = { categories: 299 }
    await refuses(path, /^FB_FILE_LIMIT: Column "id" has more than 299 different texts.*--except "id"/, {
      limits,
    })
    expect(await rowsIn(path, { limits, except: ['id'] })).toBe(300)
    expect(await rowsIn(path, { limits: { categories: 300 } })).toBe(300)
  })

  it('of bytes of what is kept, and of lines that have no end', async () => {
    const through = async (chunks: string[], most: number, endless = false) => {
      const refusal = Object.assign(new Error('endless'), { code: 'FB_FILE_LIMIT' }) as never
      const bound = boundBytes({
        ...{ name: 'stdin', most, limits: { ...DEFAULT_LIMITS, cellBytes: 1 } },
        endless: () => (endless ? refusal : undefined),
      })
      let length = 0
      for await (const bytes of Readable.from(chunks.map(chunk => Buffer.from(chunk))).compose(bound))
        length += (bytes as Buffer).length
      return length
    }
    expect(await through(['ab\n', 'cd\n'], 6)).toBe(6)
    await expect(through(['ab\n', 'cd\n'], 5)).rejects.toMatchObject({ code: 'FB_FILE_LIMIT' })
    const long = 'x'.repeat(1_500_000)
    expect(await through([long, `${long.slice(0, 500_000)}\n`, long], 2 ** 30, true)).toBe(3_500_001)
    await expect(through([long, long], 2 ** 30, true)).rejects.toThrow('endless')
  })
})

describe('what has no end', () => {
  it.runIf(existsSync('/dev/zero'))('is not read: devices', async () => {
    const said = { code: 'FB_FILE_FORMAT', message: expect.stringContaining('is a device') }
    await expect(openData('/dev/zero')).rejects.toMatchObject(said)
    await expect(readBytes('/dev/zero')).rejects.toMatchObject(said)
  })

  it('is refused: a pipe without lines', async () => {
    const program = fileURLToPath(new URL('../bin/featureboost.js', import.meta.url))
    const child = spawn(process.execPath, [
      program,
      'audit',
      '-',
      '--label',
      'y',
      '--prediction',
      'p',
      '--quiet',
    ])
    const zeros = Buffer.alloc(2 ** 16)
    const pour = () => {
      while (child.stdin.writable && child.stdin.write(zeros));
    }
    child.stdin.on('drain', pour)
    child.stdin.on('error', () => {})
    pour()
    let stderr = ''
    child.stderr.on('data', data => {
      stderr += data
    })
    expect(await new Promise(resolve => child.on('close', resolve))).toBe(3)
    expect(stderr).toMatch(/^FB_FILE_LIMIT: stdin has a line of more than 2,000,000 bytes/)
  })

  it('is refused: a file that is too large to be read at once, before it is read', async () => {
    const path = put('large.fb.json', '')
    truncateSync(path, 2 ** 29 + 1)
    await expect(readBytes(path)).rejects.toMatchObject({ code: 'FB_FILE_LIMIT' })
  })
})
