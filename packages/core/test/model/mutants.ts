// Mutants: model files with bytes, tokens, values and whole subtrees changed, several at a time. Most are sealed again, so
// that the reader has more to go by than a hash that does not fit.

import type { Random } from '../../src/common/random.ts'
import { type Container, DAMAGES, isContainer, type Json, REPLACEMENTS, replaceBy, reseal } from './mutate.ts'

export interface Mutant {
  readonly text: string
  /** The name of the change made last, for counting. */
  readonly how: string
}

/** Longer mutants take their time and find nothing more. */
const LONGEST = 1_000_000

type Place = { container: Container; key: string }
type Change = (contents: Json, random: Random, others: readonly string[]) => void

const pick = <T>(items: readonly T[], random: Random): T => items[random.integer(items.length)]
const get = ({ container, key }: Place): Json => (container as Record<string, Json>)[key]
function put({ container, key }: Place, value: Json): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
}
function somewhere(contents: Json, random: Random): Place | undefined {
  const places = allPlaces(contents)
  return places.length === 0 ? undefined : pick(places, random)
}

/** As without calling itself: mutants are deep. */
function allPlaces(contents: Json): Place[] {
  const places: Place[] = []
  const open: Json[] = [contents]
  while (open.length > 0) {
    const value = open.pop()
    if (!isContainer(value)) continue
    for (const key of Object.keys(value)) {
      places.push({ container: value, key })
      open.push((value as Record<string, Json>)[key])
    }
  }
  return places
}

const at =
  (change: (place: Place, random: Random, contents: Json, others: readonly string[]) => void): Change =>
  (contents, random, others) => {
    const place = somewhere(contents, random)
    if (place !== undefined) change(place, random, contents, others)
  }

/** Deeper than a reader that calls itself would like. */
function nest(value: Json, depth: number, wrap: (inner: Json) => Json): Json {
  let nested = value
  for (let level = 0; level < depth; level++) nested = wrap(nested)
  return nested
}

const SPLITS: readonly Json[] = [
  { kind: 'below', units: 5_000_000 },
  { kind: 'missing', feature: 0 },
  { kind: 'atMost', feature: 0, bin: 0, missing: true },
  { kind: 'in', feature: 1, bins: [0, 1] },
]

/** Well-formed, but taller than fits make them. */
const growTree = at((place, random) => {
  const depth = pick([1, 5, 255, 256, 257, 400], random)
  const split = () => structuredClone(pick(SPLITS, random))
  put(
    place,
    nest({ leaf: 0 }, depth, inner => ({ split: split(), yes: { leaf: random.integer(2) }, no: inner })),
  )
})

const CHANGES: Readonly<Record<string, Change>> = {
  damage: at((place, random) => {
    const damages = [...DAMAGES, ...REPLACEMENTS.map(replaceBy)]
    pick(damages, random)(place.container as Record<string, Json>, place.key)
  }),
  swap: at((place, random, contents) => {
    const other = somewhere(contents, random)!
    const [a, b] = [structuredClone(get(place)), structuredClone(get(other))]
    put(other, a)
    put(place, b)
  }),
  copy: at((place, random, contents) => put(place, structuredClone(get(somewhere(contents, random)!)))),
  graft: at((place, random, _, others) => {
    const donor: Json = JSON.parse(pick(others, random))
    put(place, get(somewhere(donor, random)!))
  }),
  'same key of another model': at((place, random, _, others) => {
    const same = allPlaces(JSON.parse(pick(others, random))).filter(({ key }) => key === place.key)
    if (same.length > 0) put(place, get(pick(same, random)))
  }),
  'nested lists': at((place, random) =>
    put(
      place,
      nest(get(place), pick([1, 300, 1200], random), inner => [inner]),
    ),
  ),
  'nested objects': at((place, random) =>
    put(
      place,
      nest(get(place), pick([1, 300, 1200], random), inner => ({
        [pick(['a', 'yes', 'where'], random)]: inner,
      })),
    ),
  ),
  tree: growTree,
  'long list': at((place, random) => {
    const value = get(place)
    const items = Array.isArray(value) && value.length > 0 ? value : [value]
    const room = Math.ceil((100_000 * items.length) / (JSON.stringify(items) ?? '').length)
    const length = Math.min(room, pick([2, 300, 11_000], random))
    put(
      place,
      Array.from({ length }, (_, index) => structuredClone(items[index % items.length])),
    )
  }),
  'long text': at((place, random) =>
    put(place, pick(['\ud800', '\u0000', 'x'.repeat(100_000), 'é'.repeat(500)], random)),
  ),
  number: at((place, random) =>
    put(
      place,
      pick(
        [1e308, -1e308, 5e-324, 2 ** 53, 2 ** 31, 2 ** 32, -(2 ** 31), 1e21, -0, 0.1, random.next()],
        random,
      ),
    ),
  ),
}

