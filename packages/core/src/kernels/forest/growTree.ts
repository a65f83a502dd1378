// One tree of a forest: grown leaf by leaf, the most gainful split first, and taken by all rows. What kernels/forestGrow.ts
// means.

import { ONE } from '../../common/units.ts'
import { type FoundSplit, type SplitQuestion, wholeValue } from './bestSplit.ts'
import { type GrowPlan, questionOf, type TreeNode } from './plan.ts'

/** What is done to the rows of a node. */
export interface NodeWork {
  /** Their sums into a slot, and off those of the parent if there is one. */
  count(rows: Range, slot: number, parent: number): void
  total(slot: number): Sums
  weigh(rows: Range): number
  findSplit(slot: number, question: SplitQuestion): FoundSplit | undefined
  /** Those on the yes side before the others; says where these begin. */
  divide(rows: Range, split: FoundSplit): number
  step(rows: Range, step: number, learns: boolean): void
}

interface Range {
  readonly from: number
  readonly to: number
}

interface Sums {
  readonly first: number
  readonly second: number
}

interface Leaf extends Sums {
  readonly rows: Range
  readonly held: Range
  readonly ridge: number
  readonly slot: number
}

interface Node extends Leaf {
  readonly found: FoundSplit | undefined
  /** In nats; 0: it is not split. */
  readonly gain: number
  children?: { readonly yes: number; readonly no: number }
}

/** First derivatives come in units of 2^-18, second ones in units of 2^-12. */
export const FIRST_UNIT = 2 ** 18
export const SECOND_UNIT = 2 ** 12

/** The step that is best to second order, on the logit scale. */
export const newtonStep = (first: number, second: number, ridge: number): number =>
  first / FIRST_UNIT / (second / SECOND_UNIT + ridge)

/** Nothing where no split is worth it, and then no row has moved. */
export function growTree(plan: GrowPlan, work: NodeWork): TreeNode[] {
  const { largestStep, leaves, learning, rate, ridge, rows, slotBytes, slots } = plan
  const all = { from: 0, to: learning }
  work.count(all, slots, 0)
  const root = { rows: all, held: { from: learning, to: rows }, ridge, slot: slots, ...work.total(slots) }
  const nodes = [openNode(plan, work, root, 0)]
  for (let leaf = 2; leaf <= leaves; leaf++) {
    const node = mostGainful(nodes)
    if (node === undefined) break
    const children = splitNode(node, slots + (leaf - 1) * slotBytes, work)
    node.children = { yes: nodes.length, no: nodes.length + 1 }
    // The last two will not be split, so nobody asks what is in them.
    if (leaf === leaves) nodes.push(...children.map(child => ({ ...child, found: undefined, gain: 0 })))
    else {
      const [small] = [...children].sort((a, b) => a.rows.to - a.rows.from - (b.rows.to - b.rows.from))
      work.count(small.rows, small.slot, node.slot)
      const first = nodes.length
      nodes.push(...children.map((child, index) => openNode(plan, work, child, first + index)))
    }
  }
  if (nodes.length === 1) return []
  return nodes.map(({ children, first, found, held, ridge, rows, second }) => {
    if (children !== undefined) return { found: found!, ...children }
    const whole = newtonStep(first, second, ridge / SECOND_UNIT)
    const bounded = Math.max(-largestStep, Math.min(largestStep, whole))
    const step = Math.floor(rate * bounded * ONE + 0.5)
    work.step(rows, step, true)
    work.step(held, step, false)
    return { step }
  })
}

function openNode(plan: GrowPlan, work: NodeWork, leaf: Leaf, node: number): Node {
  const rows = plan.countsRows === 0 ? 1 : work.weigh(leaf.rows)
  const question = questionOf(plan, { ...leaf, rows, node })
  const found = work.findSplit(leaf.slot, question)
  const gain = found === undefined ? 0 : (found.value - wholeValue(question)) / plan.nat
  return { ...leaf, found, gain: gain > plan.leastGain ? gain : 0 }
}

/** The first of equals. */
function mostGainful(nodes: readonly Node[]): Node | undefined {
  let best: Node | undefined
  for (const node of nodes) {
    if (node.children === undefined && node.gain > (best?.gain ?? 0)) best = node
  }
  return best
}

/** Yes, then no. The smaller one, or yes, is for the new slot; the other is what is left of the parent. */
function splitNode(node: Node, slot: number, work: NodeWork): [yes: Leaf, no: Leaf] {
  const { held, rows } = node
  const { first, ridge, second } = node.found!
  const middle = work.divide(rows, node.found!)
  const heldMiddle = work.divide(held, node.found!)
  const yesIsSmaller = middle - rows.from <= rows.to - middle
  const [yesSlot, noSlot] = yesIsSmaller ? [slot, node.slot] : [node.slot, slot]
  return [
    {
      rows: { from: rows.from, to: middle },
      held: { from: held.from, to: heldMiddle },
      ...{ first, second, ridge, slot: yesSlot },
    },
    {
      rows: { from: middle, to: rows.to },
      held: { from: heldMiddle, to: held.to },
      ...{ first: node.first - first, second: node.second - second, ridge, slot: noSlot },
    },
  ]
}
