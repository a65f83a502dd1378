import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../../src/common/random.ts'
import { emptyVectors, type SideVectors, SignSearch } from '../../../src/measures/class/worstTree/signs.ts'

/** Few pairs are tried one by one, from some hundred vectors a side on their signs are searched: both are to find the same. */
const CASES = [
  { count: 3, levels: 1 },
  { count: 40, levels: 5 },
  { count: 40, levels: 8 },
  { count: 40, levels: 11 },
  { count: 600, levels: 4 },
  { count: 600, levels: 11 },
]

function drawVectors(seed: number, count: number, levels: number): SideVectors {
  const random = makeRandom(seed)
  const side = emptyVectors(count, levels)
  for (let place = 0; place < count; place++) {
    for (let level = 0; level < levels; level++) {
      const value = random.integer(2001) - 1000
      side.values[place * levels + level] = value
      side.norms[place] += Math.abs(value)
    }
    side.splits[place] = 7 + place
  }
  side.count = count
  return side
}

/** Of all pairs and signs. */
function largestError(yes: SideVectors, no: SideVectors, levels: number): number {
  let largest = 0
  for (let a = 0; a < yes.count; a++) {
    for (let b = 0; b < no.count; b++) {
      largest = Math.max(largest, errorOf(yes, no, levels, a, b, 1), errorOf(yes, no, levels, a, b, -1))
    }
  }
  return largest
}

function errorOf(
  yes: SideVectors,
  no: SideVectors,
  levels: number,
  a: number,
  b: number,
  sign: 1 | -1,
): number {
  let error = 0
  for (let level = 0; level < levels; level++)
    error += Math.abs(yes.values[a * levels + level] + sign * no.values[b * levels + level])
  return error
}

describe('the search over signs of two sides', () => {
  it.each(CASES)(
    'finds the best pair of $count and $count vectors over $levels bins',
    ({ count, levels }) => {
      const [yes, no] = [drawVectors(1, count, levels), drawVectors(2, count, levels)]
      const order = Array.from({ length: levels }, (_, level) => levels - 1 - level)
      const largest = largestError(yes, no, levels)
      for (const climbs of [false, true]) {
        const search = new SignSearch(yes, no, order, { left: 1e9 })
        const { best, open } = search.run(0, climbs)
        expect({ error: best?.error, open }).toEqual({ error: largest, open: 0 })
        const [a, b] = [best!.yes - 7, best!.no - 7]
        expect(Math.max(errorOf(yes, no, levels, a, b, 1), errorOf(yes, no, levels, a, b, -1))).toBe(largest)
        expect(search.run(largest, climbs)).toEqual({ best: undefined, open: 0 })
      }
    },
  )

  it('says what may be left where the work does not suffice', () => {
    const [yes, no] = [drawVectors(3, 600, 11), drawVectors(4, 600, 11)]
    const order = Array.from({ length: 11 }, (_, level) => level)
    const largest = largestError(yes, no, 11)
    for (const left of [1, 1e3, 1e4, 1e5]) {
      const { best, open } = new SignSearch(yes, no, order, { left }).run(0, false)
      expect(Math.max(best?.error ?? 0, open)).toBeGreaterThanOrEqual(largest)
      expect(best?.error ?? 0).toBeLessThanOrEqual(largest)
    }
  })
})
