// Numbers from bytes. Up to 15 digits a number is a whole one divided by a power of ten, and that division rounds as it
// should (both are exact); longer ones go through Number().

const POWERS = Array.from({ length: 23 }, (_, power) => 10 ** power)
const MINUS = 45

/** `mark`: the byte before decimals. NaN also where the cell is written in some other way: with an exponent, with more digits, or no number at all. */
export function readPlainNumber(bytes: Uint8Array, start: number, end: number, mark: number): number {
  let at = start
  const negative = bytes[at] === MINUS
  if (negative) at++
  if (end - at > 16 || at === end) return Number.NaN
  // Leading zeros are how codes are written: not for the short way.
  if (bytes[at] === 48 && end - at > 1 && bytes[at + 1] !== mark) return Number.NaN
  let value = 0
  let digits = 0
  let decimals = -1
  for (; at < end; at++) {
    const digit = bytes[at] - 48
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit
      digits++
      if (decimals >= 0) decimals++
    } else if (bytes[at] === mark && decimals < 0) decimals = 0
    else return Number.NaN
  }
  if (digits === 0 || digits > 15) return Number.NaN
  if (decimals > 0) value /= POWERS[decimals]
  return negative ? -value : value
}

/** Is there a decimal mark in it? What passed readPlainNumber and has none is whole. */
export function hasMark(bytes: Uint8Array, start: number, end: number, mark: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === mark) return true
  return false
}
