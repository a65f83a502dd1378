// The residuals on the yes side of a root split, feature by feature: from joint histograms where these were kept, else by a
// question about the rows.

import type { OpenSplits, SearchRequest } from '../../../oracle/search.ts'
import { numberLeaves, ROOT } from '../../../update/update.ts'

export type TreeRequest = Omit<SearchRequest, 'channels' | 'levelSigns'>

/** A root split: the position of its feature among those searched, and its number among the feature's splits. */
export interface RootSplit {
  readonly feature: number
  readonly split: number
}

export interface RootSide {
  readonly split: number
  readonly cells: readonly Float64Array[]
}

/** Residual cells that are kept, at most: 64 MiB. */
export const KEPT_CELLS = 2 ** 23

/** The residuals of pairs of features, kept pair by pair: at [(binA * binsB + binB) * levels + level], a < b. */
export class KeptPairs {
  readonly #pairs = new Map<string, Float64Array>()

  keep(a: number, b: number, residuals: Float64Array): void {
    this.#pairs.set(`${a} ${b}`, residuals.slice())
  }

  /**
   * The splits of a feature, one after the other, each with its yes side: of every feature at [bin * levels + level]. The sums run
   * on from split to split, so they hold only until the next.
   */
  *walk(feature: number, { marginals, steps }: OpenSplits, levels: number): Generator<RootSide> {
    const { bins, resets, splitIndexes } = steps[feature]
    const cells = marginals.map(({ residuals }) => new Float64Array(residuals.length))
    for (let step = 0; step < bins.length; step++) {
      if (resets[step] === 1) for (const side of cells) side.fill(0)
      cells.forEach((side, other) => {
        if (other === feature) addRun(side, marginals[other].residuals, bins[step] * levels, levels)
        else this.#addBin(side, feature, other, bins[step], marginals[feature].residuals.length, levels)
      })
      if (splitIndexes[step] >= 0) yield { split: splitIndexes[step], cells }
    }
  }

  /** Adds what lies in one bin of a feature to the cells of another; `ownCells`: bins of the feature times levels. */
  #addBin(
    side: Float64Array,
    feature: number,
    other: number,
    bin: number,
    ownCells: number,
    levels: number,
  ): void {
    if (feature < other) {
      const pair = this.#pairs.get(`${feature} ${other}`)!
      const from = bin * side.length
      for (let cell = 0; cell < side.length; cell++) side[cell] += pair[from + cell]
      return
    }
    const pair = this.#pairs.get(`${other} ${feature}`)!
    for (let at = 0, from = bin * levels; at < side.length; at += levels, from += ownCells)
      for (let level = 0; level < levels; level++) side[at + level] += pair[from + level]
  }
}

function addRun(into: Float64Array, from: Float64Array, start: number, length: number): void {
  for (let cell = start; cell < start + length; cell++) into[cell] += from[cell]
}

/** The yes side of one split, counted anew. */
export async function askSide(
  { engine, features, fold, levels, levelValues }: TreeRequest,
  { feature, split }: RootSplit,
  { steps }: OpenSplits,
): Promise<Float64Array[]> {
  const tree = numberLeaves({ split: steps[feature].splits[split], yes: ROOT, no: ROOT })
  const residualsOf = levelValues === undefined ? {} : { levelValues }
  const question = { fold, levels, tree, leaves: [0], features, resolution: 'coarse' } as const
  const { offsets, residuals } = await engine.histogram({ ...question, ...residualsOf })
  return features.map((index, place) => {
    const size = engine.shape.coarseCounts[index] * levels
    return residuals.subarray(offsets[place], offsets[place] + size)
  })
}
