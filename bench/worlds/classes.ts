// The classes of auditors that worlds are judged by, fixed before any row is drawn: an encoding that knows every value of
// the population, the score rounded to the population's mean score of each level, and the true errors of each class.

import { type Auditors, groups, type Predicate, trees } from '../../packages/core/src/classes/auditors.ts'
import { type CompiledClass, compileAuditors } from '../../packages/core/src/classes/compile.ts'
import { levelOf, ONE } from '../../packages/core/src/common/units.ts'
import { openRows } from '../../packages/core/src/data/openRows.ts'
import type { Encoding } from '../../packages/core/src/quantize/encoding.ts'
import type { Rounding } from '../../packages/core/src/round/discretize.ts'
import { learnEncoding } from '../../packages/core/src/store/encode.ts'
import { type ClassTruth, groupTruth, type RoundedErrors, treeTruth } from './classTruth.ts'
import { populationTable, ROLES } from './draw.ts'
import { REGIONS, type World } from './world.ts'

/** Everyone is always the first group of a class. */
export const GROUPS: readonly (readonly Predicate[])[] = [
  ...REGIONS.map((region): Predicate[] => [{ column: 'region', is: region }]),
  [{ column: 'member', is: true }],
  [{ column: 'step', atMost: 1 }],
  [{ column: 'age', missing: true }],
  [
    { column: 'age', above: 35 },
    { column: 'member', is: false },
  ],
]

export const TREES = trees({ depth: 2 })
export const DECLARED = groups(GROUPS)

export interface WorldClass {
  readonly name: 'trees' | 'groups' | 'everyone'
  readonly compiled: CompiledClass
  readonly rounding: Rounding
  readonly truth: ClassTruth
  /** Of the score rounded so. */
  readonly errors: RoundedErrors
}

export interface WorldClasses {
  readonly encoding: Encoding
  readonly classes: readonly WorldClass[]
}

/** Everyone alone, in a single level, is the smallest class there is: its bound has the least slack. */
export async function makeClasses(world: World): Promise<WorldClasses> {
  const opened = await openRows(populationTable(world), ROLES)
  const encoding = learnEncoding(opened.learnable, DECLARED, { bins: 255, coarseBins: 32, rare: 0 })
  const one = { ...world, bins: 1 }
  const make = (name: WorldClass['name'], auditors: Auditors, { bins, score }: World, truth: ClassTruth) => {
    const rounding = roundScores(score, bins)
    const compiled = compileAuditors(auditors, 'table', encoding)
    return { name, compiled, rounding, truth, errors: truth.rounded(rounding.values) }
  }
  return {
    encoding,
    classes: [
      make('trees', TREES, world, treeTruth(world)),
      make('groups', DECLARED, world, groupTruth(world, [[], ...GROUPS])),
      make('everyone', groups([]), one, groupTruth(one, [[]])),
    ],
  }
}

/** The mean score of each level in units; the middle of a level that nobody is in. */
export function roundScores(scores: Float64Array, bins: number): Rounding {
  const [counts, sums] = [new Float64Array(bins), new Float64Array(bins)]
  for (const score of scores) {
    const level = levelOf(score * ONE, bins)
    counts[level]++
    sums[level] += score * ONE
  }
  const values = Array.from(counts, (count, level) =>
    count > 0 ? Math.round(sums[level] / count) : Math.floor(((level + 0.5) / bins) * ONE),
  )
  return { bins, values }
}
