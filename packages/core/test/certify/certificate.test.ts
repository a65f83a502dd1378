// The certificate as a document: what it states as proven, what as measured, and what it leaves open.

import { describe, expect, it } from 'vitest'
import {
  intervalBound,
  levelSetBound,
  multiaccuracyBound,
  tableBound,
  tableLevelSetBound,
} from '../../src/certify/bounds.ts'
import { provenError, type Rung } from '../../src/certify/facts.ts'
import { formatBound, formatNumber } from '../../src/common/text.ts'
import { type Auditors, type FitOptions, fit, functions, linear, trees } from '../../src/index.ts'
import { base, certificateOf, columnOf, declared, table, young, youngInBins } from './certified.ts'

describe('the rungs', () => {
  it('carry the bounds of the realized tolerances', async () => {
    const { rungs, tolerances } = await certificateOf({ auditors: declared, bins: 8, roundLimit: 1 })
    const [constant, richest] = tolerances
    expect(rungs.map(({ guarantee, bound }) => [guarantee, bound])).toEqual([
      ['multiaccuracy', multiaccuracyBound(constant.tolerance, 1)],
      ['multicalibration', tableBound(richest.tolerance, 1, 8)],
      ['level-set', tableLevelSetBound(richest.tolerance, 8)],
    ])
    expect(rungs.map(({ through }) => through)).toEqual(['constant', 'table', 'table'])
    expect(rungs.map(({ tolerance }) => tolerance)).toEqual([
      constant.tolerance,
      richest.tolerance,
      richest.tolerance,
    ])
  })

  it('take the budget of linear auditors into account, and have no level sets there', async () => {
    const { rungs, tolerances } = await certificateOf({ auditors: linear({ budget: 0.25 }), bins: 8 })
    expect(rungs.map(({ guarantee, bound }) => [guarantee, bound])).toEqual([
      ['multiaccuracy', multiaccuracyBound(tolerances[0].tolerance, 0.25)],
      ['multicalibration', tableBound(tolerances.at(-1)!.tolerance, 0.25, 8)],
    ])
  })

  it('hold exactly when the claimed error, bounded or counted, is within epsilon', async () => {
    for (const epsilon of [0.12, 0.2, 0.5, 0.9]) {
      for (const guarantee of ['multiaccuracy', 'multicalibration', 'level-set'] as const) {
        const certificate = await certificateOf({ guarantee, epsilon, roundLimit: 0 })
        const rung = certificate.rungs.find(each => each.guarantee === guarantee)!
        expect(certificate.holds).toBe(rung.bound <= epsilon || rung.measured.atMost <= epsilon)
        expect(provenError(rung)).toBe(Math.min(rung.bound, rung.measured.atMost))
      }
    }
  })

  it('hold where the claimed error is just epsilon', async () => {
    const options = { roundLimit: 0, bins: 8, tolerance: 0.01 } as const
    const at = async (epsilon: number) => await certificateOf({ ...options, epsilon })
    const { rungs } = await at(0.2)
    const proven = provenError(rungs.find(({ guarantee }) => guarantee === 'multicalibration')!)
    expect((await at(proven)).holds).toBe(true)
    expect((await at(proven - 1e-9)).holds).toBe(false)
  })

  it('are never above what every predictor with such residuals keeps to', async () => {
    // One bin: rounding alone would cost 1.
    const predictor = async (auditors: Auditors) => {
      const { data } = await fit(table, { ...base, auditors, roundLimit: 0, bins: 1 })
      const [score, label] = ['score', 'y'].map(name => columnOf(table, name) as number[])
      const value = data.roundings.find(({ bins }) => bins === 1)!.values[0] / 2 ** 24
      const mean = (of: (row: number) => number) =>
        label.reduce((sum, _, row) => sum + of(row), 0) / label.length
      const multicalibration = data.certificate.rungs.find(each => each.guarantee === 'multicalibration')!
      return {
        found: multicalibration.bound,
        loss: mean(row => (label[row] - score[row]) ** 2),
        absolute: mean(row => Math.abs(label[row] - value)),
        squares: mean(row => (label[row] - value) ** 2),
        levelSet: data.certificate.rungs.find(each => each.guarantee === 'level-set')?.bound,
      }
    }
    const groups = await predictor(declared)
    expect(groups.found).toBeCloseTo(groups.absolute, 7)
    expect(groups.levelSet).toBeCloseTo(groups.absolute, 7)
    expect((await predictor(young)).found).toBeCloseTo(groups.absolute, 7)
    // Linear functions may exceed 1: their mean square is what is bounded.
    for (const budget of [1, 0.25, 3]) {
      const { found, squares } = await predictor(linear({ budget }))
      expect(found).toBeCloseTo(Math.sqrt(budget * squares), 7)
    }
  })

  it('find each tolerance once: constant, declared and richest factors', async () => {
    const kinds = async (options: Partial<FitOptions>) =>
      (await certificateOf({ ...options, roundLimit: 1 })).tolerances.map(({ factors }) => factors)
    expect(await kinds({ factors: 'table' })).toEqual(['constant', 'table'])
    expect(await kinds({ factors: 'constant' })).toEqual(['constant', 'table'])
    expect(await kinds({ factors: 'signed' })).toEqual(['constant', 'signed', 'table'])
    expect(await kinds({ auditors: young, factors: 'intervals' })).toEqual([
      'constant',
      'intervals',
      'weighted',
    ])
  })
})

