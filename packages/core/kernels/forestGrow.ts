// One tree of a forest: grown leaf by leaf, the most gainful split first, and taken by all rows. In one call, so that a thread
// that has just begun need not compile JavaScript first. kernels/forest/plan.ts says how plan and nodes are laid out,
// kernels/forest/growTree.ts does the same.

import { expOfStep, forestCount, forestSplit, forestStep } from './forest'
import { AT_MOST_OR_MISSING, forestScan, LISTED_BINS, MISSING, mix } from './forestScan'

const SECOND_UNIT: f64 = 4096
const FIRST_UNIT: f64 = 262144
const ONE: f64 = 16777216

// A plan: words, then doubles.
const ORDER: usize = 0
const ASCENDING: usize = 4
const ROWS: usize = 8
const LEARNING: usize = 12
const RECORDS: usize = 16
const STEPS: usize = 20
const GRADIENTS: usize = 24
const WEIGHT: usize = 28
const BINS: usize = 32
const STRIDE: usize = 36
const FEATURES: usize = 40
const FEATURE_COUNT: usize = 44
const PACKED: usize = 48
const SCRATCH: usize = 52
const TAKES: usize = 56
const SLOTS: usize = 60
const SLOT_BYTES: usize = 64
const LEAVES: usize = 68
const NODES: usize = 72
const QUESTION: usize = 76
const SCAN_SCRATCH: usize = 80
const COUNTS_ROWS: usize = 84
const JOINED: usize = 88
const JOINED_COUNT: usize = 92
const ROOT_RIDGE: usize = 96
const LEAST_VARIANCE: usize = 104
const LEAST_ROWS: usize = 112
const CHANCE: usize = 120
const NAT: usize = 128
const LEAST_GAIN: usize = 136
const RATE: usize = 144
const LARGEST_STEP: usize = 152
const WEIGHT_SCALE: usize = 160
const SET_RIDGE: usize = 168
const SET_SMOOTH: usize = 176
const SET_KNOWN: usize = 184
const SET_JOINED: usize = 192
const SET_MOST: usize = 200
const FEW_BINS: usize = 208
const DRAW: usize = 216

// A node: rows and held rows as ranges of the order, sums, ridge, gain (0: it is not split), children, step, slot, answer.
const NODE_BYTES: usize = 384
const FIRST: usize = 16
const SECOND: usize = 24
const RIDGE: usize = 32
const GAIN: usize = 40
const YES: usize = 48
const NO: usize = 52
const STEP: usize = 56
const SLOT: usize = 60
const ANSWER: usize = 64

// In an answer: the yes side's sums, its feature, its form, its bin or how many are listed, the list.
const YES_FIRST: usize = ANSWER + 16
const FEATURE: usize = ANSWER + 32
const FORM: usize = ANSWER + 40
const BIN: usize = ANSWER + 48
const LIST: usize = ANSWER + 56

let plan: usize
let nodes: usize
let count: u32

@inline
function word(at: usize): u32 {
  return load<u32>(plan + at)
}

@inline
function number(at: usize): f64 {
  return load<f64>(plan + at)
}

/** Says how many nodes the tree has; 0 where no split is worth it, and then no row has moved. */
export function forestGrow(given: usize): u32 {
  plan = given
  nodes = <usize>word(NODES)
  count = 0
  // Every node then has its rows in ascending order, and memory is read from front to back.
  memory.copy(<usize>word(ORDER), <usize>word(ASCENDING), <usize>word(ROWS) << 2)
  const root = addNode(0, word(LEARNING), word(LEARNING), word(ROWS), number(ROOT_RIDGE), word(SLOTS))
  countNode(root, 0)
  addScores(root)
  findSplit(root)
  let slot = word(SLOTS)
  for (let leaves: u32 = 2; leaves <= word(LEAVES); leaves++) {
    const node = mostGainful()
    if (node == 0) break
    slot += word(SLOT_BYTES)
    // The last two will not be split, so nobody asks what is in them.
    splitNode(node, slot, leaves < word(LEAVES))
  }
  if (count == 1) return 0
  for (let index: u32 = 0; index < count; index++) takeStep(nodes + <usize>index * NODE_BYTES)
  return count
}

