// Texts that can stand in UTF-8.

/** No database keeps a NUL in a text, nor half of a pair of code units: no row holds such a category. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Cs}/u.test(text)
