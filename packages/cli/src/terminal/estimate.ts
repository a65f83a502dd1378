// How much longer? Better nothing than nonsense: an estimate is given only where there is something to go by.

/** Rounds needed before anything is said. */
const FEWEST = 8
/** Drops that fall more slowly than t^-0.1 say little about when they will be small. */
const LEAST_FALL = 0.1

/**
 * With stop "certificate" boosting ends at the first round whose drop of the loss is below `leastDrop`. Drops fall about
 * like a power of the round's number, ever more slowly; so a line through the logarithms of the last half of them, against
 * those of their numbers, says when. Undefined where it does not say so clearly.
 */
export function roundsLeft(drops: readonly number[], leastDrop: number): number | undefined {
  const first = Math.floor(drops.length / 2)
  const recent = drops.slice(first)
  if (drops.length < FEWEST || recent.some(drop => !(drop > 0)) || !(leastDrop > 0)) return undefined
  const points = recent.map((drop, index) => ({ x: Math.log(first + index + 1), y: Math.log(drop) }))
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const covariance = mean(points.map(({ x, y }) => (x - meanX) * (y - meanY)))
  const slope = covariance / mean(points.map(({ x }) => (x - meanX) ** 2))
  if (slope > -LEAST_FALL) return undefined
  const last = Math.exp(meanX + (Math.log(leastDrop) - meanY) / slope)
  // Far beyond what was seen, a line says nothing.
  return last > 4 * drops.length ? undefined : Math.max(0, Math.ceil(last - drops.length))
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** "8 s", "3 min 20 s", "2 h 5 min". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** "7.2", "48", "1.3 M". */
export function formatRate(perSecond: number): string {
  if (perSecond >= 1e6) return `${(perSecond / 1e6).toFixed(1)} M`
  if (perSecond >= 1e4) return `${Math.round(perSecond / 1e3)} k`
  return perSecond >= 10 ? String(Math.round(perSecond)) : perSecond.toFixed(1)
}
