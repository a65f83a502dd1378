// The true errors of a world over a class of auditors, by enumeration: every tree of depth 2 over the declared splits, or
// every declared group. Shares no code with the library's search.

import type { Predicate } from '../../packages/core/src/classes/auditors.ts'
import { levelOf, ONE } from '../../packages/core/src/common/units.ts'
import { membersOf } from './predicates.ts'
import { AGES, REGIONS, STEPS, type World } from './world.ts'

/** Shares of the population at each level: of rows, of labels of 1, of score. */
interface LevelSums {
  readonly rows: Float64Array
  readonly ones: Float64Array
  readonly scores: Float64Array
}

export interface ClassErrors {
  readonly multiaccuracy: number
  readonly swapRegret: number
}

export interface RoundedErrors {
  /** K1. */
  readonly multicalibration: number
  readonly levelSet: number
}

/** A class in a world: errors of the score as it is, and of the score rounded to a value for each level. */
export interface ClassTruth extends ClassErrors {
  rounded(values: readonly number[]): RoundedErrors
}

/** x <= cut with missing values on either side, each category, missing or not. */
export const SPLITS: readonly Predicate[] = [
  ...Array.from({ length: STEPS - 1 }, (_, cut) => ({ column: 'step', atMost: cut })),
  ...AGES.slice(0, -1).flatMap(cut => [
    { column: 'age', atMost: cut },
    { column: 'age', atMost: cut, orMissing: true },
  ]),
  { column: 'age', missing: true },
  ...REGIONS.map(region => ({ column: 'region', is: region })),
  { column: 'member', is: true },
]

function sumLevels({ bins, chance, score }: World, members: (row: number) => boolean): LevelSums {
  const [rows, ones, scores] = [new Float64Array(bins), new Float64Array(bins), new Float64Array(bins)]
  score.forEach((f, row) => {
    if (!members(row)) return
    const level = levelOf(f * ONE, bins)
    rows[level] += 1 / score.length
    ones[level] += chance[row] / score.length
    scores[level] += f / score.length
  })
  return { rows, ones, scores }
}

/** How far labels of 1 are from what is predicted, level by level: by the scores themselves, or by values in units. */
function residualsOf({ rows, ones, scores }: LevelSums, values?: readonly number[]): Float64Array {
  return ones.map((sum, level) => {
    return sum - (values === undefined ? scores[level] : (values[level] / ONE) * rows[level])
  })
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

const size = (values: Float64Array): number => values.reduce((sum, value) => sum + Math.abs(value), 0)

const minus = (a: LevelSums, b: LevelSums): LevelSums => ({
  rows: a.rows.map((value, level) => value - b.rows[level]),
  ones: a.ones.map((value, level) => value - b.ones[level]),
  scores: a.scores.map((value, level) => value - b.scores[level]),
})

/** One side of a root split: whole, and cut in two by every split. */
interface Side {
  readonly whole: LevelSums
  readonly halves: readonly (readonly [LevelSums, LevelSums])[]
}

export function treeTruth(world: World): ClassTruth {
  const roots = rootsOf(world)
  return {
    multiaccuracy: largest(roots, sides =>
      sumOver(sides, side => bestLeaves(side, leaf => Math.abs(total(residualsOf(leaf))))),
    ),
    swapRegret: Array.from({ length: world.bins }, (_, level) =>
      largest(roots, sides => sumOver(sides, side => bestLeaves(side, leaf => gainAt(leaf, level)))),
    ).reduce((sum, gain) => sum + gain, 0),
    rounded: values => ({
      multicalibration: largest(roots, sides => worstSigns(sides, values)),
      levelSet: largest(roots, sides =>
        sumOver(sides, side => bestLeaves(side, leaf => size(residualsOf(leaf, values)))),
      ),
    }),
  }
}

/** Both sides of every split. A split that parts nobody is among the halves, so smaller trees are there too. */
function rootsOf(world: World): (readonly [Side, Side])[] {
  const sets = SPLITS.map(split => membersOf(world.features, [split]))
  const all = sumLevels(world, () => true)
  const alone = sets.map(set => sumLevels(world, row => set[row] === 1))
  return sets.map((root, index) => {
    const yes = alone[index]
    const no = minus(all, yes)
    const inside = sets.map(set => sumLevels(world, row => root[row] === 1 && set[row] === 1))
    const outside = inside.map((both, other) => minus(alone[other], both))
    return [
      { whole: yes, halves: inside.map(half => [half, minus(yes, half)]) },
      { whole: no, halves: outside.map(half => [half, minus(no, half)]) },
    ]
  })
}

type Root = readonly [Side, Side]

const largest = (roots: readonly Root[], errorOf: (root: Root) => number): number =>
  roots.reduce((most, root) => Math.max(most, errorOf(root)), 0)

const sumOver = (sides: Root, errorOf: (side: Side) => number): number =>
  errorOf(sides[0]) + errorOf(sides[1])

const bestLeaves = ({ halves, whole }: Side, errorOf: (leaf: LevelSums) => number): number =>
  halves.reduce((most, [a, b]) => Math.max(most, errorOf(a) + errorOf(b)), errorOf(whole))

/** What the squared loss at a level loses when a leaf's rows get what they should. */
const gainAt = (leaf: LevelSums, level: number): number =>
  leaf.rows[level] > 1e-12 ? (leaf.ones[level] - leaf.scores[level]) ** 2 / leaf.rows[level] : 0

/** K1 of the worst tree on a root: leaves of a side have the same sign or opposite ones, and so have the sides. */
function worstSigns(sides: Root, values: readonly number[]): number {
  const [yes, no] = sides.map(({ halves, whole }) => [
    residualsOf(whole, values),
    ...halves.map(([a, b]) => {
      const other = residualsOf(b, values)
      return residualsOf(a, values).map((residual, level) => residual - other[level])
    }),
  ])
  return largestNorm(yes, no)
}

/** Of all sums and differences of one vector of each list, the largest sum of absolute values. */
export function largestNorm(
  ones: readonly ArrayLike<number>[],
  others: readonly ArrayLike<number>[],
): number {
  let most = 0
  for (const a of ones) {
    for (const b of others) {
      let [together, apart] = [0, 0]
      for (let level = 0; level < a.length; level++) {
        together += Math.abs(a[level] + b[level])
        apart += Math.abs(a[level] - b[level])
      }
      most = Math.max(most, together, apart)
    }
  }
  return most
}

/** Groups are functions of 0 and 1; their level sets are the group and everyone else. */
export function groupTruth(world: World, groups: readonly (readonly Predicate[])[]): ClassTruth {
  const all = sumLevels(world, () => true)
  const insides = groups.map(where => {
    const members = membersOf(world.features, where)
    return sumLevels(world, row => members[row] === 1)
  })
  const most = (errorOf: (inside: LevelSums) => number) => Math.max(...insides.map(errorOf))
  return {
    multiaccuracy: most(inside => Math.abs(total(residualsOf(inside)))),
    swapRegret: Array.from({ length: world.bins }, (_, level) =>
      most(inside => gainAt(inside, level)),
    ).reduce((sum, gain) => sum + gain, 0),
    rounded: values => ({
      multicalibration: most(inside => size(residualsOf(inside, values))),
      levelSet: most(
        inside => size(residualsOf(inside, values)) + size(residualsOf(minus(all, inside), values)),
      ),
    }),
  }
}
