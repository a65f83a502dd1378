// Cells of pairs that stay in a shard's memory from one search to the next. Several searches of one audit ask about the same
// cells; and what was counted level by level also answers for all levels together, whatever the signs of the levels.

import type { Scratch } from '../../kernels/scratch.ts'
import type { JointHistogramRequest, PairSearchRequest } from '../engine.ts'
import type { ShardRows } from './shardRows.ts'

/** Addresses of as many doubles each. */
export interface CellPlaces {
  readonly counts: number
  readonly residuals: number
}

export const emptyPlaces = (scratch: Scratch, cells: number): CellPlaces => ({
  counts: scratch.zeros(8 * cells),
  residuals: scratch.zeros(8 * cells),
})

export interface KnownCells {
  /** Of which rows and residuals they are, and of which features. */
  readonly rows: string
  readonly features: string
  readonly levels: number
  readonly places: CellPlaces
  /** Where those of a pair of features begin. */
  readonly starts: ReadonlyMap<string, number>
}

export class KeptCells {
  readonly #rows: ShardRows
  #known: KnownCells | undefined
  /** The top of the rows without these cells. */
  #below: number | undefined

  constructor(rows: ShardRows) {
    this.#rows = rows
  }

  /** Cells that answer, level by level or all levels together. */
  find(request: PairSearchRequest): KnownCells | undefined {
    const { features, levels, levelSigns, levelValues } = request
    const known = this.#known
    if (known?.rows !== rowsOf(request) || known.features !== features.join()) return undefined
    if (levelSigns !== undefined) return levelSigns.length === known.levels ? known : undefined
    // Values of one level are not those of several.
    const together = levels === 1 && levelValues === undefined
    return levels === known.levels || together ? known : undefined
  }

  /** Cells that hold these pairs, just as they are asked for; and where each pair begins. */
  findPairs(request: JointHistogramRequest): { places: CellPlaces; starts: number[] } | undefined {
    const { levels, levelCuts, levelSigns, outcome, pairs } = request
    const known = this.#known
    if (known?.rows !== rowsOf(request) || known.levels !== levels) return undefined
    const isPlain = levelCuts === undefined && levelSigns === undefined
    if (!isPlain || (outcome !== undefined && outcome.kind !== 'label')) return undefined
    const starts = pairs.map(pair => known.starts.get(pair.join()))
    return starts.every(start => start !== undefined) ? { places: known.places, starts } : undefined
  }

  /** Room for the cells of a request in the place of what was kept; undefined where they are not to be kept. */
  reserve({ keepCells = 0, levels }: PairSearchRequest, size: number): CellPlaces | undefined {
    if (levels === 1 || size > keepCells) return undefined
    this.forget()
    const scratch = this.#rows.scratch()
    const places = emptyPlaces(scratch, size)
    this.#below = this.#rows.hold(scratch)
    return places
  }

  /** They have been counted; `starts`: as `KnownCells` has them. */
  keep(request: PairSearchRequest, places: CellPlaces, starts: ReadonlyMap<string, number>): void {
    const { features, levels } = request
    this.#known = { rows: rowsOf(request), features: features.join(), levels, places, starts }
  }

  forget(): void {
    if (this.#below !== undefined) this.#rows.letGo(this.#below)
    this.#below = undefined
    this.#known = undefined
  }
}

const rowsOf = ({ fold, levelValues }: PairSearchRequest | JointHistogramRequest): string =>
  `${fold}:${levelValues?.join() ?? ''}`