function addNode(from: u32, to: u32, heldFrom: u32, heldTo: u32, ridge: f64, slot: u32): usize {
  const node = nodes + <usize>count * NODE_BYTES
  count++
  store<u32>(node, from)
  store<u32>(node, to, 4)
  store<u32>(node, heldFrom, 8)
  store<u32>(node, heldTo, 12)
  store<f64>(node, ridge, RIDGE)
  store<f64>(node, 0, GAIN)
  store<i32>(node, -1, YES)
  store<u32>(node, slot, SLOT)
  return node
}

/** The sums of its rows in its slot, taken off those of the parent if there is one. */
function countNode(node: usize, parent: u32): void {
  forestCount(
    <usize>word(ORDER), load<u32>(node), load<u32>(node, 4), <usize>word(GRADIENTS), <usize>word(WEIGHT), <usize>word(BINS), word(STRIDE),
    <usize>word(FEATURES), word(FEATURE_COUNT), <usize>word(JOINED), word(JOINED_COUNT), <usize>word(PACKED),
    <usize>load<u32>(node, SLOT), <usize>parent,
  )
}

/** Every feature's bins add up to the node; the score's are the last. */
function addScores(node: usize): void {
  const score = <usize>word(FEATURES) + (<usize>(word(FEATURE_COUNT) - 1) << 4)
  const cells = <usize>load<u32>(node, SLOT) + (<usize>load<u32>(score, 4) << 4)
  let sum = f64x2.splat(0)
  for (let bin: usize = 0; bin < <usize>load<u32>(score, 8); bin++) sum = f64x2.add(sum, v128.load(cells + (bin << 4)))
  v128.store(node, sum, FIRST)
}

function findSplit(node: usize): void {
  const first = load<f64>(node, FIRST)
  const second = load<f64>(node, SECOND)
  const given = (word(COUNTS_ROWS) == 0 ? 1 : weighRows(node)) / number(WEIGHT_SCALE)
  const perRow = second / given
  const question = <usize>word(QUESTION)
  store<f64>(question, first)
  store<f64>(question, second, 8)
  store<f64>(question, number(ROOT_RIDGE), 16)
  store<f64>(question, max(number(LEAST_VARIANCE), (number(LEAST_ROWS) * second) / given), 24)
  store<f64>(question, number(CHANCE), 32)
  store<f64>(question, number(ROOT_RIDGE) + number(SET_RIDGE), 40)
  store<f64>(question, number(SET_SMOOTH), 48)
  store<f64>(question, number(SET_KNOWN) * perRow, 56)
  store<f64>(question, number(SET_JOINED) * perRow, 64)
  store<f64>(question, number(SET_MOST), 72)
  store<f64>(question, number(FEW_BINS), 80)
  store<f64>(question, drawOf(node), 88)
  const answer = node + ANSWER
  forestScan(<usize>load<u32>(node, SLOT), <usize>word(FEATURES), word(FEATURE_COUNT), question, answer, <usize>word(SCAN_SCRATCH))
  if (load<f64>(node, FORM) == 0) return
  const gain = (load<f64>(answer) - (first * first) / (second + number(ROOT_RIDGE))) / number(NAT)
  if (gain > number(LEAST_GAIN)) store<f64>(node, gain, GAIN)
}

/** Every node draws cuts of its own; 0: none are drawn. */
function drawOf(node: usize): f64 {
  const draw = <u32>number(DRAW)
  return draw == 0 ? 0 : <f64>(mix(draw + <u32>((node - nodes) / NODE_BYTES)) | 1)
}

