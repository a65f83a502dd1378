// Rows as a forest learns from them: bins of every feature, the score as one more feature, and the part of the cross-fit
// that each row belongs to. At most so many of the fitting rows, chosen by their keys.

import { levelAmong, ONE } from '../../common/units.ts'
import { FIT, type RowChunk } from '../../engine/engine.ts'
import type { ForestFeature } from '../../engine/memory/forest/bestSplit.ts'

export interface ForestRows {
  readonly rowCount: number
  readonly bins: readonly Uint8Array[]
  readonly features: readonly ForestFeature[]
  readonly label: Int32Array
  /** Start predictions, in units. */
  readonly start: Int32Array
  /** Absent: every row weighs 1. */
  readonly weight?: Int32Array
  /** What a given weight of 1 became; absent: 1. Rules that count rows go by this. */
  readonly weightScale?: number
  /** The part of the cross-fit, from 0. */
  readonly part: Uint8Array
}

/** Takes chunks as they pass by on their way into an engine. */
export class ForestCollector {
  readonly #features: readonly ForestFeature[]
  readonly #parts: number
  readonly #share: number
  readonly #weighted: boolean
  readonly #weightScale: number
  readonly #bins: Column<Uint8Array>[]
  readonly #label = wordColumn()
  readonly #start = wordColumn()
  readonly #weight = wordColumn()
  readonly #part = byteColumn()

  constructor(
    features: readonly ForestFeature[],
    {
      parts,
      rowCount,
      weighted,
      weightScale = 1,
    }: { parts: number; rowCount: number; weighted: boolean; weightScale?: number },
    mostRows = Number.POSITIVE_INFINITY,
  ) {
    this.#features = features
    this.#parts = parts
    this.#share = Math.min(1, mostRows / rowCount)
    this.#weighted = weighted
    this.#weightScale = weightScale
    this.#bins = features.map(byteColumn)
  }

  /** The chunk has keys: which rows are taken, and their parts, do not depend on their order. */
  add(chunk: RowChunk): void {
    const rows = this.#choose(chunk)
    const key = chunk.key!
    for (const [index, column] of this.#bins.entries()) column.add(takeBytes(rows, chunk.bins[index]))
    this.#label.add(takeWords(rows, chunk.label))
    this.#start.add(takeWords(rows, chunk.start))
    if (this.#weighted) this.#weight.add(takeWords(rows, chunk.weight!))
    this.#part.add(Uint8Array.from(rows, row => mix(key[row] ^ PART_SALT) % this.#parts))
  }

  finish(): ForestRows {
    const label = this.#label.finish()
    return {
      rowCount: label.length,
      bins: this.#bins.map(column => column.finish()),
      features: this.#features,
      label,
      start: this.#start.finish(),
      ...(this.#weighted && { weight: this.#weight.finish() }),
      ...(this.#weightScale !== 1 && { weightScale: this.#weightScale }),
      part: this.#part.finish(),
    }
  }

  #choose({ fold, key, rowCount, weight }: RowChunk): Int32Array {
    const rows = new Int32Array(rowCount)
    let count = 0
    for (let row = 0; row < rowCount; row++) {
      if (fold !== undefined && fold[row] !== FIT) continue
      if (weight !== undefined && weight[row] === 0) continue
      if (this.#share === 1 || mix(key![row] ^ ROW_SALT) < this.#share * 2 ** 32) rows[count++] = row
    }
    return rows.subarray(0, count)
  }
}

const PART_SALT = 0x51ed270b
const ROW_SALT = 0x2545f491

/** Every bit of the key decides about every bit of the answer, 0 to 2^32 - 1. */
function mix(key: number): number {
  let hash = key
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/*
 * One loop for each kind of array: engines compile a loop that sees both several times slower.
 */

function takeWords(rows: Int32Array, values: Int32Array): Int32Array {
  const taken = new Int32Array(rows.length)
  for (let index = 0; index < rows.length; index++) taken[index] = values[rows[index]]
  return taken
}

function takeBytes(rows: Int32Array, values: Uint8Array): Uint8Array {
  const taken = new Uint8Array(rows.length)
  for (let index = 0; index < rows.length; index++) taken[index] = values[rows[index]]
  return taken
}

interface Column<T> {
  add(piece: T): void
  finish(): T
}

const byteColumn = (): Column<Uint8Array> => makeColumn(length => new Uint8Array(length))
const wordColumn = (): Column<Int32Array> => makeColumn(length => new Int32Array(length))

function makeColumn<T extends Uint8Array | Int32Array>(make: (length: number) => T): Column<T> {
  const pieces: T[] = []
  return {
    add(piece) {
      pieces.push(piece)
    },
    finish() {
      const whole = make(pieces.reduce((total, piece) => total + piece.length, 0))
      let offset = 0
      for (const piece of pieces.splice(0)) {
        whole.set(piece, offset)
        offset += piece.length
      }
      return whole
    },
  }
}

/** Parts are numbered from 0; some may have no row. */
export const partCount = ({ part }: Pick<ForestRows, 'part'>): number =>
  1 + part.reduce((most, one) => Math.max(most, one), 0)

/** How much each part weighs. */
export function weighParts(rows: ForestRows): number[] {
  const { part, rowCount, weight } = rows
  const weights = new Array<number>(partCount(rows)).fill(0)
  for (let row = 0; row < rowCount; row++) weights[part[row]] += weight === undefined ? 1 : weight[row]
  return weights
}

/** Start predictions are looked at in so many steps when cuts between them are chosen. */
const SCORE_STEPS = 2 ** 16

/**
 * Cuts, in units, that leave about equally many rows between them; at most 254, each between two different scores. With
 * weights, a row of weight 2 counts as two.
 */
export function scoreCuts(start: Int32Array, most = 254, weight?: Int32Array): Int32Array {
  const width = ONE / SCORE_STEPS
  const counts = new Float64Array(SCORE_STEPS + 1)
  let total = 0
  for (let row = 0; row < start.length; row++) {
    const counted = weight === undefined ? 1 : weight[row]
    counts[Math.floor(start[row] / width)] += counted
    total += counted
  }
  const cuts: number[] = []
  let since = 0
  for (let step = 0; step <= SCORE_STEPS; step++) {
    if (counts[step] === 0) continue
    // A cut stands before the first score that would make its bin larger than its share.
    if (since > 0 && (since + counts[step]) * (most + 1) > total && cuts.length < most) {
      cuts.push(step * width)
      since = 0
    }
    since += counts[step]
  }
  return Int32Array.from(cuts)
}

/** A score below the cut number b has a bin of at most b. */
export function scoreBins(start: Int32Array, cuts: Int32Array): Uint8Array {
  const bins = new Uint8Array(start.length)
  for (let row = 0; row < start.length; row++) bins[row] = levelAmong(start[row], cuts)
  return bins
}
