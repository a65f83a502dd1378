// Rows that are held in memory where they are not many.

import { describe, expect, it } from 'vitest'
import { makeTable, type Table } from '../../src/index.ts'
import { holdIfSmall, isSource } from '../../src/internal.ts'

function countedSource(chunks: readonly Table[]) {
  const read = { times: 0 }
  const source = {
    *chunks() {
      read.times++
      yield* chunks
    },
  }
  return { source, read }
}

const CHUNKS = [
  makeTable({ x: [1, 2, null], c: [null, null, null], b: [true, false, true] }),
  makeTable({ x: [4, null], c: ['q', 'p'], b: [null, true] }),
]

describe('rows that come in chunks', () => {
  it('are read once and joined where they are few, whatever is missing where', async () => {
    const { read, source } = countedSource(CHUNKS)
    const held = await holdIfSmall(source, 15)
    expect(read.times).toBe(1)
    const whole = makeTable({
      x: [1, 2, null, 4, null],
      c: [null, null, null, 'q', 'p'],
      b: [true, false, true, null, true],
    })
    expect(isSource(held)).toBe(false)
    expect(held).toMatchObject({
      rowCount: 5,
      columns: whole.columns.map(({ kind, name }) => ({ kind, name })),
    })
  })

  it('stay where they are where they are many', async () => {
    const { source } = countedSource(CHUNKS)
    expect(await holdIfSmall(source, 14)).toBe(source)
    const table = CHUNKS[0]
    expect(await holdIfSmall(table, 1)).toBe(table)
  })

  it('are not held where chunks differ in their columns', async () => {
    const { source } = countedSource([CHUNKS[0], makeTable({ x: [1] })])
    await expect(holdIfSmall(source)).rejects.toMatchObject({ code: 'FB_SOURCE' })
  })
})
