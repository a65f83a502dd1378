// One forest, tree after tree: each is grown leaf by leaf, the most gainful split first, on the derivatives of log loss at
// the present predictions. Rows of one part are held apart; their loss after every tree says when to stop.

import { mix32 } from '../common/hash.ts'
import type { ForestFeature } from '../kernels/forest/bestSplit.ts'
import { PLAN_BYTES, type PlanPlaces, readNode, TREE_NODE_BYTES, writePlan } from '../kernels/forest/plan.ts'
import { FEATURE_KINDS, QUESTION_BYTES, SCAN_SCRATCH_BYTES } from '../kernels/forest/scan.ts'
import { FOREST_FEATURE_BYTES, FOREST_PACKED_BYTES, FOREST_RECORD_BYTES } from '../kernels/kernels.ts'
import { type KernelChoice, loadKernels } from '../kernels/load.ts'
import { Scratch } from '../kernels/scratch.ts'
import { type ForestRows, scoreBins } from './forestRows.ts'
import { type JoinedColumn, joinColumns, tableOfJoined, usedBins, writeJoined } from './joined.ts'
import { countsRows, type ForestSplit, type SplitRules, splitNumbers, splitOf } from './splits.ts'

export interface ForestRules extends SplitRules {
  readonly leaves: number
  /**
   * Does every node look at one drawn cut of each column only? The best of all cuts is often the luckiest; with drawn ones, trees
   * differ, and their sum is steadier. Absent: at all.
   */
  readonly drawsCuts?: boolean
  /** The share of each step that is taken. */
  readonly rate: number
  readonly roundLimit: number
  /** Trees without a new low of the held-out loss before it ends. */
  readonly patience: number
  /** Standard errors, over the parts of a cross-fit, that the gain has to have for anything to change. */
  readonly standardErrors?: number
  /** In place of that: the evidence against the start that forests whose steps add up to so many whole ones must have. */
  readonly trial?: { readonly steps: number; readonly evidence: number }
  /** Nats, over all rows, by which forests of this kind have to be better than those of the kinds before. Absent: none. */
  readonly lead?: number
  /** The average of forests is steadier than each of them, so it takes so many times as many trees as are best for one, less what is luck. Absent: 1. */
  readonly further?: number
  /** As many for another slope and intercept of the score, before trees grow. Absent: these stay. */
  readonly lineStandardErrors?: number
}

/** Steps in units, at the leaves; splits of the score are between its bins. */
export type GrownTree =
  | { readonly step: number }
  | { readonly split: ForestSplit; readonly yes: GrownTree; readonly no: GrownTree }

export interface GrownForest {
  readonly trees: readonly GrownTree[]
  /** Mean log loss of the rows held apart: at the start, and after each tree. */
  readonly losses: readonly number[]
}

/** Bins of the score, at most: one byte holds them. */
const MAX_BINS = 256

/** A step of one tree, before the rate: more would be a guess. */
const LARGEST_STEP = 4

export class ForestTrainer {
  readonly #rows: ForestRows
  readonly #rules: ForestRules
  readonly #memory: ReturnType<typeof loadKernels>['memory']
  readonly #kernels: ReturnType<typeof loadKernels>['kernels']
  readonly #columns: readonly number[]
  readonly #at: Omit<PlanPlaces, 'learning' | 'rows' | 'leaves' | 'countsRows'>
  readonly #plan: number
  #learning = 0

