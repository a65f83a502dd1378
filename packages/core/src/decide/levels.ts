// The levels at which rules may deviate: equal-width bins of the score, cut once more at every threshold. Inside a level all scores
// lead to the same action, and so does their mean: rounding to levels changes no decision.

import { ExactSum } from '../common/exactSum.ts'
import { levelAmong, ONE, toUnits } from '../common/units.ts'
import type { Rounding } from '../round/discretize.ts'
import { type DecisionLoss, thresholdUnits } from './losses.ts'

export interface Levels {
  /** Where levels begin, in units, ascending; the first begins at 0. */
  readonly cuts: Int32Array
  /** The place of the action that is taken in each level. */
  readonly actions: readonly number[]
}

export function levelsFor(loss: DecisionLoss, bins: number): Levels {
  const thresholds = thresholdUnits(loss)
  const edges = Array.from({ length: bins - 1 }, (_, bin) => Math.ceil(((bin + 1) * ONE) / bins))
  const cuts = Int32Array.from(new Set([...edges, ...thresholds].filter(cut => cut > 0))).sort()
  const actions = [0, ...cuts].map(from => levelAmong(from, thresholds))
  return { cuts, actions }
}

export const levelCount = ({ cuts }: Levels): number => cuts.length + 1

export const levelOfScore = ({ cuts }: Levels, score: number): number => levelAmong(toUnits(score), cuts)

/** A probability that stands for a level where an engine counts equal-width levels, as many as there are. */
export const levelPlace = (levels: Levels, score: number): number =>
  (levelOfScore(levels, score) + 0.5) / levelCount(levels)

/** From where to where, as scores; the last level holds 1. */
export function levelRange({ cuts }: Levels, level: number): { readonly from: number; readonly to: number } {
  return {
    from: level === 0 ? 0 : cuts[level - 1] / ONE,
    to: level === cuts.length ? 1 : cuts[level] / ONE,
  }
}

/** The mean score of every level; the middle of one that holds none. Scores are whole units, so a mean stays in its level. */
export class LevelMeans {
  readonly #levels: Levels
  readonly #weights: readonly ExactSum[]
  readonly #sums: readonly ExactSum[]

  constructor(levels: Levels) {
    this.#levels = levels
    const ofLevels = () => Array.from({ length: levelCount(levels) }, () => new ExactSum())
    this.#weights = ofLevels()
    this.#sums = ofLevels()
  }

  add(score: number, weight: number): void {
    const level = levelOfScore(this.#levels, score)
    this.#weights[level].add(weight)
    this.#sums[level].add(weight * toUnits(score))
  }

  rounding(): Rounding {
    const values = this.#weights.map((sum, level) => {
      const weight = sum.value()
      const { from, to } = levelRange(this.#levels, level)
      const mean = weight > 0 ? this.#sums[level].value() / weight : ((from + to) / 2) * ONE
      // Products of weights that are no whole numbers may be off in the last digit.
      const last = level === this.#levels.cuts.length ? ONE : to * ONE - 1
      return Math.min(last, Math.max(from * ONE, Math.round(mean)))
    })
    return { bins: values.length, values }
  }
}
