// One hash of an answer, whatever it is made of: two answers have the same one only where all numbers and texts in them agree.

import { createHash } from 'node:crypto'

export function hashOf(answer: unknown): string {
  const hash = createHash('sha256')
  const add = (value: unknown): void => {
    if (ArrayBuffer.isView(value))
      hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    else if (typeof value === 'object' && value !== null)
      for (const key of Object.keys(value).sort()) add((value as Record<string, unknown>)[key])
    else hash.update(`${value};`)
  }
  add(answer)
  return hash.digest('hex').slice(0, 16)
}
