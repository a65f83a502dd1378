// An engine that remembers its joint histograms. Several searches of one audit ask for the same ones; counting them again
// would cost a pass over the rows each time. Only for engines whose predictions stay where they are.

import type { CellSums, Engine, Histogram, JointHistogramRequest } from './engine.ts'

/** Cells remembered, at most; what comes after is counted anew each time it is asked for. */
const MOST_CELLS = 2 ** 22

/** Answers are shared, so nobody may change them. Draws are asked for once, and not remembered. */
export function rememberJoint(engine: Engine): Engine {
  const answers = new Map<string, Promise<Histogram>>()
  const kept = new WeakSet<CellSums>()
  let cells = 0
  const sizeOf = ({ levels, pairs }: JointHistogramRequest) => {
    const { coarseCounts } = engine.shape
    return pairs.reduce((sum, [a, b]) => sum + coarseCounts[a] * coarseCounts[b] * levels, 0)
  }
  return {
    name: engine.name,
    shape: engine.shape,
    histogram: request => engine.histogram(request),
    jointHistogram(request) {
      if (request.outcome?.kind === 'drawn') return engine.jointHistogram(request)
      const key = keyOf(request)
      const known = answers.get(key)
      if (known !== undefined) return known
      const answer = engine.jointHistogram(request)
      cells += sizeOf(request)
      if (cells > MOST_CELLS) return answer
      const remembered = answer.then(sums => {
        kept.add(sums)
        return sums
      })
      answers.set(key, remembered)
      return remembered
    },
    levelSums: request => engine.levelSums(request),
    moments: request => engine.moments(request),
    losses: () => engine.losses(),
    evaluate: update => engine.evaluate(update),
    async apply(update) {
      answers.clear()
      return await engine.apply(update)
    },
    async reset() {
      answers.clear()
      await engine.reset()
    },
    snapshot: () => engine.snapshot(),
    fingerprint: () => engine.fingerprint(),
    close: () => engine.close(),
    release(sums) {
      if (!kept.has(sums)) engine.release?.(sums)
    },
  }
}

/** An outcome that is not named is the label. */
function keyOf({ fold, levels, levelValues, outcome, pairs }: JointHistogramRequest): string {
  const values = levelValues === undefined ? [] : Array.from(levelValues)
  return JSON.stringify([fold, levels, pairs, values, outcome ?? { kind: 'label' }])
}
