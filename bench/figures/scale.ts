// From data to places on an axis: domains, scales and ticks at round numbers.

import type { Axis, ChartOptions } from './spec.ts'

export type Domain = readonly [low: number, high: number]

/** Bars need room to the left and right of their places. */
export function xDomainOf({ x, series }: ChartOptions): Domain {
  const [low, high] = givenOrSpanned(
    x,
    series.flatMap(one => one.points.map(point => point[0])),
  )
  const places = new Set(
    series.flatMap(one => (one.kind === 'bars' ? one.points.map(point => point[0]) : [])),
  )
  if (x.domain !== undefined || x.scale === 'log' || places.size < 2) return [low, high]
  const room = (0.5 * (high - low)) / (places.size - 1)
  return [low - room, high + room]
}

/** Widened to whole steps; bars and areas stand on zero, so zero belongs to what they span. */
export function yDomainOf({ y, series }: ChartOptions, count: number): Domain {
  const ground =
    y.scale !== 'log' && series.some(one => one.kind === 'bars' || one.kind === 'area') ? [0] : []
  const values = series.flatMap(one => one.points.map(point => point[1]))
  const [low, high] = givenOrSpanned(y, [...values, ...ground])
  if (y.domain !== undefined || y.scale === 'log') return [low, high]
  const { step } = roundStep((high - low) / count)
  return [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step]
}

function givenOrSpanned({ label, domain, scale }: Axis, values: readonly number[]): Domain {
  if (domain !== undefined) {
    if (Number.isFinite(domain[1] - domain[0]) && domain[0] < domain[1]) return domain
    throw new Error(`Axis "${label}": the domain ${domain.join(' to ')} is empty.`)
  }
  if (values.length === 0) return scale === 'log' ? [1, 10] : [0, 1]
  const low = values.reduce((least, value) => Math.min(least, value))
  const high = values.reduce((most, value) => Math.max(most, value))
  // Closer than this, ticks could not be told apart in double precision.
  if (high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high), 1e-3)) return [low, high]
  return scale === 'log' ? [low / 2, high * 2] : [low - 0.5, high + 0.5]
}

export function placer(
  { scale }: Axis,
  [low, high]: Domain,
  start: number,
  end: number,
): (value: number) => number {
  const warp = scale === 'log' ? Math.log10 : (value: number) => value
  const [from, to] = [warp(low), warp(high)]
  return value => start + ((warp(value) - from) / (to - from)) * (end - start)
}

export function ticksOf(axis: Axis, domain: Domain, wanted: number): readonly (readonly [number, string])[] {
  if (axis.ticks !== undefined) return axis.ticks
  return axis.scale === 'log' ? logTicks(domain) : linearTicks(domain, Math.max(2, wanted))
}

function linearTicks([low, high]: Domain, wanted: number): [number, string][] {
  const { step, decimals } = roundStep((high - low) / wanted)
  const ticks: [number, string][] = []
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) {
    ticks.push([i * step, group((i * step).toFixed(decimals))])
  }
  return ticks
}

/** 1, 2 or 5 times a power of ten, whichever is nearest to a rough step in ratio. */
function roundStep(rough: number): { step: number; decimals: number } {
  let power = 0
  while (10 ** power > rough) power--
  while (10 ** (power + 1) <= rough) power++
  const ratio = rough / 10 ** power
  const factor = ratio < Math.SQRT2 ? 1 : ratio < Math.sqrt(10) ? 2 : ratio < Math.sqrt(50) ? 5 : 10
  const step = power < 0 ? factor / 10 ** -power : factor * 10 ** power
  return { step, decimals: Math.max(0, -power - (factor === 10 ? 1 : 0)) }
}

/** Powers of ten, with 2 and 5 times them where the domain spans few. */
function logTicks([low, high]: Domain): [number, string][] {
  const factors = high / low > 1000 ? [1] : [1, 2, 5]
  const ticks: [number, string][] = []
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.log10(high) + 1; power++) {
    for (const factor of factors) {
      const at = power < 0 ? factor / 10 ** -power : factor * 10 ** power
      if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9))
        ticks.push([at, shorten(at, Math.max(0, -power))])
    }
  }
  return ticks
}

function shorten(value: number, decimals: number): string {
  if (value >= 1e9) return `${value / 1e9}G`
  if (value >= 1e6) return `${value / 1e6}M`
  return value >= 1e4 ? `${value / 1e3}k` : group(value.toFixed(decimals))
}

/** Thousands apart, the minus sign a real one, and no minus zero. */
function group(digits: string): string {
  const [whole, fraction] = digits.replace('-', '').split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`)
  return digits.startsWith('-') && /[1-9]/.test(digits) ? `\u2212${grouped}` : grouped
}
