// Which columns of a wide table are looked at two at a time. All pairs of 300 columns have some hundred million sums; so as many columns
// as there is room for are taken, those first that have the most evidence of their own. The union bound still counts all pairs, so
// that having looked at the labels first costs nothing of what the p-values say; draws, which would have to choose anew each time, are
// left out.

import type { Noise } from '../../engine/engine.ts'
import { observedOf } from '../../engine/outcome.ts'
import { type Family, pairCells, sumFamily } from '../../oracle/groups/family.ts'
import { widthOf } from '../../oracle/groups/splitSums.ts'
import { costOfRanking, isAffordable } from './plan.ts'

/** Sums of pairs that are kept, at most: 400 MB. */
export const PAIR_CELLS = 3 * 2 ** 24

/** The family with all pairs, or with those of the columns that were chosen: there is room for them, and time. */
export async function screenFamily(
  family: Family,
  yardstick: Yardstick,
  { budget, mostCells = PAIR_CELLS }: { readonly budget: number; readonly mostCells?: number },
): Promise<ScreenedFamily> {
  const all = family.axes.map((_, axis) => axis)
  const fits = (places: readonly number[]) => pairCells(family, places) <= mostCells
  const isPayable = (places: readonly number[]) => isAffordable(costOfRanking(family, places), budget)
  if (family.depth === 1 || (fits(all) && isPayable(all))) return family
  const evidence = await evidenceOf(family, yardstick)
  const order = all.toSorted((a, b) => evidence[b] - evidence[a] || a - b)
  // Columns go in by their evidence as long as there is room; a wide one that does not fit leaves it to others.
  const paired: number[] = []
  for (const axis of order) if (fits([...paired, axis]) && isPayable([...paired, axis])) paired.push(axis)
  return { ...family, paired: paired.sort((a, b) => a - b), by: isPayable(all) ? 'memory' : 'budget' }
}

export interface ScreenedFamily extends Family {
  /** Why not all pairs are looked at; where the budget is too small, a larger one lets in more. */
  readonly by?: 'memory' | 'budget'
}

/** How noise is measured, and what a group has to have of it to count. */
interface Yardstick {
  readonly noise: Noise
  readonly shift: number
  readonly leastVariance: number
}

/** Of each column alone: the largest R^2 / V of either side of any split, at any level. */
async function evidenceOf(family: Family, { leastVariance, noise, shift }: Yardstick): Promise<number[]> {
  const single = { ...family, depth: 1 } as const
  const observed = (await sumFamily(single, observedOf(noise))).margins('residuals')
  const expected = (await sumFamily(single, { kind: 'variance', noise, shift })).margins('residuals')
  const width = widthOf(family.levels)
  const squareOf = (residual: number, variance: number) =>
    variance >= leastVariance ? residual ** 2 / variance : 0
  return family.axes.map((_, axis) => {
    const [residuals, variances] = [observed.axes[axis], expected.axes[axis]]
    let most = 0
    for (let at = 0; at < residuals.length; at++) {
      const level = at % width
      const no = squareOf(observed.all[level] - residuals[at], expected.all[level] - variances[at])
      most = Math.max(most, squareOf(residuals[at], variances[at]), no)
    }
    return most
  })
}