/** Changes of the text of a resealed file that a parser of JSON may or may not take. */
const TEXT_CHANGES: Readonly<Record<string, (text: string, random: Random) => string>> = {
  'key twice': (text, random) => {
    const keys = [...text.matchAll(/"(\w+)":/g)]
    const { 0: token, 1: name, index } = pick(keys, random)
    const key = random.next() < 0.5 ? name : '__proto__'
    const value = pick(['0', 'null', '"x"', '[]', '{"polluted":true}'], random)
    return `${text.slice(0, index)}"${key}":${value},${token}${text.slice(index + token.length)}`
  },
  'odd number': (text, random) => {
    const numbers = [...text.matchAll(/(?<=[:,[])-?\d+(\.\d+)?(e[+-]?\d+)?(?=[,\]}])/g)]
    const { 0: token, index } = pick(numbers, random)
    const odd = pick(
      ['1e400', '-1e400', '1e-400', '-0', '1E+2', '00', '0x10', 'NaN', '9'.repeat(400)],
      random,
    )
    return text.slice(0, index) + odd + text.slice(index + token.length)
  },
  'deep nesting': (text, random) => {
    const { 0: token, index } = pick([...text.matchAll(/(?<=[:,[])(-?\d+|"\w*")(?=[,\]}])/g)], random)
    const [open, close] = pick(
      [
        ['[', ']'],
        ['{"no":', '}'],
        ['{"where":[', ']}'],
      ],
      random,
    )
    const depth = pick([300, 20_000, 200_000], random)
    const nested = open.repeat(depth) + token + close.repeat(depth)
    return text.slice(0, index) + nested + text.slice(index + token.length)
  },
  'escaped key': (text, random) => {
    const { 0: token, 1: name, index } = pick([...text.matchAll(/"(\w+)":/g)], random)
    const escaped = [...(random.next() < 0.3 ? '__proto__' : name)]
      .map(letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
    return `${text.slice(0, index)}"${escaped}":${text.slice(index + token.length)}`
  },
  'white space': (text, random) =>
    pick([`\ufeff${text}`, ` \n${text}\t`, `${text}\u0000`, `${text}{}`], random),
}

const BYTE_CHANGES: Readonly<Record<string, (bytes: Buffer, random: Random) => Buffer>> = {
  'bytes flipped': (bytes, random) => {
    for (let count = 1 + random.integer(3); count > 0; count--)
      bytes[random.integer(bytes.length)] ^= 1 << random.integer(8)
    return bytes
  },
  truncated: (bytes, random) => bytes.subarray(0, random.integer(bytes.length)),
  'piece lost': (bytes, random) => {
    const from = random.integer(bytes.length)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random.integer(40))])
  },
  'piece twice': (bytes, random) => {
    const from = random.integer(bytes.length)
    const to = from + random.integer(60)
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
  },
}

/** One mutant of `text`; `others` lend parts. */
export function makeMutant(text: string, others: readonly string[], random: Random): Mutant {
  try {
    return mutate(text, others, random)
  } catch (error) {
    // Changes upon changes can be too long, or nest deeper than can be written; then another one.
    if (error instanceof RangeError) return makeMutant(text, others, random)
    throw error
  }
}

function mutate(text: string, others: readonly string[], random: Random): Mutant {
  const where = random.next()
  if (where < 0.2) {
    const how = pick(Object.keys(BYTE_CHANGES), random)
    const damaged = BYTE_CHANGES[how](Buffer.from(text), random).toString()
    return { text: random.next() < 0.7 ? sealedAgain(damaged) : damaged, how }
  }
  const contents: Json = JSON.parse(text)
  if (where < 0.4) {
    const how = pick(Object.keys(TEXT_CHANGES), random)
    const changed = TEXT_CHANGES[how](reseal(contents), random)
    return { text: random.next() < 0.7 ? sealedAgain(changed) : changed, how }
  }
  let how = ''
  for (let count = pick([1, 1, 1, 2, 3], random); count > 0; count--) {
    how = pick(Object.keys(CHANGES), random)
    CHANGES[how](contents, random, others)
    if (JSON.stringify(contents).length > LONGEST) throw new RangeError('too long')
  }
  return { text: reseal(contents), how }
}

/** With the hash that its contents have now, put in by text, so that all else stays as it is. */
function sealedAgain(text: string): string {
  try {
    const contents: Json = JSON.parse(text)
    if (!isContainer(contents)) return text
    const { hash } = JSON.parse(reseal(contents)) as { hash?: string }
    return text.replace(/("hash": ?)"[0-9a-f]{64}"/, `$1"${hash}"`)
  } catch {
    return text
  }
}
