// An engine that remembers its joint histograms. Several searches of one audit ask for the same ones; counting them again
// would cost a pass over the rows each time. What was counted level by level also answers for all levels together. Only
// for engines whose predictions stay where they are.

import type { CellSums, Engine, Histogram, JointHistogramRequest } from './engine.ts'

/** Cells remembered, at most; what comes after is counted anew each time it is asked for. */
const MOST_CELLS = 2 ** 22

/** Answers are shared, so nobody may change them. Draws are asked for once, and not remembered. */
export function rememberJoint(engine: Engine, mostCells: number = MOST_CELLS): Engine {
  const answers = new Map<string, Promise<Histogram>>()
  const kept = new WeakSet<CellSums>()
  const byLevel = new Map<string, LevelledPair>()
  let cells = 0
  const sizeOf = ({ levels, pairs }: JointHistogramRequest) => {
    const { coarseCounts } = engine.shape
    return pairs.reduce((sum, [a, b]) => sum + coarseCounts[a] * coarseCounts[b] * levels, 0)
  }
  const noteLevels = ({ fold, levels, pairs }: JointHistogramRequest, answer: Promise<Histogram>) => {
    for (const [index, pair] of pairs.entries()) byLevel.set(`${fold}:${pair}`, { answer, index, levels })
  }
  /** Undefined where a pair has not been counted level by level. */
  const overLevels = (request: JointHistogramRequest): Promise<Histogram> | undefined => {
    if (request.levels > 1 || !isPlain(request)) return undefined
    const known = request.pairs.map(pair => byLevel.get(`${request.fold}:${pair}`))
    if (!known.every(pair => pair !== undefined)) return undefined
    return sumOverLevels(
      known,
      request.pairs.map(([a, b]) => engine.shape.coarseCounts[a] * engine.shape.coarseCounts[b]),
    )
  }
  const forget = () => {
    answers.clear()
    byLevel.clear()
    cells = 0
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
      const answer = overLevels(request) ?? engine.jointHistogram(request)
      const size = sizeOf(request)
      if (cells + size > mostCells) return answer
      cells += size
      const remembered = answer.then(sums => {
        kept.add(sums)
        return sums
      })
      answers.set(key, remembered)
      if (isPlain(request)) noteLevels(request, remembered)
      return remembered
    },
    levelSums: request => engine.levelSums(request),
    moments: request => engine.moments(request),
    losses: () => engine.losses(),
    evaluate: update => engine.evaluate(update),
    async apply(update) {
      forget()
      return await engine.apply(update)
    },
    async reset() {
      forget()
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

/** Where the counts of one pair lie, level by level. */
interface LevelledPair {
  readonly answer: Promise<Histogram>
  readonly index: number
  readonly levels: number
}

/** The label against each row's own prediction: such sums add up over levels. */
const isPlain = ({ levelSigns, levelValues, outcome }: JointHistogramRequest): boolean =>
  levelValues === undefined && levelSigns === undefined && (outcome === undefined || outcome.kind === 'label')

async function sumOverLevels(pairs: readonly LevelledPair[], sizes: readonly number[]): Promise<Histogram> {
  const offsets: number[] = []
  let total = 0
  for (const size of sizes) {
    offsets.push(total)
    total += size
  }
  const counts = new Float64Array(total)
  const residuals = new Float64Array(total)
  for (const [place, { answer, index, levels }] of pairs.entries()) {
    const sums = await answer
    let from = sums.offsets[index]
    for (let cell = offsets[place]; cell < offsets[place] + sizes[place]; cell++) {
      for (let level = 0; level < levels; level++, from++) {
        counts[cell] += sums.counts[from]
        residuals[cell] += sums.residuals[from]
      }
    }
  }
  return { counts, residuals, offsets }
}

/** An outcome that is not named is the label. */
function keyOf({ fold, levels, levelSigns, levelValues, outcome, pairs }: JointHistogramRequest): string {
  return JSON.stringify([
    fold,
    levels,
    pairs,
    [...(levelValues ?? [])],
    [...(levelSigns ?? [])],
    outcome ?? { kind: 'label' },
  ])
}
