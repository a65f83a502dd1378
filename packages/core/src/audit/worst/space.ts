// A space of groups that can be searched: all trees of depth 1 and 2, or the groups that were declared. Both rank what they
// hold and find the largest statistic of a draw; the rest of an audit does not care which it is.

import { type Group, groupTree } from '../../classes/groups.ts'
import type { Engine, Noise } from '../../engine/engine.ts'
import { type Outcome, observedOf } from '../../engine/outcome.ts'
import { REMEMBERED_CELLS } from '../../engine/remember.ts'
import { pairedAxes } from '../../oracle/groups/family.ts'
import { widthOf } from '../../oracle/groups/splitSums.ts'
import { askAllPairs, pairCount } from '../../oracle/pairs.ts'
import { type OnPair, rankFamily } from './candidates.ts'
import { type DrawMaximum, openDraws } from './nullMaximum.ts'
import { costOfGroups, costOfPairs, type SearchCost } from './plan.ts'
import { type Ranked, Ranking, type RankOptions } from './ranking.ts'
import type { ScreenedFamily } from './screen.ts'

export interface GroupSpace {
  readonly engine: Engine
  readonly fold: number
  readonly levels: number
  /** Groups and levels, whether tested or not: no more statistics than these. */
  readonly size: number
  /** Pairs of columns, or groups, that one draw is counted for. */
  readonly passes: number
  readonly cost: SearchCost
  /** Columns that are looked at two at a time, where these are not all: the others are looked at alone. */
  readonly screened?: Screened
  /** Puts the questions of `rank` to an engine that remembers, all at once. */
  prepare(noise: Noise, shift: number): Promise<void>
  /** `onPair`: of pairs of columns, how many are done. */
  rank(options: RankOptions, onPair?: OnPair): Promise<RankedSpace>
}

export interface Screened {
  readonly paired: number
  readonly of: number
  /** What there was not enough of; a larger budget lets in more columns. */
  readonly by: 'memory' | 'budget'
}

interface RankedSpace extends Ranked {
  /** The largest R^2 / V that one draw of the noise gives. */
  readonly drawMaximum: DrawMaximum
}

export function treeSpace(family: ScreenedFamily): GroupSpace {
  const { axes, depth, engine, fold, levels } = family
  const splits = axes.map(axis => axis.steps.splits.length)
  const sum = splits.reduce((total, count) => total + count, 0)
  const pairs = depth === 1 ? 0 : (sum * sum - sum) / 2
  return {
    engine,
    fold,
    levels,
    size: (1 + 2 * sum + 4 * pairs) * widthOf(levels),
    passes: depth === 1 ? axes.length : (axes.length * (axes.length + 1)) / 2,
    cost: costOfPairs(family, pairedAxes(family)),
    ...(family.paired !== undefined && {
      screened: { paired: family.paired.length, of: axes.length, by: family.by ?? 'memory' },
    }),
    async prepare(noise, shift) {
      const features = pairedAxes(family).map(axis => axes[axis].feature)
      if (pairCount(engine, features, levels) > REMEMBERED_CELLS) return
      const outcomes: Outcome[] = [observedOf(noise), { kind: 'variance', noise, shift }]
      await Promise.all(outcomes.map(outcome => askAllPairs(engine, features, { fold, levels, outcome })))
    },
    async rank(options, onPair) {
      let draws: Promise<DrawMaximum> | undefined
      return {
        ...(await rankFamily(family, options, onPair)),
        async drawMaximum(draw, enough) {
          draws ??= openDraws(family, options)
          return await (await draws)(draw, enough)
        },
      }
    },
  }
}

/** Declared groups; those with a name keep it. */
export function declaredSpace(
  engine: Engine,
  fold: number,
  levels: number,
  groups: readonly Group[],
): GroupSpace {
  const trees = groups.map(({ path }) => groupTree(path))
  const ask = (outcome: Outcome) => engine.levelSums({ fold, levels, trees, outcome })
  return {
    engine,
    fold,
    levels,
    size: groups.length * widthOf(levels),
    passes: groups.length,
    cost: costOfGroups(engine.shape.rowCount, groups.length),
    prepare: async () => {},
    async rank(options) {
      const observed = await ask(observedOf(options.noise))
      const expected = await ask({ kind: 'variance', noise: options.noise, shift: options.shift })
      const variances = expected.map(({ residuals }) => withAll(residuals, levels))
      const ranking = new Ranking(levels, options, Number.POSITIVE_INFINITY)
      groups.forEach(({ path, words }, index) => {
        const counts = withAll(observed[index].counts, levels)
        const residuals = withAll(observed[index].residuals, levels)
        for (let level = 0; level < counts.length; level++) {
          ranking.visit(path, level, counts[level], residuals[level], variances[index][level], words)
        }
      })
      return {
        ...ranking.finish(),
        drawMaximum: draw => drawMaximum(ask, variances, options.noise, draw, options.leastVariance, levels),
      }
    },
  }
}

/** The group's own levels (leaf 0), and all of them together. */
function withAll(sums: Float64Array, levels: number): Float64Array {
  const wide = new Float64Array(widthOf(levels))
  wide.set(sums.subarray(0, levels))
  if (levels > 1) for (let level = 0; level < levels; level++) wide[levels] += sums[level]
  return wide
}

async function drawMaximum(
  ask: (outcome: Outcome) => Promise<readonly { residuals: Float64Array }[]>,
  variances: readonly Float64Array[],
  noise: Noise,
  draw: number,
  leastVariance: number,
  levels: number,
): Promise<number> {
  const drawn = await ask({ kind: 'drawn', noise, draw })
  let best = 0
  drawn.forEach(({ residuals }, index) => {
    const wide = withAll(residuals, levels)
    variances[index].forEach((variance, level) => {
      if (variance >= leastVariance) best = Math.max(best, wide[level] ** 2 / variance)
    })
  })
  return best
}
