// A change is called better or worse with a fifth of the doubt, and what is printed of it is what decides.

import { describe, expect, it } from 'vitest'
import { sureConfidence } from '../../src/compare/compareScores.ts'
import { collectChange, compareBeforeAfter, compareScores, fit, makeTable } from '../../src/index.ts'
import { changesOf, judgeCompared, makeRandom } from '../../src/internal.ts'
import { normalMultiple } from '../../src/measures/score/normal.ts'
import { makePopulation } from '../evidence/population.ts'

const table = makePopulation({ rows: 240 })
const rounds = { label: 'y', prediction: 'score', fold: 'fold', method: 'rounds', threads: 1 } as const
const quick = { draws: 0, threads: 1, bins: 4, coarseBins: 4 } as const

describe('a change that is sure', () => {
  it('has a fifth of the doubt', () => {
    expect(sureConfidence(0.95)).toBeCloseTo(0.99, 12)
    expect(sureConfidence(0.9)).toBeCloseTo(0.98, 12)
  })

  it('has a wider interval than two scores that are compared as is asked for', async () => {
    const random = makeRandom(5)
    const truth = Array.from({ length: 120 }, () => 0.2 + 0.6 * random.next())
    const scores = makeTable({
      group: truth.map(() => 'ab'[random.integer(2)]),
      score: truth,
      other: truth.map((p, row) => (row % 3 === 0 ? 0.5 * p : p)),
      y: truth.map(p => Number(random.next() < p)),
    })
    const two = { ...quick, label: 'y', prediction: 'score', other: 'other' }
    const [asked, sure] = [
      await compareScores(scores, two),
      await compareScores(scores, { ...two, changes: 'sure' }),
    ]
    for (const name of ['logLoss', 'brier', 'auc'] as const) {
      const [narrow, wide] = [asked, sure].map(({ measures }) => measures[name]!.difference)
      const ratio = normalMultiple(0.99) / normalMultiple(0.95)
      expect((wide.high - wide.low) / (narrow.high - narrow.low)).toBeCloseTo(ratio, 9)
    }
    // Each score by itself is as it was.
    expect(sure.a).toEqual(asked.a)
  })

  it('is the same in what a fit prints and in a report, and its interval decides the verdict', async () => {
    for (const roundLimit of [1, 3]) {
      const model = await fit(table, { ...rounds, roundLimit })
      const found = await compareBeforeAfter(model, table, quick)
      const { change, evidence } = await collectChange(table, { model, ...quick, name: 'a table' })
      expect(change.compared.measures).toEqual(found.compared.measures)
      const losses = changesOf(found.compared).filter(({ key }) => key === 'logLoss' || key === 'brier')
      const isSure = losses.some(({ change: { high, low } }) => low > 0 || high < 0)
      const verdict = judgeCompared(found.compared, found)
      expect(['better', 'worse'].includes(verdict.score)).toBe(isSure)
      expect(JSON.stringify(evidence.verdict)).toContain(verdict.sentences[0])
    }
  })
})
