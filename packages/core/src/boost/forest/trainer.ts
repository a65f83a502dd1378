// One forest, tree after tree: each is grown leaf by leaf, the most gainful split first, on the derivatives of log loss at
// the present predictions. Rows of one part are held apart; their loss after every tree says when to stop.

import { ONE } from '../../common/units.ts'
import { FOREST_BLOCK_ROWS, FOREST_FEATURE_BYTES } from '../../engine/memory/kernels.ts'
import { type KernelChoice, loadKernels } from '../../engine/memory/load.ts'
import { Room } from '../../engine/memory/room.ts'
import {
  countsRows,
  type ForestSplit,
  findBestSplit,
  newtonStep,
  type SplitRules,
  yesBins,
} from './bestSplit.ts'
import { type Node, type Range, takeMostGainful, weighRows } from './nodes.ts'
import { type ForestFeature, type ForestRows, scoreBins } from './rows.ts'

export interface ForestRules extends SplitRules {
  readonly leaves: number
  /** The share of each step that is taken. */
  readonly rate: number
  readonly roundLimit: number
  /** Trees without a new low of the held-out loss before it ends. */
  readonly patience: number
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
const MOST_BINS = 256

/** A step of one tree, before the rate: more would be a guess. */
const LARGEST_STEP = 4

export class ForestTrainer {
  readonly #rows: ForestRows
  readonly #rules: ForestRules
  readonly #weightScale: number
  readonly #ridge: number
  readonly #memory: ReturnType<typeof loadKernels>['memory']
  readonly #kernels: ReturnType<typeof loadKernels>['kernels']
  #features: readonly ForestFeature[] = []
  readonly #columns: readonly number[]
  #cells = 0
  readonly #at: Record<
    | ('label' | 'start' | 'steps' | 'odds' | 'gradients' | 'order' | 'ascending')
    | ('scratch' | 'table' | 'values' | 'packed' | 'takes'),
    number
  >
  readonly #weight: number
  /** Sums of one node each; as many as leaves may be open, and one more. */
  readonly #slots: readonly number[]
  #free: number[] = []
  #learning: Range = { from: 0, to: 0 }
  #held: Range = { from: 0, to: 0 }

  constructor(rows: ForestRows, cuts: Int32Array, rules: ForestRules, choice: KernelChoice = 'auto') {
    const { kernels, memory } = loadKernels(choice)
    const room = new Room(memory, 1024)
    this.#rows = rows
    this.#rules = rules
    this.#weightScale = rows.weightScale ?? 1
    this.#ridge = rules.ridge * this.#weightScale
    this.#memory = memory
    this.#kernels = kernels
    const { features, rowCount } = rows
    const mostCells = features.reduce((sum, { bins }) => sum + bins, MOST_BINS)
    this.#columns = Array.from({ length: features.length + 1 }, () => room.take(rowCount))
    const words = () => room.take(4 * rowCount)
    this.#at = {
      label: words(),
      start: words(),
      steps: words(),
      odds: room.take(8 * rowCount),
      gradients: room.take(8 * rowCount),
      order: words(),
      ascending: words(),
      scratch: words(),
      table: room.take(FOREST_FEATURE_BYTES * this.#columns.length),
      values: room.take(8 * FOREST_BLOCK_ROWS),
      packed: room.zeros(8 * mostCells),
      takes: room.take(256),
    }
    this.#weight = rows.weight === undefined ? 0 : words()
    this.#slots = Array.from({ length: rules.leaves + 1 }, () => room.take(16 * mostCells))
    this.#writeRows()
    this.restart(rows.start, cuts)
  }

