import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { levelOf, toUnits } from '../../src/common/units.ts'
import { levelPlace, levelRange, levelsFor } from '../../src/decide/levels.ts'
import { chooseActions, type LossSpec, readLoss, readLosses } from '../../src/decide/losses.ts'
import { lossesArbitrary } from './arbitrary.ts'

const expectedLoss = ([zero, one]: readonly [number, number], p: number) => (1 - p) * zero + p * one

describe('a loss', () => {
  it('of costs is decided at FP / (FP + FN)', () => {
    const loss = readLoss({ falsePositive: 1, falseNegative: 5 })
    expect(loss.thresholds).toEqual([1 / 6])
    expect(loss.actions.map(({ name }) => name)).toEqual(['no', 'yes'])
    expect(loss.spread).toBe(6)
    expect(loss.name).toBe('false positive 1, false negative 5')
    expect([...chooseActions(loss, [0, 0.16, 1 / 6 + 1e-7, 1])]).toEqual([0, 0, 1, 1])
  })

  it('of a threshold is decided there, and a score at the threshold lies above it', () => {
    const loss = readLoss({ threshold: 0.25, name: 'loans' })
    expect(loss).toMatchObject({ name: 'loans', thresholds: [0.25], spread: 1 })
    expect([...chooseActions(loss, [0.25 - 2 ** -24, 0.25])]).toEqual([0, 1])
  })

  it('of utilities is the loss with the other sign', () => {
    const utilities = { refuse: [0, 0], review: [-1, 2], accept: [-10, 5] } as const
    const losses = { refuse: [0, 0], review: [1, -2], accept: [10, -5] } as const
    expect(readLoss({ utilities, name: 'a' })).toEqual(readLoss({ losses, name: 'a' }))
  })

  it('names actions that are best at no probability', () => {
    const loss = readLoss({ losses: { low: [0, 1], never: [0.9, 0.9], high: [1, 0] } })
    expect(loss.neverBest).toEqual(['never'])
    expect(loss.thresholds).toEqual([0.5])
  })

  it('squared or log is decided between neighbouring reports, where both cost the same', () => {
    for (const named of ['squared', 'log'] as const) {
      const { actions, thresholds } = readLoss({ named })
      thresholds.forEach((threshold, index) => {
        const [below, above] = [actions[index], actions[index + 1]]
        expect(Number(below.name)).toBeLessThan(threshold)
        expect(Number(above.name)).toBeGreaterThan(threshold)
        expect(expectedLoss(below.losses, threshold)).toBeCloseTo(expectedLoss(above.losses, threshold), 12)
      })
    }
    expect(readLoss({ named: 'squared' }).spread).toBeCloseTo(2, 12)
  })

  it('has at every probability an action that no other undercuts', () => {
    const property = fc.property(lossesArbitrary, fc.double({ min: 0, max: 1, noNaN: true }), (losses, p) => {
      const loss = readLoss({ losses })
      const score = Math.round(p * 2 ** 24) / 2 ** 24
      const [chosen] = chooseActions(loss, [score])
      const least = Math.min(...Object.values(losses).map(pair => expectedLoss(pair, score)))
      expect(expectedLoss(loss.actions[chosen].losses, score)).toBeLessThanOrEqual(least + 1e-9)
    })
    fc.assert(property, { numRuns: 300 })
  })

  it.each<[unknown, RegExp]>([
    [{ falsePositive: -1, falseNegative: 1 }, /FB_LOSS losses\[0\]: the cost "falsePositive" is -1/],
    [{ falsePositive: 0, falseNegative: 1 }, /"yes" is best whatever the score is/],
    [{ falsePositive: 1 }, /the cost "falseNegative" is/],
    [{ threshold: 1 }, /the threshold is 1/],
    [{ threshold: 0.2, falsePositive: 1 }, /this is no loss/],
    [{ losses: { only: [0, 1] } }, /no table of actions/],
    [{ losses: { a: [0, 1], b: [1, Number.NaN] } }, /no table of actions/],
    [{ named: 'squard' }, /no loss called "squard".*Did you mean "squared"/],
    [{ threshold: 0.2, name: ' ' }, /the name is/],
    [null, /this is no loss/],
  ])('%j is refused', (spec, message) => {
    expect(() => readLosses([spec as LossSpec])).toThrow(message)
  })

  it('is refused where two have one name, and where there is none', () => {
    expect(() => readLosses([{ threshold: 0.2 }, { threshold: 0.2 }])).toThrow(/two losses are called/)
    expect(() => readLosses([])).toThrow(/no loss to decide by/)
    expect(() => readLosses({ threshold: 0.2 })).toThrow(/Expected a list/)
  })
})

describe('levels', () => {
  it('are bins cut at thresholds: inside one all scores lead to one action, and engines count it as one level', () => {
    const anyScore = fc.double({ min: 0, max: 1, noNaN: true })
    const property = fc.property(
      lossesArbitrary,
      fc.integer({ min: 1, max: 9 }),
      anyScore,
      (losses, bins, p) => {
        const loss = readLoss({ losses })
        const levels = levelsFor(loss, bins)
        const score = toUnits(p) / 2 ** 24
        const level = levelOf(toUnits(levelPlace(levels, score)), levels.actions.length)
        expect(levels.actions[level]).toBe(chooseActions(loss, [score])[0])
        const { from, to } = levelRange(levels, level)
        expect(score).toBeGreaterThanOrEqual(from)
        expect(score < to || to === 1).toBe(true)
        // Never across the edge of a bin.
        expect(Math.floor((toUnits(from) * bins) / 2 ** 24)).toBe(
          Math.min(bins - 1, levelOf(toUnits(score), bins)),
        )
      },
    )
    fc.assert(property, { numRuns: 300 })
  })
})
