// What a fit says about how its correction came about.

import { fitWithTrace, makeTable } from '@featureboost/core'
import { makeRandom } from '@featureboost/core/internal'
import { describe, expect, it } from 'vitest'
import { boostedLine } from '../src/commands/fitReport.ts'

/** Outcomes whose chance has the logit slope times that of the score; in one group they are likelier. */
function drawTable(rows: number, slope: number, lift: number) {
  const random = makeRandom(11)
  const score = Array.from({ length: rows }, () => 0.02 + 0.96 * random.next())
  const group = score.map(() => 'abcd'[random.integer(4)])
  const outcome = score.map((chance, row) => {
    const logit = slope * Math.log(chance / (1 - chance)) + (group[row] === 'a' ? lift : 0)
    return random.next() < 1 / (1 + Math.exp(-logit)) ? 1 : 0
  })
  return makeTable({ score, group, outcome })
}

const lineOf = async (rows: number, slope: number, lift: number, method?: 'forest') =>
  boostedLine(
    await fitWithTrace(drawTable(rows, slope, lift), {
      label: 'outcome',
      prediction: 'score',
      ...(method !== undefined && { method }),
    }),
  )

const LINE =
  /^The score as a whole: its logit times 0\.\d+ (plus|minus) 0\.\d+\. Log loss of rows that this was not fitted to: 0\.\d{4} before, 0\.\d{4} after\. No tree helps beyond that\./

describe('how the correction came about', () => {
  it('is told of a score that is right, too bold, off in a group, or both', async () => {
    expect(await lineOf(1500, 1, 0)).toBe(
      'No forest surely helps on rows that it has not seen, and no group is surely off: the score is left as it is.',
    )
    expect(await lineOf(1500, 0.4, 0)).toMatch(
      new RegExp(`${LINE.source} After it no group is surely off\\.$`),
    )
    expect(await lineOf(12_000, 1, 3)).toBe(
      'No forest: groups alone predict rows that they were not found by better. 1 group was mended, until none was surely off:',
    )
    expect(await lineOf(4000, 0.4, 3)).toMatch(
      /^The score as a whole: .* A forest of [\d,]+ trees, the average of smaller ones; .* After it/,
    )
  })

  it('is told of a forest that is kept in part', async () => {
    const fitted = await fitWithTrace(drawTable(12_000, 1, 3), {
      ...{ label: 'outcome', prediction: 'score', method: 'forest' },
    })
    const part = {
      ...fitted,
      trace: { ...fitted.trace, forest: 'kept', forestShare: 0.48, groups: [] },
    } as const
    expect(boostedLine(part)).toMatch(
      /A forest of [\d,]+ trees, the average of smaller ones\. .* surely contradict the score, so 48 % of every step is kept\. After it no group is surely off\.$/,
    )
  })

  it('is told of forests alone', async () => {
    expect(await lineOf(1500, 1, 0, 'forest')).toBe(
      'No tree helps on rows that it has not seen: the score is left as it is.',
    )
    expect(await lineOf(1500, 0.4, 0, 'forest')).toMatch(new RegExp(`${LINE.source}$`))
    expect(await lineOf(12_000, 1, 3, 'forest')).toMatch(
      /A forest of [\d,]+ trees, the average of smaller ones; .* 0\.\d+ before, 0\.\d+ after\.$/,
    )
  })
})
