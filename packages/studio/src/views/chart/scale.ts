// From values to places: linear, logarithmic and logit scales, with ticks at numbers that people use.

interface Tick {
  readonly at: number
  readonly label: string
}

export interface Scale {
  (value: number): number
  readonly domain: readonly [low: number, high: number]
  readonly ticks: readonly Tick[]
}

type Pair = readonly [number, number]

function makeScale(
  domain: Pair,
  range: Pair,
  warp: (value: number) => number,
  ticks: readonly Tick[],
): Scale {
  const [from, to] = domain.map(warp)
  const span = to - from === 0 ? 1 : to - from
  const place = (value: number) => range[0] + ((warp(value) - from) / span) * (range[1] - range[0])
  return Object.assign(place, { domain, ticks })
}

/** `count`: about so many ticks. */
export function linearScale(domain: Pair, range: Pair, count = 5, format = plainNumber): Scale {
  const [low, high] = domain
  const step = roundStep((high - low) / count)
  const ticks: Tick[] = []
  for (let index = Math.ceil(low / step - 1e-9); index * step <= high + step * 1e-9; index++) {
    const at = Number((index * step).toPrecision(12))
    ticks.push({ at, label: format(at) })
  }
  return makeScale(domain, range, value => value, ticks)
}

/** Powers of ten; with 2 and 5 times them where they would be few. */
export function logScale(domain: Pair, range: Pair, format = shortCount): Scale {
  const [low, high] = domain
  const factors = high / low > 100 ? [1] : [1, 2, 5]
  const ticks: Tick[] = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of factors) {
      const at = Number(`${factor}e${power}`)
      if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9)) ticks.push({ at, label: format(at) })
    }
  }
  return makeScale(domain, range, Math.log, ticks)
}

const LOW_TICKS = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]
const LOGIT_TICKS = [...LOW_TICKS, 0.5, ...LOW_TICKS.map(at => Number((1 - at).toFixed(4))).reverse()]

export function logitScale(domain: Pair, range: Pair): Scale {
  const ticks = LOGIT_TICKS.filter(at => at >= domain[0] && at <= domain[1])
  const inside = (value: number) => Math.min(1 - 1e-6, Math.max(1e-6, value))
  const warp = (value: number) => Math.log(inside(value) / (1 - inside(value)))
  return makeScale(
    domain,
    range,
    warp,
    ticks.map(at => ({ at, label: String(at) })),
  )
}

/** 1, 2 or 5 times a power of ten. */
export function roundStep(rough: number): number {
  if (!(rough > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find(each => each * power >= rough * 0.8) ?? 10
  return factor * power
}

/** The range of values, with some room; never empty. */
export function spanOf(values: readonly number[], room = 0.05): Pair {
  const finite = values.filter(Number.isFinite)
  if (finite.length === 0) return [0, 1]
  const low = finite.reduce((least, value) => Math.min(least, value))
  const high = finite.reduce((most, value) => Math.max(most, value))
  const spare = Math.max((high - low) * room, 1e-6)
  return [low - spare, high + spare]
}

/** A true minus sign, and no minus zero. */
export const plainNumber = (value: number): string =>
  String(Number(value.toPrecision(6)) + 0).replace('-', '\u2212')

function shortCount(value: number): string {
  if (value >= 1e9) return `${plainNumber(value / 1e9)}G`
  if (value >= 1e6) return `${plainNumber(value / 1e6)}M`
  return value >= 1e4 ? `${plainNumber(value / 1e3)}k` : value.toLocaleString('en-US')
}
