// The joint histograms of all pairs of features, pair by pair: asked for in batches, one batch ahead of the caller, and given
// back to the engine when the caller has moved on.

import type { CellSums, Engine, JointHistogramRequest } from '../engine/engine.ts'
import { type PairBatch, pairBatches } from '../kernels/pairs/batches.ts'
import { sliceCells } from '../kernels/pairs/cells.ts'

interface JointPair {
  /** Positions among the features, a < b. */
  readonly a: number
  readonly b: number
  /** At [(binA * binsB + binB) * levels + level]; only until the next pair is asked for. */
  readonly cells: CellSums
}

type Question = Omit<JointHistogramRequest, 'pairs'>

/** Cells of the joint histograms of all pairs. */
export function pairCount(engine: Engine, features: readonly number[], levels: number): number {
  const counts = features.map(feature => engine.shape.coarseCounts[feature])
  const sum = counts.reduce((total, count) => total + count, 0)
  const squares = counts.reduce((total, count) => total + count * count, 0)
  return ((sum * sum - squares) / 2) * levels
}

/** Asks for all pairs at once, for an engine that remembers; `jointPairs` will then find them answered. */
export async function askAllPairs(
  engine: Engine,
  features: readonly number[],
  question: Question,
): Promise<void> {
  const { ask, batches } = planPairs(engine, features, question)
  await Promise.all(batches.map(ask))
}

/** All pairs, in a fixed order. */
export async function* jointPairs(
  engine: Engine,
  features: readonly number[],
  question: Question,
): AsyncGenerator<JointPair> {
  const { ask, batches, counts } = planPairs(engine, features, question)
  for await (const { batch, joint } of askAhead(batches, ask)) {
    for (const [index, [a, b]] of batch.entries()) {
      const size = counts[a] * counts[b] * question.levels
      yield { a, b, cells: sliceCells(joint, joint.offsets[index], size) }
    }
    engine.release?.(joint)
  }
}

function planPairs(engine: Engine, features: readonly number[], question: Question) {
  const counts = features.map(feature => engine.shape.coarseCounts[feature])
  const ask = async (batch: PairBatch) => {
    const pairs = batch.map(([a, b]) => [features[a], features[b]] as const)
    return { batch, joint: await engine.jointHistogram({ ...question, pairs }) }
  }
  return { counts, batches: pairBatches(counts, question.levels), ask }
}

/**
 * Answers in the order of the questions. The next one is asked before the present answer is handed out: the workers count
 * while this thread scans.
 */
async function* askAhead<Q, A>(questions: readonly Q[], ask: (question: Q) => Promise<A>): AsyncGenerator<A> {
  let next = questions.length > 0 ? ask(questions[0]) : undefined
  for (let index = 1; next !== undefined; index++) {
    const answer: A = await next
    next = index < questions.length ? ask(questions[index]) : undefined
    // When the scan throws, or the caller stops, nobody waits for this answer: its failure must not go unhandled.
    next?.catch(() => {})
    yield answer
  }
}
