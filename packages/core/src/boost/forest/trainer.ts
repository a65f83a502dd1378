// One forest, tree after tree: each is grown leaf by leaf, the most gainful split first, on the derivatives of log loss at
// the present predictions. Rows of one part are held apart; their loss after every tree says when to stop.

import { expOfStep } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import type { ForestFeature } from '../../engine/memory/forest/bestSplit.ts'
import {
  ANSWER_BYTES,
  FEATURE_KINDS,
  QUESTION_BYTES,
  readAnswer,
  writeQuestion,
} from '../../engine/memory/forest/scan.ts'
import {
  FOREST_FEATURE_BYTES,
  FOREST_PACKED_BYTES,
  FOREST_RECORD_BYTES,
} from '../../engine/memory/kernels.ts'
import { type KernelChoice, loadKernels } from '../../engine/memory/load.ts'
import { Room } from '../../engine/memory/room.ts'
import { type Leaf, type Node, type Range, takeMostGainful, weighRows } from './nodes.ts'
import { type ForestRows, scoreBins } from './rows.ts'
import {
  askFor,
  type BestSplit,
  countsRows,
  describeSplit,
  type ForestSplit,
  newtonStep,
  type SplitRules,
  writeYesBins,
} from './splits.ts'

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
  /** Bytes from one row's bins to the next one's. */
  readonly #stride: number
  readonly #at: Record<
    | ('bins' | 'records' | 'steps' | 'gradients' | 'order' | 'ascending' | 'scratch')
    | ('table' | 'packed' | 'takes' | 'question' | 'answer'),
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
    const featureCount = features.length + 1
    const mostCells = features.reduce((sum, { bins }) => sum + bins, MOST_BINS)
    this.#columns = Array.from({ length: featureCount }, () => room.take(rowCount))
    this.#stride = 4 * Math.ceil(featureCount / 4)
    const words = () => room.take(4 * rowCount)
    this.#at = {
      bins: room.take(this.#stride * rowCount),
      records: room.take(FOREST_RECORD_BYTES * rowCount),
      steps: words(),
      gradients: room.take(8 * rowCount),
      order: words(),
      ascending: words(),
      scratch: words(),
      table: room.take(FOREST_FEATURE_BYTES * featureCount),
      packed: room.zeros(FOREST_PACKED_BYTES * featureCount),
      takes: room.take(256),
      question: room.take(QUESTION_BYTES),
      answer: room.take(ANSWER_BYTES),
    }
    this.#weight = rows.weight === undefined ? 0 : words()
    // The kernel writes cells two by two, and so perhaps one too many.
    this.#slots = Array.from({ length: rules.leaves + 1 }, () => room.take(16 * (mostCells + 1)))
    this.#writeRows()
    this.restart(rows.start, cuts)
  }

  #writeRows(): void {
    const { bins, label, weight } = this.#rows
    for (const [feature, column] of bins.entries()) this.#writeColumn(feature, column)
    const ints = this.#ints()
    const records = this.#at.records >>> 2
    for (let row = 0; row < label.length; row++) ints[records + 4 * row + 3] = label[row]
    if (weight !== undefined) ints.set(weight, this.#weight >>> 2)
  }

  /** Twice: rows are parted by a column, and counted by all their bins at once. */
  #writeColumn(feature: number, column: Uint8Array): void {
    const bytes = new Uint8Array(this.#memory.buffer)
    bytes.set(column, this.#columns[feature])
    let at = this.#at.bins + feature
    for (let row = 0; row < column.length; row++, at += this.#stride) bytes[at] = column[row]
  }

  /** Other start predictions, and so another score to split on; all else stays where it is. */
  restart(start: Int32Array, cuts: Int32Array): void {
    this.#features = [...this.#rows.features, { bins: cuts.length + 1, ordered: true }]
    this.#writeColumn(this.#features.length - 1, scoreBins(start, cuts))
    const ints = this.#ints()
    const records = this.#at.records >>> 2
    for (let row = 0; row < start.length; row++) ints[records + 4 * row + 2] = start[row]
    const categories = this.#rules.categories === undefined ? 'categories' : 'sets'
    let cell = 0
    for (const [index, { bins, ordered }] of this.#features.entries()) {
      const isScore = index === this.#features.length - 1
      const kind = FEATURE_KINDS[isScore ? 'score' : ordered ? 'numbers' : categories]
      ints.set(
        [this.#columns[index], cell, bins, kind],
        (this.#at.table + index * FOREST_FEATURE_BYTES) >>> 2,
      )
      cell += bins
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
    const records = this.#at.records >>> 3
    const [ints, doubles] = [this.#ints(), new Float64Array(this.#memory.buffer)]
    for (let row = 0; row < rowCount; row++) doubles[records + 2 * row] = ints[2 * (records + 2 * row) + 2]
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
    const slot = this.#free.pop()!
    this.#count(rows, slot, 0)
    const root = this.#node({ rows, held, ...this.#total(slot), ridge: this.#ridge }, slot)
    const open = [root]
    for (let leaves = 2; leaves <= this.#rules.leaves; leaves++) {
      const node = takeMostGainful(open)
      if (node === undefined) break
      // The last two will not be split, so nobody asks what is in them.
      node.children = this.#split(node, leaves < this.#rules.leaves)
      open.push(node.children.yes, node.children.no)
    }
    return root
  }

  /** Every feature's bins add up to the node; the score's are the last. */
  #total(slot: number): { first: number; second: number } {
    const cells = this.#features.reduce((sum, { bins }) => sum + bins, 0)
    const sums = new Float64Array(this.#memory.buffer, slot, 2 * cells)
    let [first, second] = [0, 0]
    for (let cell = sums.length - 2 * this.#features.at(-1)!.bins; cell < sums.length; cell += 2) {
      first += sums[cell]
      second += sums[cell + 1]
    }
    return { first, second }
  }

  #node(leaf: Leaf, slot: number): Node {
    const best = this.#findSplit(leaf, slot)
    if (best === undefined) this.#free.push(slot)
    return { ...leaf, slot, best }
  }

  #findSplit({ first, rows, second }: Leaf, slot: number): BestSplit | undefined {
    const counted = countsRows(this.#rules) && { rows: weighRows(this.#order(), rows, this.#rows.weight) }
    const total = { first, second, weightScale: this.#weightScale, ...counted }
    const asked = askFor(total, this.#rules)
    const { answer, question, table } = this.#at
    writeQuestion(this.#memory.buffer, question, asked)
    this.#kernels.forestScan(slot, table, this.#features.length, question, answer)
    const found = readAnswer(this.#memory.buffer, answer)
    return describeSplit(found, asked, this.#features, this.#rules, this.#weightScale)
  }

  /** The smaller child is counted, the other one is what is left of the parent. */
  #split({ best, first, held, rows, second, slot }: Node, goesOn: boolean): { yes: Node; no: Node } {
    const { feature, ridge, split } = best!
    const takes = new Uint8Array(this.#memory.buffer, this.#at.takes, 256)
    writeYesBins(takes, split, this.#features[feature])
    const [yesRows, noRows] = this.#divide(rows, feature)
    const [yesHeld, noHeld] = this.#divide(held, feature)
    const yes = { rows: yesRows, held: yesHeld, first: best!.first, second: best!.second, ridge }
    const no = { rows: noRows, held: noHeld, first: first - yes.first, second: second - yes.second, ridge }
    if (!goesOn) return { yes: { ...yes, slot, best: undefined }, no: { ...no, slot, best: undefined } }
    const small = this.#free.pop()!
    const yesIsSmaller = yesRows.to - yesRows.from <= noRows.to - noRows.from
    this.#count(yesIsSmaller ? yesRows : noRows, small, slot)
    const [yesSlot, noSlot] = yesIsSmaller ? [small, slot] : [slot, small]
    return { yes: this.#node(yes, yesSlot), no: this.#node(no, noSlot) }
  }

  /** The sums of these rows in a slot, taken off those of the parent if there is one. */
  #count({ from, to }: Range, slot: number, parent: number): void {
    const { bins, gradients, order, packed, table } = this.#at
    this.#kernels.forestCount(
      ...([order, from, to, gradients, this.#weight, bins, this.#stride] as const),
      ...([table, this.#features.length, packed, slot, parent] as const),
    )
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
    const { gradients, order, records, steps } = this.#at
    this.#kernels.forestStep(order, from, to, step, expOfStep(step), records, steps, learns ? gradients : 0)
  }

  #loss({ from, to }: Range): number {
    const { order, records } = this.#at
    return this.#kernels.forestLoss(order, from, to, records, this.#weight)
  }

  /** Row numbers, those of one node side by side. */
  #order(): Int32Array {
    return new Int32Array(this.#memory.buffer, this.#at.order, this.#rows.rowCount)
  }

  #ints(): Int32Array {
    return new Int32Array(this.#memory.buffer)
  }
}
