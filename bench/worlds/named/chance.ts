// How far counts may stray from what is promised by chance alone: exact binomial limits, and Kolmogorov's one-sided distance.

/** So seldom chance alone exceeds a limit. */
export const SELDOM = 0.001

/** The largest count that is not seldom: P(more than that among `draws` at `rate`) <= SELDOM. */
export function mostByChance(draws: number, rate: number): number {
  let [mass, above, count] = [(1 - rate) ** draws, 1 - (1 - rate) ** draws, 0]
  while (above > SELDOM) {
    mass *= ((draws - count) / (count + 1)) * (rate / (1 - rate))
    above -= mass
    count++
  }
  return count
}

/** How far the share of p-values up to any p exceeds p, and what chance alone hardly exceeds (Massart's constant). */
export function kolmogorov(ps: readonly number[]): { readonly distance: number; readonly limit: number } {
  const sorted = ps.toSorted((a, b) => a - b)
  const distance = sorted.reduce((most, p, index) => Math.max(most, (index + 1) / sorted.length - p), 0)
  return { distance, limit: Math.sqrt(Math.log(1 / SELDOM) / (2 * sorted.length)) }
}
