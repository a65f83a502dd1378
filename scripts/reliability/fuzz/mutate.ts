// Damaged files from whole ones: bytes flipped, cut, lost, doubled and moved, pieces of other files, and tokens that a reader of the format
// may stumble over. A mutant follows from its kind, seed and number alone.

import { makeRandom, type Random } from '../../../packages/core/src/common/random.ts'

export interface Mutant {
  readonly bytes: Buffer
  /** The name of the change made last. */
  readonly how: string
}

export interface Stock {
  /** Whole files. */
  readonly files: readonly Buffer[]
  /** What may be put anywhere. */
  readonly tokens: readonly (string | Buffer)[]
  /** Where damage tells most, such as the footer of a Parquet file; default: anywhere. */
  readonly tender?: (bytes: Buffer) => { readonly from: number; readonly to: number }
}

const pick = <T>(items: readonly T[], random: Random): T => items[random.integer(items.length)]

const splice = (bytes: Buffer, from: number, to: number, put: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)])

/** Longer ones take their time and find nothing more. */
const LONGEST = 200_000

type Change = (bytes: Buffer, random: Random, stock: Stock, place: () => number) => Buffer

const CHANGES: Readonly<Record<string, Change>> = {
  'bits flipped': (bytes, random, _, place) => {
    const copy = Buffer.from(bytes)
    for (let count = 1 + random.integer(4); count > 0; count--) copy[place()] ^= 1 << random.integer(8)
    return copy
  },
  'bytes replaced': (bytes, random, _, place) => {
    const copy = Buffer.from(bytes)
    for (let count = 1 + random.integer(4); count > 0; count--)
      copy[place()] = pick([0, 1, 9, 10, 13, 34, 39, 44, 59, 92, 127, 128, 192, 255], random)
    return copy
  },
  'cut short': (bytes, random) => bytes.subarray(0, random.integer(bytes.length)),
  'begun late': (bytes, random) => bytes.subarray(random.integer(bytes.length)),
  'piece lost': (bytes, random, _, place) => {
    const from = place()
    return splice(bytes, from, from + 1 + random.integer(40), Buffer.alloc(0))
  },
  'piece doubled': (bytes, random, _, place) => {
    const from = place()
    const piece = bytes.subarray(from, from + 1 + random.integer(60))
    const times = pick([1, 1, 2, 50], random)
    return splice(bytes, from, from, Buffer.concat(Array(times).fill(piece)))
  },
  'piece moved': (bytes, random, _, place) => {
    const from = place()
    const piece = bytes.subarray(from, from + 1 + random.integer(60))
    const without = splice(bytes, from, from + piece.length, Buffer.alloc(0))
    const to = random.integer(without.length + 1)
    return splice(without, to, to, piece)
  },
  'piece of another': (bytes, random, { files }, place) => {
    const other = pick(files, random)
    const start = random.integer(other.length)
    const from = place()
    const piece = other.subarray(start, start + 1 + random.integer(200))
    return splice(bytes, from, from + (random.next() < 0.5 ? piece.length : 0), piece)
  },
  token: (bytes, random, { tokens }, place) => {
    const from = place()
    const length = random.next() < 0.5 ? 0 : random.integer(8)
    return splice(bytes, from, from + length, Buffer.from(pick(tokens, random)))
  },
  'line lost': byLines((lines, random) => lines.splice(random.integer(lines.length), 1)),
  'line doubled': byLines((lines, random) => {
    const from = random.integer(lines.length)
    lines.splice(from, 0, ...Array(pick([1, 2, 30], random)).fill(lines[from]))
  }),
  'lines swapped': byLines((lines, random) => {
    const [a, b] = [random.integer(lines.length), random.integer(lines.length)]
    const kept = lines[a]
    lines[a] = lines[b]
    lines[b] = kept
  }),
  'line ends': bytes => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
}

function byLines(change: (lines: string[], random: Random) => unknown): Change {
  return (bytes, random) => {
    const lines = bytes.toString('latin1').split('\n')
    change(lines, random)
    return Buffer.from(lines.join('\n'), 'latin1')
  }
}

const NAMES = Object.keys(CHANGES)

export function makeMutant(stock: Stock, seed: number, number: number): Mutant {
  const random = makeRandom(Math.imul(seed, 0x9e3779b1) ^ number)
  let bytes = pick(stock.files, random)
  let how = ''
  for (let count = pick([1, 1, 1, 2, 3, 5], random); count > 0; count--) {
    if (bytes.length === 0) break
    how = pick(NAMES, random)
    const now = bytes
    const area = stock.tender !== undefined && random.next() < 0.6 ? stock.tender(now) : undefined
    const { from, to } = area ?? { from: 0, to: now.length }
    const place = () => Math.min(now.length - 1, from + random.integer(Math.max(1, to - from)))
    bytes = CHANGES[how](now, random, stock, place)
    if (bytes.length > LONGEST) bytes = bytes.subarray(0, LONGEST)
  }
  return { bytes, how }
}
