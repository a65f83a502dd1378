// Text that is not UTF-8, decoded: everything after this reads UTF-8. As the command line does it (--encoding).

import { type Encoding, isBigEndian } from '@featureboost/core/internal'
import { DataProblem } from './problem.ts'

/** Stray bytes are refused and never replaced. */
export function toUtf8(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return bytes
  // The decoders of the web take latin-1 for windows-1252.
  if (encoding === 'latin-1') return latinToUtf8(bytes)
  const label = encoding === 'utf-16' && isBigEndian(bytes) ? 'utf-16be' : encoding
  try {
    const decoder = new TextDecoder(label, { fatal: true })
    // In two steps: in one, some versions of Node take windows-1252 for latin-1.
    return new TextEncoder().encode(decoder.decode(bytes, { stream: true }) + decoder.decode())
  } catch (error) {
    throw new DataProblem(`The file cannot be read as ${encoding}: ${(error as Error).message}.`, 'encoding')
  }
}

/** Every byte is the character of that number; from 128 on, UTF-8 has two bytes for it. */
function latinToUtf8(bytes: Uint8Array): Uint8Array {
  let size = bytes.length
  for (let at = 0; at < bytes.length; at++) size += bytes[at] >> 7
  const text = new Uint8Array(size)
  let to = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte < 128) text[to++] = byte
    else {
      text[to++] = 0xc0 | (byte >> 6)
      text[to++] = 0x80 | (byte & 0x3f)
    }
  }
  return text
}
