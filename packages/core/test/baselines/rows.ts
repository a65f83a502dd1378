// Rows for baselines: made by hand, or the ones that a fit hands to its method.

import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { baselineGroups } from '../../src/baselines/groups/groups.ts'
import type { BaselineQuestion } from '../../src/baselines/thread/answer.ts'
import { makeRandom, type Random } from '../../src/internal.ts'
import type { Row } from '../../src/quantize/signals.ts'
import { applyUpdates } from '../../src/update/move.ts'
import type { Update } from '../../src/update/update.ts'

export interface PlainRows {
  /** In units. */
  readonly start: readonly number[]
  readonly label: readonly number[]
  readonly weight?: readonly number[]
  /** Bins of each feature, the last of its `binCounts` for missing values. */
  readonly bins?: readonly (readonly number[])[]
  readonly binCounts?: readonly number[]
  readonly ordered?: readonly boolean[]
}

/** Every category is a group. Parts go round. */
export function handRows({
  bins = [],
  binCounts = [],
  label,
  ordered = [],
  start,
  weight,
}: PlainRows): BaselineRows {
  const features = binCounts.map((count, index) => ({ bins: count, ordered: ordered[index] ?? false }))
  const rows = {
    rowCount: start.length,
    bins: bins.map(column => Uint8Array.from(column)),
    features,
    label: Int32Array.from(label),
    start: Int32Array.from(start),
    ...(weight !== undefined && { weight: Int32Array.from(weight) }),
    part: Uint8Array.from(start, (_, row) => row % 60),
  }
  const { features: schemas, space } = handClass(rows)
  return { ...rows, groups: baselineGroups(space, schemas, rows) }
}

/** What groups of such rows are made of: every category and every number. */
export function handClass({
  features,
}: Pick<BaselineRows, 'features'>): Pick<BaselineQuestion, 'features' | 'space'> {
  const schemas = features.map(({ bins: count, ordered: numeric }, index) =>
    numeric
      ? ({
          kind: 'numeric',
          name: `x${index}`,
          missing: true,
          cuts: Array.from({ length: count - 2 }, (_, cut) => cut),
          coarse: [],
        } as const)
      : ({
          kind: 'categorical',
          name: `x${index}`,
          missing: true,
          categories: Array.from({ length: count - 1 }, (_, category) => String.fromCharCode(97 + category)),
          pooled: [],
          coarse: [],
        } as const),
  )
  return {
    features: schemas,
    space: { kind: 'trees', depth: 1, features: features.map((_, index) => index) },
  }
}

/** Where these updates take the rows. */
export const predictionsOf = (rows: BaselineRows, updates: readonly Update[]): Int32Array =>
  applyUpdates(updates, { bins: rows.bins, binCounts: rows.features.map(({ bins }) => bins) }, rows.start)

export const shuffled = <T>(values: readonly T[], random: Random = makeRandom(5)): T[] =>
  values
    .map(value => [random.next(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)

/** Scores that bend away from the truth, and are too low in one region. */
export function surveyRows(count: number, seed = 1): (Row & { weight: number; y: number })[] {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () => {
    const truth = random.next()
    const region = 'pqr'[random.integer(3)]
    const bent = truth ** 2 * (region === 'q' ? 0.7 : 1)
    return {
      score: Math.round(bent * 500) / 500,
      region: random.next() < 0.05 ? null : region,
      age: random.next() < 0.1 ? null : 20 + random.integer(40),
      member: random.next() < 0.5,
      weight: 1 + random.integer(3),
      y: random.next() < truth ? 1 : 0,
    }
  })
}