describe("the paper's own bound", () => {
  it('is stated for intervals (Lemma 5.2)', async () => {
    const certificate = await certificateOf({
      auditors: declared,
      factors: 'intervals',
      bins: 5,
      roundLimit: 200,
      tolerance: 1e-9,
    })
    const { tolerance } = certificate.tolerances.find(({ factors }) => factors === 'intervals')!
    expect(certificate.paperBound).toBe(intervalBound(tolerance, 1, 5))
    expect(certificate.proven.join(' ')).toContain(
      `The paper's own bound for intervals factors, which pays for every bin apart, is ${formatBound(certificate.paperBound!, 4)}.`,
    )
  })

  it.each<[string, Auditors, number]>([
    ['groups', declared, 2],
    ['functions in value bins', youngInBins, 2],
  ])('is stated for level sets of %s (Lemma 5.8)', async (_, auditors, values) => {
    const options = { auditors, factors: 'level-sets', bins: 5, tolerance: 1e-9 } as const
    const certificate = await certificateOf({ ...options, roundLimit: 300 })
    const { tolerance } = certificate.tolerances.find(({ factors }) => factors === 'level-sets')!
    expect(certificate.paperBound).toBe(levelSetBound(tolerance, 5, values))
    // Where it says no more than every predictor keeps to, it is left out.
    const early = await certificateOf({ ...options, roundLimit: 0 })
    expect(early).not.toHaveProperty('paperBound')
    expect(early.proven.join(' ')).not.toContain("paper's own bound")
  })

  it.each(['constant', 'signed', 'weighted', 'table'] as const)(
    'is not stated for %s factors',
    async factors => {
      const certificate = await certificateOf({ auditors: declared, factors, roundLimit: 1 })
      expect(certificate).not.toHaveProperty('paperBound')
      expect(certificate.proven.join(' ')).not.toContain("paper's own bound")
    },
  )
})

