// The heat map: groups of one condition against levels of the score. It shows at which scores a group is off.

import { fromUnits } from '../common/units.ts'
import { shorten } from './caps.ts'
import type { HeatCell, HeatMap } from './groupEvidence.ts'
import { type LevelSums, type Yardstick, zOf } from './groupSums.ts'

const MAX_ROWS = 40

const PLAIN = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
const LOW = [0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1]
const HIGH = LOW.map(edge => Number((1 - edge).toFixed(3))).reverse()

/** Levels to ask an engine for: every edge is one of theirs. */
export const FINE_LEVELS = 200
const RARE = 0.1

/** `rate`: the mean outcome. */
export function heatEdges(rate: number): readonly number[] {
  if (rate < RARE) return LOW
  return rate > 1 - RARE ? HIGH : PLAIN
}

/** Fine levels put together between the edges. */
export function mergeLevels(fine: LevelSums, edges: readonly number[]): LevelSums {
  const merge = (values: Float64Array) => {
    const merged = new Float64Array(edges.length - 1)
    let level = 0
    for (let index = 0; index < values.length; index++) {
      while (index >= Math.round(edges[level + 1] * FINE_LEVELS)) level++
      merged[level] += values[index]
    }
    return merged
  }
  const { labels, residuals, variances, weights } = fine
  return { labels, residuals: merge(residuals), variances: merge(variances), weights: merge(weights) }
}

interface HeatPart {
  readonly before: LevelSums
  readonly after?: LevelSums
}

interface Yardsticks {
  readonly before: Yardstick
  readonly after?: Yardstick
}

/** The rows with the most significant cells, in the order of the parts. */
export function heatMapOf(
  parts: readonly HeatPart[],
  edges: readonly number[],
  yardsticks: Yardsticks,
  leastVariance: number,
): HeatMap {
  const largest = (sums: LevelSums | undefined, yardstick: Yardstick | undefined) =>
    sums === undefined || yardstick === undefined
      ? 0
      : sums.variances.reduce((most, variance, level) => {
          if (variance < leastVariance) return most
          return Math.max(most, Math.abs(zOf(sums.residuals[level], variance, yardstick)))
        }, 0)
  const filled = [...parts.keys()].filter(part => parts[part].before.weights.some(weight => weight > 0))
  const z = parts.map(({ after, before }) =>
    Math.max(largest(before, yardsticks.before), largest(after, yardsticks.after)),
  )
  const kept = filled.toSorted((a, b) => z[b] - z[a] || a - b).slice(0, MAX_ROWS)
  return {
    edges,
    rows: kept
      .sort((a, b) => a - b)
      .map(part => {
        const { after, before } = parts[part]
        return {
          part,
          before: cellsOf(before, yardsticks.before, leastVariance),
          ...(after !== undefined && { after: cellsOf(after, yardsticks.after!, leastVariance) }),
        }
      }),
    leftOut: filled.length - kept.length,
  }
}

const cellsOf = (sums: LevelSums, yardstick: Yardstick, leastVariance: number): (HeatCell | null)[] =>
  Array.from(sums.weights, (weight, level) => {
    if (weight === 0) return null
    const [residual, variance] = [sums.residuals[level], sums.variances[level]]
    return {
      weight: weight / yardstick.perRow,
      gap: shorten(fromUnits(residual) / weight),
      z: variance < leastVariance ? 0 : shorten(zOf(residual, variance, yardstick)),
    }
  })
