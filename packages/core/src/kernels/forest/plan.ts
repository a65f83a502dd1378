// How the kernel that grows a tree is told what to do, and how it tells the tree: a plan in memory, and nodes of fixed size.

import { mix32 } from '../../common/hash.ts'
import type { FoundSplit, SplitQuestion, YesSide } from './bestSplit.ts'
import { readAnswer, writeAnswer } from './scan.ts'

/** Addresses and counts, in the order in which they stand in memory. */
const PLAN_WORDS = [
  ...(['order', 'ascending', 'rows', 'learning', 'records', 'steps', 'gradients', 'weight'] as const),
  ...(['bins', 'stride', 'features', 'featureCount', 'packed', 'scratch', 'takes'] as const),
  ...(['slots', 'slotBytes', 'leaves', 'nodes', 'question', 'scanScratch', 'countsRows'] as const),
  ...(['joined', 'joinedCount'] as const),
] as const

/** Then these, as doubles. */
const PLAN_NUMBERS = [
  ...(['ridge', 'leastVariance', 'leastRows', 'chance', 'nat', 'leastGain', 'rate', 'largestStep'] as const),
  ...([
    'weightScale',
    'setRidge',
    'setSmooth',
    'setKnown',
    'setJoined',
    'setMost',
    'fewBins',
    'draw',
  ] as const),
] as const

/**
 * Where everything is. The first `learning` of the ascending row numbers are learned from, the others only move. Slots hold the
 * sums of one open node each, as many as leaves.
 */
export type PlanPlaces = Readonly<Record<(typeof PLAN_WORDS)[number], number>>

/**
 * By which rules: least and ridge in units of second derivatives, gains in nats, `nat` what one of them is. Of sets of
 * categories, what is added to the ridge and to smooth them; the rest in rows, bins and categories. `draw` is what the cuts of this
 * tree are drawn by; 0: all are tried.
 */
export type PlanRules = Readonly<Record<(typeof PLAN_NUMBERS)[number], number>>

export type GrowPlan = PlanPlaces & PlanRules

export const PLAN_BYTES = 4 * PLAN_WORDS.length + 8 * PLAN_NUMBERS.length
export const TREE_NODE_BYTES = 384

export function writePlan(buffer: ArrayBuffer, at: number, plan: GrowPlan): void {
  new Int32Array(buffer, at).set(PLAN_WORDS.map(name => plan[name]))
  new Float64Array(buffer, at + 4 * PLAN_WORDS.length).set(PLAN_NUMBERS.map(name => plan[name]))
}

export function readPlan(buffer: ArrayBuffer, at: number): GrowPlan {
  const words = new Int32Array(buffer, at)
  const numbers = new Float64Array(buffer, at + 4 * PLAN_WORDS.length)
  return {
    ...(Object.fromEntries(PLAN_WORDS.map((name, index) => [name, words[index]])) as PlanPlaces),
    ...(Object.fromEntries(PLAN_NUMBERS.map((name, index) => [name, numbers[index]])) as PlanRules),
  }
}

/** What is asked about a node with this number, these sums and so many rows, by weight. */
export function questionOf(
  rules: PlanRules,
  { first, node, rows, second }: { first: number; second: number; rows: number; node: number },
): SplitQuestion {
  const given = rows / rules.weightScale
  const perRow = second / given
  return {
    first,
    second,
    ridge: rules.ridge,
    least: Math.max(rules.leastVariance, (rules.leastRows * second) / given),
    chance: rules.chance,
    draw: rules.draw === 0 ? 0 : (mix32(rules.draw + node) | 1) >>> 0,
    sets: {
      ridge: rules.ridge + rules.setRidge,
      smooth: rules.setSmooth,
      known: rules.setKnown * perRow,
      joined: rules.setJoined * perRow,
      most: rules.setMost,
      fewBins: rules.fewBins,
    },
  }
}

export type TreeNode = { readonly step: number } | SplitNode

interface SplitNode {
  readonly found: FoundSplit
  /** Numbers of nodes. */
  readonly yes: number
  readonly no: number
}

const [YES, NO, STEP, ANSWER] = [48, 52, 56, 64]

export function writeNode(buffer: ArrayBuffer, at: number, node: TreeNode): void {
  const ints = new Int32Array(buffer)
  if ('step' in node) {
    ints[(at + YES) >>> 2] = -1
    ints[(at + STEP) >>> 2] = node.step
    return
  }
  ints[(at + YES) >>> 2] = node.yes
  ints[(at + NO) >>> 2] = node.no
  writeAnswer(buffer, at + ANSWER, node.found)
}

export function readNode(buffer: ArrayBuffer, at: number): TreeNode {
  const ints = new Int32Array(buffer, at, TREE_NODE_BYTES >>> 2)
  if (ints[YES >>> 2] < 0) return { step: ints[STEP >>> 2] }
  return { found: readAnswer(buffer, at + ANSWER)!, yes: ints[YES >>> 2], no: ints[NO >>> 2] }
}

/** Per bin, 256 of them: 1 takes the yes side. */
export function writeYesBins(yes: Uint8Array, side: YesSide, bins: number): void {
  yes.fill(0)
  if (side.kind === 'in') for (const bin of side.bins) yes[bin] = 1
  if (side.kind === 'atMost') yes.fill(1, 0, side.bin + 1)
  if (side.kind === 'missing' || (side.kind === 'atMost' && side.missing)) yes[bins - 1] = 1
}
