// Compares what an engine answered with what it should have, cell by cell, and says where they differ.

import type { EngineRows } from '../engine/engine.ts'
import { naiveSums } from './naive.ts'

/** One dimension of an answer: its name, its size, and where a row lies in it. At -1 a row counts nowhere. */
export interface Axis {
  readonly name: string
  readonly size: number
  readonly placeOf: (row: number) => number
}

export type Found = string | number | bigint | undefined

export function expectSame(what: string, found: Found, expected: Found): void {
  if (found !== expected) throw new Error(`${what}: expected ${expected}, found ${found}`)
}

/** A list of cells, each of which has a name. */
export function expectList(
  what: string,
  found: ArrayLike<Found>,
  expected: ArrayLike<Found>,
  nameOf: (index: number) => string,
): void {
  expectSame(`${what}, the number of them`, found.length, expected.length)
  for (let index = 0; index < expected.length; index++) {
    if (found[index] !== expected[index])
      expectSame(`${what}, ${nameOf(index)}`, found[index], expected[index])
  }
}

/** Sums of a value over the rows of each cell; the last axis runs fastest. */
export function expectSums(
  what: string,
  found: ArrayLike<number>,
  axes: readonly Axis[],
  { fold, rows, valueAt }: { rows: EngineRows; fold: number; valueAt: (row: number) => number },
): void {
  const expected = naiveSums(rows, fold, cellCount(axes), row => cellOf(axes, row), valueAt)
  expectList(what, found, expected, cell => cellName(axes, cell))
}

export const cellCount = (axes: readonly Axis[]): number =>
  axes.reduce((product, { size }) => product * size, 1)

function cellOf(axes: readonly Axis[], row: number): number {
  const places = axes.map(({ placeOf }) => placeOf(row))
  if (places.includes(-1)) return -1
  return places.reduce((cell, place, index) => cell * axes[index].size + place, 0)
}

function cellName(axes: readonly Axis[], cell: number): string {
  let rest = cell
  const names = axes.toReversed().map(({ name, size }) => {
    const place = rest % size
    rest = (rest - place) / size
    return `${name} ${place}`
  })
  return names.reverse().join(', ')
}

/** A question as a person would write it. */
export const questionText = (name: string, asked?: unknown): string =>
  asked === undefined ? `${name}()` : `${name}(${JSON.stringify(asked, asPlainArray)})`

const asPlainArray = (_key: string, value: unknown): unknown =>
  value instanceof Int32Array ? Array.from(value) : value
