// Regret: how much less a rule would cost that sees the score and the groups. A rule belongs to one auditor, a tree or a group and its
// rest, and may take any action in every leaf at every level of the score. THEORY section 9 bounds what the best of them saves by the
// level-set error, and says why the search below is exact.
//
// With one threshold a cell (a leaf at a level) saves max(0, T), where T is, up to its sign and the weight of the threshold, the sum
// of label less threshold: (|T| + T)/2. The sum of T over the leaves of a level is the same for every tree, so the best tree is the
// one with the largest sum of |T|, which the exhaustive search of the level-set error finds when every level is given the threshold as
// its value. With more thresholds the savings add up over them, tree by tree: each is searched alone.

import type { CompiledClass } from '../classes/compile.ts'
import { describeLeaves } from '../classes/describe.ts'
import { fromUnits, ONE, toUnits } from '../common/units.ts'
import { type Engine, FIT, type LevelSums } from '../engine/engine.ts'
import { levelSetError } from '../measures/class/levelSet.ts'
import { searchTrees } from '../oracle/search.ts'
import type { Rounding } from '../round/discretize.ts'
import { leafCount, ROOT, type Tree } from '../update/update.ts'
import { type Levels, levelCount, levelRange } from './levels.ts'
import { type DecisionLoss, slopeOf } from './losses.ts'

/** Where the best rule does something else. */
export interface Deviation {
  readonly group: string
  readonly scores: { readonly from: number; readonly to: number }
  readonly taken: string
  readonly better: string
  /** Its share of the rows, by weight. */
  readonly share: number
  readonly meanLabel: number
  /** Its part of the regret: saved per row of all rows. */
  readonly saves: number
}

export interface Regret {
  /** What the best rule found would save, per row. */
  readonly value: number
  /** No rule of the class saves more than this. */
  readonly atMost: number
  /** Where that rule deviates, the largest saving first. */
  readonly deviations: readonly Deviation[]
  /** What the multicalibration of the score alone says that no rule saves more than, on these rows. */
  readonly bound: number
  /** The level-set error of the score at these levels, which the bound comes from. */
  readonly levelSet: number
  /** The mean regret where outcomes are drawn from the score itself: what a perfect score would show on so many rows. */
  readonly byChance?: number
}

/** Where rules are searched. The engine's predictions are places of levels (levels.ts). */
export interface Searched {
  readonly engine: Engine
  readonly compiled: CompiledClass
  readonly loss: DecisionLoss
  readonly levels: Levels
  readonly cellBudget: number
}

export async function measureRegret(question: Searched & { readonly rounding: Rounding }): Promise<Regret> {
  const { cellBudget, compiled, engine, levels, loss, rounding } = question
  const [whole] = await engine.levelSums({
    ...{ fold: FIT, levels: rounding.bins, trees: [ROOT] },
    levelValues: Int32Array.from(rounding.values),
  })
  const weight = whole.counts.reduce((sum, count) => sum + count, 0)
  const levelSet = (await levelSetError(engine, compiled, rounding, { fold: FIT, cellBudget }))!.error
  const bound = loss.weights.reduce((sum, each, threshold) => {
    const signed = signedSum(whole.residuals, levels, threshold) / ONE / weight
    return sum + (each * (levelSet + signed)) / 2
  }, 0)
  return { ...(await findBestRule(question)), bound, levelSet }
}

/** The rule that saves most, of those found for each threshold alone. */
export async function findBestRule(
  question: Searched,
): Promise<Pick<Regret, 'value' | 'atMost' | 'deviations'>> {
  const { engine, levels, loss } = question
  const count = levelCount(levels)
  const found = await Promise.all(loss.thresholds.map((_, threshold) => searchThreshold(question, threshold)))
  const trees = found.map(({ tree }) => tree)
  const sums = await engine.levelSums({ fold: FIT, levels: count, levelValues: new Int32Array(count), trees })
  const weight = sums[0].counts.reduce((sum, each) => sum + each, 0)
  const rules = trees.map((tree, index) => ruleOf(tree, sums[index], weight, question))
  const best = rules.reduce((a, b) => (b.value > a.value ? b : a))
  // With one threshold the search is exact, but for the rounding of the threshold to units.
  const atMost = loss.weights.reduce(
    (sum, each, threshold) => sum + each * (found[threshold].saved / weight + HALF_UNIT),
    0,
  )
  return { ...best, atMost: Math.max(best.value, atMost) }
}

