// A seeded generator (xoshiro128**, seeded by splitmix32): the same numbers on every engine, for splits,
// generated populations and restarts. Not for secrets.

export interface Random {
  /** Uniform in [0,1), a multiple of 2^-32. */
  next(): number
  /** Uniform integer in [0, limit). */
  integer(limit: number): number
}

export function makeRandom(seed: number): Random {
  let mix = seed >>> 0
  const splitmix = () => {
    mix = (mix + 0x9e3779b9) >>> 0
    let z = mix
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return (z ^ (z >>> 16)) >>> 0
  }
  let [a, b, c, d] = [splitmix(), splitmix(), splitmix(), splitmix()]
  const nextInteger = () => {
    const scrambled = Math.imul(b, 5)
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result
  }
  return {
    next: () => nextInteger() / 2 ** 32,
    integer: limit => Math.floor((nextInteger() / 2 ** 32) * limit),
  }
}
