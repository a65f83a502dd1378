// The true errors of a predictor over all trees of depth 2, by enumeration over the points of a population; and the true gap of a
// group. Shares no code with the library's search.

import type { Predicate } from '../../../packages/core/src/classes/auditors.ts'
import { largestNorm } from '../classTruth.ts'
import type { Population } from './population.ts'

export interface TrueErrors {
  /** K1. */
  readonly multicalibration: number
  readonly levelSet: number
}

/** Mean of truth - value at each value, the rest of the points counted as 0. */
type LevelSums = Float64Array

/** One side of a split: whole, and in the two parts that each split makes of it. */
interface Side {
  readonly whole: LevelSums
  readonly parts: readonly (readonly [LevelSums, LevelSums])[]
}

/** `values`: what is predicted for each point; points of one value are a level. */
export function trueErrors({ members, splits, truth }: Population, values: Float64Array): TrueErrors {
  const levels = [...new Set(values)]
  const levelOf = Uint32Array.from(values, value => levels.indexOf(value))
  const residual = values.map((value, point) => (truth[point] - value) / values.length)
  const sets = splits.map(split => members(split))
  const sumOver = (one: Uint8Array, other: Uint8Array): LevelSums => {
    const sums = new Float64Array(levels.length)
    for (let point = 0; point < residual.length; point++)
      if ((one[point] & other[point]) === 1) sums[levelOf[point]] += residual[point]
    return sums
  }
  const everyone = new Uint8Array(residual.length).fill(1)
  const all = sumOver(everyone, everyone)
  const both = sets.map((one, index) => sets.slice(0, index + 1).map(other => sumOver(one, other)))
  const within = (a: number, b: number) => (a >= b ? both[a][b] : both[b][a])
  let [multicalibration, levelSet] = [sizeOf(all), sizeOf(all)]
  for (let root = 0; root < sets.length; root++) {
    const yes = within(root, root)
    const no = minus(all, yes)
    const parts = sets.map((_, split) => [within(root, split), minus(yes, within(root, split))] as const)
    const others = parts.map(([inside], split) => {
      const outside = minus(within(split, split), inside)
      return [outside, minus(no, outside)] as const
    })
    const sides = [
      { whole: yes, parts },
      { whole: no, parts: others },
    ] as const
    multicalibration = Math.max(multicalibration, worstSigns(...sides))
    levelSet = Math.max(levelSet, finest(sides[0]) + finest(sides[1]))
  }
  return { multicalibration, levelSet }
}

const minus = (a: LevelSums, b: LevelSums): LevelSums => a.map((sum, level) => sum - b[level])
const sizeOf = (sums: LevelSums): number => sums.reduce((size, sum) => size + Math.abs(sum), 0)

/** Each cell with the sign of its own sum. */
const finest = ({ parts, whole }: Side): number =>
  parts.reduce((most, [a, b]) => Math.max(most, sizeOf(a) + sizeOf(b)), sizeOf(whole))

/** Leaves of a side have one sign or opposite ones, and so have the sides. */
function worstSigns(yes: Side, no: Side): number {
  const signed = ({ parts, whole }: Side) => [whole, ...parts.map(([a, b]) => minus(a, b))]
  return largestNorm(signed(yes), signed(no))
}

/** Mean label less mean score of a group, at scores from (included) to (excluded, but for 1). */
export function trueGap(
  { members, score, truth }: Population,
  where: readonly Predicate[],
  scores: { readonly from: number; readonly to: number } | undefined,
): number {
  const sets = where.map(condition => members(condition))
  const isAt = (value: number) =>
    scores === undefined || (value >= scores.from && (value < scores.to || scores.to === 1))
  let [sum, count] = [0, 0]
  for (let point = 0; point < score.length; point++) {
    if (!isAt(score[point]) || sets.some(set => set[point] === 0)) continue
    sum += truth[point] - score[point]
    count++
  }
  return sum / count
}
