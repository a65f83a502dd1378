// Cross-fitted forests: one for each part of the rows, grown on all others and watched on that part. They stop where the
// losses of all parts together are lowest, and their steps are averaged. Every row is held apart once, so nothing is spent
// on a validation set, and the average is steadier than one forest grown on all rows.

import type { ForestTree, ForestUpdate } from '../update/update.ts'
import type { PartForest } from './growParts.ts'

export interface CrossFitted {
  /** Undefined where no tree helps: the score is left as it is. */
  readonly update: ForestUpdate | undefined
  /** Mean log loss of rows held apart, over all parts: at the start, and after each round. */
  readonly losses: readonly number[]
  readonly rounds: number
  /** What would have been kept, had parts agreed that it helps; absent where they do, or where there is nothing. */
  readonly doubtful?: { readonly update: ForestUpdate; readonly rounds: number }
}

export interface CombineRules {
  /** Standard errors, over the parts, that the gain has to have. */
  readonly standardErrors?: number | undefined
  /** How many times as many rounds are kept as are best for one forest. */
  readonly further?: number | undefined
}

/** `weights`: how much each part counts. */
export function combineForests(
  forests: readonly PartForest[],
  weights: readonly number[],
  clip: number,
  { further = 1, standardErrors = 0 }: CombineRules = {},
): CrossFitted {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const length = Math.max(...forests.map(forest => forest.losses.length))
  const losses = Array.from({ length }, (_, round) =>
    forests.reduce((sum, forest, part) => sum + (weights[part] / total) * lossAt(forest, round), 0),
  )
  const best = losses.indexOf(Math.min(...losses))
  const gains = forests.map(forest => forest.losses[0] - lossAt(forest, best))
  const rounds = Math.min(Math.round(further * best), length - 1, mostRounds(forests))
  if (rounds === 0 || standardErrors === Infinity) return { update: undefined, losses, rounds: 0 }
  const update = averageOf(forests, rounds, clip)
  if (isSure(gains, standardErrors)) return { update, losses, rounds }
  return { update: undefined, losses, rounds: 0, doubtful: { update, rounds } }
}

function averageOf(forests: readonly PartForest[], rounds: number, clip: number): ForestUpdate {
  const trees: ForestTree[] = forests.flatMap(forest =>
    forest.trees.slice(0, rounds).map(({ steps, tree }) => ({
      tree,
      steps: steps.map(step => Math.round(step / forests.length) + 0),
    })),
  )
  return { kind: 'forest', clip, trees }
}

/** The same forest with so large a share of every step. */
export const shareOfForest = ({ clip, trees }: ForestUpdate, share: number): ForestUpdate => ({
  kind: 'forest',
  clip,
  trees: trees.map(({ steps, tree }) => ({ tree, steps: steps.map(step => Math.round(share * step) + 0) })),
})

/** Is it more than luck that rows held apart gain, so many standard errors? Parts that disagree say no; one alone cannot. */
export function isSure(gains: readonly number[], standardErrors: number): boolean {
  if (gains.length < 2) return true
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1)
  return mean >= standardErrors * Math.sqrt(variance / gains.length)
}

/** The steps of all trees together stay within 32 bits. No fit has come near. */
function mostRounds(forests: readonly PartForest[]): number {
  let [rounds, farthest] = [0, 0]
  while (forests.some(({ trees }) => rounds < trees.length)) {
    for (const { trees } of forests) {
      const steps = trees[rounds]?.steps ?? []
      farthest += steps.reduce((most, step) => Math.max(most, Math.abs(step)), 0) / forests.length + 1
    }
    if (farthest >= 2 ** 31) return rounds
    rounds++
  }
  return rounds
}

/** A forest that ended early keeps the loss of its last tree. */
const lossAt = ({ losses }: PartForest, round: number): number => losses[Math.min(round, losses.length - 1)]
