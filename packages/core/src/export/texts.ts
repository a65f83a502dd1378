// Texts in the files that are written.

/** No database keeps a NUL in a text, nor half of a pair of code units: no row holds such a category. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Cs}/u.test(text)

/**
 * Data in one line, as a text of JavaScript and of Python alike. Also inside a page: no tag of HTML ends there, and no separator ends the line.
 */
export function jsonText(data: unknown): string {
  const json = JSON.stringify(data).replace(
    /[<\u2028\u2029]/g,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `'${json.replace(/[\\']/g, '\\$&')}'`
}
