// The search below root splits, one after the other: the best tree so far, and what the trees that were not looked at can reach.

import type { OpenSplits } from '../../../oracle/search.ts'
import { numberLeaves, ROOT, type Tree } from '../../../update/update.ts'
import type { NormSide } from './rootBounds.ts'
import type { RootSplit } from './sides.ts'
import { emptyVectors, type SideVectors, SignSearch, type Work } from './signs.ts'

export interface WorstSigned {
  readonly tree: Tree
  /** Its K1, in residual units times weight. */
  readonly error: number
  /** No tree has more: the same number where all were looked at, or shown to have no more. */
  readonly atMost: number
}

export class RootSearch {
  readonly #splits: OpenSplits
  readonly #sides: readonly NormSide[]
  readonly #total: Float64Array
  readonly #work: Work
  readonly #signs: SignSearch
  readonly #yes: SideVectors
  readonly #no: SideVectors
  #best: { readonly tree: Tree; readonly error: number }
  #open = 0

  constructor(
    splits: OpenSplits,
    sides: readonly NormSide[],
    total: Float64Array,
    start: WorstSigned,
    work: Work,
  ) {
    this.#splits = splits
    this.#sides = sides
    this.#total = total
    this.#best = start
    this.#work = work
    const most = 1 + splits.steps.reduce((sum, feature) => sum + feature.splits.length, 0)
    this.#yes = emptyVectors(most, total.length)
    this.#no = emptyVectors(most, total.length)
    this.#signs = new SignSearch(this.#yes, this.#no, heaviestFirst(sides, total.length), work)
  }

  get answer(): WorstSigned {
    const { error, tree } = this.#best
    return { tree, error, atMost: Math.max(error, this.#open) }
  }

  /** Can a root with this bound have a better tree? Where no work is left, the bound is noted instead. */
  wants(bound: number): boolean {
    if (bound <= this.#best.error) return false
    if (this.#work.left > 0) return true
    this.leave(bound)
    return false
  }

  /** Trees that can reach so much are not looked at. */
  leave(bound: number): void {
    this.#open = Math.max(this.#open, bound)
  }

  /** `cells`: the yes side of the root, of every feature. */
  search(root: RootSplit, cells: readonly Float64Array[], climbs: boolean): void {
    this.#fill(root, cells)
    this.#work.left -= 2 * this.#yes.values.length
    const { best, open } = this.#signs.run(this.#best.error, climbs)
    this.leave(open)
    if (best !== undefined) this.#best = { tree: treeOf(this.#splits, root, best), error: best.error }
  }

  /**
   * What either side can add: as a whole, and the difference of its leaves for every split of every feature. Only vectors that
   * are better than the best together with the largest of the other side.
   */
  #fill({ feature: rootFeature, split }: RootSplit, cells: readonly Float64Array[]): void {
    const [yes, no, total] = [this.#yes, this.#no, this.#total]
    const { norms } = this.#sides[rootFeature]
    const leastYes = this.#best.error - norms[2 * split + 1]
    const leastNo = this.#best.error - norms[2 * split]
    const levels = total.length
    const whole = sumBins(cells[0], levels)
    const rest = total.map((sum, level) => sum - whole[level])
    yes.count = 0
    no.count = 0
    yes.values.set(whole)
    no.values.set(rest)
    keep(yes, 0, normOf(whole), leastYes)
    keep(no, 0, normOf(rest), leastNo)
    const sum = new Float64Array(levels)
    let number = 1
    for (let feature = 0; feature < cells.length; feature++) {
      const { bins, resets, splitIndexes, splits } = this.#splits.steps[feature]
      const [own, everyone] = [cells[feature], this.#sides[feature].sides]
      for (let step = 0; step < bins.length; step++) {
        if (step === 0 || resets[step] === 1) sum.fill(0)
        const at = bins[step] * levels
        for (let level = 0; level < levels; level++) sum[level] += own[at + level]
        if (splitIndexes[step] < 0) continue
        const from = splitIndexes[step] * levels
        const [atYes, atNo] = [yes.count * levels, no.count * levels]
        let [yesNorm, noNorm] = [0, 0]
        for (let level = 0; level < levels; level++) {
          const ofYes = 2 * sum[level] - whole[level]
          const ofNo = 2 * (everyone[from + level] - sum[level]) - rest[level]
          yes.values[atYes + level] = ofYes
          no.values[atNo + level] = ofNo
          yesNorm += Math.abs(ofYes)
          noNorm += Math.abs(ofNo)
        }
        keep(yes, number + splitIndexes[step], yesNorm, leastYes)
        keep(no, number + splitIndexes[step], noNorm, leastNo)
      }
      number += splits.length
    }
  }
}

/** The vector at the next free place becomes one of the side, if its norm is above the least that can matter. */
function keep(side: SideVectors, split: number, norm: number, least: number): void {
  if (norm <= least) return
  side.splits[side.count] = split
  side.norms[side.count] = norm
  side.count++
}

/** The tree of two vectors. */
function treeOf({ steps }: OpenSplits, root: RootSplit, { no, yes }: { yes: number; no: number }): Tree {
  const splits = steps.flatMap(feature => feature.splits)
  const side = (vector: number): Tree =>
    vector === 0 ? ROOT : { split: splits[vector - 1], yes: ROOT, no: ROOT }
  return numberLeaves({ split: steps[root.feature].splits[root.split], yes: side(yes), no: side(no) })
}

/** Of cells at [bin * levels + level]: the sums over all bins. */
export function sumBins(cells: Float64Array, levels: number): Float64Array {
  const sums = new Float64Array(levels)
  for (let at = 0; at < cells.length; at += levels)
    for (let level = 0; level < levels; level++) sums[level] += cells[at + level]
  return sums
}

export const normOf = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + Math.abs(value), 0)

/** Prediction bins by how much they weigh in the sides of all splits together. */
function heaviestFirst(features: readonly NormSide[], levels: number): number[] {
  const weights = new Float64Array(levels)
  for (const { sides } of features)
    for (let at = 0; at < sides.length; at++) weights[at % levels] += Math.abs(sides[at])
  return Array.from(weights, (_, level) => level).sort((a, b) => weights[b] - weights[a] || a - b)
}
