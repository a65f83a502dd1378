// The rows of one shard: segments in one memory, the coarse maps below them, and scratch for questions above.

import type { KernelMemory, SegmentRows } from '../../kernels/kernels.ts'
import { align, Scratch } from '../../kernels/scratch.ts'
import type { Tree } from '../../update/update.ts'
import { flattenTree } from '../../update/walk.ts'
import type { Outcome, RowChunk } from '../engine.ts'
import { LABEL } from '../outcome.ts'
import { layoutSegment, type RowShape, Segment, type SegmentLayout } from './segments.ts'
import { writeTree } from './writeTree.ts'

export interface ShardShape extends RowShape {
  readonly coarseOf: readonly Uint8Array[]
  readonly coarseCounts: readonly number[]
  readonly foldCount: number
  readonly segmentRows: number
}

export class ShardRows {
  readonly shape: ShardShape
  readonly memory: KernelMemory
  readonly layout: SegmentLayout
  readonly segments: Segment[] = []
  /** Addresses of the coarse maps, 256 bytes per feature. */
  readonly coarse: readonly number[]
  /** Everything below is rows, maps and what was asked to stay; questions use the scratch above. */
  #top: number

  constructor(shape: ShardShape, memory: KernelMemory) {
    this.shape = shape
    this.memory = memory
    this.layout = layoutSegment(shape, shape.segmentRows)
    const first = 1024
    this.coarse = shape.coarseOf.map((_, feature) => first + 256 * feature)
    this.#top = align(first + 256 * shape.coarseOf.length)
    memory.reserve(this.#top)
    memory.untouched = Math.max(memory.untouched, this.#top)
    shape.coarseOf.forEach((map, feature) => {
      new Uint8Array(memory.buffer).set(map, this.coarse[feature])
    })
  }

  append(chunk: RowChunk): void {
    for (let from = 0; from < chunk.rowCount; ) {
      let segment = this.segments[this.segments.length - 1]
      if (segment === undefined || segment.rowCount === this.layout.capacity) {
        segment = new Segment(this.#top, this.layout)
        this.memory.reserve(this.#top + this.layout.size)
        this.#top += this.layout.size
        this.memory.untouched = Math.max(this.memory.untouched, this.#top)
        this.segments.push(segment)
      }
      from += segment.append(this.memory, chunk, from)
    }
  }

  /** Forgets all rows; the room of the first segment is used again. */
  clear(): void {
    this.segments.splice(1)
    this.segments[0]?.clear()
  }

  scratch(): Scratch {
    return new Scratch(this.memory, this.#top)
  }

  /** What scratch holds stays, until the top is put back to where it was, which is told. */
  hold(scratch: Scratch): number {
    const before = this.#top
    this.#top = scratch.end
    return before
  }

  letGo(top: number): void {
    this.#top = top
  }

  ints(): Int32Array {
    return new Int32Array(this.memory.buffer)
  }

  /** With an outcome its column stands for the label; a variance counts with squared weights. */
  of(segment: Segment, fold: number, outcome: Outcome = LABEL): SegmentRows {
    const { base, layout } = segment
    const label = outcome.kind === 'label' ? layout.label : layout.outcome
    const weight = outcome.kind === 'variance' ? layout.square : layout.weight
    const range = segment.range(fold)
    return [...range, base, base + label, base + layout.prediction, weight === 0 ? 0 : base + weight]
  }

  /** How many of a fold. */
  count(fold: number): number {
    return this.segments.reduce((sum, segment) => {
      const [from, to] = segment.range(fold)
      return sum + to - from
    }, 0)
  }

  writeTree(scratch: Scratch, tree: Tree): number {
    return writeTree(this.memory, scratch, flattenTree(tree, this.shape.binCounts), this.layout.bins)
  }
}
