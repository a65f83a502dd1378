// The sentences of a certificate, from facts made by hand.

import { describe, expect, it } from 'vitest'
import type { Certificate, Rung } from '../../src/certify/facts.ts'
import { splitOf } from '../../src/certify/facts.ts'
import type { HeldOutBound } from '../../src/certify/heldOutCertificate.ts'
import { stateCertificate } from '../../src/certify/statements.ts'

type Facts = Omit<Certificate, 'proven' | 'measured' | 'caveats'>

const worst = { error: 0.25, atMost: 0.25, worst: 'x <= 3' }
const summary = {
  ...{ loss: 0.2, meanResidual: 0.01, calibration: 0.05 },
  ...{ multiaccuracy: worst, multicalibration: worst },
}
const rung = (bound: number, measured = worst): Rung => ({
  ...{ guarantee: 'multicalibration', through: 'table', tolerance: 0.01 },
  ...{ bound, measured },
})
const tolerance = (factors: 'constant' | 'table', worst: string) => ({
  ...{ factors, tolerance: 0.01, attained: true, worst },
  update: { kind: 'table' as const, tree: { leaf: 0 }, levels: 1, values: [0] },
})
const FACTS: Facts = {
  claim: {
    ...{ guarantee: 'multicalibration', epsilon: 0.3, tolerance: 0.01, bins: 4, budget: 1 },
    ...{ confidence: 0.9, candidates: 1 },
  },
  holds: true,
  rows: { rowCount: 100, fitWeight: 80, fingerprint: '' },
  ...{ auditors: 'groups', factors: 'table', oracle: 'exhaustive', rounds: 3 },
  tolerances: [tolerance('constant', 'the first'), tolerance('table', 'the last')],
  rungs: [rung(0.3)],
  ...{ before: summary, after: summary },
}
const state = (facts: Partial<Facts> = {}, weighted = false, note?: string) =>
  stateCertificate({ ...FACTS, ...facts }, note, weighted)

const bound = (value: number): HeldOutBound => ({ measured: 0.1, slack: 0.05, bound: value, worst: '' })
const units = { rows: 20, count: 20, weight: 20, largestWeight: 1, squaredWeight: 20 }
const HELD_OUT = {
  ...{ units, confidence: 0.9, candidates: 1, meanSquare: 0.2 },
  ...{ multiaccuracy: bound(0.15), multicalibration: bound(0.2) },
}

describe('a rung', () => {
  it('is counted where that is less than the bound, and follows from the bound where it is not', () => {
    const said = (bound: number) => state({ rungs: [rung(bound)] }).proven[2]
    expect(said(0.26)).toMatch(/^Counted for every such auditor, .* is at most 0\.25/)
    expect(said(0.25)).toMatch(/^Therefore the multicalibration error .* is at most 0\.25/)
    expect(said(0.2)).toMatch(/^Therefore .* is at most 0\.2 /)
  })

  it('rests on the richest factors', () => {
    expect(state().proven[1]).toMatch(/no update with table factors .* The one that gains most: the last\.$/)
  })
})

describe('what is said of new rows', () => {
  const news = (heldOut: Partial<typeof HELD_OUT> & object, more: Partial<Facts> = {}) =>
    state({ heldOut: { ...HELD_OUT, ...heldOut }, ...more }).proven.slice(3)

  it('is each bound below 1', () => {
    expect(news({})).toEqual([
      "On new rows the multiaccuracy error of every such auditor is at most 0.15: the largest on the held-out rows is at most 0.1, and the worst auditor's may be 0.05 more.",
      "On new rows the multicalibration error of every such auditor is at most 0.2: the largest on the held-out rows is at most 0.1, and the worst auditor's may be 0.05 more.",
    ])
    expect(news({ multiaccuracy: bound(1), ...{ levelSet: bound(0.999) } })).toEqual([
      expect.stringMatching(/^On new rows the multicalibration error/),
      expect.stringMatching(/^On new rows the level-set multicalibration error/),
    ])
  })

  it('is one sentence where one bound is below 1', () => {
    const [only, ...rest] = news({ multiaccuracy: bound(1) })
    expect(only).toMatch(/^On new rows the multicalibration error/)
    expect(rest).toEqual([])
  })

  it('is nothing where all bounds are 1', () => {
    expect(news({ multiaccuracy: bound(1), multicalibration: bound(1) })).toEqual([
      'Of new rows nothing is proven: too few rows were held out.',
    ])
  })

  it('names a choice between predictors once, and only where there was one', () => {
    const words =
      'Held-out rows had a say in what was chosen: that is paid for as a choice between 2 predictors.'
    const [first, second] = news({ candidates: 2 })
    expect(first.endsWith(words)).toBe(true)
    expect(second).not.toContain('had a say')
    expect(news({ candidates: 1 }).join()).not.toContain('had a say')
  })

  it("ends with the paper's own bound, or with how many rows it needs", () => {
    const paper = (rest: object) => news({ ...{ paper: { rows: 80, vacuous: true, ...rest } } }).at(-1)
    const own = "The paper's own bound on the multicalibration error on new rows"
    expect(paper({ vacuous: false, bound: 0.5 })).toBe(`${own}, at n = 80 fitting rows, is 0.5.`)
    expect(paper({ rowsNeeded: 3e6 })).toBe(`${own} is vacuous at n = 80 fitting rows; it needs n >= 3.0e6.`)
    expect(paper({})).toBe(`${own} is vacuous at n = 80 fitting rows; no n is enough.`)
  })
})

