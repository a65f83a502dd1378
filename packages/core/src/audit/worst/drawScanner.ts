// Draws of the noise where all rows fit into one memory: they are brought in once, in the order of their levels, and a kernel counts
// and scans pair after pair, those of columns of few bins together. Which groups are tested does not depend on the labels, so levels at which a pair has no group that is
// large enough are known before the first draw, and left out of all of them.

import type { Noise } from '../../engine/engine.ts'
import { type JoinedColumn, writeJoined } from '../../forest/joined.ts'
import type { Kernels } from '../../kernels/kernels.ts'
import { type KernelChoice, loadKernels } from '../../kernels/load.ts'
import { stepWords } from '../../kernels/pairs/cells.ts'
import { padded } from '../../kernels/pairs/largest.ts'
import { align, Scratch } from '../../kernels/scratch.ts'
import { type Family, type MarginSums, type PairSums, pairedAxes } from '../../oracle/groups/family.ts'
import { splitCount, widthOf } from '../../oracle/groups/splitSums.ts'
import { type DrawnRows, type KeyedRows, orderByLevel } from './drawnRows.ts'
import { isJoinedLess, planJoined } from './joinedDraws.ts'
import { aroundPair, testedQuadrants } from './quadrants.ts'

/** The first bytes of a memory are nobody's. */
const FIRST = 1024

/** Where the sums of an axis lie, at [column * stride + split]; a column is a level, or all of them. */
interface AxisPlaces {
  readonly residuals: number
  readonly variances: number
  readonly stride: number
}

export class DrawScanner {
  readonly kernelKind: Kernels['kind']
  /** How many are counted in tables of joined columns, once the first draw is scanned. */
  joinedPairs = 0
  readonly #kernels: Kernels
  readonly #family: Family
  readonly #margins: MarginSums
  readonly #leastVariance: number
  readonly #rows: DrawnRows
  readonly #scratch: Scratch
  readonly #axes: readonly AxisPlaces[]
  readonly #axisTable: number
  readonly #starts: number
  readonly #values: number
  readonly #alls: number
  /** Columns in which there can be tests, and that are no other column again. */
  readonly #columns: readonly number[]
  readonly #joined: readonly JoinedInMemory[]
  /** Of each axis, which joined column it is a member of. */
  readonly #joinedOf: ReadonlyMap<number, number>
  readonly #pairs: number[][] = []
  #pairTable: PairTable | undefined