  #writeRows(): void {
    const { bins, label, weight } = this.#rows
    const bytes = new Uint8Array(this.#memory.buffer)
    for (const [index, column] of bins.entries()) bytes.set(column, this.#columns[index])
    const ints = this.#ints()
    ints.set(label, this.#at.label >>> 2)
    if (weight !== undefined) ints.set(weight, this.#weight >>> 2)
  }

  /** Other start predictions, and so another score to split on; all else stays where it is. */
  restart(start: Int32Array, cuts: Int32Array): void {
    this.#features = [...this.#rows.features, { bins: cuts.length + 1, ordered: true }]
    new Uint8Array(this.#memory.buffer).set(scoreBins(start, cuts), this.#columns.at(-1)!)
    const ints = this.#ints()
    ints.set(start, this.#at.start >>> 2)
    this.#cells = 0
    for (const [index, feature] of this.#features.entries()) {
      ints.set([this.#columns[index], this.#cells], (this.#at.table + index * FOREST_FEATURE_BYTES) >>> 2)
      this.#cells += feature.bins
    }
  }

  /** From the start predictions; rows of the part `apart` only watch. Tells the loss after every tree. */
  train(apart: number, onTree: (loss: number) => void = () => {}): GrownForest {
    const { patience, roundLimit } = this.#rules
    const heldWeight = this.begin(apart)
    const lossNow = () => (this.#loss(this.#held) / heldWeight) * 2 ** -20
    const losses = [lossNow()]
    const trees: GrownTree[] = []
    let best = 0
    while (trees.length < roundLimit && trees.length - best < patience) {
      const tree = this.growTree()
      if (tree === undefined) break
      trees.push(tree)
      losses.push(lossNow())
      onTree(losses[losses.length - 1])
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
    const start = new Int32Array(this.#memory.buffer, this.#at.start, rowCount)
    new Float64Array(this.#memory.buffer, this.#at.odds, rowCount).set(start)
    order.subarray(front).reverse()
    this.#ints().set(order, this.#at.ascending >>> 2)
    this.#learning = { from: 0, to: front }
    this.#held = { from: front, to: rowCount }
    this.#move(this.#learning, 0, true)
    return heldWeight
  }

  /** One more tree, whose steps all rows have taken; undefined where no split is worth it. */
  growTree(): GrownTree | undefined {
    // Every node then has its rows in ascending order, and memory is read from front to back.
    this.#order().set(new Int32Array(this.#memory.buffer, this.#at.ascending, this.#rows.rowCount))
    const root = this.#grow(this.#learning, this.#held)
    return root.best === undefined ? undefined : this.#step(root)
  }

  /** The steps of every row so far, in units; good until the next tree. */
  steps(): Int32Array {
    return new Int32Array(this.#memory.buffer, this.#at.steps, this.#rows.rowCount)
  }

  #grow(rows: Range, held: Range): Node {
    this.#free = [...this.#slots]
    const root = this.#node(rows, held, this.#count(rows), this.#ridge)
    const open = [root]
    for (let leaves = 1; leaves < this.#rules.leaves; leaves++) {
      const node = takeMostGainful(open)
      if (node === undefined) break
      const { no, yes } = this.#split(node)
      node.children = { yes, no }
      open.push(yes, no)
    }
    return root
  }

  #node(rows: Range, held: Range, slot: number, ridge: number): Node {
    const sums = this.#sums(slot)
    // Every feature's bins add up to the node; the score's are the last.
    let [first, second] = [0, 0]
    for (let cell = sums.length - 2 * this.#features.at(-1)!.bins; cell < sums.length; cell += 2) {
      first += sums[cell]
      second += sums[cell + 1]
    }
    const counted = countsRows(this.#rules) && { rows: weighRows(this.#order(), rows, this.#rows.weight) }
    const total = { first, second, weightScale: this.#weightScale, ...counted }
    const best = findBestSplit(sums, this.#features, total, this.#rules)
    if (best === undefined) this.#free.push(slot)
    return { rows, held, first, second, slot, ridge, best }
  }

  /** The smaller child is counted, the other one is what is left of the parent. */
  #split({ best, held, rows, slot }: Node): { yes: Node; no: Node } {
    const { feature, ridge = this.#ridge, split } = best!
    new Uint8Array(this.#memory.buffer).set(yesBins(split, this.#features[feature]), this.#at.takes)
    const [yesRows, noRows] = this.#divide(rows, feature)
    const [yesHeld, noHeld] = this.#divide(held, feature)
    const yesIsSmaller = yesRows.to - yesRows.from <= noRows.to - noRows.from
    const small = yesIsSmaller ? this.#count(yesRows) : this.#count(noRows)
    const [whole, part] = [this.#sums(slot), this.#sums(small)]
    for (let cell = 0; cell < whole.length; cell++) whole[cell] -= part[cell]
    const [yesSlot, noSlot] = yesIsSmaller ? [small, slot] : [slot, small]
    return {
      yes: this.#node(yesRows, yesHeld, yesSlot, ridge),
      no: this.#node(noRows, noHeld, noSlot, ridge),
    }
  }

  /** The sums of these rows, counted one by one; in a slot. */
  #count(rows: Range): number {
    const slot = this.#free.pop()!
    const { gradients, order, packed, table, values } = this.#at
    this.#sums(slot).fill(0)
    this.#kernels.forestCount(
      ...([order, rows.from, rows.to, gradients, this.#weight, table] as const),
      ...([this.#features.length, this.#cells, values, packed, slot] as const),
    )
    return slot
  }

  #divide({ from, to }: Range, feature: number): [yes: Range, no: Range] {
    const { order, scratch, takes } = this.#at
    const middle = from + this.#kernels.forestSplit(order, from, to, this.#columns[feature], takes, scratch)
    return [
      { from, to: middle },
      { from: middle, to },
    ]
  }

  /** Takes the step of every leaf. */
  #step(node: Node): GrownTree {
    if (node.children !== undefined) {
      const { no, yes } = node.children
      return { split: node.best!.split, yes: this.#step(yes), no: this.#step(no) }
    }
    const { rate } = this.#rules
    const whole = newtonStep(node.first, node.second, node.ridge)
    const step = Math.round(rate * Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, whole)) * ONE)
    this.#move(node.rows, step, true)
    this.#move(node.held, step, false)
    return { step }
  }

  #move({ from, to }: Range, step: number, learns: boolean): void {
    const { gradients, label, odds, order, start, steps } = this.#at
    this.#kernels.forestStep(order, from, to, step, label, start, steps, odds, learns ? gradients : 0)
  }

  #loss({ from, to }: Range): number {
    const { label, odds, order, start } = this.#at
    return this.#kernels.forestLoss(order, from, to, label, start, odds, this.#weight)
  }

  #sums(slot: number): Float64Array {
    return new Float64Array(this.#memory.buffer, slot, 2 * this.#cells)
  }

  /** Row numbers, those of one node side by side. */
  #order(): Int32Array {
    return new Int32Array(this.#memory.buffer, this.#at.order, this.#rows.rowCount)
  }

  #ints(): Int32Array {
    return new Int32Array(this.#memory.buffer)
  }
}
