import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../../src/common/random.ts'
import { type KernelChoice, loadKernels } from '../../../src/kernels/load.ts'
import { stepWords } from '../../../src/kernels/pairs/cells.ts'
import { Scratch } from '../../../src/kernels/scratch.ts'
import { SignSearch } from '../../../src/measures/class/worstTree/signs.ts'
import { type SideVectors, VectorRoom } from '../../../src/measures/class/worstTree/vectors.ts'

/** Few pairs are tried one by one, from some hundred vectors a side on their signs are searched: both are to find the same. */
const CASES = (['wasm', 'twin'] as const).flatMap(kernels => [
  { count: 3, levels: 1, kernels },
  { count: 40, levels: 5, kernels },
  { count: 40, levels: 8, kernels },
  { count: 40, levels: 11, kernels },
  { count: 600, levels: 4, kernels },
  { count: 600, levels: 11, kernels },
])

/** A feature has no more splits than this: bins are bytes. */
const MOST_SPLITS = 200

type Vectors = readonly (readonly number[])[]

function drawVectors(seed: number, count: number, levels: number): Vectors {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () =>
    Array.from({ length: levels }, () => 2 * (random.integer(1001) - 500)),
  )
}

/**
 * Vectors as the kernel lists them: bin s of a feature is split off by its split s, all sums over bins are 0, so the vector of the
 * yes side is twice the cell, and that of the no side twice what everyone's side has beyond it.
 */
function listVectors(yes: Vectors, no: Vectors, order: readonly number[], choice: KernelChoice): VectorRoom {
  const { kernels, memory } = loadKernels(choice)
  const scratch = new Scratch(memory, 1024)
  const levels = order.length
  const width = levels + (levels % 2)
  const write = (rows: Vectors): number => {
    const at = scratch.zeros(8 * width * rows.length)
    for (const [index, row] of rows.entries()) scratch.doubles().set(row, (at >>> 3) + index * width)
    return at
  }
  const half = (rows: Vectors): Vectors => rows.map(row => row.map(value => value / 2))
  const features: number[] = []
  for (let first = 0; first < yes.length; first += MOST_SPLITS) {
    const own = half(yes.slice(first, first + MOST_SPLITS))
    const rest = own.reduce<number[]>(
      (sums, row) => sums.map((sum, level) => sum - row[level]),
      Array(levels).fill(0),
    )
    const sides = half(no.slice(first, first + MOST_SPLITS)).map((row, index) =>
      row.map((value, level) => value + own[index][level]),
    )
    const words = stepWords({
      bins: Int32Array.from(own, (_, index) => index),
      resets: new Uint8Array(own.length).fill(1),
      splitIndexes: Int32Array.from(own, (_, index) => index),
    })
    const cells = write([...own, rest])
    features.push(own.length + 1, words.length, scratch.write(words), 0, write(sides), 0, cells, 1 + first)
  }
  const [table, total, spare] = [scratch.write(features), write([[]]), write(Array(6).fill([]))]
  const room = new VectorRoom(scratch, kernels, { order, width, most: 1 + yes.length })
  kernels.sideVectors(table, features.length / 8, total, width, ...room.lists, 0, 0, spare)
  return room
}

/** Of all pairs and signs. */
function largestError(yes: Vectors, no: Vectors): number {
  let largest = 0
  for (const a of yes) for (const b of no) largest = Math.max(largest, errorOf(a, b))
  return largest
}

const errorOf = (a: readonly number[], b: readonly number[]): number =>
  Math.max(
    ...[1, -1].map(sign => a.reduce((sum, value, level) => sum + Math.abs(value + sign * b[level]), 0)),
  )

const downwards = (levels: number) => Array.from({ length: levels }, (_, level) => levels - 1 - level)

const read = ({ count, splits, values, width }: SideVectors) =>
  Array.from({ length: count }, (_, place) => [
    splits[place],
    ...values.slice(place * width, (place + 1) * width),
  ])

describe('the search over signs of two sides', () => {
  it.each(CASES)(
    'finds the best pair of $count and $count vectors over $levels bins, by $kernels kernels',
    ({ count, kernels, levels }) => {
      const [yes, no] = [drawVectors(1, count, levels), drawVectors(2, count, levels)]
      const room = listVectors(yes, no, downwards(levels), kernels)
      const largest = largestError(yes, no)
      for (const climbs of [false, true]) {
        const search = new SignSearch(room, levels, { left: 1e9 })
        const { best, open } = search.run(0, climbs)
        expect({ error: best?.error, open }).toEqual({ error: largest, open: 0 })
        expect(errorOf(yes[best!.yes - 1], no[best!.no - 1])).toBe(largest)
        expect(search.run(largest, climbs)).toEqual({ best: undefined, open: 0 })
      }
    },
  )

  it('says what may be left where the work does not suffice', () => {
    const [yes, no] = [drawVectors(3, 600, 11), drawVectors(4, 600, 11)]
    const room = listVectors(yes, no, downwards(11), 'auto')
    const largest = largestError(yes, no)
    for (const left of [1, 1e3, 1e4, 1e5]) {
      const { best, open } = new SignSearch(room, 11, { left }).run(0, false)
      expect(Math.max(best?.error ?? 0, open)).toBeGreaterThanOrEqual(largest)
      expect(best?.error ?? 0).toBeLessThanOrEqual(largest)
    }
  })
})

describe('the kernels that list vectors', () => {
  it('put their values in order, whole blocks of them, and say the same as the twin', () => {
    const [yes, no] = [drawVectors(5, 30, 11), drawVectors(6, 30, 11)]
    const [wasm, twin] = (['wasm', 'twin'] as const).map(kernels =>
      listVectors(yes, no, downwards(11), kernels),
    )
    expect(read(wasm.yes)).toEqual(read(twin.yes))
    expect(read(wasm.no)).toEqual(read(twin.no))
    expect(read(wasm.yes)).toEqual(yes.map((row, index) => [index + 1, ...[...row].reverse(), 0, 0, 0, 0, 0]))
  })
})
