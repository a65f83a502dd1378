// An engine that remembers its joint histograms. Several searches of one audit ask for the same ones; counting them again
// would cost a pass over the rows each time. What was counted level by level also answers for all levels together, whatever
// the signs of the levels. Only for engines whose predictions stay where they are.

import type { CellSums, Engine, Histogram, JointHistogramRequest, PairSearchRequest } from './engine.ts'
import type { SampleRequest } from './sample.ts'

/** Cells remembered, at most; what comes after is counted anew each time it is asked for. */
export const REMEMBERED_CELLS = 2 ** 22

/** Answers are shared, so nobody may change them. Draws are asked for once, and not remembered. */
export function rememberJoint(engine: Engine, mostCells: number = REMEMBERED_CELLS): Engine {
  const memory = new JointMemory(engine, mostCells)
  return {
    name: engine.name,
    shape: engine.shape,
    histogram: request => engine.histogram(request),
    jointHistogram: request => memory.answer(request),
    levelSums: request => engine.levelSums(request),
    moments: request => engine.moments(request),
    losses: () => engine.losses(),
    evaluate: update => engine.evaluate(update),
    async apply(update) {
      memory.forget()
      return await engine.apply(update)
    },
    async reset() {
      memory.forget()
      await engine.reset()
    },
    fingerprint: columns => engine.fingerprint(columns),
    close: () => engine.close(),
    release: sums => memory.release(sums),
    ...(engine.searchPairs !== undefined && {
      searchPairs: (request: PairSearchRequest) => engine.searchPairs!({ ...request, keepCells: mostCells }),
    }),
    ...(engine.snapshot !== undefined && { snapshot: () => engine.snapshot!() }),
    ...(engine.sample !== undefined && {
      sample: (request: SampleRequest) => engine.sample!(request),
    }),
  }
}

/** Where the sums of one pair lie, level by level. */
interface LevelledPair {
  readonly answer: Promise<Histogram>
  readonly index: number
  readonly levels: number
  /** Over all levels, once they have been asked for: signs do not matter to them. */
  counts?: Float64Array
}

class JointMemory {
  readonly #engine: Engine
  readonly #mostCells: number
  readonly #answers = new Map<string, Promise<Histogram>>()
  readonly #kept = new WeakSet<CellSums>()
  readonly #byLevel = new Map<string, LevelledPair>()
  #cells = 0

  constructor(engine: Engine, mostCells: number) {
    this.#engine = engine
    this.#mostCells = mostCells
  }

  answer(request: JointHistogramRequest): Promise<Histogram> {
    if (request.outcome?.kind === 'drawn') return this.#engine.jointHistogram(request)
    const key = keyOf(request)
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const answer = this.#overLevels(request) ?? this.#engine.jointHistogram(request)
    const size = this.#sizesOf(request).reduce((sum, cells) => sum + cells * request.levels, 0)
    if (this.#cells + size > this.#mostCells) return answer
    this.#cells += size
    const remembered = answer.then(sums => {
      this.#kept.add(sums)
      return sums
    })
    this.#answers.set(key, remembered)
    const even = request.levelCuts === undefined && request.levelSigns === undefined
    if (even && isOfLabels(request)) this.#note(request, remembered)
    return remembered
  }

  release(sums: CellSums): void {
    if (!this.#kept.has(sums)) this.#engine.release?.(sums)
  }

  forget(): void {
    this.#answers.clear()
    this.#byLevel.clear()
    this.#cells = 0
  }

  #note(request: JointHistogramRequest, answer: Promise<Histogram>): void {
    const { levels, pairs } = request
    const place = placeOf(request)
    for (const [index, pair] of pairs.entries())
      this.#byLevel.set(`${place}:${pair}`, { answer, index, levels })
  }

  /** All levels together; undefined where a pair has not been counted level by level. */
  #overLevels(request: JointHistogramRequest): Promise<Histogram> | undefined {
    const { levels, levelSigns, levelValues, pairs } = request
    if (levels > 1 || !isOfLabels(request)) return undefined
    // Values of one level are not those of several.
    if (levelValues !== undefined && levelSigns === undefined) return undefined
    const place = placeOf(request)
    const known: LevelledPair[] = []
    for (const pair of pairs) {
      const levelled = this.#byLevel.get(`${place}:${pair}`)
      if (levelled === undefined || (levelSigns?.length ?? levelled.levels) !== levelled.levels)
        return undefined
      known.push(levelled)
    }
    return sumOverLevels(known, this.#sizesOf(request), levelSigns)
  }

  /** Cells of each pair, of one level. */
  #sizesOf({ pairs }: JointHistogramRequest): number[] {
    const { coarseCounts } = this.#engine.shape
    return pairs.map(([a, b]) => coarseCounts[a] * coarseCounts[b])
  }
}

async function sumOverLevels(
  pairs: readonly LevelledPair[],
  sizes: readonly number[],
  levelSigns: Int32Array | undefined,
): Promise<Histogram> {
  const known = await Promise.all(pairs.map(({ answer }) => answer))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const [counts, residuals] = [new Float64Array(total), new Float64Array(total)]
  const ones = new Float64Array(Math.max(0, ...pairs.map(({ levels }) => levels))).fill(1)
  const signs = levelSigns === undefined ? ones : Float64Array.from(levelSigns)
  const offsets: number[] = []
  let offset = 0
  for (const [place, pair] of pairs.entries()) {
    const [sums, size] = [known[place], sizes[place]]
    const from = sums.offsets[pair.index]
    if (pair.counts === undefined) {
      pair.counts = new Float64Array(size)
      addLevels(pair.counts, 0, size, sums.counts, from, ones, pair.levels)
    }
    counts.set(pair.counts, offset)
    addLevels(residuals, offset, size, sums.residuals, from, signs, pair.levels)
    offsets.push(offset)
    offset += size
  }
  return { counts, residuals, offsets }
}

/** One cell for each run of levels, times their signs. */
function addLevels(
  into: Float64Array,
  offset: number,
  size: number,
  sums: Float64Array,
  from: number,
  signs: Float64Array,
  levels: number,
): void {
  for (let cell = offset, at = from; cell < offset + size; cell++) {
    let sum = 0
    for (let level = 0; level < levels; level++, at++) sum += signs[level] * sums[at]
    into[cell] = sum
  }
}

/** An outcome that is not named is the label. */
const isOfLabels = ({ outcome }: JointHistogramRequest): boolean =>
  outcome === undefined || outcome.kind === 'label'

/** Sums of the same place add up over levels: of one fold, against each row's own prediction or the same values of levels. */
const placeOf = ({ fold, levelValues }: JointHistogramRequest): string =>
  `${fold}:${levelValues?.join() ?? ''}`

function keyOf({
  fold,
  levelCuts,
  levels,
  levelSigns,
  levelValues,
  outcome,
  pairs,
}: JointHistogramRequest): string {
  return JSON.stringify([
    fold,
    levels,
    pairs,
    [...(levelCuts ?? [])],
    [...(levelValues ?? [])],
    [...(levelSigns ?? [])],
    outcome ?? { kind: 'label' },
  ])
}
