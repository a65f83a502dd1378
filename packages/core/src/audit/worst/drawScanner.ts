// Draws of the noise where all rows fit into one memory: they are brought in once, in the order of their levels, and a kernel counts
// and scans pair after pair. Which groups are tested does not depend on the labels, so levels at which a pair has no group that is
// large enough are known before the first draw, and left out of all of them.

import { levelOf } from '../../common/units.ts'
import { FIT, type Noise } from '../../engine/engine.ts'
import { drawnLabel } from '../../engine/outcome.ts'
import type { SampledRows } from '../../engine/sample.ts'
import type { Kernels } from '../../kernels/kernels.ts'
import { type KernelChoice, loadKernels } from '../../kernels/load.ts'
import { stepWords } from '../../kernels/pairs/cells.ts'
import { padded } from '../../kernels/pairs/largest.ts'
import { align, Scratch } from '../../kernels/scratch.ts'
import { type Family, type MarginSums, type PairSums, pairedAxes } from '../../oracle/groups/family.ts'
import { splitCount, widthOf } from '../../oracle/groups/splitSums.ts'
import { aroundPair, testedQuadrants } from './quadrants.ts'

/** Beyond so many rows, or bytes of bins, rows are counted where they are: a copy would cost memory, and threads count faster. */
const MOST_ROWS = 2 ** 18
const MOST_BINS = 2 ** 26

/** The first bytes of a memory are nobody's. */
const FIRST = 1024

type KeyedRows = SampledRows & { readonly key: Int32Array }

/** Undefined where not all rows can be had, or they are too many. Predictions must be those that the rows came with. */
export async function sampleForDraws(family: Family): Promise<KeyedRows | undefined> {
  const { engine, fold, levelCuts } = family
  const { rowCount } = engine.shape
  const columns = pairedAxes(family).length
  const isMany = rowCount > MOST_ROWS || rowCount * columns > MOST_BINS
  if (columns === 0 || isMany || fold !== FIT || levelCuts !== undefined) return undefined
  const rows = await engine.sample?.({ rowLimit: rowCount, parts: 1, keys: true })
  if (rows?.key === undefined) return undefined
  const { weight } = (await engine.losses())[fold]
  const sampled = rows.weight?.reduce((sum, each) => sum + each, 0) ?? rows.rowCount
  return sampled === weight ? { ...rows, key: rows.key } : undefined
}

/** Where the sums of an axis lie, at [column * stride + split]; a column is a level, or all of them. */
interface AxisPlaces {
  readonly residuals: number
  readonly variances: number
  readonly stride: number
}

export class DrawScanner {
  readonly kernelKind: Kernels['kind']
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
  readonly #pairs: number[][] = []
  #pairTable: { readonly at: number; readonly cells: number } | undefined

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
    const paired = new Set(pairedAxes(family))
    const table = family.axes.map(({ bins, coarse, feature, steps }, index) => {
      const { residuals, stride, variances } = this.#axes[index]
      const column = paired.has(index) ? this.#writeColumn(rows.bins[feature], coarse) : 0
      const words = stepWords(steps)
      return [column, bins, words.length, this.#scratch.write(words), stride, residuals, variances]
    })
    this.#axisTable = this.#scratch.write(table.flat())
  }

  /** In the order in which they are to be scanned. */
  addPair({ a, b }: PairSums, variances: Float64Array): void {
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
      this.#axisTable,
      this.#family.levels,
      this.#starts,
      this.#values,
      this.#alls,
      this.#leastVariance,
      best,
      enough,
      this.#pairTable.cells,
    )
  }

  #writePairs() {
    const { axes } = this.#family
    const sizes = this.#pairs.map(([a, b]) => {
      const cells = 8 * padded(axes[a].bins * axes[b].bins)
      return 2 * cells + 8 * (axes[a].bins + 1) * this.#axes[b].stride
    })
    const at = this.#scratch.write(this.#pairs.flat())
    return { at, cells: this.#scratch.take(sizes.reduce((most, size) => Math.max(most, size), 0)) }
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

  /** Coarse bins of the rows, in their order. */
  #writeColumn(bins: Uint8Array, coarse: Uint8Array): number {
    const at = this.#scratch.take(align(bins.length))
    const bytes = this.#scratch.bytes()
    const { order } = this.#rows
    for (let row = 0; row < order.length; row++) bytes[at + row] = coarse[bins[order[row]]]
    return at
  }
}

interface DrawnRows {
  /** The rows, level by level. */
  readonly order: Int32Array
  /** Where each level begins, and the end. */
  readonly starts: Int32Array
  /** Writes the weighted residuals of one draw. */
  draw(into: Float64Array, at: number, noise: Noise, draw: number): void
}

function orderByLevel({ key, rowCount, start, weight }: KeyedRows, levels: number): DrawnRows {
  const starts = new Int32Array(levels + 1)
  for (let row = 0; row < rowCount; row++) starts[levelOf(start[row], levels) + 1]++
  for (let level = 0; level < levels; level++) starts[level + 1] += starts[level]
  const next = starts.slice()
  const order = new Int32Array(rowCount)
  for (let row = 0; row < rowCount; row++) order[next[levelOf(start[row], levels)]++] = row
  const [keys, predictions] = [key, start].map(column => order.map(row => column[row]))
  const weights = weight === undefined ? undefined : order.map(row => weight[row])
  return {
    order,
    starts,
    draw(into, at, noise, draw) {
      for (let row = 0; row < rowCount; row++) {
        const drawn = drawnLabel(noise, predictions[row], keys[row], draw)
        into[at + row] = (weights === undefined ? 1 : weights[row]) * (drawn - predictions[row])
      }
    },
  }
}
