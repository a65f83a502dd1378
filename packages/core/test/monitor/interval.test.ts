import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import { shareBounds } from '../../src/monitor/binomial.ts'
import { gapInterval } from '../../src/monitor/interval.ts'

/** Streams of residuals whose mean moves; how many of them leave the interval at any time. */
function misses(streams: number, rows: number, level: number, seed: number): number {
  const random = makeRandom(seed)
  let missed = 0
  for (let stream = 0; stream < streams; stream++) {
    let [sum, squares, truth, isMissed] = [0, 0, 0, false]
    for (let row = 1; row <= rows; row++) {
      const p = 0.1 + 0.6 * random.next()
      const q = p + (row > rows / 2 ? 0.1 : -0.05)
      const residual = Number(random.next() < q) - p
      sum += residual * ONE
      squares += residual * residual * ONE
      truth += q - p
      const { high, low } = gapInterval({ weight: row, sum, squares }, 1, level)
      isMissed ||= truth / row < low || truth / row > high
    }
    missed += Number(isMissed)
  }
  return missed
}

describe('the confidence sequence of a gap', () => {
  it('holds at all times at once, also while the gap moves', () => {
    // At a level of 1/2 a sequence that is too narrow would show: 100 of 200 may miss, and more than that by noise alone hardly ever.
    expect(misses(200, 600, 0.5, 21)).toBeLessThan(100)
  })

  it('shrinks about as one over the root of rows, and knows nothing without any', () => {
    const widthAt = (rows: number) => {
      const { high, low } = gapInterval({ weight: rows, sum: 0, squares: 0.2 * rows * ONE }, 1, 0.05)
      return high - low
    }
    expect(gapInterval({ weight: 0, sum: 0, squares: 0 }, 1, 0.05)).toEqual({ gap: 0, low: -1, high: 1 })
    expect(widthAt(10_000) / widthAt(1_000_000)).toBeGreaterThan(8)
    // 1.645 is for one look at one group; times 2 pays for all of them.
    expect(widthAt(100_000)).toBeLessThan(2 * 2 * 1.96 * Math.sqrt(0.2 / 100_000))
  })

  it('is as wide as rows may weigh', () => {
    const sums = { weight: 1000, sum: 0, squares: 200 * ONE }
    const width = (most: number) => gapInterval(sums, most, 0.05).high
    expect(width(8)).toBeGreaterThan(width(1))
  })
})

describe('the shares that a count leaves possible', () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k)

  it('leave out the true one with a chance of at most the level, on either side', () => {
    const rows = 40
    for (const share of [0.02, 0.1, 0.37, 0.5, 0.93]) {
      let [above, below] = [0, 0]
      for (let count = 0; count <= rows; count++) {
        const chance = choose(rows, count) * share ** count * (1 - share) ** (rows - count)
        const { high, low } = shareBounds(count, rows, 0.05)
        if (share > high) above += chance
        if (share < low) below += chance
      }
      expect(above).toBeLessThanOrEqual(0.05)
      expect(below).toBeLessThanOrEqual(0.05)
    }
  })

  it('reach to the ends where nothing or everything was counted', () => {
    expect(shareBounds(0, 100, 0.01).low).toBe(0)
    expect(shareBounds(100, 100, 0.01).high).toBe(1)
    expect(shareBounds(0, 100, 0.01).high).toBeCloseTo(1 - 0.01 ** (1 / 100), 6)
  })
})
