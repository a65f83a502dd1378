// How many columns a text takes on a terminal: colours take none, Chinese and emoji two, accents that stand apart none.

import { stripVTControlCharacters } from 'node:util'

const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const PLAIN = /^[\x20-\x7e]*$/

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export function displayWidth(text: string): number {
  const bare = stripVTControlCharacters(text)
  if (PLAIN.test(bare)) return bare.length
  let width = 0
  for (const { segment } of graphemes.segment(bare)) width += WIDE.test(segment) ? 2 : 1
  return width
}

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)))

export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - displayWidth(text))) + text

/** At most `width` columns; `mark` stands for what is cut off. The text has no colours. */
export function clip(text: string, width: number, mark = '…'): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (displayWidth(kept + segment + mark) > width) break
    kept += segment
  }
  return `${kept.trimEnd()}${mark}`
}

/** What steers a terminal, ends a line or turns the direction of reading. */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
const STEERING_PAGE = /\p{Cc}\[\d\d?m|(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** Names come from the data: whatever would steer the terminal is shown as a mark instead. */
export const visible = (text: string): string => text.replace(STEERING, '\ufffd')

/** The same for whole pages, where they are printed: lines and tabs stay, and colours where the page may have them. */
export const visiblePage = (text: string, colours = false): string =>
  text.replace(STEERING_PAGE, found => (colours && found.length > 1 ? found : '\ufffd'))

/** JSON that holds the same values, with these characters as escapes: no terminal sees them. */
export const visibleJson = (json: string): string =>
  json.replace(STEERING, letter =>
    letter === '\n' ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
