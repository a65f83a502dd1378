// What a search over groups goes through: everyone, every split, and every quadrant of two splits; each at every level of
// the predictions and at all of them together. Sums of one quantity over all of that come from one walk over the pairs.

import { declaredSteps, type SplitStep } from '../../classes/splits.ts'
import type { Engine, Outcome } from '../../engine/engine.ts'
import { coarseMap, type FeatureSchema } from '../../quantize/schema.ts'
import { ROOT } from '../../update/update.ts'
import { jointPairs } from '../pairs.ts'
import { flattenSteps } from '../scan.ts'
import { type Axis, sumAll, sumAxis, sumDiagonal, sumPair, widthOf } from './splitSums.ts'

export interface Family {
  readonly engine: Engine
  readonly fold: number
  readonly levels: number
  /** Where levels end; absent: they have equal widths. */
  readonly levelCuts?: Int32Array
  readonly axes: readonly Axis[]
  readonly depth: 1 | 2
  /** Places of the axes that are looked at two at a time, ascending. Absent: all of them. */
  readonly paired?: readonly number[]
}

/** The axes that are looked at two at a time. */
export const pairedAxes = ({ axes, depth, paired }: Family): readonly number[] =>
  depth === 1 ? [] : (paired ?? axes.map((_, axis) => axis))

/** Sums that all pairs of these axes have together. */
export function pairCells({ axes, levels }: Family, places: readonly number[]): number {
  const splits = places.map(place => axes[place].steps.splits.length)
  const sum = splits.reduce((total, count) => total + count, 0)
  const squares = splits.reduce((total, count) => total + count * count, 0)
  return ((sum * sum + squares) / 2) * widthOf(levels)
}

/**
 * Leaves out splits that part the rows as an earlier one does, such as "= false" after "= true", and those with less than
 * `leastWeight` on either side; their steps stay, because later ones build on them.
 */
function withoutTwins(steps: readonly SplitStep[], counts: Float64Array, leastWeight: number): SplitStep[] {
  const occupied = counts.reduce((set, count, bin) => (count > 0 ? set | (1n << BigInt(bin)) : set), 0n)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const seen = new Set([0n, occupied])
  let [running, weight] = [0n, 0]
  return steps.map(({ bin, reset, split }) => {
    running = ((reset ? 0n : running) | (1n << BigInt(bin))) & occupied
    weight = (reset ? 0 : weight) + counts[bin]
    if (split === undefined || seen.has(running) || seen.has(occupied ^ running)) return { bin, reset }
    if (Math.min(weight, total - weight) < leastWeight) return { bin, reset }
    seen.add(running)
    return { bin, reset, split }
  })
}

/** One quantity, summed over everyone and over the yes side of every split. */
export interface MarginSums {
  readonly all: Float64Array
  /** Per axis, at [split * width + level]. */
  readonly axes: readonly Float64Array[]
}

/** Two splits, of different axes or of one. */
export interface PairSums {
  readonly a: number
  readonly b: number
  /** At [(splitA * splitsB + splitB) * width + level]. */
  sums(quantity: Quantity): Float64Array
}

/** The two sums that an engine gives of an outcome. */
type Quantity = 'counts' | 'residuals'

export async function openFamily(
  engine: Engine,
  options: {
    fold: number
    levels: number
    levelCuts?: Int32Array
    depth: 1 | 2
    schemas: readonly FeatureSchema[]
    features: readonly number[]
    /** What either side of a split has to weigh; default: no more than nothing. */
    leastWeight?: number
  },
): Promise<Family> {
  const { depth, features, fold, leastWeight = 0, levelCuts, levels, schemas } = options
  const request = { fold, levels: 1, tree: ROOT, features, resolution: 'coarse' } as const
  const { counts, offsets } = await engine.histogram(request)
  const axes = features.map((feature, index): Axis => {
    const bins = engine.shape.coarseCounts[feature]
    const own = counts.subarray(offsets[index], offsets[index] + bins)
    const steps = declaredSteps(schemas[feature], feature, own[bins - 1] > 0)
    const coarse = coarseMap(schemas[feature])
    const used = Math.max(1, own.findLastIndex(count => count > 0) + 1)
    return { feature, bins, used, coarse, steps: flattenSteps(withoutTwins(steps, own, leastWeight)) }
  })
  return { engine, fold, levels, axes, depth, ...(levelCuts !== undefined && { levelCuts }) }
}

export interface FamilySums {
  margins(quantity: Quantity): MarginSums
  /** Pairs in a fixed order, each axis with itself first. None at depth 1. */
  pairs(): AsyncIterable<PairSums>
}

export async function sumFamily(family: Family, outcome: Outcome): Promise<FamilySums> {
  const { axes, engine, fold, levelCuts, levels } = family
  const features = axes.map(axis => axis.feature)
  const question = { fold, levels, outcome, ...(levelCuts !== undefined && { levelCuts }) }
  const histogram = await engine.histogram({ ...question, tree: ROOT, features, resolution: 'coarse' })
  const cellsOf = (quantity: Quantity, index: number) => {
    const from = histogram.offsets[index]
    return histogram[quantity].subarray(from, from + axes[index].bins * levels)
  }
  return {
    margins: quantity => ({
      all: sumAll(cellsOf(quantity, 0), levels),
      axes: axes.map((axis, index) => sumAxis(axis, cellsOf(quantity, index), levels)),
    }),
    async *pairs() {
      const paired = pairedAxes(family)
      for (const a of paired) {
        yield { a, b: a, sums: quantity => sumDiagonal(axes[a], cellsOf(quantity, a), levels) }
      }
      const some = paired.map(axis => features[axis])
      for await (const { a: first, b: second, cells } of jointPairs(engine, some, question)) {
        const [a, b] = [paired[first], paired[second]]
        yield { a, b, sums: quantity => sumPair(axes[a], axes[b], cells[quantity], levels) }
      }
    },
  }
}