  constructor(rows: ForestRows, cuts: Int32Array, rules: ForestRules, choice: KernelChoice = 'auto') {
    const { kernels, memory } = loadKernels(choice)
    const scratch = new Scratch(memory, 1024)
    this.#rows = rows
    this.#rules = rules
    this.#memory = memory
    this.#kernels = kernels
    const { features, rowCount } = rows
    const featureCount = features.length + 1
    this.#columns = Array.from({ length: featureCount }, () => scratch.take(rowCount))
    const joined = joinedOf(rows)
    const stride = 4 * Math.ceil(joined.length / 4)
    // The kernel writes cells two by two, and so perhaps one too many.
    const slotBytes = 16 * (features.reduce((sum, { bins }) => sum + bins, MAX_BINS) + 1)
    const words = () => scratch.take(4 * rowCount)
    this.#at = {
      stride,
      featureCount,
      slotBytes,
      bins: scratch.take(stride * rowCount),
      records: scratch.take(FOREST_RECORD_BYTES * rowCount),
      steps: words(),
      gradients: scratch.take(8 * rowCount),
      order: words(),
      ascending: words(),
      scratch: words(),
      weight: rows.weight === undefined ? 0 : words(),
      features: scratch.take(FOREST_FEATURE_BYTES * featureCount),
      joined: scratch.write(tableOfJoined(joined)),
      joinedCount: joined.length,
      packed: scratch.zeros(FOREST_PACKED_BYTES * (joined.length + 1)),
      takes: scratch.take(256),
      slots: scratch.take(rules.leaves * slotBytes),
      nodes: scratch.take(2 * rules.leaves * TREE_NODE_BYTES),
      question: scratch.take(QUESTION_BYTES),
      scanScratch: scratch.take(SCAN_SCRATCH_BYTES),
    }
    this.#plan = scratch.take(PLAN_BYTES)
    this.#writeRows(joined.slice(0, -1))
    this.restart(rows.start, cuts)
  }

  /** Columns twice: rows are parted by one, and counted by all of them at once. */
  #writeRows(joined: readonly JoinedColumn[]): void {
    const { bins, label, weight } = this.#rows
    const bytes = new Uint8Array(this.#memory.buffer)
    for (const [feature, column] of bins.entries()) bytes.set(column, this.#columns[feature])
    for (const [index, column] of joined.entries())
      writeJoined(column, bins, bytes, this.#at.bins + index, this.#at.stride)
    const ints = this.#ints()
    const records = this.#at.records >>> 2
    for (let row = 0; row < label.length; row++) ints[records + 4 * row + 3] = label[row]
    if (weight !== undefined) ints.set(weight, this.#at.weight >>> 2)
  }

  /** Other start predictions, and so another score to split on; all else stays where it is. */
  restart(start: Int32Array, cuts: Int32Array): void {
    const features: ForestFeature[] = [...this.#rows.features, { bins: cuts.length + 1, ordered: true }]
    this.#writeScore(scoreBins(start, cuts))
    const ints = this.#ints()
    const records = this.#at.records >>> 2
    for (let row = 0; row < start.length; row++) ints[records + 4 * row + 2] = start[row]
    const categories = this.#rules.categories === undefined ? 'categories' : 'sets'
    let cell = 0
    for (const [index, { bins, ordered }] of features.entries()) {
      const isScore = index === features.length - 1
      const kind = FEATURE_KINDS[isScore ? 'score' : ordered ? 'numbers' : categories]
      ints.set(
        [this.#columns[index], cell, bins, kind],
        (this.#at.features + index * FOREST_FEATURE_BYTES) >>> 2,
      )
      cell += bins
    }
  }

  /** The last of the features, and of the joined columns. */
  #writeScore(score: Uint8Array): void {
    const { bins, featureCount, joinedCount, stride } = this.#at
    const bytes = new Uint8Array(this.#memory.buffer)
    bytes.set(score, this.#columns[featureCount - 1])
    let at = bins + joinedCount - 1
    for (let row = 0; row < score.length; row++, at += stride) bytes[at] = score[row]
  }

  /** From the start predictions; rows of the part `apart` only watch. Gives the loss after every tree, and the forest at the end. */
  *train(apart: number): Generator<number, GrownForest> {
    const { patience, roundLimit } = this.#rules
    const heldWeight = this.begin(apart)
    const lossNow = () => (this.#heldLoss() / heldWeight) * 2 ** -20
    const losses = [lossNow()]
    const trees: GrownTree[] = []
    let best = 0
    while (trees.length < roundLimit && trees.length - best < patience) {
      const tree = this.growTree(drawOf(apart, trees.length))
      if (tree === undefined) break
      trees.push(tree)
      losses.push(lossNow())
      yield losses[losses.length - 1]
      if (losses[losses.length - 1] < losses[best]) best = losses.length - 1
    }
    return { trees, losses }
  }

  /** Rows to grow on first, then those held apart, whose weight is told; all steps are 0. */
  begin(apart: number): number {
    const { part, rowCount, weight } = this.#rows
    const order = this.#order()
    let [front, back, heldWeight] = [0, rowCount, 0]
    for (let row = 0; row < rowCount; row++) {
      if (part[row] !== apart) order[front++] = row
      else {
        order[--back] = row
        heldWeight += weight === undefined ? 1 : weight[row]
      }
    }
    this.#ints().fill(0, this.#at.steps >>> 2, (this.#at.steps >>> 2) + rowCount)
    const records = this.#at.records >>> 3
    const [ints, doubles] = [this.#ints(), new Float64Array(this.#memory.buffer)]
    for (let row = 0; row < rowCount; row++) doubles[records + 2 * row] = ints[2 * (records + 2 * row) + 2]
    order.subarray(front).reverse()
    this.#ints().set(order, this.#at.ascending >>> 2)
    this.#learning = front
    this.#writePlan()
    const { gradients, order: list, records: at, steps } = this.#at
    this.#kernels.forestStep(list, 0, front, 0, 1, at, steps, gradients)
    return heldWeight
  }

  #writePlan(draw = 0): void {
    const { leaves, rate } = this.#rules
    const { rowCount: rows, weightScale = 1 } = this.#rows
    writePlan(this.#memory.buffer, this.#plan, {
      ...this.#at,
      ...{ rows, leaves, learning: this.#learning, countsRows: Number(countsRows(this.#rules)) },
      ...splitNumbers(this.#rules, weightScale),
      ...{ rate, largestStep: LARGEST_STEP, draw },
    })
  }

  /** One more tree, whose steps all rows have taken; undefined where no split is worth it. `draw`: what cuts are drawn by, if they are. */
  growTree(draw = 0): GrownTree | undefined {
    if (this.#rules.drawsCuts === true) this.#writePlan(draw)
    return this.#kernels.forestGrow(this.#plan) === 0 ? undefined : this.#readTree(0)
  }

  #readTree(number: number): GrownTree {
    const node = readNode(this.#memory.buffer, this.#at.nodes + number * TREE_NODE_BYTES)
    if ('step' in node) return node
    const split = splitOf(node.found, this.#rows.features.length)
    return { split, yes: this.#readTree(node.yes), no: this.#readTree(node.no) }
  }

  /** The steps of every row so far, in units; good until the next tree. */
  steps(): Int32Array {
    return new Int32Array(this.#memory.buffer, this.#at.steps, this.#rows.rowCount)
  }

  #heldLoss(): number {
    const { order, records, weight } = this.#at
    return this.#kernels.forestLoss(order, this.#learning, this.#rows.rowCount, records, weight)
  }

  /** Row numbers, those of one node side by side. */
  #order(): Int32Array {
    return new Int32Array(this.#memory.buffer, this.#at.order, this.#rows.rowCount)
  }

  #ints(): Int32Array {
    return new Int32Array(this.#memory.buffer)
  }
}

/** Trees of every forest draw cuts of their own, whatever the order of rows; never 0. */
const drawOf = (forest: number, tree: number): number => (mix32((forest << 16) + tree) | 1) >>> 0

/** A joined column has a bin for so many rows, at most: small nodes would spend more on telling them apart than they save. */
const ROWS_PER_BIN = 64

/** The columns to count, the score as the last. Rows with weights are counted column by column. */
function joinedOf({ bins, features, rowCount, weight }: ForestRows): JoinedColumn[] {
  const most = weight === undefined ? Math.min(MAX_BINS, rowCount / ROWS_PER_BIN) : 0
  const used = features.map((feature, index) => (feature.bins > most ? feature.bins : usedBins(bins[index])))
  const score = { feature: features.length, step: 1, bins: MAX_BINS }
  return [...joinColumns(used, most), { members: [score], size: MAX_BINS }]
}
