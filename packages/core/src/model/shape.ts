// Shapes: small checkers that copy untrusted JSON piece by piece. Whatever is not asked for does not come along, so
// a hostile key (such as __proto__) never reaches an object of ours.

import { FeatureBoostError } from '../common/errors.ts'

/** Returns a checked copy or throws FB_MODEL_FORMAT with the path. */
export type Shape<T> = (value: unknown, path: string) => T

export function malformed(path: string, message: string): FeatureBoostError {
  return new FeatureBoostError('FB_MODEL_FORMAT', `${message}.`, {
    path: path === '' ? 'model' : path,
    hint: 'The file is damaged or was not written by featureboost.',
  })
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value

export const text: Shape<string> = (value, path) => {
  if (typeof value !== 'string') throw malformed(path, `${kindOf(value)} where a text was expected`)
  return value
}

export const flag: Shape<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw malformed(path, `${kindOf(value)} where true or false was expected`)
  return value
}

/** Of keys that are there or not. */
export const yes: Shape<true> = (value, path) => {
  if (value !== true) throw malformed(path, `expected true, or no such key`)
  return true
}

export const real: Shape<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw malformed(path, `${kindOf(value)} where a finite number was expected`)
  }
  return value
}

export function within(low: number, high: number): Shape<number> {
  return (value, path) => {
    const number = real(value, path)
    if (number < low || number > high) throw malformed(path, `${number} is not within ${low} to ${high}`)
    return number
  }
}

export function whole(low: number, high: number): Shape<number> {
  const range = within(low, high)
  return (value, path) => {
    const number = range(value, path)
    if (!Number.isInteger(number)) throw malformed(path, `${number} is not a whole number`)
    return number
  }
}

export function oneOf<const T extends string | number>(...known: readonly T[]): Shape<T> {
  return (value, path) => {
    const found = known.find(candidate => candidate === value)
    if (found === undefined) throw malformed(path, `expected ${known.map(String).join(' or ')}`)
    return found
  }
}

export function listOf<T>(item: Shape<T>, limit = 2 ** 24): Shape<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw malformed(path, `${kindOf(value)} where a list was expected`)
    if (value.length > limit) throw malformed(path, `a list of ${value.length} where at most ${limit} fit`)
    return value.map((entry, index) => item(entry, `${path}[${index}]`))
  }
}

export const strictlyAscending =
  <T extends number | string>(item: Shape<T>, limit: number): Shape<T[]> =>
  (value, path) => {
    const list = listOf(item, limit)(value, path)
    const misplaced = list.findIndex((entry, index) => index > 0 && !(list[index - 1] < entry))
    if (misplaced >= 0) throw malformed(`${path}[${misplaced}]`, 'the list is not in ascending order')
    return list
  }

export type Entries = Readonly<Record<string, unknown>>

export const entriesOf: Shape<Entries> = (value, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(path, `${kindOf(value)} where an object was expected`)
  }
  return value as Entries
}

type Fields = Readonly<Record<string, Shape<unknown>>>
type Shaped<F extends Fields> = { -readonly [K in keyof F]: F[K] extends Shape<infer T> ? T : never }

/** Required fields, and optional ones that may be absent; any other key is refused. */
export function record<R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional: O = {} as O,
): Shape<Shaped<R> & Partial<Shaped<O>>> {
  return (value, path) => {
    const entries = entriesOf(value, path)
    for (const key of Object.keys(entries)) {
      if (!Object.hasOwn(required, key) && !Object.hasOwn(optional, key)) {
        throw malformed(path, `unknown key "${key.slice(0, 80)}"`)
      }
    }
    const copy: Record<string, unknown> = {}
    for (const [key, shape] of Object.entries(required)) {
      if (!Object.hasOwn(entries, key)) throw malformed(path, `"${key}" is absent`)
      copy[key] = shape(entries[key], path === '' ? key : `${path}.${key}`)
    }
    for (const [key, shape] of Object.entries(optional)) {
      if (Object.hasOwn(entries, key)) copy[key] = shape(entries[key], path === '' ? key : `${path}.${key}`)
    }
    return copy as Shaped<R> & Partial<Shaped<O>>
  }
}

/** One of several records, told apart by their "kind". */
export function byKind<T>(shapes: Readonly<Record<string, Shape<T>>>): Shape<T> {
  return (value, path) => {
    const kind = text(entriesOf(value, path).kind, `${path}.kind`)
    if (!Object.hasOwn(shapes, kind)) throw malformed(path, `unknown kind "${kind.slice(0, 80)}"`)
    return shapes[kind](value, path)
  }
}
