// Numbers as the views show them.

import { outward } from '@featureboost/core/internal'

/** A true minus sign. */
const minus = (text: string): string => text.replace('-', '\u2212')

export const count = (value: number): string => Math.round(value).toLocaleString('en-US')

/** Three decimals, and no minus zero. */
export const decimal = (value: number, digits = 3): string => {
  const text = value.toFixed(digits)
  return minus(Number(text) === 0 ? text.replace('-', '') : text)
}

/** With its sign. */
export const signed = (value: number, digits = 3): string => {
  const text = decimal(value, digits)
  return Number(value.toFixed(digits)) > 0 ? `+${text}` : text
}

export const pValue = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${Number(p.toPrecision(2))}`)

export const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`

/** "5 to 10 %" */
export const percentRange = (from: number, to: number): string =>
  `${percent(from).slice(0, -2)} to ${percent(to)}`

/** Its ends are rounded outwards. */
export const range = (low: number, high: number, digits = 3): string => {
  const ends = outward({ low, high }, digits)
  return `${decimal(ends.low, digits)} to ${decimal(ends.high, digits)}`
}

/** "too low by 0.021". */
export const side = (gap: number): string => `too ${gap > 0 ? 'low' : 'high'} by ${decimal(Math.abs(gap))}`

export const plural = (howMany: number, word: string): string =>
  `${count(howMany)} ${word}${howMany === 1 ? '' : 's'}`
