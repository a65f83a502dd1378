// Protected groups, each by name: how many rows, what the score says, what came, how far apart, how surely. The intervals and
// p-values hold for all of them at once.

import type { Predicate } from '../classes/auditors.ts'
import { plainWords } from '../classes/describe.ts'
import { type Group, groupTree } from '../classes/groups.ts'
import { predicatesOfPath } from '../classes/predicates.ts'
import { protectedGroups } from '../classes/protected.ts'
import { whereOf } from '../classes/sql.ts'
import { formatCount } from '../common/text.ts'
import { fromUnits } from '../common/units.ts'
import { type Engine, FIT, type Noise } from '../engine/engine.ts'
import { observedOf, shiftFor } from '../engine/outcome.ts'
import { normalQuantile, normalTail } from '../measures/score/normal.ts'
import type { FeatureSchema } from '../quantize/schema.ts'
import { describeFindings, squareToZ, sureGap } from './worst/findings.ts'
import { type Interval, sayGap } from './worst/say.ts'
import { leastVarianceOf } from './worst/worstGroups.ts'

export interface ProtectedGroup {
  readonly group: string
  readonly where: readonly Predicate[]
  /** For a WHERE clause. */
  readonly sql: string
  /** Rows; with weights, as if each counted its weight over the mean weight. */
  readonly weight: number
  readonly meanScore: number
  readonly meanLabel: number
  /** Mean label minus mean score: positive where scores are too low. */
  readonly gap: number
  /** Covers the gaps of all protected groups at once. Absent, as p is, where there are too few rows to tell. */
  readonly interval?: Interval
  /** Corrected for the number of protected groups. */
  readonly p?: number
}

/** One score in a protected group; without interval and p where there are too few rows to tell. */
export type ProtectedScore = Pick<ProtectedGroup, 'meanScore' | 'gap' | 'interval' | 'p'>

/** A protected group, and one score in it, or two. */
export interface ProtectedRow
  extends Pick<ProtectedGroup, 'group' | 'where' | 'sql' | 'weight' | 'meanLabel'> {
  readonly before: ProtectedScore
  readonly after?: ProtectedScore
}

/** Audits of two scores on the same rows have the same groups: these do not depend on the score. */
export const protectedRows = (
  before: readonly ProtectedGroup[],
  after?: readonly ProtectedGroup[],
): ProtectedRow[] =>
  before.map(({ group, meanLabel, sql, weight, where, ...score }, index) => {
    if (after === undefined) return { group, where, sql, weight, meanLabel, before: score }
    const { gap, interval, meanScore, p } = after[index]
    return {
      ...{ group, where, sql, weight, meanLabel, before: score },
      after: {
        ...{ meanScore, gap },
        ...(interval !== undefined && { interval }),
        ...(p !== undefined && { p }),
      },
    }
  })

/** Its interval leaves out 0. */
export const isSurelyOff = ({ interval }: { readonly interval?: Interval | undefined }): boolean =>
  interval !== undefined && (interval.low > 0 || interval.high < 0)

/** How many are surely off, and which by most; nothing where none was tested. */
export function protectedSentence(groups: readonly ProtectedGroup[] = []): string {
  const tested = groups.filter(({ interval }) => interval !== undefined)
  const off = tested.filter(isSurelyOff)
  if (tested.length === 0) return ''
  const of = `of the ${formatCount(tested.length)} protected groups tested`
  if (off.length === 0) return ` None ${of} is surely off.`
  const concern = ({ gap, interval, weight }: ProtectedGroup) =>
    weight * sureGap({ gap, interval: interval! })
  const worst = off.reduce((one, other) => (concern(other) > concern(one) ? other : one))
  const said = sayGap({ ...worst, interval: worst.interval! })
  return ` ${formatCount(off.length)} ${of} ${off.length === 1 ? 'is' : 'are'} surely off; the one that matters most: ${worst.group}: ${said}.`
}

interface ProtectOptions {
  readonly protect: readonly string[]
  readonly features: readonly FeatureSchema[]
  readonly noise: Noise
  readonly score: string
  readonly confidence: number
}

/** Groups without a row are left out. */
export async function auditProtected(engine: Engine, options: ProtectOptions): Promise<ProtectedGroup[]> {
  const { confidence, features, noise, protect } = options
  const groups = protectedGroups(protect, features)
  const { squaredWeight, weight } = (await engine.losses())[FIT]
  const shift = shiftFor(squaredWeight)
  const trees = groups.map(({ path }) => groupTree(path))
  const sums = await engine.levelSums({ fold: FIT, levels: 1, trees })
  const centred = await engine.levelSums({ fold: FIT, levels: 1, trees, outcome: observedOf(noise) })
  const outcome = { kind: 'variance', noise, shift } as const
  const spreads = await engine.levelSums({ fold: FIT, levels: 1, trees, outcome })
  const least = leastVarianceOf(shift, squaredWeight / weight)
  const counted = groups
    .map((group, index) => ({
      group,
      count: sums[index].counts[0],
      gap: fromUnits(sums[index].residuals[0]) / sums[index].counts[0],
      residual: centred[index].residuals[0],
      predicted: sums[index].predictions[0],
      variance: spreads[index].residuals[0],
    }))
    .filter(({ count }) => count > 0)
  const tested = counted.filter(({ variance }) => variance >= least)
  const perRow = weight / engine.shape.rowCount
  const found = await describeFindings(
    {
      ...{ engine, fold: FIT, levels: 1, noise, shift, features, score: options.score, perRow },
      critical: normalQuantile(1 - (1 - confidence) / (2 * Math.max(1, tested.length))),
      pOf: square => Math.min(1, 2 * normalTail(squareToZ(square, shift)) * tested.length),
    },
    tested.map(({ group: { path, words }, ...each }) => ({ ...each, path, words, level: undefined })),
  )
  const testedAs = new Map(tested.map(({ group }, index) => [group, found[index]]))
  return counted.map(({ count, gap, group, predicted }) => {
    const meanScore = fromUnits(predicted) / count
    const tested = testedAs.get(group)
    return {
      ...nameOf(group, features),
      weight: count / perRow,
      meanScore,
      meanLabel: meanScore + gap,
      gap,
      ...(tested !== undefined && { interval: tested.interval, p: tested.p }),
    }
  })
}

function nameOf(group: Group, features: readonly FeatureSchema[]) {
  const where = predicatesOfPath(group.path, features)
  return { group: plainWords(group, features), where, sql: whereOf(where) }
}