/** A row of weight 2 counts as two. */
function weighRows(node: usize): f64 {
  const from = load<u32>(node)
  const to = load<u32>(node, 4)
  const weight = <usize>word(WEIGHT)
  if (weight == 0) return <f64>(to - from)
  let sum: f64 = 0
  for (let index = from; index < to; index++) {
    const row = <usize>load<u32>(<usize>word(ORDER) + (<usize>index << 2))
    sum += <f64>load<i32>(weight + (row << 2))
  }
  return sum
}

/** The first of equals; 0 where none is to be split. */
function mostGainful(): usize {
  let found: usize = 0
  let most: f64 = 0
  for (let index: u32 = 0; index < count; index++) {
    const node = nodes + <usize>index * NODE_BYTES
    if (load<i32>(node, YES) >= 0 || load<f64>(node, GAIN) <= most) continue
    most = load<f64>(node, GAIN)
    found = node
  }
  return found
}

/** The smaller child is counted, the other one is what is left of the parent. */
function splitNode(node: usize, slot: u32, goesOn: bool): void {
  const entry = <usize>word(FEATURES) + (<usize>load<f64>(node, FEATURE) << 4)
  writeTakes(node, load<u32>(entry, 8))
  const column = <usize>load<u32>(entry)
  const middle = divide(load<u32>(node), load<u32>(node, 4), column)
  const heldMiddle = divide(load<u32>(node, 8), load<u32>(node, 12), column)
  const ridge = load<f64>(node + ANSWER, 8)
  const large = load<u32>(node, SLOT)
  const yesIsSmaller = middle - load<u32>(node) <= load<u32>(node, 4) - middle
  store<u32>(node, count, YES)
  store<u32>(node, count + 1, NO)
  const yes = addNode(load<u32>(node), middle, load<u32>(node, 8), heldMiddle, ridge, yesIsSmaller ? slot : large)
  const no = addNode(middle, load<u32>(node, 4), heldMiddle, load<u32>(node, 12), ridge, yesIsSmaller ? large : slot)
  const sums = v128.load(node, YES_FIRST)
  v128.store(yes, sums, FIRST)
  v128.store(no, f64x2.sub(v128.load(node, FIRST), sums), FIRST)
  if (!goesOn) return
  countNode(yesIsSmaller ? yes : no, large)
  findSplit(yes)
  findSplit(no)
}

/** Per bin: 1 takes the yes side. */
function writeTakes(node: usize, bins: u32): void {
  const takes = <usize>word(TAKES)
  const form = load<f64>(node, FORM)
  const bin = <usize>load<f64>(node, BIN)
  memory.fill(takes, 0, 256)
  if (form == LISTED_BINS) {
    for (let place: usize = 0; place < bin; place++) store<u8>(takes + <usize>load<u8>(node + place, LIST), 1)
    return
  }
  if (form != MISSING) memory.fill(takes, 1, bin + 1)
  if (form == AT_MOST_OR_MISSING || form == MISSING) store<u8>(takes + <usize>bins - 1, 1)
}

@inline
function divide(from: u32, to: u32, column: usize): u32 {
  return from + forestSplit(<usize>word(ORDER), from, to, column, <usize>word(TAKES), <usize>word(SCRATCH))
}

/** Of a leaf: the best step to second order, within bounds, times the rate. */
function takeStep(node: usize): void {
  if (load<i32>(node, YES) >= 0) return
  const variance = load<f64>(node, SECOND) / SECOND_UNIT + load<f64>(node, RIDGE) / SECOND_UNIT
  const whole = load<f64>(node, FIRST) / FIRST_UNIT / variance
  const bound = number(LARGEST_STEP)
  const step = <i32>Math.floor(number(RATE) * max(-bound, min(bound, whole)) * ONE + 0.5)
  store<i32>(node, step, STEP)
  const factor = expOfStep(step)
  const order = <usize>word(ORDER)
  forestStep(order, load<u32>(node), load<u32>(node, 4), step, factor, <usize>word(RECORDS), <usize>word(STEPS), <usize>word(GRADIENTS))
  forestStep(order, load<u32>(node, 8), load<u32>(node, 12), step, factor, <usize>word(RECORDS), <usize>word(STEPS), 0)
}
