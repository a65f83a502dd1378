// Rows of one shard in memory, in segments of a fixed number of rows, so that they can be appended without knowing how
// many there will be. Fitting rows fill a segment from its front, held-out rows from its back: each fold is one range.

import type { KernelMemory } from '../../kernels/kernels.ts'
import { align } from '../../kernels/scratch.ts'
import { FIT, type RowChunk } from '../engine.ts'

/** What rows consist of, besides label, prediction and start. */
export interface RowShape {
  readonly binCounts: readonly number[]
  readonly signalCount: number
  readonly weighted: boolean
  readonly keyed: boolean
  readonly noisy: boolean
}

/** Byte offsets of a segment's columns from its base; 0 is never a column. */
export interface SegmentLayout {
  readonly capacity: number
  readonly bins: readonly number[]
  readonly label: number
  readonly prediction: number
  readonly start: number
  /** 0: no weights. */
  readonly weight: number
  readonly signals: readonly number[]
  /** Keys, what stands for the label, and squared weights; 0 where rows carry no keys, draw no noise, have no weights. */
  readonly key: number
  readonly outcome: number
  readonly square: number
  readonly size: number
}

export function layoutSegment(shape: RowShape, capacity: number): SegmentLayout {
  let next = 8
  const take = (bytes: number) => {
    const at = next
    next = align(next + bytes)
    return at
  }
  const words = () => take(4 * capacity)
  const [label, prediction, start] = [words(), words(), words()]
  const weight = shape.weighted ? words() : 0
  const signals = Array.from({ length: shape.signalCount }, words)
  const key = shape.keyed ? words() : 0
  const outcome = shape.noisy ? words() : 0
  const square = shape.noisy && shape.weighted ? words() : 0
  const bins = shape.binCounts.map(() => take(capacity))
  return { capacity, bins, label, prediction, start, weight, signals, key, outcome, square, size: next }
}

/** A shard may have none. */
export const noRows = ({ binCounts, keyed, signalCount, weighted }: RowShape): RowChunk => ({
  rowCount: 0,
  bins: binCounts.map(() => new Uint8Array(0)),
  signals: Array.from({ length: signalCount }, () => new Int32Array(0)),
  label: new Int32Array(0),
  start: new Int32Array(0),
  ...(weighted && { weight: new Int32Array(0) }),
  ...(keyed && { key: new Int32Array(0) }),
})

export class Segment {
  readonly base: number
  readonly layout: SegmentLayout
  #fitCount = 0
  #holdoutCount = 0
  /** The fold of every row in the order in which rows came, one bit each. */
  readonly #order: Uint8Array

  constructor(base: number, layout: SegmentLayout) {
    this.base = base
    this.layout = layout
    this.#order = new Uint8Array(Math.ceil(layout.capacity / 8))
  }

  get rowCount(): number {
    return this.#fitCount + this.#holdoutCount
  }

  clear(): void {
    this.#fitCount = 0
    this.#holdoutCount = 0
    this.#order.fill(0)
  }

  /** The rows of one fold: [from, to). */
  range(fold: number): [from: number, to: number] {
    const { capacity } = this.layout
    return fold === FIT ? [0, this.#fitCount] : [capacity - this.#holdoutCount, capacity]
  }

  /** Takes rows of the chunk from `from` on, as many as fit; says how many. */
  append(memory: KernelMemory, chunk: RowChunk, from: number): number {
    const taken = Math.min(chunk.rowCount - from, this.layout.capacity - this.rowCount)
    const places = chunk.fold === undefined ? undefined : this.#places(chunk.fold, from, taken)
    const { base, layout } = this
    const next = this.#fitCount
    const words = (offset: number, values: Int32Array) => {
      const column = new Int32Array(memory.buffer, base + offset, layout.capacity)
      if (places === undefined) column.set(values.subarray(from, from + taken), next)
      else putWords(column, places, values, from)
    }
    const bytes = (offset: number, values: Uint8Array) => {
      const column = new Uint8Array(memory.buffer, base + offset, layout.capacity)
      if (places === undefined) column.set(values.subarray(from, from + taken), next)
      else putBytes(column, places, values, from)
    }
    words(layout.label, chunk.label)
    words(layout.prediction, chunk.start)
    words(layout.start, chunk.start)
    if (layout.weight !== 0 && chunk.weight !== undefined) words(layout.weight, chunk.weight)
    if (layout.key !== 0 && chunk.key !== undefined) words(layout.key, chunk.key)
    for (const [index, signal] of chunk.signals.entries()) words(layout.signals[index], signal)
    for (const [index, bins] of chunk.bins.entries()) bytes(layout.bins[index], bins)
    if (places === undefined) this.#fitCount += taken
    return taken
  }

  /** Where each of the next rows goes. */
  #places(fold: Uint8Array, from: number, count: number): Int32Array {
    const places = new Int32Array(count)
    for (let i = 0; i < count; i++) {
      const heldOut = fold[from + i] !== FIT
      if (heldOut) this.#order[this.rowCount >> 3] |= 1 << (this.rowCount & 7)
      places[i] = heldOut ? this.layout.capacity - 1 - this.#holdoutCount++ : this.#fitCount++
    }
    return places
  }

  /** The rows of one fold as they came in: views, good until the memory grows. */
  read(memory: KernelMemory, fold: number): RowChunk {
    const { base, layout } = this
    const [from, to] = this.range(fold)
    const words = (offset: number) => new Int32Array(memory.buffer, base + offset + 4 * from, to - from)
    const bytes = (offset: number) => new Uint8Array(memory.buffer, base + offset + from, to - from)
    return {
      rowCount: to - from,
      bins: layout.bins.map(bytes),
      signals: layout.signals.map(words),
      label: words(layout.label),
      start: words(layout.start),
      ...(layout.weight !== 0 && { weight: words(layout.weight) }),
      ...(layout.key !== 0 && { key: words(layout.key) }),
    }
  }

  /** Predictions in the order in which rows came. */
  readPredictions(memory: KernelMemory, into: Int32Array, offset: number): void {
    const column = new Int32Array(memory.buffer, this.base + this.layout.prediction, this.layout.capacity)
    let [fit, holdout] = [0, this.layout.capacity - 1]
    for (let row = 0; row < this.rowCount; row++) {
      const heldOut = (this.#order[row >> 3] >> (row & 7)) & 1
      into[offset + row] = column[heldOut ? holdout-- : fit++]
    }
  }
}

/*
 * One loop for each kind of array: engines compile a loop that sees both several times slower.
 */

function putWords(column: Int32Array, places: Int32Array, values: Int32Array, from: number): void {
  for (let i = 0; i < places.length; i++) column[places[i]] = values[from + i]
}

function putBytes(column: Uint8Array, places: Int32Array, values: Uint8Array, from: number): void {
  for (let i = 0; i < places.length; i++) column[places[i]] = values[from + i]
}
