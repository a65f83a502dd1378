// Three hashes. `mix32` scatters one number. `mixHash` is a fast 64-bit checksum of small integers, made to be summed over rows: it tells
// accidental differences apart, it does not resist a forger. `sha256` seals model files; it is written here
// because the browser's own is asynchronous and core has no dependency.

/** Two 32-bit lanes. */
export interface Hash64 {
  a: number
  b: number
}

export const emptyHash = (): Hash64 => ({ a: 0x243f6a88, b: 0x85a308d3 })

/** Folds one 32-bit integer into a hash (murmur-style mixing, two lanes with different constants). */
export function mixHash(hash: Hash64, value: number): void {
  hash.a = mixA(hash.a, value)
  hash.b = mixB(hash.b, value)
}

/** The lanes by themselves, for loops over rows. */
export const mixA = (lane: number, value: number): number => mixLane(lane, value, 0xcc9e2d51, 0x1b873593)
export const mixB = (lane: number, value: number): number =>
  mixLane(lane, value ^ 0x6a09e667, 0x85ebca6b, 0xc2b2ae35)

function mixLane(lane: number, value: number, first: number, second: number): number {
  let k = Math.imul(value, first)
  k = Math.imul((k << 15) | (k >>> 17), second)
  let mixed = lane ^ k
  mixed = Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) | 0
}

export const hashToHex = (hash: Readonly<Hash64>): string => laneToHex(hash.a) + laneToHex(hash.b)

const laneToHex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0')

/** Every bit of the key decides about every bit of the answer, 0 to 2^32 - 1. */
export function mix32(key: number): number {
  let hash = key
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits (FIPS 180-4). */
export function sha256(text: string): string {
  const bytes = encodeUtf8(text)
  const state = new Int32Array(INITIAL_STATE)
  const schedule = new Int32Array(64)
  const padded = padMessage(bytes)
  for (let offset = 0; offset < padded.byteLength; offset += 64) compress(state, schedule, padded, offset)
  return Array.from(state, laneToHex).join('')
}

/** First bits of a character of 1, 2, 3 and 4 bytes. */
const LEADS = [0, 0xc0, 0xe0, 0xf0]

export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(3 * text.length) // enough: four bytes take two code units
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const point = text.codePointAt(index)!
    const more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3
    bytes[length++] = LEADS[more] | (point >> (6 * more))
    for (let left = more - 1; left >= 0; left--) bytes[length++] = 0x80 | ((point >> (6 * left)) & 63)
    if (more === 3) index++
  }
  return bytes.subarray(0, length)
}

function padMessage(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64
  const padded = new Uint8Array(length)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(length - 4, (bytes.length << 3) >>> 0)
  return view
}

function compress(state: Int32Array, schedule: Int32Array, message: DataView, offset: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = message.getInt32(offset + 4 * t)
  for (let t = 16; t < 64; t++) {
    const x = schedule[t - 15]
    const y = schedule[t - 2]
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
    schedule[t] = schedule[t - 16] + s0 + schedule[t - 7] + s1
  }
  let [a, b, c, d, e, f, g, h] = state
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[t] + schedule[t]) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] += added[i]
}

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n))

/** The first 32 bits of the fractional parts of the n-th roots (FIPS 180-4, sections 4.2.2 and 5.3.3). */
function primeRootFractions(count: number, root: (prime: number) => number): Int32Array {
  const fractions = new Int32Array(count)
  let found = 0
  for (let candidate = 2; found < count; candidate++) {
    if (!isPrime(candidate)) continue
    const value = root(candidate)
    fractions[found++] = Math.floor((value - Math.floor(value)) * 2 ** 32) | 0
  }
  return fractions
}

function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false
  return true
}

const INITIAL_STATE = primeRootFractions(8, Math.sqrt)
const ROUND_CONSTANTS = primeRootFractions(64, Math.cbrt)