/** A threshold counts as the nearest whole unit: a mean of labels less it is off by half a unit at most. */
const HALF_UNIT = fromUnits(0.5)

/** Below a threshold a rule gains where labels are above it, and the other way round. */
const signedSum = (residuals: Float64Array, { actions }: Levels, threshold: number): number =>
  actions.reduce((sum, action, level) => sum + (action > threshold ? -1 : 1) * residuals[level], 0)

/** The tree on which decisions at this threshold save most; `saved` is the sum over rows, for a weight of 1. */
async function searchThreshold(
  { cellBudget, compiled, engine, levels, loss }: Searched,
  threshold: number,
): Promise<{ readonly tree: Tree; readonly saved: number }> {
  const count = levelCount(levels)
  const levelValues = new Int32Array(count).fill(toUnits(loss.thresholds[threshold]))
  const [whole] = await engine.levelSums({ fold: FIT, levels: count, levelValues, trees: [ROOT] })
  const signed = signedSum(whole.residuals, levels, threshold)
  const { score, tree } = await largestAbsolute({ cellBudget, compiled, engine }, count, levelValues)
  return { tree, saved: (score + signed) / 2 / ONE }
}

/** The auditor with the largest sum of absolute residuals over leaves and levels. */
async function largestAbsolute(
  { cellBudget, compiled: { encoding, space }, engine }: Pick<Searched, 'cellBudget' | 'compiled' | 'engine'>,
  levels: number,
  levelValues: Int32Array,
): Promise<{ readonly tree: Tree; readonly score: number }> {
  const asked = { fold: FIT, levels, levelValues }
  if (space.kind === 'trees') {
    const [found] = await searchTrees({
      ...{ ...asked, engine, cellBudget, depth: space.depth === 1 ? 1 : 2 },
      ...{ schemas: encoding.features, features: space.features, channels: [{ score: 'absolute' }] },
    })
    return found
  }
  const trees = space.kind === 'partitions' ? space.partitions.map(({ tree }) => tree) : []
  const sums = await engine.levelSums({ ...asked, trees })
  const scored = trees.map((tree, index) => ({
    tree,
    score: sums[index].residuals.reduce((sum, residual) => sum + Math.abs(residual), 0),
  }))
  return scored.reduce((a, b) => (b.score > a.score ? b : a))
}

/** The best rule on one tree; `sums` has labels in place of residuals. */
function ruleOf(
  tree: Tree,
  { counts, residuals }: LevelSums,
  weight: number,
  { compiled, levels, loss }: Pick<Searched, 'compiled' | 'levels' | 'loss'>,
): { readonly value: number; readonly deviations: readonly Deviation[] } {
  const words = describeLeaves({ tree }, compiled.encoding.features)
  const levelsInAll = levelCount(levels)
  const deviations: Deviation[] = []
  for (let cell = 0; cell < leafCount(tree) * levelsInAll; cell++) {
    if (counts[cell] === 0) continue
    const [leaf, level] = [Math.floor(cell / levelsInAll), cell % levelsInAll]
    const meanLabel = fromUnits(residuals[cell]) / counts[cell]
    const costs = loss.actions.map(action => action.losses[0] + meanLabel * slopeOf(action))
    const taken = levels.actions[level]
    const better = costs.reduce((best, cost, action) => (cost < costs[best] ? action : best), taken)
    if (better === taken) continue
    const share = counts[cell] / weight
    deviations.push({
      ...{ group: words[leaf], scores: levelRange(levels, level), share, meanLabel },
      ...{ taken: loss.actions[taken].name, better: loss.actions[better].name },
      saves: share * (costs[taken] - costs[better]),
    })
  }
  deviations.sort((a, b) => b.saves - a.saves)
  return { value: deviations.reduce((sum, { saves }) => sum + saves, 0), deviations }
}
