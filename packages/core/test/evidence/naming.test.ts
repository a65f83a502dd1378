// Values of few rows are not named; comparisons of methods become tables.

import { describe, expect, it } from 'vitest'
import { rareShare } from '../../src/compare/rareValues.ts'
import { comparisonTable } from '../../src/evidence/comparison.ts'
import { maskEncoding, maskSentences, namesOnly } from '../../src/evidence/naming.ts'
import { collectEvidence, compareMethods, fit, makeTable, trees } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'

const isNamed = (_: string, value: string) => !value.startsWith('rare')

describe('naming', () => {
  it('looks at every value of a predicate', () => {
    expect(
      namesOnly(
        [
          { column: 'a', atMost: 3 },
          { column: 'b', is: 'x' },
        ],
        isNamed,
      ),
    ).toBe(true)
    expect(namesOnly([{ column: 'b', is: 'rare x' }], isNamed)).toBe(false)
    expect(namesOnly([{ column: 'b', in: ['x', 'rare y'] }], isNamed)).toBe(false)
    expect(namesOnly([{ column: 'b', notIn: ['rare y', 'x'] }], isNamed)).toBe(false)
    expect(namesOnly([{ column: 'b', in: [true, null] }], isNamed)).toBe(true)
    expect([rareShare(1000), rareShare(5)]).toEqual([0.01, 1])
  })

  const encoding = {
    features: [
      {
        kind: 'categorical',
        name: 'b',
        missing: false,
        categories: ['at', 'rare (x)', 'rare'],
        pooled: [],
        coarse: [],
      },
      { kind: 'boolean', name: 'c', missing: false },
    ],
    signals: [],
    functions: [],
  } as const

  it('masks categories of a model, and sentences that name them', () => {
    expect(maskEncoding(encoding, isNamed).features).toMatchObject([
      { categories: ['at', 'a rare value', 'a rare value'] },
      { name: 'c' },
    ])
    const sentences = [
      'b = rare (x) and b is not rare, at or b is at, rare (x) or rare.',
      'A rarer thing = rarely.',
    ]
    expect(maskSentences(sentences, encoding, isNamed)).toEqual([
      'b = a rare value and b is not a rare value, at or b is at, a rare value or a rare value.',
      'A rarer thing = rarely.',
    ])
  })

  it('keeps the names of single rows out of evidence, unless rows are asked for', async () => {
    const random = makeRandom(8)
    const rows = Array.from({ length: 600 }, (_, row) => row)
    const group = rows.map(() => 'ab'[random.integer(2)])
    const truth = rows.map(() => 0.2 + 0.6 * random.next())
    const table = makeTable({
      group,
      person: rows.map(row => `person-${row}`),
      score: truth.map((p, row) => (group[row] === 'a' ? p / 2 : p)),
      y: truth.map(p => Number(random.next() < p)),
    })
    const quick = { bins: 2, coarseBins: 4, draws: 0 } as const
    const model = await fit(table, {
      label: 'y',
      prediction: 'score',
      auditors: trees({ depth: 1 }),
      method: 'rounds',
      roundLimit: 3,
    })
    const text = async (options: Parameters<typeof collectEvidence>[1]) =>
      JSON.stringify(await collectEvidence(table, { ...quick, ...options }))
    expect((await text({ model })).includes('person-')).toBe(false)
    expect((await text({ label: 'y', prediction: 'score' })).includes('person-')).toBe(false)
    expect((await text({ model, includeRows: true })).includes('person-')).toBe(true)
  })
})

describe('a comparison', () => {
  it('of compareMethods is taken as it is', async () => {
    const random = makeRandom(2)
    const score = Array.from({ length: 300 }, () => 0.1 + 0.8 * random.next())
    const table = makeTable({
      x: score.map(() => random.integer(3)),
      score,
      y: score.map(p => Number(random.next() < p * p)),
    })
    const found = await compareMethods(table, {
      label: 'y',
      prediction: 'score',
      methods: ['platt'],
      folds: 2,
    })
    const { measures, recommendation, rows } = comparisonTable(found)
    expect(rows.map(({ name }) => name)).toEqual(['base', 'platt'])
    expect(rows[0].values.logLoss).toEqual(found.base.logLoss)
    expect(measures.map(({ key }) => key)).toContain('multicalibration')
    expect(recommendation).toBe(found.recommendation.sentence)
  })

  it('becomes a table, the score that was given first', () => {
    const estimate = (value: number) => ({ value, low: value, high: value })
    const found = comparisonTable({
      base: { logLoss: estimate(0.5), brier: estimate(Number.POSITIVE_INFINITY), other: estimate(1) },
      methods: [{ method: 'forest', measures: { logLoss: estimate(0.4), auc: undefined }, fitSeconds: 2 }],
      failed: [{ method: 'platt', code: 'FB_NO_ROWS' }],
      best: { logLoss: { best: 'forest', ties: ['base'] }, brier: undefined },
      recommendation: { sentence: 'Use forest.' },
    })
    expect(found).toEqual({
      recommendation: 'Use forest.',
      measures: [{ key: 'logLoss', name: 'log loss' }],
      rows: [
        { name: 'base', values: { logLoss: estimate(0.5) }, best: ['logLoss'] },
        { name: 'forest', values: { logLoss: estimate(0.4) }, best: ['logLoss'], seconds: 2 },
        { name: 'platt', values: {}, best: [], error: 'FB_NO_ROWS' },
      ],
    })
  })
})
