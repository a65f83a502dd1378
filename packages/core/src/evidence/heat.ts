// The heat map: groups of one condition against levels of the score. It shows at which scores a group is off.

import { fromUnits } from '../common/units.ts'
import { shorten } from './caps.ts'
import type { HeatCell, HeatMap } from './evidence.ts'
import { type LevelSums, type Yardstick, zOf } from './groupSums.ts'

const MOST_ROWS = 40

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
  const kept = filled.toSorted((a, b) => z[b] - z[a] || a - b).slice(0, MOST_ROWS)
  return {
    levels: parts[0].before.weights.length,
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
      weight,
      gap: shorten(fromUnits(residual) / weight),
      z: variance < leastVariance ? 0 : shorten(zOf(residual, variance, yardstick)),
    }
  })
