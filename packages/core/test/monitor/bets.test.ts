// One row, one bet: what it makes of money, against the formula and by counting out every outcome.

import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { ONE, toUnits } from '../../src/common/units.ts'
import { betOnCount, betsOf, LOG_ONE, MOST_USUAL, RowBets, SHIFTS, USUAL } from '../../src/monitor/bets.ts'

const BETS = betsOf(SHIFTS)

function factorsOf(bets: RowBets, label: number, prediction: number, weight?: number): number[] {
  const out = new Float64Array(BETS.length)
  bets.read(out, toUnits(label), toUnits(prediction), weight)
  return Array.from(out, units => Math.exp(units / LOG_ONE))
}

const PREDICTIONS = [0, 2 ** -24, 0.001, 0.03, 0.25, 0.5, 0.81, 0.999, 1]

describe('a bet on one row', () => {
  it('is 1 + lambda (y - p), rounded down by at most three units', () => {
    const bets = new RowBets(BETS)
    for (const p of PREDICTIONS) {
      for (const y of [0, 0.25, 0.6, 1]) {
        const rounded = { p: toUnits(p) / ONE, y: toUnits(y) / ONE }
        for (const [index, factor] of factorsOf(bets, y, p).entries()) {
          const growth = Math.exp(BETS[index]) - 1
          const exact = 1 + (growth / (1 + rounded.p * growth)) * (rounded.y - rounded.p)
          expect(factor).toBeLessThanOrEqual(exact)
          expect(Math.log(factor)).toBeGreaterThan(Math.log(exact) - 3 / LOG_ONE)
        }
      }
    }
  })

  it('wins nothing on average where the mean of outcomes is the score, for every bet, score and weight', () => {
    const bets = new RowBets(BETS)
    for (const p of PREDICTIONS) {
      for (const weight of [1, 100, USUAL, MOST_USUAL * USUAL]) {
        const share = toUnits(p) / ONE
        const [lost, won] = [factorsOf(bets, 0, p, weight), factorsOf(bets, 1, p, weight)]
        for (let bet = 0; bet < BETS.length; bet++) {
          const mean = (1 - share) * lost[bet] + share * won[bet]
          expect(mean).toBeLessThanOrEqual(1)
          expect(mean).toBeGreaterThan(1 - 4 / LOG_ONE)
        }
      }
    }
  })

  it('wins nothing on average from labels between 0 and 1 either, however they are spread', () => {
    const bets = new RowBets(BETS)
    const random = makeRandom(3)
    for (let trial = 0; trial < 200; trial++) {
      const labels = Array.from({ length: 4 }, () => random.integer(17) / 16)
      const shares = labels.map(() => 0.05 + random.next())
      const total = shares.reduce((sum, share) => sum + share, 0)
      const mean = labels.reduce((sum, label, at) => sum + (label * shares[at]) / total, 0)
      // The score is a whole number of units: rounded in favour of the bet that is looked at.
      for (const side of [Math.ceil, Math.floor]) {
        const p = side(mean * ONE) / ONE
        const factors = labels.map(label => factorsOf(bets, label, p))
        for (let bet = 0; bet < BETS.length; bet++) {
          if (BETS[bet] > 0 !== (side === Math.ceil)) continue
          const expected = factors.reduce((sum, each, at) => sum + (each[bet] * shares[at]) / total, 0)
          expect(expected).toBeLessThanOrEqual(1 + 1e-12)
        }
      }
    }
  })

  it('wins nothing while the gap is at most the one that is allowed, and something beyond it', () => {
    const gap = toUnits(0.02)
    const bets = new RowBets(BETS, gap)
    const meanAt = (truth: number) => {
      const [lost, won] = [factorsOf(bets, 0, 0.3), factorsOf(bets, 1, 0.3)]
      return BETS.map((_, bet) => (1 - truth) * lost[bet] + truth * won[bet])
    }
    for (const truth of [0.2801, 0.3, 0.3199])
      for (const mean of meanAt(truth)) expect(mean).toBeLessThanOrEqual(1)
    expect(Math.max(...meanAt(0.33))).toBeGreaterThan(1)
    expect(Math.max(...meanAt(0.27))).toBeGreaterThan(1)
  })

  it('on a count is the product of bets on its rows, or a little less', () => {
    const rows = { count: 30, rowCount: 100, low: 0.25, high: 0.25 }
    const bets = new RowBets(BETS)
    const single = [0, 1].map(label => {
      const out = new Float64Array(BETS.length)
      bets.read(out, label * ONE, ONE / 4)
      return out
    })
    for (const [bet, found] of betOnCount(BETS, rows).entries()) {
      const product = 70 * single[0][bet] + 30 * single[1][bet]
      expect(Math.abs(found - product)).toBeLessThan(300)
    }
  })
})
