// The seeded generator: the same numbers everywhere, evenly spread.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'

const draw = (seed: number, count: number) => {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () => random.next())
}

/** xoshiro128** seeded by splitmix32 (with murmur3's finisher), as published, in BigInt. */
function* naiveXoshiro(seed: number): Generator<number> {
  const mask = 0xffffffffn
  const rotl = (x: bigint, k: bigint) => ((x << k) | (x >> (32n - k))) & mask
  let mix = BigInt(seed >>> 0)
  const state = Array.from({ length: 4 }, () => {
    mix = (mix + 0x9e3779b9n) & mask
    let z = mix
    z = ((z ^ (z >> 16n)) * 0x85ebca6bn) & mask
    z = ((z ^ (z >> 13n)) * 0xc2b2ae35n) & mask
    return z ^ (z >> 16n)
  })
  for (;;) {
    yield Number((rotl((state[1] * 5n) & mask, 7n) * 9n) & mask)
    const t = (state[1] << 9n) & mask
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= t
    state[3] = rotl(state[3], 11n)
  }
}

describe('makeRandom', () => {
  it('is xoshiro128** on the seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), seed => {
        const naive = naiveXoshiro(seed)
        expect(draw(seed, 20)).toEqual(Array.from({ length: 20 }, () => naive.next().value / 2 ** 32))
      }),
    )
  })

  it('gives other numbers for another seed', () => {
    expect(draw(1, 4)).not.toEqual(draw(2, 4))
    expect(draw(0, 4).some(value => value > 0)).toBe(true)
  })

  it('fills [0,1) evenly', () => {
    const counts = new Array<number>(10).fill(0)
    for (const value of draw(7, 20_000)) counts[Math.floor(value * 10)]++
    for (const [bin, count] of counts.entries())
      expect(Math.abs(count - 2000), `bin ${bin}`).toBeLessThan(200)
  })

  it('draws whole numbers from 0 up to the limit, every one of them, and never the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 1, max: 12 }), (seed, limit) => {
        const random = makeRandom(seed)
        const seen = new Set(Array.from({ length: 400 }, () => random.integer(limit)))
        expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, index) => index))
      }),
    )
  })
})
