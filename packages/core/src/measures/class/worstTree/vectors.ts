// The vectors that the two sides of a root can add, in the memory of the kernels (kernels/signedTree.ts); and pairs of them, tried
// one by one.

import type { Kernels } from '../../../kernels/kernels.ts'
import type { Scratch } from '../../../kernels/scratch.ts'
import { VECTOR_BLOCK } from '../../../kernels/signedTree.ts'

/** What one side of a root can add: vectors with their bins in the order in which signs are fixed, in whole blocks. */
export interface SideVectors {
  /** At [place * width + bin], zeros behind the last bin. */
  readonly values: Float64Array
  readonly width: number
  /** Of each vector which it is: 0 the whole side, else 1 more than the number of the split. */
  readonly splits: Int32Array
  readonly norms: Float64Array
  readonly count: number
}

/** Vectors with a sign (place * 2, and 1 more for the opposite), and how much each can reach with the signs fixed so far. */
export interface Candidates {
  readonly codes: Int32Array
  readonly reach: Float64Array
  count: number
  most: number
}

export interface TriedPairs {
  /** Of the best pair; `least` where none has more. */
  readonly error: number
  /** Its codes. */
  readonly yes: number
  readonly no: number
  /** Numbers looked at. */
  readonly work: number
}

export interface VectorShape {
  /** Levels, in the order in which signs are fixed. */
  readonly order: readonly number[]
  /** Levels of a vector as it is made, before it is put in order. */
  readonly width: number
  /** Vectors of a side, at most. */
  readonly most: number
}

export class VectorRoom {
  readonly yes: SideVectors
  readonly no: SideVectors
  /** Addresses of the lists. */
  readonly lists: readonly [yes: number, no: number]
  readonly #kernels: Kernels
  readonly #tried: readonly TriedPlaces[]
  readonly #answer: number
  readonly #ints: Int32Array
  readonly #doubles: Float64Array

  /** The last to take from the scratch room. */
  constructor(scratch: Scratch, kernels: Kernels, shape: VectorShape) {
    const lists = [0, 1].map(() => writeList(scratch, shape))
    // Every vector and its opposite.
    this.#tried = [0, 1].map(() => ({
      codes: scratch.take(8 * shape.most),
      reach: scratch.take(16 * shape.most),
    }))
    this.#answer = scratch.take(12)
    this.#ints = scratch.ints()
    this.#doubles = scratch.doubles()
    this.#kernels = kernels
    this.lists = [lists[0].at, lists[1].at]
    const [yes, no] = lists.map(list => listView(this.#doubles, this.#ints, list, shape.most))
    this.yes = yes
    this.no = no
  }

  /** Every pair that can reach more than `least`. */
  tryPairs(yes: Candidates, no: Candidates, least: number): TriedPairs {
    const sides = [yes, no].flatMap((side, index) => this.#writeTried(this.#tried[index], side)) as Tried
    const error = this.#kernels.tryPairs(...this.lists, ...sides, least, this.#answer)
    const [yesCode, noCode, blocks] = this.#ints.subarray(this.#answer >>> 2)
    return { error, yes: yesCode, no: noCode, work: blocks * VECTOR_BLOCK }
  }

  #writeTried(places: TriedPlaces, { codes, count, reach }: Candidates): number[] {
    this.#ints.set(codes.subarray(0, count), places.codes >>> 2)
    this.#doubles.set(reach.subarray(0, count), places.reach >>> 3)
    return [places.codes, places.reach, count]
  }
}

type Tried = [number, number, number, number, number, number]

interface TriedPlaces {
  readonly codes: number
  readonly reach: number
}

interface ListPlaces {
  readonly at: number
  readonly blocks: number
  readonly values: number
  readonly norms: number
  readonly splits: number
}

function writeList(scratch: Scratch, { most, order, width }: VectorShape): ListPlaces {
  const blocks = Math.ceil(order.length / VECTOR_BLOCK)
  // Behind every vector that is to be put in order there is a zero.
  const places = Array.from({ length: blocks * VECTOR_BLOCK }, (_, place) => order[place] ?? width)
  const values = scratch.take(8 * most * places.length)
  const [norms, rests, splits] = [8, 8 * blocks, 4].map(bytes => scratch.take(bytes * most))
  const at = scratch.write([values, norms, rests, splits, blocks, scratch.write(places), 0])
  return { at, blocks, values, norms, splits }
}

function listView(
  doubles: Float64Array,
  ints: Int32Array,
  { at, blocks, norms, splits, values }: ListPlaces,
  most: number,
): SideVectors {
  const width = blocks * VECTOR_BLOCK
  const view = (address: number, length: number) => doubles.subarray(address >>> 3, (address >>> 3) + length)
  return {
    width,
    values: view(values, most * width),
    norms: view(norms, most),
    splits: ints.subarray(splits >>> 2, (splits >>> 2) + most),
    get count() {
      return ints[(at >>> 2) + 6]
    },
  }
}
