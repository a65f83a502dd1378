// Which rows a method learns from that cannot take all of them.

import { describe, expect, it } from 'vitest'
import { joinSamples, sampleRows, sampleRule } from '../../src/engine/sample.ts'

describe('a sample of rows', () => {
  const chunkOf = (from: number, to: number, fold?: Uint8Array) => {
    const rows = Array.from({ length: to - from }, (_, index) => from + index)
    return {
      rowCount: rows.length,
      bins: [Uint8Array.from(rows, row => row & 255)],
      signals: [],
      label: Int32Array.from(rows),
      start: Int32Array.from(rows, row => 2 * row),
      key: Int32Array.from(rows, row => Math.imul(row, 2654435761)),
      ...(fold !== undefined && { fold: fold.subarray(from, to) }),
    }
  }

  it('has all fitting rows where these are few, in parts of about one size, however they came', () => {
    const fold = Uint8Array.from({ length: 4000 }, (_, row) => Number(row % 5 === 0))
    const rule = sampleRule({ rowLimit: 4000, parts: 4 }, 4000)
    const sample = (steps: readonly number[]) =>
      joinSamples(steps.slice(1).map((to, index) => sampleRows(chunkOf(steps[index], to, fold), rule)))
    const rows = sample([0, 4000])
    expect(rows.rowCount).toBe(3200)
    expect(sample([0, 17, 2500, 4000])).toEqual(rows)
    expect(Array.from(rows.label)).not.toContain(0)
    const sizes = [0, 1, 2, 3].map(part => rows.part.filter(one => one === part).length)
    for (const size of sizes) expect(Math.abs(size - 800)).toBeLessThan(80)
  })

  it('has about as many as were asked for where there are more', () => {
    const { rowCount } = sampleRows(chunkOf(0, 4000), sampleRule({ rowLimit: 1000, parts: 4 }, 4000))
    expect(Math.abs(rowCount - 1000)).toBeLessThan(100)
  })

  it('has their keys where these are asked for', () => {
    const rule = sampleRule({ rowLimit: 100, parts: 1, keys: true }, 100)
    const rows = joinSamples([sampleRows(chunkOf(0, 60), rule), sampleRows(chunkOf(60, 100), rule)])
    expect(rows.key).toEqual(chunkOf(0, 100).key)
    expect(sampleRows(chunkOf(0, 100), { share: 1, parts: 1 }).key).toBeUndefined()
  })

  it('leaves out rows that weigh nothing', () => {
    const weight = Int32Array.from({ length: 100 }, (_, row) => row % 2)
    const rows = sampleRows({ ...chunkOf(0, 100), weight }, { share: 1, parts: 2 })
    expect(rows.rowCount).toBe(50)
    expect(new Set(rows.weight)).toEqual(new Set([1]))
  })

  it('cannot be had of rows without keys', () => {
    const { key: _, ...rows } = chunkOf(0, 10)
    expect(() => sampleRows(rows, { share: 1, parts: 2 })).toThrow('no keys')
  })
})
