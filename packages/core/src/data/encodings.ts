// How text files may be encoded: as the command line and the page call it.

export const ENCODINGS = ['utf-8', 'latin-1', 'windows-1252', 'utf-16'] as const

export type Encoding = (typeof ENCODINGS)[number]

/** All but the one that needs no word. */
export const OTHER_ENCODINGS: readonly Encoding[] = ENCODINGS.filter(each => each !== 'utf-8')

/** Is it text in UTF-16? By its mark, or because every other byte is 0, as between Latin letters. `bytes`: the first of a file. */
export function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  const zeros = [0, 0]
  for (const [index, byte] of bytes.entries()) zeros[index % 2] += Number(byte === 0)
  const half = bytes.length / 2
  return half >= 2 && Math.max(...zeros) > 0.7 * half && Math.min(...zeros) < 0.1 * half
}

/** In UTF-16 the first bytes tell which of the two comes first: the mark, or the 0 of a Latin letter. */
export const isBigEndian = ([first, second]: Uint8Array): boolean =>
  (first === 0xfe && second === 0xff) || first === 0
