// Which rows a forest learns from, and where the score is cut.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ForestCollector, scoreBins, scoreCuts } from '../../../src/boost/forest/rows.ts'
import { ONE } from '../../../src/common/units.ts'

describe('rows for a forest', () => {
  const features = [{ bins: 256, ordered: true }]
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

  it('are the fitting rows, in parts of about one size, however they came', () => {
    const fold = Uint8Array.from({ length: 4000 }, (_, row) => Number(row % 5 === 0))
    const collect = (steps: readonly number[]) => {
      const collector = new ForestCollector(features, { parts: 4, rowCount: 4000, weighted: false })
      for (const [index, to] of steps.slice(1).entries()) collector.add(chunkOf(steps[index], to, fold))
      return collector.finish()
    }
    const rows = collect([0, 4000])
    expect(rows.rowCount).toBe(3200)
    expect(collect([0, 17, 2500, 4000])).toEqual(rows)
    expect(Array.from(rows.label)).not.toContain(0)
    const sizes = [0, 1, 2, 3].map(part => rows.part.filter(one => one === part).length)
    for (const size of sizes) expect(Math.abs(size - 800)).toBeLessThan(80)
  })

  it('know what a weight of 1 became', () => {
    const options = { parts: 4, rowCount: 4000, weighted: false }
    expect(new ForestCollector(features, { ...options, weightScale: 8 }).finish().weightScale).toBe(8)
    expect(new ForestCollector(features, options).finish()).not.toHaveProperty('weightScale')
  })

  it('are a sample of them where there are too many', () => {
    const collector = new ForestCollector(features, { parts: 4, rowCount: 4000, weighted: false }, 1000)
    collector.add(chunkOf(0, 4000))
    const { rowCount } = collector.finish()
    expect(Math.abs(rowCount - 1000)).toBeLessThan(100)
  })
})

describe('cuts of the score', () => {
  it('leave about equally many rows in each bin, and lie between different scores', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: ONE }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 10 }),
        (scores, most) => {
          const start = Int32Array.from(scores)
          const cuts = scoreCuts(start, most)
          expect(cuts.length).toBeLessThanOrEqual(most)
          expect([...cuts].every((cut, index) => index === 0 || cut > cuts[index - 1])).toBe(true)
          const bins = scoreBins(start, cuts)
          bins.forEach((bin, row) => {
            expect(bin === 0 || cuts[bin - 1] <= start[row]).toBe(true)
            expect(bin === cuts.length || start[row] < cuts[bin]).toBe(true)
          })
          expect(new Set(bins).size).toBe(cuts.length + 1)
        },
      ),
    )
  })
})
