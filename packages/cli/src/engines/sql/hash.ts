// The 32-bit hashes of common/hash.ts as SQL, on whole numbers from 0 to below 2^32.

import type { Columns } from '@featureboost/core/internal'
import { emptyHash } from '@featureboost/core/internal'
import type { Dialect } from './dialect.ts'

/** One of the two lanes of a hash: mixA and mixB. */
export interface Lane {
  readonly name: 'a' | 'b'
  readonly start: number
  /** What a value is first combined with. */
  readonly flip: number
  readonly first: number
  readonly second: number
}

export const LANES: readonly Lane[] = [
  { name: 'a', start: emptyHash().a >>> 0, flip: 0, first: 0xcc9e2d51, second: 0x1b873593 },
  { name: 'b', start: emptyHash().b >>> 0, flip: 0x6a09e667, first: 0x85ebca6b, second: 0xc2b2ae35 },
]

const unsignedConstant = (dialect: Dialect, value: number): string => dialect.unsigned(String(value >>> 0))

const foldRight = (dialect: Dialect, x: string, bits: number): string =>
  dialect.xor(x, dialect.shiftRight(x, bits))

/** The bits of a 32-bit number moved to the left, those that fall out put back on the right. */
const rotate = (dialect: Dialect, x: string, bits: number): string =>
  `(${dialect.timesModulo(x, 2 ** bits)} + ${dialect.shiftRight(x, 32 - bits)})`

/** What mixing makes of a value before it meets the lane; the value is one that is known, or SQL of an unsigned number. */
export function mixedValue({ first, flip, second }: Lane, value: number): number {
  const once = Math.imul(value ^ flip, first)
  return Math.imul((once << 15) | (once >>> 17), second) >>> 0
}

/** A layer: columns `${prefix}${lane}${place}` hold what each word (the name of a column) was mixed to. */
export function mixWordsSql(dialect: Dialect, words: readonly string[], prefix: string): Columns {
  const mixed = (word: string, { first, flip, second }: Lane) => {
    const flipped = flip === 0 ? word : dialect.xor(word, unsignedConstant(dialect, flip))
    return dialect.timesModulo(rotate(dialect, dialect.timesModulo(flipped, first), 15), second)
  }
  return Object.fromEntries(
    LANES.flatMap(lane => words.map((word, place) => [`${prefix}${lane.name}${place}`, mixed(word, lane)])),
  )
}

/**
 * Lanes that start from `starts` (SQL) take in mixed values (SQL, one for each lane) one after the other, a layer for each: Spark refuses
 * SELECTs that are nested about a hundred deep. The last layer has the columns `${prefix}a` and `${prefix}b`.
 */
export function mixLanesSql(
  dialect: Dialect,
  starts: Readonly<Record<Lane['name'], string>>,
  mixed: readonly Readonly<Record<Lane['name'], string>>[],
  prefix: string,
): Columns[] {
  const before = (place: number, name: Lane['name']) =>
    place === 0 ? starts[name] : `${prefix}${place}_${name}`
  const layer = (stage: string, sql: (lane: Lane) => string): Columns =>
    Object.fromEntries(LANES.map(lane => [`${prefix}${stage}${lane.name}`, sql(lane)]))
  if (mixed.length === 0) return [layer('', ({ name }) => starts[name])]
  return mixed.map((values, place) =>
    layer(place + 1 === mixed.length ? '' : `${place + 1}_`, ({ name }) =>
      mixLane(dialect, dialect.xor(before(place, name), values[name])),
    ),
  )
}

/** From a lane that has met a value. */
function mixLane(dialect: Dialect, met: string): string {
  const turned = plusModulo(dialect, dialect.timesModulo(rotate(dialect, met, 13), 5), 0xe6546b64)
  return foldRight(dialect, dialect.timesModulo(foldRight(dialect, turned, 16), 0x85ebca6b), 15)
}

/** A sum modulo 2^32. */
const plusModulo = (dialect: Dialect, x: string, constant: number): string =>
  dialect.modulo32(`${x} + ${unsignedConstant(dialect, constant)}`)

export const laneStarts = (dialect: Dialect): Record<Lane['name'], string> => ({
  a: unsignedConstant(dialect, LANES[0].start),
  b: unsignedConstant(dialect, LANES[1].start),
})

/** Layers that scatter a column as multiplications and shifts say: murmur's last mixing, and mix32. */
export function scatterSql(
  dialect: Dialect,
  value: string,
  name: string,
  [first, then, last]: readonly [number, number, number],
  [one, other]: readonly [number, number],
): Columns[] {
  return [
    { [`${name}_0`]: value },
    { [`${name}_1`]: dialect.timesModulo(foldRight(dialect, `${name}_0`, first), one) },
    { [`${name}_2`]: dialect.timesModulo(foldRight(dialect, `${name}_1`, then), other) },
    { [name]: foldRight(dialect, `${name}_2`, last) },
  ]
}

/** An unsigned column, combined with a constant. */
export const flipSql = (dialect: Dialect, word: string, constant: number): string =>
  dialect.xor(dialect.unsigned(word), unsignedConstant(dialect, constant))
