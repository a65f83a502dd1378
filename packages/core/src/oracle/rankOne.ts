// The best factorized move on a fixed partition: values v_l * t_S, one factor per leaf and one per prediction
// level. Weighted rank-one fits have no closed form, so closed forms for v and t alternate from several starts.

/** Cells at [leaf * levels + level], as engines give them. */
export interface CellTable {
  readonly counts: ArrayLike<number>
  readonly residuals: ArrayLike<number>
  readonly leaves: number
  readonly levels: number
}

export interface RankOneFit {
  readonly leafFactors: Float64Array
  readonly levelFactors: Float64Array
  /** The drop of the sum of squares. */
  readonly drop: number
}

const MAX_ROUNDS = 500
const RELATIVE_CHANGE = 1e-13

/** `signed` restricts the level factors to +-1 (Definition 5.3); otherwise they are any real numbers. */
export function fitRankOne(cells: CellTable, signed: boolean): RankOneFit {
  let best: RankOneFit | undefined
  for (const start of startingLeafFactors(cells.leaves)) {
    const fit = signed ? alternateSigned(cells, start) : alternateWeighted(cells, start)
    if (best === undefined || fit.drop > best.drop) best = fit
  }
  return best!
}

/** All sign patterns up to a common sign (at most 2^7), and every leaf alone. */
function startingLeafFactors(leaves: number): Float64Array[] {
  const patterns = 2 ** Math.min(leaves - 1, 7)
  const starts = Array.from({ length: patterns }, (_, pattern) =>
    Float64Array.from({ length: leaves }, (_, leaf) =>
      leaf > 0 && (pattern >> ((leaf - 1) % 7)) & 1 ? -1 : 1,
    ),
  )
  for (let alone = 0; leaves > 1 && alone < leaves; alone++) {
    starts.push(Float64Array.from({ length: leaves }, (_, leaf) => (leaf === alone ? 1 : 0)))
  }
  return starts
}

function alternateWeighted(cells: CellTable, start: Float64Array): RankOneFit {
  let leafFactors = start
  let levelFactors = new Float64Array(cells.levels)
  let drop = 0
  for (let round = 0; round < MAX_ROUNDS; round++) {
    levelFactors = bestLevelFactors(cells, leafFactors)
    leafFactors = bestLeafFactors(cells, levelFactors)
    const reached = dropOf(cells, leafFactors, levelFactors)
    const settled = reached <= drop * (1 + RELATIVE_CHANGE)
    drop = reached
    if (settled) break
  }
  return { leafFactors, levelFactors, drop }
}

function alternateSigned(cells: CellTable, start: Float64Array): RankOneFit {
  let leafFactors = start
  let levelFactors = new Float64Array(cells.levels)
  let drop = -1
  for (let round = 0; round < MAX_ROUNDS; round++) {
    levelFactors = bestLevelFactors(cells, leafFactors).map(factor => (factor < 0 ? -1 : 1))
    leafFactors = bestLeafFactors(cells, levelFactors)
    const reached = dropOf(cells, leafFactors, levelFactors)
    if (reached <= drop) break
    drop = reached
  }
  return { leafFactors, levelFactors, drop: dropOf(cells, leafFactors, levelFactors) }
}

function bestLevelFactors(cells: CellTable, leafFactors: Float64Array): Float64Array<ArrayBuffer> {
  const { counts, residuals, leaves, levels } = cells
  return Float64Array.from({ length: levels }, (_, level) => {
    let [numerator, denominator] = [0, 0]
    for (let leaf = 0; leaf < leaves; leaf++) {
      numerator += leafFactors[leaf] * residuals[leaf * levels + level]
      denominator += leafFactors[leaf] ** 2 * counts[leaf * levels + level]
    }
    return denominator > 0 ? numerator / denominator : 0
  })
}

/** The closed form for the leaf factors when the level factors are fixed. */
export function bestLeafFactors(cells: CellTable, levelFactors: Float64Array): Float64Array<ArrayBuffer> {
  const { counts, residuals, leaves, levels } = cells
  return Float64Array.from({ length: leaves }, (_, leaf) => {
    let [numerator, denominator] = [0, 0]
    for (let level = 0; level < levels; level++) {
      numerator += levelFactors[level] * residuals[leaf * levels + level]
      denominator += levelFactors[level] ** 2 * counts[leaf * levels + level]
    }
    return denominator > 0 ? numerator / denominator : 0
  })
}

/** sum over cells of 2 R v t - N v^2 t^2. */
function dropOf(cells: CellTable, leafFactors: Float64Array, levelFactors: Float64Array): number {
  const { counts, residuals, leaves, levels } = cells
  let drop = 0
  for (let leaf = 0; leaf < leaves; leaf++) {
    for (let level = 0; level < levels; level++) {
      const cell = leaf * levels + level
      const move = leafFactors[leaf] * levelFactors[level]
      drop += move * (2 * residuals[cell] - counts[cell] * move)
    }
  }
  return drop
}
