// Numbers as people read them.

/** 48310 -> "48,310". */
export const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US')

/** Up to `digits` significant digits, without trailing zeros: 0.25, 12.5, 0.000625. */
export const formatNumber = (value: number, digits = 4): string => String(Number(value.toPrecision(digits)))

/** With its sign, three decimals: "+0.021". */
export const formatMove = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`

/** "a", "a and b", "a, b and c". */
export function joinWords(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`
}
