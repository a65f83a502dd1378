// The rule of the recommendation, on made-up results: who is named, who is named first, and what is said of the others.

import { describe, expect, it } from 'vitest'
import { type JudgedMethod, recommend } from '../../src/compare/recommend.ts'
import type { Estimate } from '../../src/index.ts'

const around = (value: number, reach: number): Estimate => ({
  value,
  low: value - reach,
  high: value + reach,
})

const BASE = 0.5
const REACH = 0.01

/** A method with this log loss, all intervals as wide. */
const made = (
  method: string,
  logLoss: number,
  worse: Partial<Record<'multicalibration' | 'mceSigma', Estimate>> = {},
): JudgedMethod => ({
  method,
  measures: { logLoss: around(logLoss, 0.1) },
  differences: {
    logLoss: around(logLoss - BASE, REACH),
    multicalibration: around(-0.01, 0.02),
    mceSigma: around(0.1, 0.2),
    ...worse,
  },
})

function judge(methods: readonly JudgedMethod[], apart = 0.015) {
  const lossOf = (name: string) => methods.find(({ method }) => method === name)!.measures.logLoss!.value
  return recommend(methods, {
    confidence: 0.95,
    difference: (a, b) => around(lossOf(a) - lossOf(b), apart),
    rank: method => ['tiny', 'small', 'large'].indexOf(method),
  })
}

describe('the recommendation', () => {
  it('is the method with the lowest log loss, where no other comes near', () => {
    const found = judge([made('small', 0.4), made('tiny', 0.45), made('large', 0.6)])
    expect(found).toMatchObject({ methods: ['small'], unsure: [], harmful: [] })
    expect(found.sentence).toBe(
      'Use small: log loss 0.4000, 0.1000 below the base score (95 % interval 0.0900 to 0.1100).',
    )
  })

  it('names all that cannot be told from the lowest, the simplest first', () => {
    const found = judge([made('large', 0.4), made('small', 0.41), made('tiny', 0.414), made('huge', 0.43)])
    expect(found.methods).toEqual(['tiny', 'small', 'large'])
    expect(found.sentence).toBe(
      'Use tiny: log loss 0.4140, 0.0860 below the base score (95 % interval 0.0760 to 0.0960); ' +
        'its log loss cannot be told from that of small and large (lowest: large, 0.4000), and it is the simplest.',
    )
  })

  it('does not repeat the lowest where it is the simplest, too', () => {
    const { sentence } = judge([made('tiny', 0.4), made('small', 0.41)])
    expect(sentence).toMatch(/cannot be told from that of small, and it is the simplest\.$/)
  })

  it('compares with the lowest, not with one another', () => {
    // tiny lies within reach of small, but not of the lowest.
    expect(judge([made('large', 0.4), made('small', 0.41), made('tiny', 0.42)]).methods).toEqual([
      'small',
      'large',
    ])
  })

  it('can be: none', () => {
    const found = judge([made('small', 0.495), made('large', 0.52)])
    expect(found).toMatchObject({ methods: [], unsure: [], harmful: [] })
    expect(found.sentence).toBe(
      'None of the 2 methods beats the base score: no 95 % interval of the difference in log loss lies below 0.',
    )
    expect(judge([made('small', 0.495)]).sentence).toMatch(/^small does not beat the base score: no 95 %/)
    expect(judge([]).sentence).toBe('No method could be fitted, so none can be recommended.')
  })

  it('passes over methods that surely worsen the worst K1 or MCE, and says so where nothing is left', () => {
    const bad = { multicalibration: around(0.05, 0.01) }
    const worse = { ...bad, mceSigma: around(3, 1) }
    expect(judge([made('small', 0.3, bad), made('large', 0.45)])).toMatchObject({
      methods: ['large'],
      harmful: [{ method: 'small', measures: ['multicalibration'] }],
    })
    const none = judge([made('small', 0.3, bad), made('large', 0.31, worse), made('tiny', 0.6)])
    expect(none.methods).toEqual([])
    expect(none.sentence).toBe(
      'None of the 3 methods beats the base score: small lowers log loss but worsens the worst K1 and ' +
        'large lowers log loss but worsens the worst K1 and MCE, by the 95 % intervals.',
    )
  })

  it('worse within the interval is no harm, and an MCE that was not measured decides nothing', () => {
    const { differences, ...rest } = made('small', 0.4)
    const { mceSigma: _, ...without } = differences
    expect(judge([{ ...rest, differences: without }]).methods).toEqual(['small'])
    expect(judge([made('small', 0.4, { multicalibration: around(0.05, 0.05) })]).methods).toEqual(['small'])
  })

  it('tells of methods within reach of the lowest that may be no better than the base score', () => {
    const { methods, sentence, unsure } = judge([made('large', 0.489), made('tiny', 0.495)])
    expect({ methods, unsure }).toEqual({ methods: ['large'], unsure: ['tiny'] })
    expect(sentence).toMatch(/; tiny cannot be told from large, but may be no better than the base score\.$/)
  })
})
