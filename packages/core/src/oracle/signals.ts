// Oracles for real-valued auditors: each function alone in closed form, or the span of linear terms by least
// squares, level by level where the factors have levels.

import type { FactorKind } from '../classes/factors.ts'
import { splitSumValue } from '../common/units.ts'
import type { Engine, LevelMoments } from '../engine/engine.ts'
import type { LinearUpdate } from '../update/update.ts'
import { dot, multiply, solveSymmetric } from './linearAlgebra.ts'
import type { Oracle, Proposal } from './oracle.ts'

/** Second moments of one level as means over the whole fold: E[b b' 1_S] and E[b (y - f) 1_S]. */
export interface LevelStatistics {
  readonly gram: Float64Array
  readonly cross: Float64Array
}

export async function signalStatistics(
  engine: Engine,
  fold: number,
  levels: number,
  signals: readonly number[],
  levelValues?: Int32Array,
): Promise<LevelStatistics[]> {
  const rounded = levelValues === undefined ? {} : { levelValues }
  const moments = await engine.moments({ fold, levels, signals, ...rounded })
  const weight = moments.reduce((total, level) => total + level.count, 0)
  return moments.map((level: LevelMoments) => ({
    gram: Float64Array.from(level.gram, sum => splitSumValue(sum) / weight),
    cross: Float64Array.from(level.cross, sum => splitSumValue(sum) / weight),
  }))
}

/** One coefficient vector per level, and what it gains. */
interface LevelFit {
  readonly coefficients: readonly Float64Array[]
  readonly gain: number
}

/** A finite set of functions: the best function, its best level factors, in closed form. */
export function functionOracle(signals: readonly number[], factors: FactorKind, levels: number): Oracle {
  return {
    kind: 'closed form',
    async propose(engine, fold) {
      const statistics = await signalStatistics(engine, fold, levels, signals)
      const fits = signals.map((_, index) => fitLevels(oneSignal(statistics, index, signals.length), factors))
      let best = 0
      fits.forEach((fit, index) => {
        if (fit.gain > fits[best].gain) best = index
      })
      return proposal([signals[best]], levels, fits[best], 0)
    },
  }
}

function oneSignal(statistics: readonly LevelStatistics[], index: number, size: number): LevelStatistics[] {
  return statistics.map(level => ({
    gram: level.gram.slice(index * size + index, index * size + index + 1),
    cross: level.cross.slice(index, index + 1),
  }))
}

/** Linear functions: least squares. Rank-one moves alternate, and their slack is measured against the table. */
export function leastSquaresOracle(signals: readonly number[], factors: FactorKind, levels: number): Oracle {
  const rankOne = factors === 'signed' || factors === 'weighted'
  return {
    kind: rankOne ? 'rank one' : 'least squares',
    async propose(engine, fold) {
      const statistics = await signalStatistics(engine, fold, levels, signals)
      const fit = fitLevels(statistics, factors)
      const slack = rankOne ? Math.max(0, fitLevels(statistics, 'table').gain - fit.gain) : 0
      return proposal(signals, levels, fit, slack)
    },
  }
}

function proposal(signals: readonly number[], levels: number, fit: LevelFit, slack: number): Proposal {
  const coefficients = fit.coefficients.flatMap(vector => Array.from(vector))
  const update: LinearUpdate = { kind: 'linear', signals, levels, coefficients }
  return { update, gain: fit.gain, slack }
}

/** The best coefficients per level for each kind of factors; a constant is one level (choose.ts asks for one). */
export function fitLevels(statistics: readonly LevelStatistics[], factors: FactorKind): LevelFit {
  const alone = statistics.map(level => solveLevel(level))
  if (factors === 'signed') return fitSigned(statistics, alone)
  if (factors === 'weighted' && alone[0].coefficients.length > 1) return fitWeighted(statistics, alone)
  if (factors !== 'intervals') return joinLevels(alone)
  const best = alone.reduce((a, b) => (b.gain > a.gain ? b : a))
  return joinLevels(alone.map(level => (level === best ? level : nothing(level))))
}

interface OneLevel {
  readonly coefficients: Float64Array
  readonly gain: number
}

function solveLevel({ gram, cross }: LevelStatistics): OneLevel {
  const coefficients = solveSymmetric(gram, cross)
  return {
    coefficients,
    gain: 2 * dot(coefficients, cross) - dot(coefficients, multiply(gram, coefficients)),
  }
}

const nothing = (level: OneLevel): OneLevel => ({ coefficients: level.coefficients.map(() => 0), gain: 0 })

const joinLevels = (levels: readonly OneLevel[]): LevelFit => ({
  coefficients: levels.map(level => level.coefficients),
  gain: levels.reduce((sum, level) => sum + level.gain, 0),
})

/** Given level factors t, the best common coefficients: (sum t^2 G) b = sum t c. */
function solveCommon(statistics: readonly LevelStatistics[], factors: readonly number[]): OneLevel {
  const gram = new Float64Array(statistics[0].gram.length)
  const cross = new Float64Array(statistics[0].cross.length)
  statistics.forEach((level, index) => {
    for (let i = 0; i < gram.length; i++) gram[i] += factors[index] ** 2 * level.gram[i]
    for (let i = 0; i < cross.length; i++) cross[i] += factors[index] * level.cross[i]
  })
  return solveLevel({ gram, cross })
}

function fitSigned(statistics: readonly LevelStatistics[], alone: readonly OneLevel[]): LevelFit {
  const signs = (vector: Float64Array) => statistics.map(level => (dot(vector, level.cross) < 0 ? -1 : 1))
  return climb(statistics, alone, signs)
}

function fitWeighted(statistics: readonly LevelStatistics[], alone: readonly OneLevel[]): LevelFit {
  return climb(statistics, alone, vector =>
    statistics.map(level => {
      const variance = dot(vector, multiply(level.gram, vector))
      return variance > 0 ? dot(vector, level.cross) / variance : 0
    }),
  )
}

/** A best fit that is only a limit (one level's share of the move going to zero) is neared ever more slowly. */
const MAX_ROUNDS = 200

/** Alternates common coefficients and level factors, from the fit of all levels and of each level alone. */
function climb(
  statistics: readonly LevelStatistics[],
  alone: readonly OneLevel[],
  factorsFor: (vector: Float64Array) => number[],
): LevelFit {
  const ones = statistics.map(() => 1)
  let best: LevelFit = { coefficients: [], gain: -1 }
  for (const start of [solveCommon(statistics, ones), ...alone]) {
    let vector = start.coefficients
    let reached = -1
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const factors = factorsFor(vector)
      const common = solveCommon(statistics, factors)
      if (common.gain <= reached * (1 + 1e-12)) break
      reached = common.gain
      vector = common.coefficients
      const coefficients = factors.map(factor => vector.map(value => value * factor))
      if (reached > best.gain) best = { coefficients, gain: reached }
    }
  }
  return best
}
