// Damage to model files: one change at one place of the parsed JSON, with the hash made to fit again.

import fc from 'fast-check'
import { sha256 } from '../../src/common/hash.ts'
import { canonicalJson } from '../../src/model/json.ts'

export type Json = unknown
export type Container = Record<string, Json> | Json[]

export const isContainer = (value: Json): value is Container => typeof value === 'object' && value !== null

/** The text of a model file with these contents, sealed as the writer would seal it. */
export function reseal(contents: Json): string {
  if (!isContainer(contents) || Array.isArray(contents)) return JSON.stringify(contents)
  const { hash: _, ...sealed } = contents
  return JSON.stringify({ ...contents, hash: sha256(canonicalJson(sealed)) })
}

/** Every place in a JSON value, as the container and the key within it. */
export function placesOf(value: Json): { container: Container; key: string }[] {
  if (!isContainer(value)) return []
  return Object.keys(value).flatMap(key => [
    { container: value, key },
    ...placesOf((value as Record<string, Json>)[key]),
  ])
}

const nested = (depth: number): Json => JSON.parse(`${'['.repeat(depth)}0${']'.repeat(depth)}`)

const polluting = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')

const NUMBERS = [0, 1, 2, -1, 0.5, 255, 256, 10_000, 2 ** 24, 2 ** 24 + 1, -(2 ** 53), 1e308, -1e308, 5e-324]
const TEXTS = ['', 'NaN', 'Infinity', 'age', 'region', '__proto__', 'toString']
const KINDS = ['table', 'linear', 'groups', 'trees', 'functions', 'numeric', 'categorical', 'constant']
const LISTS = [[], [0], [0, 0], [1, 0], ['age'], nested(1000)]
const OBJECTS = [{}, { kind: 'one' }, { kind: 'missing', feature: 0 }, { leaf: 0 }, { leaf: 3 }, polluting]

export const REPLACEMENTS: readonly Json[] = [
  null,
  true,
  false,
  ...NUMBERS,
  ...TEXTS,
  ...KINDS,
  ...LISTS,
  ...OBJECTS,
]

export type Damage = (container: Record<string, Json>, key: string) => void

export const replaceBy =
  (replacement: Json): Damage =>
  (container, key) => {
    container[key] = structuredClone(replacement)
  }

const remove: Damage = (container, key) => {
  if (Array.isArray(container)) container.splice(Number(key), 1)
  else delete container[key]
}

const addKey =
  (name: string): Damage =>
  (container, key) => {
    const target = isContainer(container[key]) ? (container[key] as Record<string, Json>) : container
    Object.defineProperty(target, name, {
      value: { polluted: true },
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }

const onList =
  (change: (list: Json[]) => Json[]): Damage =>
  (container, key) => {
    const value = container[key]
    if (Array.isArray(value)) container[key] = change(value)
    else remove(container, key)
  }

const onNumber =
  (change: (value: number) => number): Damage =>
  (container, key) => {
    const value = container[key]
    container[key] = typeof value === 'number' ? change(value) : [value]
  }

export const DAMAGES: readonly Damage[] = [
  remove,
  ...['__proto__', 'constructor', 'prototype', 'kind', 'missing', 'extra'].map(addKey),
  onList(list => list.slice(0, -1)),
  onList(list => list.slice(1)),
  onList(list => [...list].reverse()),
  onList(list => [...list, ...list]),
  onList(() => []),
  onNumber(value => value + 1),
  onNumber(value => value - 1),
  onNumber(value => -value),
  onNumber(value => value * 1e6),
  onNumber(value => value + 0.5),
]

export const damageArbitrary: fc.Arbitrary<Damage> = fc.oneof(
  fc.constantFrom(...DAMAGES),
  fc.constantFrom(...REPLACEMENTS).map(replaceBy),
)

/** The text of a model after one damage; `where` picks the place among all there are. */
export function damageModel(text: string, where: number, damage: Damage): string {
  const contents: Json = JSON.parse(text)
  const places = placesOf(contents)
  const { container, key } = places[where % places.length]
  damage(container as Record<string, Json>, key)
  return reseal(contents)
}

/** The text of a model after a change of its parsed contents, sealed again. */
// biome-ignore lint/suspicious/noExplicitAny: the contents are deliberately of any shape.
export function editModel(text: string, edit: (contents: any) => void): string {
  const contents = JSON.parse(text)
  edit(contents)
  return reseal(contents)
}
