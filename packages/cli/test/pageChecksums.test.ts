// Checksums of Parquet pages: a file with one flipped byte in a page is refused, where it has checksums; nothing else changes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openData } from '../src/data/open.ts'
import { checkPages } from '../src/data/pageChecksums.ts'
import { parquetFile } from './parquetFile.ts'
import { rowsOf } from './tableRows.ts'

let folder = ''
const put = (name: string, content: Buffer) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'featureboost-pages-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const COLUMNS = {
  y: Array.from({ length: 500 }, (_, row) => row % 2),
  p: Array.from({ length: 500 }, (_, row) => (row % 97) / 97),
}
const summed = parquetFile(COLUMNS, { checksums: true, pageRows: 128 })
const plain = parquetFile(COLUMNS, { checksums: false, pageRows: 128 })

const flipped = (bytes: Buffer, place: number, bit: number): Buffer => {
  const damaged = Buffer.from(bytes)
  damaged[place] ^= 1 << bit
  return damaged
}

async function valuesIn(path: string): Promise<unknown[][]> {
  const data = await openData(path)
  try {
    const rows: unknown[][] = []
    for await (const chunk of data.source.chunks()) rows.push(...rowsOf(chunk))
    return rows
  } finally {
    await data.close()
  }
}

const ROWS = COLUMNS.y.map((label, row) => [label, COLUMNS.p[row]])

describe('pages of a Parquet file', () => {
  it('are read as they were written, with checksums and without', async () => {
    expect(await valuesIn(put('summed.parquet', summed.bytes))).toEqual(ROWS)
    expect(await valuesIn(put('plain.parquet', plain.bytes))).toEqual(ROWS)
    expect(summed.pages).toHaveLength(8)
  })

  it('with checksums are refused wherever one bit of them was flipped', async () => {
    const places = fc.record({ page: fc.nat(7), at: fc.nat(), bit: fc.nat(7) })
    await fc.assert(
      fc.asyncProperty(places, async ({ at, bit, page }) => {
        const { from, to } = summed.pages[page]
        const path = put('flipped.parquet', flipped(summed.bytes, from + (at % (to - from)), bit))
        await expect(checkPages(path)).rejects.toMatchObject({
          code: 'FB_FILE_FORMAT',
          exitCode: 3,
          message: expect.stringMatching(/ of a piece of column "[yp]" does not match its checksum\. Copy/),
        })
      }),
      { numRuns: 200 },
    )
    const one = put('one.parquet', flipped(summed.bytes, summed.pages[3].from + 5, 2))
    await expect(openData(one)).rejects.toMatchObject({
      message: expect.stringContaining('page 4 of a piece of column "y"'),
    })
  })

  it('are refused, or read as they were written, wherever one bit of a header was flipped', async () => {
    for (const { from, header } of summed.pages.slice(4, 5)) {
      for (let place = header; place < from; place++) {
        for (const bit of [0, 2, 7]) {
          const path = put('header.parquet', flipped(summed.bytes, place, bit))
          const outcome = await valuesIn(path).catch((error: { code?: string }) => error.code)
          expect(['FB_FILE_FORMAT', ROWS], `byte ${place - header}, bit ${bit}`).toContainEqual(outcome)
        }
      }
    }
  })

  it('without checksums are left to DuckDB, and so is what is no Parquet file', async () => {
    const { from } = plain.pages[0]
    await checkPages(put('other.parquet', flipped(plain.bytes, from, 0)))
    for (const bytes of [Buffer.from('PAR1'), Buffer.alloc(5000, 7), summed.bytes.subarray(0, -9)])
      await checkPages(put('none.parquet', bytes))
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const path = join(folder, 'duck.parquet')
    await connection.run(`copy (select range as x, 'text ' || range % 7 as t from range(20000)) to '${path}'`)
    connection.closeSync()
    instance.closeSync()
    await checkPages(path)
  })

  it('have footers that may say anything', async () => {
    const footer = summed.pages.at(-1)!.to
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(255), async (at, value) => {
        const damaged = Buffer.from(summed.bytes)
        damaged[footer + (at % (damaged.length - footer))] = value
        const outcome = await checkPages(put('footer.parquet', damaged)).catch(
          (error: { code?: string }) => error.code,
        )
        expect([undefined, 'FB_FILE_FORMAT']).toContain(outcome)
      }),
      { numRuns: 300 },
    )
  })
})
