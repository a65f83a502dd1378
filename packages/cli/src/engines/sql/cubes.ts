// Joint histograms that are kept while predictions do not move. A search asks for one pair of features after the other, and a certificate
// searches several times; a database would read all rows each time. So all pairs are counted together, level by level, with three sums in
// each cell: weight, weight times label and weight times prediction. What is asked about values and signs of levels, or about all levels
// together, follows from these.

import { type Histogram, type JointHistogramRequest, offsetsOf } from '@featureboost/core/internal'

/** Sums of all pairs a < b of the features, at [offset of the pair + (binA * binsB + binB) * levels + level]. */
export interface Cube {
  readonly levels: number
  readonly weights: Float64Array
  readonly labels: Float64Array
  readonly predictions: Float64Array
}

/** How levels are made: so many of equal width, or those that end at cuts. */
export interface CubeQuestion {
  readonly fold: number
  readonly levels: number
  readonly levelCuts?: Int32Array
}

/** Cells that one cube may have, and that are kept in all. Three doubles each: 100 and 200 MB. */
const CUBE_CELLS = 2 ** 22
const KEPT_CELLS = 2 ** 23

export class Cubes {
  readonly #coarseCounts: readonly number[]
  readonly #ask: (question: CubeQuestion, pairs: readonly (readonly [number, number])[]) => Promise<Cube>
  readonly #pairs: readonly (readonly [number, number])[]
  /** Of the pair "a,b", with one level. */
  readonly #places: ReadonlyMap<string, number>
  readonly #cellCount: number
  #kept = new Map<string, Promise<Cube>>()
  #cells = 0

  constructor(
    coarseCounts: readonly number[],
    ask: (question: CubeQuestion, pairs: readonly (readonly [number, number])[]) => Promise<Cube>,
  ) {
    this.#coarseCounts = coarseCounts
    this.#ask = ask
    this.#pairs = coarseCounts.flatMap((_, a) =>
      coarseCounts.slice(a + 1).map((_count, index) => [a, a + 1 + index] as const),
    )
    const { offsets, size } = offsetsOf(this.#pairs.map(([a, b]) => coarseCounts[a] * coarseCounts[b]))
    this.#places = new Map(this.#pairs.map((pair, index) => [String(pair), offsets[index]]))
    this.#cellCount = size
  }

  /** Predictions have moved. */
  forget(): void {
    this.#kept.clear()
    this.#cells = 0
  }

  /** Undefined where no cube can tell, or it would be too large. */
  answer(request: JointHistogramRequest): Promise<Histogram> | undefined {
    const { levelCuts, levels, levelSigns, levelValues, outcome, pairs } = request
    if (outcome !== undefined && outcome.kind !== 'label') return undefined
    // Values and signs belong to levels of equal width.
    if (levelCuts !== undefined && (levelValues !== undefined || levelSigns !== undefined)) return undefined
    if (pairs.length === 0 || pairs.some(([a, b]) => a >= b)) return undefined
    const cube = this.#cube({
      fold: request.fold,
      levels: levelSigns?.length ?? levels,
      ...(levelCuts !== undefined && { levelCuts }),
    })
    return cube?.then(known => this.#derive(known, request))
  }

  #cube(question: CubeQuestion): Promise<Cube> | undefined {
    const key = `${question.fold}:${question.levels}:${question.levelCuts?.join() ?? ''}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const size = this.#cellCount * question.levels
    if (size > CUBE_CELLS) return undefined
    if (this.#cells + size > KEPT_CELLS) this.forget()
    const cube = this.#ask(question, this.#pairs)
    this.#kept.set(key, cube)
    this.#cells += size
    // What failed is asked for again.
    cube.catch(() => this.#kept.delete(key))
    return cube
  }

  #derive(
    { labels, levels: inner, predictions, weights }: Cube,
    { levels, levelSigns, levelValues, pairs }: JointHistogramRequest,
  ): Histogram {
    const sizes = pairs.map(([a, b]) => this.#coarseCounts[a] * this.#coarseCounts[b])
    const { offsets, size } = offsetsOf(sizes.map(cells => cells * levels))
    const [counts, residuals] = [new Float64Array(size), new Float64Array(size)]
    for (const [index, pair] of pairs.entries()) {
      const from = this.#places.get(String(pair))! * inner
      for (let at = 0; at < sizes[index] * inner; at++) {
        const [cell, level] = [Math.floor(at / inner), at % inner]
        const weight = weights[from + at]
        const predicted = levelValues === undefined ? predictions[from + at] : weight * levelValues[level]
        const residual = labels[from + at] - predicted
        const into = offsets[index] + (levels === inner ? at : cell)
        counts[into] += weight
        residuals[into] += levelSigns === undefined ? residual : levelSigns[level] * residual
      }
    }
    return { counts, residuals, offsets }
  }
}