  /** `margins`: variances of the family. */
  constructor(
    family: Family,
    rows: KeyedRows,
    margins: MarginSums,
    leastVariance: number,
    choice: KernelChoice = 'auto',
  ) {
    const { kernels, memory } = loadKernels(choice)
    this.kernelKind = kernels.kind
    this.#kernels = kernels
    this.#family = family
    this.#margins = margins
    this.#leastVariance = leastVariance
    this.#rows = orderByLevel(rows, family.levels)
    this.#scratch = new Scratch(memory, FIRST)
    const width = widthOf(family.levels)
    this.#values = this.#scratch.take(8 * rows.rowCount)
    this.#starts = this.#scratch.write(this.#rows.starts)
    this.#alls = this.#doubles([...new Float64Array(width), ...margins.all])
    this.#axes = family.axes.map((axis, index) => {
      const stride = padded(splitCount(axis))
      const places = {
        stride,
        residuals: this.#scratch.take(8 * width * stride),
        variances: this.#scratch.zeros(8 * width * stride),
      }
      this.#writeMargin(places.variances, stride, margins.axes[index])
      return places
    })
    const { starts } = this.#rows
    const isWhole = (level: number) =>
      level < width - 1 && starts[level + 1] - starts[level] === rows.rowCount
    this.#columns = Array.from(margins.all.keys()).filter(
      column => margins.all[column] >= leastVariance && !isWhole(column),
    )
    const paired = pairedAxes(family)
    const columns = new Map(paired.map(axis => [axis, this.#coarseBins(rows, axis)]))
    this.#joined = this.#joinColumns(paired, columns)
    this.#joinedOf = new Map(
      this.#joined.flatMap(({ members }, index) => members.map(({ axis }) => [axis, index])),
    )
    const places = new Map(this.#joined.flatMap(({ members }) => members.map(one => [one.axis, one])))
    const table = family.axes.map(({ bins, steps }, index) => {
      const { residuals, stride, variances } = this.#axes[index]
      const bytes = columns.get(index)
      const column = bytes === undefined ? 0 : this.#writeBytes(bytes)
      const words = stepWords(steps)
      const { bins: used, step } = places.get(index) ?? { bins: 0, step: 0 }
      const sums = [stride, residuals, variances]
      return [column, bins, words.length, this.#scratch.write(words), ...sums, step, used]
    })
    this.#axisTable = this.#scratch.write(table.flat())
  }

  /** The quadrants of two splits are the same whichever comes first: the axis of the earlier joined column does. */
  addPair({ a, b }: PairSums, variances: Float64Array): void {
    const isTurned = this.#joinedOf.get(a)! > this.#joinedOf.get(b)!
    if (isTurned) this.#addPair(b, a, this.#turned(a, b, variances))
    else this.#addPair(a, b, variances)
  }

  #turned(a: number, b: number, variances: Float64Array): Float64Array {
    const [splitsA, splitsB] = [a, b].map(axis => splitCount(this.#family.axes[axis]))
    const width = widthOf(this.#family.levels)
    const turned = new Float64Array(variances.length)
    for (let splitA = 0; splitA < splitsA; splitA++) {
      for (let splitB = 0; splitB < splitsB; splitB++) {
        const from = (splitA * splitsB + splitB) * width
        turned.set(variances.subarray(from, from + width), (splitB * splitsA + splitA) * width)
      }
    }
    return turned
  }

  #addPair(a: number, b: number, variances: Float64Array): void {
    const { axes, levels } = this.#family
    const shape = { splitsA: splitCount(axes[a]), splitsB: splitCount(axes[b]), width: widthOf(levels) }
    const around = aroundPair(this.#margins, a, b, variances)
    const columns: number[] = []
    const quadrants: Uint8Array[] = []
    for (const column of this.#columns) {
      const tested = new Uint8Array(this.#axes[a].stride)
      for (let splitA = 0; splitA < shape.splitsA; splitA++)
        tested[splitA] = testedQuadrants(around, shape, splitA, column, this.#leastVariance)
      if (tested.every(bits => bits === 0)) continue
      columns.push(column)
      quadrants.push(tested)
    }
    const lines = this.#scratch.write(quadrants.flatMap(tested => [...tested]))
    const at = this.#writeVariances(a, b, columns, variances)
    this.#pairs.push([a, b, columns.length, this.#scratch.write(columns), lines, at])
  }

  /** From [(splitA * splitsB + splitB) * width + column] to [(index of the column * strideA + splitA) * strideB + splitB]. */
  #writeVariances(a: number, b: number, columns: readonly number[], variances: Float64Array): number {
    const { axes, levels } = this.#family
    const [splitsA, splitsB] = [splitCount(axes[a]), splitCount(axes[b])]
    const [strideA, strideB] = [this.#axes[a].stride, this.#axes[b].stride]
    const width = widthOf(levels)
    const at = this.#scratch.zeros(8 * columns.length * strideA * strideB)
    const doubles = this.#scratch.doubles()
    for (const [index, column] of columns.entries()) {
      for (let splitA = 0; splitA < splitsA; splitA++) {
        const into = (at >>> 3) + (index * strideA + splitA) * strideB
        const from = splitA * splitsB * width + column
        for (let splitB = 0; splitB < splitsB; splitB++)
          doubles[into + splitB] = variances[from + splitB * width]
      }
    }
    return at
  }

  /** The largest R^2 / V of all pairs in one draw, or `best` if that is larger; what was found so far, once that is `enough`. */
  largest(residuals: MarginSums, noise: Noise, draw: number, best: number, enough: number): number {
    this.#pairTable ??= this.#writePairs()
    this.#scratch.doubles().set(residuals.all, this.#alls >>> 3)
    residuals.axes.forEach((sums, index) => {
      this.#writeMargin(this.#axes[index].residuals, this.#axes[index].stride, sums)
    })
    this.#rows.draw(this.#scratch.doubles(), this.#values >>> 3, noise, draw)
    return this.#kernels.largestQuadrant(
      this.#pairTable.at,
      this.#pairs.length,
      this.#pairTable.blocks,
      this.#axisTable,
      this.#family.levels,
      this.#starts,
      this.#values,
      this.#alls,
      this.#leastVariance,
      best,
      enough,
      this.#pairTable.cells,
      this.#pairTable.tables,
    )
  }

  /** Pairs of the same two joined columns one after the other, and of these the ones that share their first axis. */
  #writePairs(): PairTable {
    const { axes } = this.#family
    const joinedOf = (axis: number) => this.#joinedOf.get(axis)!
    this.#pairs.sort(
      ([a, b], [c, d]) => joinedOf(a) - joinedOf(c) || joinedOf(b) - joinedOf(d) || a - c || b - d,
    )
    const sizes = this.#pairs.map(([a, b]) => {
      const cells = 8 * padded(axes[a].bins * axes[b].bins)
      return 2 * cells + 8 * (axes[a].bins + 1) * this.#axes[b].stride
    })
    const at = this.#scratch.write(this.#pairs.flat())
    const cells = this.#scratch.take(sizes.reduce((most, size) => Math.max(most, size), 0))
    return { at, cells, ...this.#writeBlocks() }
  }

  #writeBlocks(): Pick<PairTable, 'blocks' | 'tables'> {
    const tables = widthOf(this.#family.levels)
    const size = { rowCount: this.#rows.order.length, tables }
    const blocks: number[][] = []
    let [room, last] = [0, '']
    for (const [a, b] of this.#pairs) {
      const [first, second] = [a, b].map(axis => this.#joinedOf.get(axis)!)
      const name = `${first} ${second}`
      if (name === last) {
        blocks.at(-1)![0]++
        continue
      }
      last = name
      const [columnA, columnB] = [this.#joined[first], this.#joined[second]]
      if (!isJoinedLess(columnA, columnB, size)) {
        blocks.push([1, 0, 0, 0, 0])
        continue
      }
      const isSame = first === second
      blocks.push([1, columnA.at, columnA.size, isSame ? 0 : columnB.at, columnB.size])
      room = Math.max(room, 16 * tables * (columnA.size + 1) * (isSame ? 1 : padded(columnB.size)))
    }
    this.joinedPairs = blocks.reduce((sum, [pairs, , size]) => sum + (size > 0 ? pairs : 0), 0)
    return { blocks: this.#scratch.write(blocks.flat()), tables: this.#scratch.take(room) }
  }

  #doubles(values: readonly number[]): number {
    const at = this.#scratch.take(8 * values.length)
    this.#scratch.doubles().set(values, at >>> 3)
    return at
  }

  /** From [split * width + column] to [column * stride + split]. */
  #writeMargin(at: number, stride: number, sums: Float64Array): void {
    const doubles = this.#scratch.doubles()
    const width = widthOf(this.#family.levels)
    for (let index = 0; index < sums.length; index++) {
      const split = Math.floor(index / width)
      doubles[(at >>> 3) + (index - split * width) * stride + split] = sums[index]
    }
  }

  /** Of the rows, in their order. */
  #coarseBins({ bins }: KeyedRows, axis: number): Uint8Array {
    const { coarse, feature } = this.#family.axes[axis]
    const column = new Uint8Array(bins[feature].length)
    const { order } = this.#rows
    for (let row = 0; row < order.length; row++) column[row] = coarse[bins[feature][order[row]]]
    return column
  }

  #joinColumns(axes: readonly number[], columns: ReadonlyMap<number, Uint8Array>): JoinedInMemory[] {
    const bytes = axes.map(axis => columns.get(axis)!)
    const size = { rowCount: this.#rows.order.length, tables: widthOf(this.#family.levels) }
    const used = axes.map(axis => this.#family.axes[axis].used)
    return planJoined(used, size).map(joined => {
      const column = new Uint8Array(size.rowCount)
      writeJoined(joined, bytes, column, 0, 1)
      const members = joined.members.map(member => ({ ...member, axis: axes[member.feature] }))
      return { ...joined, members, at: this.#writeBytes(column) }
    })
  }

  #writeBytes(bytes: Uint8Array): number {
    const at = this.#scratch.take(align(bytes.length))
    this.#scratch.bytes().set(bytes, at)
    return at
  }
}

/** A joined column, where it lies, and the axes that are its members. */
interface JoinedInMemory extends JoinedColumn {
  readonly members: readonly (JoinedColumn['members'][number] & { readonly axis: number })[]
  readonly at: number
}

/** Where they lie: pairs, their blocks, and room for the cells of a pair and for the tables of a block. */
interface PairTable {
  readonly at: number
  readonly blocks: number
  readonly cells: number
  readonly tables: number
}
