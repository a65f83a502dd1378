// Cells of all columns: the same sums row by row, whether columns are counted together or each by itself.

import { describe, expect, it } from 'vitest'
import { CellCounter } from '../../src/baselines/trees/cellCounter.ts'
import { makeRandom } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'

const ROWS = 9000
/** Of the second and the last, some bins are empty. */
const BIN_COUNTS = [3, 9, 250, 2, 1, 40, 8000, 5]
const USED = [3, 7, 250, 2, 1, 40, 8000, 4]

function drawColumns(bytes: boolean) {
  const random = makeRandom(1)
  const used = bytes ? USED.filter(bins => bins <= 256) : USED
  const binCounts = bytes ? BIN_COUNTS.filter(bins => bins <= 256) : BIN_COUNTS
  const draw = (bins: number) => Array.from({ length: ROWS }, () => random.integer(bins))
  const columns = bytes
    ? used.map(bins => Uint8Array.from(draw(bins)))
    : used.map(bins => Uint16Array.from(draw(bins)))
  const target = Int32Array.from({ length: ROWS }, () => random.integer(2 * ONE) - ONE)
  const weight = Int32Array.from({ length: ROWS }, () => random.integer(4))
  return { columns, binCounts, target, weight }
}

describe('cells of all columns', () => {
  it.each([
    ['bytes', true, false],
    ['bytes and weights', true, true],
    ['words', false, false],
    ['words and weights', false, true],
  ])('are sums over rows: %s', (_, bytes, weighted) => {
    const { binCounts, columns, target, weight } = drawColumns(bytes)
    const counter = new CellCounter({ columns, binCounts, ...(weighted && { weight }) })
    // All rows, and so few that joining is not worth it.
    for (const every of [1, 7]) {
      const members = Int32Array.from({ length: Math.ceil(ROWS / every) }, (_row, index) => index * every)
      const found = counter.count(members, target)
      expect(found).toHaveLength(columns.length)
      for (const [column, bins] of columns.entries()) {
        const [counts, residuals] = [0, 1].map(() => new Float64Array(binCounts[column]))
        for (const row of members) {
          counts[bins[row]] += weighted ? weight[row] : 1
          residuals[bins[row]] += (weighted ? weight[row] : 1) * target[row]
        }
        expect(found[column]).toEqual({ counts, residuals })
      }
      expect(counter.count(members, target, 1)).toEqual(found.slice(0, 1))
    }
  })
})
