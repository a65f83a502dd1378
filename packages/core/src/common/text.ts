// Numbers as people read them.

/** 48310 -> "48,310". Not by the platform's own formatter, which takes longer to load than a small fit to count its rows. */
export const formatCount = (count: number): string => groupThousands(String(Math.round(count)))

/** "1 column", "48,310 columns". */
export const formatCounted = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${Math.round(count) === 1 ? '' : 's'}`

/** Up to `digits` significant digits, without trailing zeros: 0.25, 12.5, 0.000625. */
export const formatNumber = (value: number, digits = 4): string => String(Number(value.toPrecision(digits)))

/** A bound in three digits, rounded up: what is said is never less than what is so. */
export function formatBound(value: number, digits = 3): string {
  if (!(value > 0)) return '0'
  const near = Number(value.toPrecision(digits))
  if (near >= value) return String(near)
  const step = 10 ** (Math.floor(Math.log10(near)) + 1 - digits)
  return String(Number((near + step).toPrecision(digits)))
}

/** An interval in so many digits, its ends rounded outwards: "0.031 to 0.54". */
export const formatRange = (low: number, high: number, digits: number): string =>
  `${formatBelow(low, digits)} to ${formatAbove(high, digits)}`

const formatAbove = (value: number, digits: number): string =>
  value < 0 ? `-${below(-value, digits)}` : formatBound(value, digits)

const formatBelow = (value: number, digits: number): string =>
  value < 0 ? `-${formatBound(-value, digits)}` : below(value, digits)

/** Of a number from 0. */
function below(value: number, digits: number): string {
  const near = Number(value.toPrecision(digits))
  if (near <= value) return String(near)
  const step = 10 ** (Math.floor(Math.log10(value)) + 1 - digits)
  return String(Number((near - step).toPrecision(digits)))
}

/** The ends of an interval rounded outwards to so many decimals. What differs by less than sums of doubles can tell is the same. */
export function outward({ high, low }: { low: number; high: number }, decimals: number) {
  return { low: -roundUpTo(-low, decimals), high: roundUpTo(high, decimals) }
}

function roundUpTo(value: number, decimals: number): number {
  if (!Number.isFinite(value)) return value
  const near = Number(value.toFixed(decimals))
  return near >= value - 1e-12 ? near : Number((near + 10 ** -decimals).toFixed(decimals))
}

/** As formatNumber with commas, and never with an exponent where the number is small: 0.0000000625, 1,600. */
export function formatPlain(value: number, digits: number): string {
  const short = formatNumber(value, digits)
  const [mantissa, exponent] = short.split('e-')
  if (exponent === undefined) return groupThousands(short)
  const decimals = Number(exponent) + (mantissa.split('.')[1]?.length ?? 0)
  return value.toFixed(Math.min(100, decimals))
}

/** Numbers too large for plain digits stay as they are. */
function groupThousands(number: string): string {
  const [whole, ...decimals] = number.split('.')
  if (!/^-?\d+$/.test(whole)) return number
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.')
}

/** With its sign, three decimals: "+0.021". */
export const formatMove = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`

/** "a", "a and b", "a, b and c". */
export function joinWords(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`
}

/**
 * Shares in percent, in so many decimals that they can be told apart, and no more than `most`: 37 % and 45 %, 0.8 % and 1.3 %.
 */
export function formatShares(one: number, other: number, least: number, most: number): [string, string] {
  const write = (decimals: number) => [one, other].map(share => `${tidyFixed(100 * share, decimals)} %`)
  let decimals = Math.max(least, decimalsOf(one), decimalsOf(other))
  while (decimals < most && write(decimals)[0] === write(decimals)[1]) decimals++
  const [first, second] = write(decimals)
  return [first, second]
}

/** Shares near 0 and 1 need more of them. */
function decimalsOf(share: number): number {
  const near = Math.min(share, 1 - share)
  if (!(near > 0) || near >= 0.1) return 0
  return near >= 0.01 ? 1 : 2
}

/** No minus zero. */
export const tidyFixed = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals)
  return Number(text) === 0 ? text.replace('-', '') : text
}
