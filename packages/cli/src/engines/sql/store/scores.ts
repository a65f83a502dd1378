// Every different score with its outcomes, and how many rows have them: the measures of a score alone sort all scores, and rows that have
// the same score, outcome and weight are the same to them. What comes back is one line for each kind of row.

import { FeatureBoostError, type RowStore } from '@featureboost/core'
import { cast, formatCount } from '@featureboost/core/internal'
import type { StoreDriver } from './storeDialect.ts'

type Scores = Omit<
  Awaited<ReturnType<NonNullable<Awaited<ReturnType<RowStore['profile']>>['scores']>>>,
  'learnable'
>

/** Kinds of rows that may come back: as many as the rows that a forest may learn from. */
const MOST_KINDS = 2 ** 20

/** `weight`: the column of weights, whole ones of `scale`, or as they were given. */
export async function readScores(
  driver: StoreDriver,
  rows: string,
  { scale, weight }: { readonly scale: number; readonly weight: 'w' | 'gw' | undefined },
): Promise<Scores> {
  const { doubleType } = driver.dialect
  const keys = ['score', 'outcome', ...(weight === undefined ? [] : [weight])]
  const columns = [...keys, 'COUNT(*)'].map((each, index) => `${cast(each, doubleType)} AS n${index}`)
  const found = await driver.query(
    `SELECT ${columns.join(', ')} FROM (${rows}) GROUP BY ${keys.join(', ')} LIMIT ${MOST_KINDS + 1}`,
    columns.map(() => 'double' as const),
  )
  if (found[0].length > MOST_KINDS) throw tooManyScores()
  const counts = found[keys.length]
  const spread = (values: Float64Array, divisor = 1): Float64Array => {
    const all = new Float64Array(counts.reduce((sum, count) => sum + count, 0))
    let at = 0
    for (const [kind, value] of values.entries()) {
      all.fill(value / divisor, at, at + counts[kind])
      at += counts[kind]
    }
    return all
  }
  return {
    predictions: spread(found[0]),
    labels: spread(found[1]),
    ...(weight !== undefined && { weights: spread(found[2], weight === 'w' ? scale : 1) }),
  }
}

const tooManyScores = (): FeatureBoostError =>
  new FeatureBoostError(
    'FB_ENGINE_ROWS',
    `the score has more than ${formatCount(MOST_KINDS)} different values with their outcomes and weights.`,
    {
      expected: 'fewer, since the measures of a score alone need every one of them',
      hint: 'Round the score where the rows are, with --sql: round(score, 5) AS score.',
    },
  )
