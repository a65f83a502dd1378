// The verdict on a fit: rows that the model has not seen decide, and nothing is said that they do not say.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { surelyOff } from '../../src/audit/verdict.ts'
import { type Finding, sureGap } from '../../src/audit/worst/findings.ts'
import { formatBound } from '../../src/common/text.ts'
import { judgeChange, judgeCompared, provenSentence } from '../../src/compare/verdict.ts'
import { compareBeforeAfter, fit, makeTable, type Table } from '../../src/index.ts'
import { type MeasureChange, makeRandom } from '../../src/internal.ts'
import { makePopulation } from '../evidence/population.ts'

const finding = (gap: number, low: number, high: number) =>
  ({
    ...{ group: 'age <= 25', gap, interval: { low, high } },
    ...{ meanScore: 0.4, meanLabel: 0.4 + gap, weight: 1234 },
  }) as Finding

const audited = (worst: readonly Finding[] = [], groupsTested = 100) => ({
  significance: { beyondNoise: worst.length > 0, groupsTested },
  worst,
})

function change(key: MeasureChange['key'], value: number, judged: MeasureChange['judged']): MeasureChange {
  const estimate = (at: number) => ({ value: at, low: at, high: at })
  const names: Record<string, string> = { logLoss: 'log loss', brier: 'Brier score' }
  return {
    key,
    name: names[key] ?? key,
    before: estimate(0.5),
    after: estimate(0.5 + value),
    change: estimate(value),
    judged,
  }
}

const HELD_OUT = { rowCount: 1200, rows: 'held-out' } as const

describe('the score', () => {
  it('is better where a loss is surely lower, and worse where one is surely higher, whatever else improves', () => {
    const [log, brier] = [change('logLoss', -0.1, 'better'), change('brier', 0.01, 'worse')]
    expect(judgeChange(audited(), [log], HELD_OUT)).toMatchObject({
      score: 'better',
      level: 'good',
      sentences: [
        'Better on 1,200 held-out rows: log loss 0.5 before, 0.4 after.',
        'No group is surely off, of 100 tested.',
      ],
    })
    expect(judgeChange(audited(), [log, brier], HELD_OUT)).toMatchObject({
      score: 'worse',
      level: 'bad',
      sentences: ['Worse on 1,200 held-out rows: Brier score 0.5 before, 0.51 after.', expect.any(String)],
    })
    const auc = change('auc', -0.1, 'worse')
    expect(judgeChange(audited(), [log, auc], HELD_OUT).score).toBe('better')
  })

  it('is unclear where intervals have 0 inside, and unchanged only where nothing moved', () => {
    const unclear = judgeChange(audited(), [change('logLoss', 0.1, 'unclear')], HELD_OUT)
    expect(unclear.sentences[0]).toMatch(/^Neither surely better nor surely worse on 1,200 held-out rows/)
    const same = judgeChange(audited(), [change('logLoss', 0, 'unclear')], HELD_OUT)
    expect(same).toMatchObject({ score: 'unchanged', level: 'good' })
    expect(same.sentences[0]).toBe('Nothing was corrected.')
    const elsewhere = judgeChange(audited(), [change('logLoss', 0, 'unclear')], {
      ...HELD_OUT,
      corrects: true,
    })
    expect(elsewhere.score).toBe('unchanged')
    expect(elsewhere.sentences[0]).toBe('None of 1,200 held-out rows is corrected; others may be.')
  })

  it('of fitting rows is never simply good, and new rows are said to be unknown', () => {
    const about = { rowCount: 50, rows: 'fitting' } as const
    const verdict = judgeChange(audited(), [change('logLoss', -0.1, 'better')], about)
    expect(verdict.level).toBe('attention')
    expect(verdict.sentences[0]).toBe(
      'Better on the 50 rows of the fit: log loss 0.5 before, 0.4 after. Of new rows nothing is known: none were held out.',
    )
  })
})

describe('groups', () => {
  it('are off where their interval leaves out 0, and count as what is listed', () => {
    const worst = [finding(0.1, 0.02, 0.2), finding(-0.1, -0.2, -0.04), finding(0.1, -0.1, 0.3)]
    expect(surelyOff(audited(worst))).toEqual(worst.slice(0, 2))
    expect(worst.slice(0, 2).map(sureGap)).toEqual([0.02, 0.04])
    const two = judgeChange(audited(worst), [], HELD_OUT)
    expect(two).toMatchObject({ groupsOff: 2, level: 'attention' })
    expect(two.sentences[1]).toBe(
      '2 groups are still surely off, of 100 tested; the one that matters most: age <= 25: the score says 40 %, the outcome is 50 % (1,234 rows; +10.0 points, 2.0 to 20.0).',
    )
    expect(judgeChange(audited(worst.slice(0, 1)), [], HELD_OUT).sentences[1]).toMatch(/^At least 1 group is/)
    expect(judgeChange(audited([finding(-0.1, -0.2, -0.06)]), [], HELD_OUT).level).toBe('bad')
    expect(judgeChange(audited([], 0), [], HELD_OUT)).toMatchObject({
      level: 'attention',
      sentences: [expect.any(String), 'No group has enough rows to say anything.'],
    })
  })
})

