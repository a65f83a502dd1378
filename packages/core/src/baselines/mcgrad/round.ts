// One round of MCGrad: a forest on the features and the present score, then one factor for the whole logit. The binned
// columns are laid out once and serve all rounds and folds.

import { clipStep, logitUnits, scaleLogit } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import { type ForestRows, scoreCuts } from '../../forest/forestRows.ts'
import { treeInUnits } from '../../forest/growParts.ts'
import { LIGHTGBM_CATEGORIES } from '../../forest/splits.ts'
import { type ForestRules, ForestTrainer, type GrownTree } from '../../forest/trainer.ts'
import type { ForestUpdate } from '../../update/update.ts'
import { rowsWhere } from '../rows/memberships.ts'
import { bestScale } from './rescale.ts'

/** The defaults of MCGrad 0.1.5, and those of LightGBM where it has none. LightGBM's gains are twice ours. */
export const MCGRAD_FOREST: ForestRules = {
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
  /** By the part that is held apart. */
  readonly #learners = new Map<number, Learners>()

  constructor(rows: ForestRows, rules: ForestRules) {
    this.#rows = rows
    this.#rules = rules
    this.#trainer = new ForestTrainer(rows, new Int32Array(0), rules)
  }

  /** Rows of the part `apart` are moved like all others, but teach nothing. */
  grow(before: Int32Array, apart: number, clip: number): McgradRound {
    const inside = before.map(score => Math.max(clip, Math.min(ONE - clip, score)))
    const learners = this.#learnersBut(apart)
    const cuts = scoreCuts(gather(inside, learners.rows), undefined, learners.weight)
    this.#trainer.restart(inside, cuts)
    this.#trainer.begin(apart)
    const trees: GrownTree[] = []
    while (trees.length < this.#rules.roundLimit) {
      const tree = this.#trainer.growTree()
      if (tree === undefined) break
      trees.push(tree)
    }
    const steps = this.#trainer.steps()
    const logit = inside.map((score, row) => logitUnits(score) + clipStep(steps[row]))
    const scale = bestLogitScale(logit, learners)
    const planted = trees.map(tree => treeInUnits(tree, cuts))
    return {
      update: { kind: 'forest', clip, trees: planted, scale },
      prediction: logit.map(moved => scaleLogit(moved, scale)),
    }
  }

  #learnersBut(apart: number): Learners {
    const known = this.#learners.get(apart)
    if (known !== undefined) return known
    const { label, part, rowCount, weight } = this.#rows
    const rows = rowsWhere(rowCount, row => part[row] !== apart)
    const learners = { rows, label: gather(label, rows), weight: weight && gather(weight, rows) }
    this.#learners.set(apart, learners)
    return learners
  }
}

/** Rows that a round learns from. */
interface Learners {
  readonly rows: Int32Array
  readonly label: Int32Array
  readonly weight: Int32Array | undefined
}

function bestLogitScale(logit: Int32Array, { label, rows, weight }: Learners): number {
  const near = gather(logit, rows).map(moved => Math.max(-FARTHEST_LOGIT, Math.min(FARTHEST_LOGIT, moved)))
  return bestScale({ rowCount: rows.length, logit: near, label, weight })
}

function gather(column: Int32Array, rows: Int32Array): Int32Array {
  const found = new Int32Array(rows.length)
  for (let index = 0; index < rows.length; index++) found[index] = column[rows[index]]
  return found
}
