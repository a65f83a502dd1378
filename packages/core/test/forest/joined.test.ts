// Columns that are counted together: every bin of every feature can be told from the joined ones, and so can all sums.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import { type ForestRows, scoreCuts } from '../../src/forest/forestRows.ts'
import { joinColumns, tableOfJoined, writeJoined } from '../../src/forest/joined.ts'
import { ForestTrainer } from '../../src/forest/trainer.ts'
import { grow } from './grow.ts'

const anyBins = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 256 })), {
  maxLength: 20,
})

describe('joined columns', () => {
  it('hold every feature once, and have as many bins as they may', () => {
    const property = fc.property(anyBins, fc.integer({ min: 0, max: 256 }), (bins, most) => {
      const columns = joinColumns(bins, most)
      const members = columns.flatMap(column => column.members)
      expect(members.map(member => member.feature).sort((a, b) => a - b)).toEqual(
        bins.map((_, index) => index),
      )
      for (const column of columns) {
        expect(column.size).toBe(column.members.reduce((product, member) => product * member.bins, 1))
        if (column.members.length > 1) expect(column.size).toBeLessThanOrEqual(most)
      }
      // No two of them could be one.
      const [least, next = Infinity] = columns.map(column => column.size).sort((a, b) => a - b)
      expect(least * next > most || columns.length < 2).toBe(true)
    })
    fc.assert(property)
  })

  it('stay in the order of features where none are joined', () => {
    expect(joinColumns([3, 9, 2], 0).map(({ members }) => members)).toEqual(
      [3, 9, 2].map((bins, feature) => [{ feature, step: 1, bins }]),
    )
  })

  it('tell the bin of every feature', () => {
    const property = fc.property(anyBins, fc.infiniteStream(fc.nat(255)), (bins, stream) => {
      const rows = 5
      const features = bins.map(count =>
        Uint8Array.from({ length: rows }, () => stream.next().value! % count),
      )
      const columns = joinColumns(bins, 256)
      const stride = columns.length + 2
      const bytes = new Uint8Array(1 + rows * stride).fill(77)
      for (const [index, column] of columns.entries()) writeJoined(column, features, bytes, 1 + index, stride)
      const table = tableOfJoined(columns)
      for (const [feature, column] of features.entries()) {
        const [joined, step, used, size] = table.slice(4 * feature, 4 * feature + 4)
        expect(used).toBe(bins[feature])
        expect(size).toBe(columns[joined].size)
        const told = Array.from(
          column,
          (_, row) => Math.floor(bytes[1 + row * stride + joined] / step) % used,
        )
        expect(told).toEqual([...column])
      }
    })
    fc.assert(property)
  })

  it('change no forest: columns with few bins and many, empty ones, missing values, one value alone', () => {
    // The twin counts feature by feature.
    for (const [seed, bins] of [
      [1, [2, 3, 4, 2, 5, 1, 7]],
      [2, [74, 9, 17, 17, 8, 16, 7, 6, 3, 120, 100, 96, 43, 1, 1]],
      [3, [200, 100, 7, 3, 1]],
    ] as const) {
      const rows = drawRows(bins, seed, 17_000)
      const cuts = scoreCuts(rows.start)
      const grown = grow(new ForestTrainer(rows, cuts, RULES, 'wasm'), 1)
      expect(grown.trees).toHaveLength(RULES.roundLimit)
      expect(grow(new ForestTrainer(rows, cuts, RULES, 'twin'), 1)).toEqual(grown)
    }
  })
})

const RULES = {
  ...{ leaves: 9, rate: 0.3, roundLimit: 3, patience: 8 },
  ...{ ridge: 3, leastVariance: 1, leastGain: 0 },
}

/** Of odd columns the last bin is empty; the score is off where the first few columns say so. */
function drawRows(used: readonly number[], seed: number, rowCount: number): ForestRows {
  const random = makeRandom(seed)
  const bins = used.map(count => Uint8Array.from({ length: rowCount }, () => random.integer(count)))
  const start = Int32Array.from({ length: rowCount }, () => Math.round((0.1 + 0.8 * random.next()) * ONE))
  const label = start.map((score, row) => {
    const truth = (score / ONE) * (bins[0][row] === 1 ? 0.5 : 1) * (bins[2][row] < 2 ? 0.7 : 1)
    return random.next() < truth ? ONE : 0
  })
  const features = used.map((count, index) => ({ bins: count + (index % 2), ordered: index % 3 > 0 }))
  const part = Uint8Array.from({ length: rowCount }, () => random.integer(6))
  return { rowCount, bins, features, label, start, part }
}