describe('the rows', () => {
  it('that were held out are told from all of them, which an earlier audit may have been of', () => {
    const told = judgeChange(audited(), [], { ...HELD_OUT, allRows: 6000 }).sentences[1]
    expect(told).toContain('These are the 1,200 of 6,000 rows that the fit has not seen')
    expect(
      judgeChange(audited(), [], { ...HELD_OUT, rows: 'fitting', allRows: 6000 }).sentences[1],
    ).not.toContain('6,000')
  })
})

describe('a score that is left alone', () => {
  // Scores of more digits than units have must not seem to move.
  it('is said to be, whatever its digits', async () => {
    const random = makeRandom(8)
    const score = Array.from({ length: 400 }, () => 0.1 + 0.8 * random.next())
    const table = makeTable({
      a: score.map(() => random.integer(3)),
      score,
      y: score.map(chance => Number(random.next() < chance)),
    })
    const model = await fit(table, { label: 'y', prediction: 'score', holdout: 0.5 })
    expect(model.data.updates).toEqual([])
    const found = await compareBeforeAfter(model, table, { draws: 0 })
    expect(found.corrects).toBe(false)
    expect(judgeCompared(found.compared, found).sentences[0]).toBe('Nothing was corrected.')
  })

  it('counts as it is where units make it 0 or 1, which a model then does', async () => {
    const random = makeRandom(9)
    const score = Array.from({ length: 400 }, (_, row) => (row % 20 === 0 ? 1e-9 : 0.1 + 0.8 * random.next()))
    const y = score.map((chance, row) => (row % 20 === 0 ? 1 : Number(random.next() < chance)))
    const fold = score.map((_, row) => (row < 200 ? 'fit' : 'holdout'))
    const table = makeTable({ a: score.map(() => random.integer(3)), score, y, fold })
    const model = await fit(table, { label: 'y', prediction: 'score', fold: 'fold', method: 'temperature' })
    const found = await compareBeforeAfter(model, table, { draws: 0 })
    const losses = score.map((p, row) => -Math.log(y[row] === 1 ? p : 1 - p)).slice(200)
    const expected = losses.reduce((sum, loss) => sum + loss, 0) / 200
    expect(found.compared.a.measures.logLoss.value).toBeCloseTo(expected, 6)
  })
})

describe('a fit to a certificate that fits noise', () => {
  /** The score is the truth; there is nothing to learn. */
  function truthful(): Table {
    const random = makeRandom(3)
    const rows = Array.from({ length: 900 }, () => random.next())
    return makeTable({
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, rows.map(() => random.integer(30))])),
      score: rows,
      y: rows.map(score => Number(random.next() < score)),
    })
  }

  it('is called worse, although its certificate holds', async () => {
    const table = truthful()
    const options = { label: 'y', prediction: 'score', holdout: 0.4, epsilon: 0.1 } as const
    const model = await fit(table, { ...options, method: 'rounds', stop: 'certificate' })
    const found = await compareBeforeAfter(model, table, { draws: 0 })
    const verdict = judgeCompared(found.compared, found)
    expect(model.certificate.holds).toBe(true)
    expect(verdict).toMatchObject({ score: 'worse', rows: 'held-out', level: 'bad' })
    expect(verdict.sentences.join(' ')).not.toContain('holds')
  })
})

describe('what is proven', () => {
  it('names the rows, rounds bounds up, and says where nothing is proven', async () => {
    const table = makePopulation({ rows: 500 })
    const roles = {
      label: 'y',
      prediction: 'score',
      except: ['fold'],
      method: 'rounds',
      roundLimit: 2,
    } as const
    const { certificate } = await fit(table, { ...roles, holdout: 0.3 })
    const proven = provenSentence(certificate)
    expect(proven).toMatch(/^Proven: multicalibration error at most 0\.\d+ on the fitting rows, and /)
    expect(proven).toMatch(
      /and (at most 0\.\d+ on new rows \(with 95 % confidence\)|nothing of new rows, of which too few were held out)\. On the fitting rows/,
    )
    const alone = await fit(table, { ...roles, stop: 'certificate', holdout: 0 })
    expect(provenSentence(alone.certificate)).toContain('on the fitting rows, and nothing of new rows. ')
    const tight = { ...certificate, holds: false }
    expect(provenSentence(tight)).toContain(
      'On the fitting rows that is more than the 0.05 that was asked for',
    )
    const heldOut = certificate.heldOut!
    const vacuous = { ...heldOut, multicalibration: { ...heldOut.multicalibration, bound: 1.3 } }
    expect(provenSentence({ ...certificate, heldOut: vacuous })).toContain('too few were held out. ')
    expect(provenSentence({ ...certificate, rungs: [] })).toBe('Nothing is proven.')
  })

  it('is never less than it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1, noNaN: true }), value => {
        const said = Number(formatBound(value))
        expect(said).toBeGreaterThanOrEqual(value)
        expect(said).toBeLessThanOrEqual(value * 1.0101)
      }),
    )
    expect([formatBound(0), formatBound(0.05), formatBound(0.018_64), formatBound(0.999_99)]).toEqual([
      '0',
      '0.05',
      '0.0187',
      '1',
    ])
  })
})