describe('what new rows are assumed to be', () => {
  const assumed = (rows: object, held: object = {}, weighted = false) =>
    state({ heldOut: { ...HELD_OUT, ...held }, rows: { ...FACTS.rows, ...rows } }, weighted).proven[0]

  it('is the population that held-out rows were drawn from, however they were held out', () => {
    expect(assumed({})).toContain(
      'assumes that the 20 held-out rows were drawn independently of each other from the population that new rows come from; each such statement then holds with probability 0.9.',
    )
    const named = [
      [{ fold: 'part' }, 'marked in column part'],
      [{ holdout: { fraction: 0.25, seed: 7 } }, '25 % of the rows, seed 7'],
      [{ holdout: { fraction: 0.25, seed: 7, groupBy: 'id' } }, '25 % of the ids in column id, seed 7'],
    ] as const
    for (const [roles, words] of named)
      expect(assumed({ split: splitOf(roles) })).toContain(`the 20 held-out rows (${words}) were drawn`)
    expect(assumed({ copies: 'one' })).toContain('(a row and its exact copies being one)')
    expect(assumed({ copies: 'one', split: splitOf({ fold: 'part' }) })).toContain(
      '(marked in column part; a row and its exact copies being one)',
    )
    expect(assumed({ copies: 'independent' })).not.toContain('copies')
    expect(splitOf({})).toBeUndefined()
  })

  it('counts ids where rows have them', () => {
    expect(assumed({}, { units: { ...units, count: 8 } })).toContain(
      'the 20 held-out rows are 8 independent draws, one for each id, from the population',
    )
  })

  it('says that no weight could have been larger where rows have weights, be they equal or not', () => {
    const words = ', none of which could have weighed more than the heaviest here'
    expect(assumed({})).not.toContain(words)
    expect(assumed({}, {}, true)).toContain(words)
    expect(assumed({}, { units: { ...units, squaredWeight: 30, largestWeight: 3 } })).toContain(words)
  })

  it('is nothing where nothing is said of new rows', () => {
    expect(state().proven[0]).toMatch(/assumes nothing\. Of new rows nothing is said\.$/)
  })
})

describe('what is said of protected groups', () => {
  const group = (name: string, gap: number, bound?: number) => ({
    ...{ group: name, weight: 10, gap },
    ...(bound !== undefined && { heldOut: { weight: 5, gap, bound } }),
  })
  const said = (...groups: ReturnType<typeof group>[]) => state({ protected: groups }).proven.slice(3)

  it('names the group that is farthest off, on either side, and the one of which least is proven', () => {
    expect(said(group('a', 0.1, 0.3), group('b', -0.2, 0.4), group('c', 0.15, 0.35))).toEqual([
      'In each of 3 protected groups, outcomes and predictions are at most 0.2 apart on average on the fitting rows; the most: b.',
      'On new rows they are at most 0.4 apart in each of 3 of these groups; the most: b.',
    ])
  })

  it('names the first of two that are equally far off', () => {
    const [fitting, news] = said(group('a', 0.2, 0.3), group('b', -0.2, 0.3))
    expect(fitting).toContain('the most: a.')
    expect(news).toContain('the most: a.')
  })

  it('counts those of which nothing is proven', () => {
    expect(said(group('a', 0.1, 0.3), group('b', 0.2, 1), group('c', 0.1))[1]).toBe(
      'On new rows they are at most 0.3 apart in each of 1 of these groups; the most: a. Of the other 2 nothing is proven.',
    )
    expect(said(group('a', 0.1, 1), group('b', 0.2))[1]).toBe(
      'Of new rows nothing is proven in any of these groups: too few rows were held out.',
    )
    expect(state({ protected: [] }).proven).toHaveLength(3)
  })
})

describe('the caveats', () => {
  const [LAST, GREEDY] = ['counted in units', 'found greedily']
  const has = (facts: Partial<Facts>, words: string, note?: string) =>
    state(facts, false, note).caveats.some(caveat => caveat.includes(words))

  it('are the note, greedy updates, an error that is only bounded, and what is not proven of new rows', () => {
    expect(state().caveats).toEqual([
      'Nothing here is proven about other rows than these: no rows were held out.',
      expect.stringContaining(LAST),
    ])
    expect(state({}, false, 'a note').caveats[0]).toBe('a note')
    expect(has({ oracle: 'greedy' }, GREEDY)).toBe(true)
    expect(has({}, GREEDY)).toBe(false)
    const inexact = [rung(0.3), rung(0.3, { ...worst, error: 0.2 })]
    expect(has({ rungs: inexact }, 'may not be the worst there is')).toBe(true)
    expect(has({}, 'may not be the worst there is')).toBe(false)
    expect(has({ heldOut: HELD_OUT }, 'Nothing here is proven')).toBe(false)
    expect(has({ rows: { ...FACTS.rows, holdoutWeight: 20 } }, 'what linear auditors are allowed')).toBe(true)
  })
})

describe('what was measured', () => {
  it('is said before and after, of level sets where both have them', () => {
    const levelSet = { ...worst, error: 0.125 }
    const said = (before: object, after: object) =>
      state({ before: { ...summary, ...before }, after: { ...summary, ...after } }).measured.filter(text =>
        text.startsWith('Worst level-set error'),
      )
    expect(said({ levelSet }, { levelSet: worst })).toEqual([
      'Worst level-set error: 0.125 before, 0.25 after.',
    ])
    expect(said({ levelSet }, {})).toEqual([])
    expect(said({}, { levelSet })).toEqual([])
  })
})
