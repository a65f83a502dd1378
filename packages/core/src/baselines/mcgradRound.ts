// One round of MCGrad: a forest on the features and the present score, then one factor for the whole logit. The binned
// columns are laid out once and serve all rounds and folds.

import { plantTree } from '../boost/forest/growParts.ts'
import { type ForestRows, scoreCuts } from '../boost/forest/rows.ts'
import { LIGHTGBM_CATEGORIES } from '../boost/forest/splits.ts'
import { type ForestRules, ForestTrainer, type GrownTree } from '../boost/forest/trainer.ts'
import { clipStep, logitUnits } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import { forestLanding } from '../engine/move.ts'
import type { ForestUpdate } from '../engine/update.ts'
import { bestScale } from './rescale.ts'

/** The defaults of MCGrad 0.1.5, and those of LightGBM where it has none. LightGBM's gains are twice ours. */
export const MCGRAD_RULES: ForestRules = {
  leaves: 5,
  rate: 0.028729759162731475,
  roundLimit: 94,
  patience: Number.POSITIVE_INFINITY,
  ridge: 0.009131373863997217,
  leastVariance: 0.001,
  leastGain: 0.15007305226251808 / 2,
  leastRows: 160,
  categories: LIGHTGBM_CATEGORIES,
}

/** Beyond this a logit has no more say in the factor. */
const FARTHEST_LOGIT = 10 * ONE

/** As `apart`: no row is held apart. */
export const NOBODY = -1

export interface McgradRound {
  readonly update: ForestUpdate
  /** Of every row, after the update. */
  readonly prediction: Int32Array
}

export class McgradGrower {
  readonly #rows: ForestRows
  readonly #rules: ForestRules
  readonly #trainer: ForestTrainer

  constructor(rows: ForestRows, rules: ForestRules) {
    this.#rows = rows
    this.#rules = rules
    this.#trainer = new ForestTrainer(rows, new Int32Array(0), rules)
  }

  /** Rows of the part `apart` are moved like all others, but teach nothing. */
  grow(before: Int32Array, apart: number, clip: number): McgradRound {
    const inside = before.map(score => Math.max(clip, Math.min(ONE - clip, score)))
    const learns = this.#learning(apart)
    const cuts = scoreCuts(inside.filter(learns), undefined, this.#rows.weight?.filter(learns))
    this.#trainer.restart(inside, cuts)
    this.#trainer.begin(apart)
    const trees: GrownTree[] = []
    while (trees.length < this.#rules.roundLimit) {
      const tree = this.#trainer.growTree()
      if (tree === undefined) break
      trees.push(tree)
    }
    const update: ForestUpdate = {
      kind: 'forest',
      clip,
      trees: trees.map(tree => plantTree(tree, cuts)),
      scale: this.#scale(inside, apart),
    }
    const land = forestLanding(update)
    const steps = this.#trainer.steps()
    return { update, prediction: before.map((score, row) => land(score, steps[row])) }
  }

  #scale(inside: Int32Array, apart: number): number {
    const steps = this.#trainer.steps()
    const logit = inside.map((score, row) => {
      const moved = logitUnits(score) + clipStep(steps[row])
      return Math.max(-FARTHEST_LOGIT, Math.min(FARTHEST_LOGIT, moved))
    })
    const learns = this.#learning(apart)
    const { label, weight } = this.#rows
    const learned = logit.filter(learns)
    return bestScale({
      rowCount: learned.length,
      logit: learned,
      label: label.filter(learns),
      weight: weight?.filter(learns),
    })
  }

  #learning(apart: number): (value: number, row: number) => boolean {
    const { part } = this.#rows
    return (_value, row) => part[row] !== apart
  }
}