describe('the statements', () => {
  it('say what is proven on which rows, and the best update that is left', async () => {
    const { proven, rungs, tolerances } = await certificateOf({ auditors: declared, bins: 8, roundLimit: 1 })
    const { tolerance, worst } = tolerances.at(-1)!
    expect(proven[0]).toBe(
      'What is said of the fitting rows (300 by weight) was counted on them and assumes nothing. Of new rows nothing is said.',
    )
    expect(proven[1]).toBe(
      `On the fitting rows, no update with table factors over membership in 5 declared groups, everyone included lowers the mean squared error by more than ${formatBound(tolerance, 4)}, before predictions are clipped to [0,1]. The one that gains most: ${worst}.`,
    )
    const counted = ({ measured }: Rung, of: string) =>
      `Counted for every such auditor, the ${of} is at most ${formatBound(measured.atMost, 4)} on these rows.`
    expect(proven.slice(2)).toEqual([
      counted(rungs[0], 'multiaccuracy error of the predictions'),
      counted(rungs[1], 'multicalibration error of the predictions, rounded to 8 bins,'),
      counted(rungs[2], 'level-set multicalibration error of the predictions, rounded to 8 bins,'),
    ])
  })

  it('say what was measured, before and after', async () => {
    const { after, before, measured } = await certificateOf({ auditors: declared })
    const change = (from: number, to: number) => `${formatNumber(from)} before, ${formatNumber(to)} after.`
    expect(measured).toEqual([
      `Mean squared error: ${change(before.loss, after.loss)}`,
      `Calibration error: ${change(before.calibration, after.calibration)}`,
      `Worst multiaccuracy error: ${change(before.multiaccuracy.error, after.multiaccuracy.error)}`,
      `Worst multicalibration error found: ${change(before.multicalibration.error, after.multicalibration.error)}`,
      `Worst level-set error: ${change(before.levelSet!.error, after.levelSet!.error)}`,
      `Worst auditor for multiaccuracy: ${after.multiaccuracy.worst}.`,
      `Worst auditor for multicalibration: ${after.multicalibration.worst}.`,
      `Worst auditor for level-set: ${after.levelSet!.worst}.`,
    ])
    const linearOnes = (await certificateOf({ auditors: linear() })).measured
    expect(linearOnes.join(' ')).not.toContain('level-set')
  })

  it.each<[string, Auditors, RegExp]>([
    [
      'trees',
      trees({ depth: 1 }),
      /^decision trees of depth 1 on 2 columns \(\d+ splits of the forms x <= cut/,
    ],
    ['groups', declared, /^membership in 5 declared groups, everyone included$/],
    ['linear', linear({ budget: 0.5 }), /^linear functions of 5 terms with mean square at most 0\.5$/],
    ['one function', young, /^the function young$/],
    ['two functions', functions({ a: () => 0.5, b: () => -1 }), /^the functions a and b$/],
    ['functions in value bins', youngInBins, /^functions of the values of young$/],
  ])('name the auditors: %s', async (_, auditors, words) => {
    expect((await certificateOf({ auditors, roundLimit: 0 })).auditors).toMatch(words)
  })

  it('say when updates were found greedily and for which class the proof speaks', async () => {
    const deep = await certificateOf({ auditors: trees({ depth: 3 }), roundLimit: 1 })
    expect(deep.oracle).toBe('greedy')
    expect(deep.caveats[0]).toContain('what is proven is proven for trees of depth 2')
    expect(deep.caveats[1]).toContain('Updates were found greedily')
    expect(deep.auditors).toContain('depth 2')
    const narrow = await certificateOf({ cellBudget: 100, roundLimit: 1 })
    expect(narrow.caveats[0]).toContain('certified for trees of depth 1 only')
    expect(narrow.auditors).toContain('depth 1')
  })

  it('say when the best update is only bounded, not found', async () => {
    const { proven } = await certificateOf({ auditors: young, factors: 'intervals', roundLimit: 0 })
    expect(proven[1]).toContain('The one that gains most')
    const { tolerances } = await certificateOf({ factors: 'weighted', roundLimit: 0 })
    expect(tolerances.map(({ attained }) => attained)).toEqual([true, false, true])
  })

  it('admit that the worst multicalibration error found may not be the worst there is', async () => {
    const certificate = await certificateOf({ auditors: linear(), roundLimit: 1 })
    const { atMost, error } = certificate.after.multicalibration
    const admitted = certificate.caveats.some(text => text.includes('may not be the worst there is'))
    expect(admitted).toBe(error < atMost)
    expect(admitted).toBe(true)
    for (const auditors of [declared, trees()]) {
      const exact = await certificateOf({ auditors, roundLimit: 1 })
      expect(exact.after.multicalibration.atMost).toBe(exact.after.multicalibration.error)
      expect(exact.caveats.join(' ')).not.toContain('may not be the worst')
    }
  })

  it('always name the unit of counting', async () => {
    expect((await certificateOf({ roundLimit: 0 })).caveats.at(-1)).toBe(
      'Labels and predictions are counted in units of 2^-24.',
    )
  })
})

describe('the claim', () => {
  it('repeats what was asked for', async () => {
    const { claim, factors, rounds } = await certificateOf({
      guarantee: 'multicalibration',
      epsilon: 0.3,
      tolerance: 0.004,
      bins: 6,
      confidence: 0.8,
      roundLimit: 1,
    })
    const expected = { epsilon: 0.3, tolerance: 0.004, bins: 6, budget: 1, confidence: 0.8, candidates: 1 }
    expect(claim).toEqual({ guarantee: 'multicalibration', ...expected })
    expect([factors, rounds]).toEqual(['table', 1])
  })

  it('of multiaccuracy measures the other rungs at twenty bins', async () => {
    expect((await certificateOf({ guarantee: 'multiaccuracy' })).claim.bins).toBe(20)
  })
})
