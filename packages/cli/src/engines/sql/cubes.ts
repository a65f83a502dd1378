// Joint histograms that are kept while predictions do not move. A search asks for one pair of features after the other, and a certificate
// searches several times; a database would read all rows each time. So all pairs are counted together, level by level, with three sums in
// each cell: weight, weight times label and weight times prediction. What is asked about values and signs of levels, about fewer levels, or
// about one feature, follows from these.

import {
  type Histogram,
  type HistogramRequest,
  type JointHistogramRequest,
  offsetsOf,
} from '@featureboost/core/internal'
import { type LabelSums, residualIn } from './labelSums.ts'

/** Sums of all pairs a < b of the features, at [offset of the pair + (binA * binsB + binB) * levels + level]. */
export interface Cube extends LabelSums {
  readonly levels: number
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
  #kept = new Map<string, KeptCube>()
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
    const { pairs } = request
    if (!isOfLabels(request) || pairs.length === 0 || pairs.some(([a, b]) => a >= b)) return undefined
    const question = questionOf(request)
    const cube = this.#known(question) ?? this.#count(question)
    return cube?.then(known => this.#joint(known, request))
  }

  /** Of all rows in coarse bins, where a cube is there; undefined where it is not. */
  answerSingles(request: HistogramRequest): Promise<Histogram> | undefined {
    if (!isOfLabels(request) || this.#coarseCounts.length < 2) return undefined
    return this.#known(questionOf(request))?.then(known => this.#singles(known, request))
  }

  /** The same levels, or more of equal width that these are made of. */
  #known(question: CubeQuestion): Promise<Cube> | undefined {
    const same = this.#kept.get(keyOf(question))
    if (same !== undefined || question.levelCuts !== undefined) return same?.cube
    for (const { cube, question: kept } of this.#kept.values())
      if (kept.levelCuts === undefined && kept.fold === question.fold && kept.levels % question.levels === 0)
        return cube
    return undefined
  }

  #count(question: CubeQuestion): Promise<Cube> | undefined {
    const size = this.#cellCount * question.levels
    if (size > CUBE_CELLS) return undefined
    if (this.#cells + size > KEPT_CELLS) this.forget()
    const cube = this.#ask(question, this.#pairs)
    const key = keyOf(question)
    this.#kept.set(key, { question, cube })
    this.#cells += size
    // What failed is asked for again.
    cube.catch(() => this.#kept.delete(key))
    return cube
  }

  #joint(cube: Cube, request: JointHistogramRequest): Histogram {
    const { levels, pairs } = request
    const sizes = pairs.map(([a, b]) => this.#coarseCounts[a] * this.#coarseCounts[b])
    const { offsets, size } = offsetsOf(sizes.map(cells => cells * levels))
    const into = { counts: new Float64Array(size), residuals: new Float64Array(size), offsets }
    for (const [index, pair] of pairs.entries()) {
      const from = this.#places.get(String(pair))! * cube.levels
      for (let cell = 0; cell < sizes[index]; cell++)
        addLevels(into, offsets[index] + cell * levels, cube, from + cell * cube.levels, request)
    }
    return into
  }

  /** A feature's bins, summed up over those of another. */
  #singles(cube: Cube, request: HistogramRequest): Histogram {
    const { features, levels } = request
    const counts = this.#coarseCounts
    const { offsets, size } = offsetsOf(features.map(feature => counts[feature] * levels))
    const into = { counts: new Float64Array(size), residuals: new Float64Array(size), offsets }
    for (const [index, feature] of features.entries()) {
      const isFirst = feature + 1 < counts.length
      const [a, b] = isFirst ? [feature, feature + 1] : [feature - 1, feature]
      const from = this.#places.get(`${a},${b}`)! * cube.levels
      for (let cell = 0; cell < counts[a] * counts[b]; cell++) {
        const bin = isFirst ? Math.floor(cell / counts[b]) : cell % counts[b]
        addLevels(into, offsets[index] + bin * levels, cube, from + cell * cube.levels, request)
      }
    }
    return into
  }
}

interface KeptCube {
  readonly question: CubeQuestion
  readonly cube: Promise<Cube>
}

type Levelled = Pick<
  JointHistogramRequest,
  'fold' | 'levels' | 'levelCuts' | 'levelSigns' | 'levelValues' | 'outcome'
>

/** Values and signs belong to levels of equal width. */
const isOfLabels = ({ levelCuts, levelSigns, levelValues, outcome }: Levelled): boolean =>
  (outcome === undefined || outcome.kind === 'label') &&
  (levelCuts === undefined || (levelValues === undefined && levelSigns === undefined))

const questionOf = ({ fold, levelCuts, levelSigns, levels }: Levelled): CubeQuestion => ({
  fold,
  levels: levelSigns?.length ?? levels,
  ...(levelCuts !== undefined && { levelCuts }),
})

const keyOf = ({ fold, levelCuts, levels }: CubeQuestion): string =>
  `${fold}:${levels}:${levelCuts?.join() ?? ''}`

/** Adds a cell of a cube, all its levels, to one that begins at `to`. */
function addLevels(
  { counts, residuals }: Histogram,
  to: number,
  cube: Cube,
  from: number,
  { levels, levelSigns, levelValues }: Levelled,
): void {
  const merge = cube.levels / (levelSigns?.length ?? levels)
  for (let at = 0; at < cube.levels; at++) {
    const level = Math.floor(at / merge)
    const residual = residualIn(cube, from + at, levelValues?.[level])
    const into = levelSigns === undefined ? to + level : to
    counts[into] += cube.weights[from + at]
    residuals[into] += levelSigns === undefined ? residual : levelSigns[level] * residual
  }
}
