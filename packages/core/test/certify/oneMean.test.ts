// One mean: the inequality itself, the chance of a false limit computed exactly on small cases, weights that are tied to labels,
// copies, and the step from one mean to the worst of many auditors.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heldOutSlack, logTreeAuditors } from '../../src/certify/heldOut.ts'
import {
  areEqual,
  bestTilt,
  lowerLimit,
  oneMeanSlack,
  psi,
  roundDown,
  roundUp,
  upperLimit,
} from '../../src/certify/oneMean.ts'
import { limitAbove, limitBelow, priorFrom } from '../../src/certify/rowEvidence.ts'
import { makeRandom } from '../../src/common/random.ts'
import type { FoldUnits } from '../../src/data/foldUnits.ts'

const rowsOf = (count: number): FoldUnits => ({
  rows: count,
  count,
  weight: count,
  largestWeight: 1,
  squaredWeight: count,
})

/** ln of the probability of k among n. */
function logBinomial(n: number, k: number, share: number): number {
  let log = k * Math.log(share) + (n - k) * Math.log1p(-share)
  for (let i = 1; i <= k; i++) log += Math.log((n - k + i) / i)
  return log
}

describe('the inequality', () => {
  test('exp(t x - psi(t) x^2) <= 1 + t x for x >= -1', () => {
    const x = fc.oneof(
      fc.double({ min: -1, max: 2, noNaN: true }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), x, (tilt, value) => {
        const left = Math.exp(tilt * value - psi(tilt) * value ** 2)
        expect(left).toBeLessThanOrEqual((1 + tilt * value) * (1 + 1e-12))
      }),
      { numRuns: 2000 },
    )
  })

  test('needs x >= -1', () => {
    expect(Math.exp(0.9 * -1.5 - psi(0.9) * 2.25)).toBeGreaterThan(1 + 0.9 * -1.5)
  })

  test('the best tilt is the best', () => {
    for (const exponent of [1, 3, 12]) {
      for (const rows of [100, 400, 20_000]) {
        for (const meanSquare of [0.02, 0.2, 1]) {
          const slack = (tilt: number) => (psi(tilt) * meanSquare + exponent / rows) / tilt
          const best = bestTilt(exponent, rows, meanSquare)
          for (const factor of [0.5, 0.9, 1.05]) {
            expect(slack(best)).toBeLessThanOrEqual(slack(Math.min(0.9995, best * factor)) + 1e-7)
          }
        }
      }
    }
  })

  test('by hand: 400 rows, mean square 0.2, confidence 0.95: close to sqrt(2 m L / n) + 2 L / 3 n', () => {
    const slack = oneMeanSlack({ rows: 400, meanSquare: 0.2, confidence: 0.95 })
    const log = Math.log(20)
    expect(slack).toBeGreaterThan(Math.sqrt((0.4 * log) / 400))
    expect(slack).toBeLessThan(Math.sqrt((0.4 * log) / 400) + (2 * log) / 1200 + 0.0005)
    expect(slack.toFixed(4)).toBe('0.0598')
    expect(oneMeanSlack({ rows: 400, meanSquare: 0.2, confidence: 0.95, candidates: 6 })).toBeCloseTo(
      oneMeanSlack({ rows: 400, meanSquare: 0.2, confidence: 1 - 0.05 / 6 }),
      12,
    )
  })
})

describe('the chance of a false limit, computed exactly', () => {
  const shares = [0.0005, 0.003, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 0.97]

  /** z is a label of 0 or 1, and its mean square is its mean. */
  test.each([5, 40, 100, 500])('stays within e^-L on either side (%s rows)', rows => {
    const units = rowsOf(rows)
    for (const exponent of [Math.log(2), Math.log(10), Math.log(20)]) {
      for (const foreseen of [0.02, 0.2]) {
        const tilt = bestTilt(exponent, rows, foreseen)
        for (const share of shares) {
          let [below, above] = [0, 0]
          for (let k = 0; k <= rows; k++) {
            const options = { units, equal: true, mean: k / rows, meanSquare: k / rows, exponent, tilt }
            const chance = Math.exp(logBinomial(rows, k, share))
            if (upperLimit(options) < share) below += chance
            if (lowerLimit(options) > share) above += chance
          }
          expect(below).toBeLessThanOrEqual(Math.exp(-exponent))
          expect(above).toBeLessThanOrEqual(Math.exp(-exponent))
        }
      }
    }
  })

  /** Heavy rows have z = 1, light ones z = -1/20: the weight tells the label. */
  function weightedCase(rows: number, heavy: number, share: number) {
    const light = -1 / 20
    const truth = (share * heavy + (1 - share) * light) / (share * heavy + 1 - share)
    return Array.from({ length: rows + 1 }, (_, k) => {
      const weight = k * heavy + rows - k
      return {
        truth,
        chance: Math.exp(logBinomial(rows, k, share)),
        mean: (k * heavy + (rows - k) * light) / weight,
        meanSquare: (k * heavy + (rows - k) * light ** 2) / weight,
        units: { rows, count: rows, weight, largestWeight: heavy, squaredWeight: k * heavy ** 2 + rows - k },
      }
    })
  }

  test.each([
    [60, 10, 0.03],
    [60, 50, 0.02],
    [300, 20, 0.01],
    [300, 5, 0.1],
  ])('of %s rows, heavy ones of weight %s with the label 1', (rows, heavy, share) => {
    const exponent = Math.log(20)
    for (const foreseen of [0.01, 0.1, 0.5]) {
      const tilt = bestTilt(exponent, rows / heavy, foreseen)
      let [below, above, old] = [0, 0, 0]
      for (const { chance, mean, meanSquare, truth, units } of weightedCase(rows, heavy, share)) {
        const options = { units, equal: areEqual(units), mean, meanSquare, exponent, tilt }
        if (upperLimit(options) < truth) below += chance
        if (truth >= 0 && lowerLimit(options) > truth) above += chance
        // Hoeffding's inequality for as many equal rows as these are worth, as if weights and labels had nothing to do with each other.
        const worth = units.weight ** 2 / units.squaredWeight
        if (mean + Math.sqrt((2 * exponent) / worth) < truth) old += chance
      }
      expect(below).toBeLessThanOrEqual(0.05)
      expect(above).toBeLessThanOrEqual(0.05)
      if (heavy >= 50) expect(old).toBeGreaterThan(0.05)
    }
  })
})

describe('docs/decisions/0020', () => {
  test('has the slack of a union over all trees and signs, and that of one mean', () => {
    const file = new URL('../../../../docs/decisions/0020-one-mean-for-the-worst-auditor.md', import.meta.url)
    const lines = [
      ...readFileSync(file, 'utf8').matchAll(/^\| ([\d,]+) \| (0\.\d+) \| (0\.\d+) \| (0\.\d+) \|$/gm),
    ]
    expect(lines).toHaveLength(6)
    for (const [, rowWords, square, before, now] of lines) {
      const [rows, meanSquare] = [Number(rowWords.replace(',', '')), Number(square)]
      const heldOut = { logAuditors: logTreeAuditors(1270, 2), bins: 40, confidence: 0.95 }
      const hoeffding = heldOutSlack({ rows, ...heldOut })
      // Maurer and Pontil's, for values in [-1,1] and the other half of delta.
      const exponent = (hoeffding ** 2 * rows) / 2 + Math.LN2
      const bernstein =
        Math.sqrt((2 * meanSquare * exponent) / (rows - 1)) + (14 * exponent) / (3 * (rows - 1))
      expect(Math.min(hoeffding, bernstein).toFixed(3)).toBe(before)
      expect(oneMeanSlack({ rows, meanSquare, confidence: 0.95 }).toFixed(3)).toBe(now)
    }
  })
})

describe('units', () => {
  const options = { mean: 0.1, meanSquare: 0.2, exponent: 3, tilt: 0.2 }

  test('fifty copies of a hundred rows are a hundred rows', () => {
    const copies = { rows: 5000, count: 100, weight: 5000, largestWeight: 50, squaredWeight: 100 * 50 ** 2 }
    expect(areEqual(copies)).toBe(true)
    const limit = (units: FoldUnits) => upperLimit({ ...options, units, equal: areEqual(units) })
    expect(limit(copies)).toBeCloseTo(limit(rowsOf(100)), 12)
    expect(limit(copies)).toBeGreaterThan(limit(rowsOf(5000)) + 0.05)
  })

  test('of different weights say less than equal ones, and a little less where they differ a little', () => {
    const units = { rows: 1000, count: 1000, weight: 1500, largestWeight: 2, squaredWeight: 2500 }
    const limit = upperLimit({ ...options, units, equal: areEqual(units) })
    expect(limit).toBeGreaterThan(upperLimit({ ...options, units: rowsOf(1000), equal: true }))
    expect(limit).toBeLessThan(upperLimit({ ...options, units: rowsOf(400), equal: true }) + 0.05)
  })

  test('never say more than 1, nor a number where one unit has all the weight', () => {
    const one = { rows: 100, count: 100, weight: 1000, largestWeight: 901, squaredWeight: 901 ** 2 + 99 }
    for (const tilt of [1e-6, 0.01, 0.5, 0.999]) {
      expect(upperLimit({ ...options, units: one, equal: false, tilt })).toBe(1)
    }
  })

  test('a larger mean, mean square or exponent never lowers the limit', () => {
    const number = fc.double({ min: 0, max: 1, noNaN: true })
    const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 20, maxLength: 200 })
    fc.assert(
      fc.property(
        weights,
        number,
        number,
        fc.double({ min: 0.001, max: 0.9, noNaN: true }),
        (list, a, b, tilt) => {
          const weight = list.reduce((sum, each) => sum + each, 0)
          const squaredWeight = list.reduce((sum, each) => sum + each ** 2, 0)
          const units = {
            rows: list.length,
            count: list.length,
            weight,
            largestWeight: Math.max(...list),
            squaredWeight,
          }
          const limit = (mean: number, meanSquare: number, exponent: number) =>
            upperLimit({ units, equal: areEqual(units), mean, meanSquare, exponent, tilt })
          const [less, more] = [Math.min(a, b), Math.max(a, b)]
          expect(limit(more, 0.2, 3)).toBeGreaterThanOrEqual(limit(less, 0.2, 3) - 1e-12)
          expect(limit(0.1, more, 3)).toBeGreaterThanOrEqual(limit(0.1, less, 3) - 1e-12)
          expect(limit(0.1, 0.2, 3 + more)).toBeGreaterThanOrEqual(limit(0.1, 0.2, 3 + less) - 1e-12)
        },
      ),
    )
  })
})

describe('limits of units that weigh differently', () => {
  const units: FoldUnits = { rows: 50, count: 50, weight: 120, largestWeight: 6, squaredWeight: 450 }
  const [weights, share] = [450 / (6 * 120), 6 / 120]
  const options = { units, equal: false, mean: 0.2, meanSquare: 0.3, exponent: 0.4, tilt: 0.25 }

  test('solve the inequality from above for the least mean that satisfies it', () => {
    const limit = upperLimit(options)
    expect(limit).toBeLessThan(1)
    const root = limit * Math.sqrt(weights) + Math.sqrt(0.3)
    expect(limit - 0.2).toBeCloseTo((psi(0.25) * root ** 2 + 0.4 * share) / 0.25, 12)
  })

  test('from below take twice the largest weight, and half the squares', () => {
    const root = 0.2 * Math.sqrt(weights) + Math.sqrt(0.3)
    const spread = root ** 2 / 2
    expect(lowerLimit(options)).toBeCloseTo(0.2 - (psi(0.25) * spread + 2 * 0.4 * share) / 0.25, 12)
    const equal = { ...options, units: rowsOf(50), equal: true }
    expect(lowerLimit(equal)).toBeCloseTo(0.2 - (psi(0.25) * 0.3 + 0.4 / 50) / 0.25, 12)
  })

  test('know no more of the squares than what the weights allow', () => {
    expect(upperLimit({ ...options, meanSquare: 0.9 })).toBe(upperLimit({ ...options, meanSquare: weights }))
    expect(lowerLimit({ ...options, meanSquare: 0.9 })).toBe(lowerLimit({ ...options, meanSquare: weights }))
  })

  test('are never above 1', () => {
    expect(upperLimit({ ...options, mean: 0.99 })).toBe(1)
    expect(upperLimit({ ...options, units: rowsOf(50), equal: true, mean: 0.99 })).toBe(1)
  })
})

describe('the slack of one mean', () => {
  const options = { rows: 100, meanSquare: 0.5, confidence: 0.9 }

  test('is refused outside its ranges, and not at their ends', () => {
    const refused = [
      { rows: 0 },
      { meanSquare: 0 },
      { meanSquare: 1.01 },
      { confidence: 0 },
      { confidence: 1 },
    ]
    for (const change of [...refused, { confidence: 1.5 }, { confidence: -0.5 }, { candidates: 0.9 }])
      expect(() => oneMeanSlack({ ...options, ...change })).toThrow(/FB_OPTION_VALUE/)
    for (const change of [{ rows: 0.5 }, { meanSquare: 1 }, { candidates: 1 }, { confidence: 0.001 }])
      expect(oneMeanSlack({ ...options, ...change })).toBeGreaterThan(0)
  })

  test('is that of the best tilt, for as many candidates as are paid for', () => {
    for (const candidates of [1, 7]) {
      const exponent = Math.log(candidates / 0.1)
      const tilt = bestTilt(exponent, 100, 0.5)
      const slack = (psi(tilt) * 0.5 + exponent / 100) / tilt
      expect(oneMeanSlack({ ...options, candidates })).toBeCloseTo(slack, 12)
    }
    expect(oneMeanSlack(options)).toBe(oneMeanSlack({ ...options, candidates: 1 }))
  })
})

describe('the tilt', () => {
  test('lies between a millionth and 0.999, in steps of a millionth', () => {
    expect(bestTilt(1e-20, 1e9, 1)).toBe(1e-6)
    expect(bestTilt(1e9, 1, 1e-9)).toBe(0.999)
    const tilt = bestTilt(3, 400, 0.2)
    expect(Math.round(tilt * 1e6) / 1e6).toBe(tilt)
    // t^2 / (1 - t) + ln(1 - t) + t = L / n m.
    expect(tilt ** 2 / (1 - tilt) + Math.log(1 - tilt) + tilt).toBeCloseTo(3 / 80, 5)
  })

  test('rounds limits to nine digits, to the safe side', () => {
    expect([roundUp(0.1234567891), roundDown(0.1234567899)]).toEqual([0.12345679, 0.123456789])
    expect([roundUp(0.5), roundDown(0.5)]).toEqual([0.5, 0.5])
  })
})

describe('from one mean to the worst of many auditors', () => {
  /** Signs of 200 auditors on 40 kinds of rows; outcomes differ from the score on some kinds. */
  const random = makeRandom(11)
  const KINDS = 40
  const SCORE = 0.3
  const truth = Array.from({ length: KINDS }, (_, kind) => (kind % 4 === 0 ? 0.42 : 0.27))
  const auditors = Array.from({ length: 200 }, () =>
    Array.from({ length: KINDS }, () => (random.next() < 0.5 ? 1 : -1)),
  )
  const worst = Math.max(
    ...auditors.map(signs =>
      Math.abs(signs.reduce((sum, sign, kind) => sum + sign * (truth[kind] - SCORE), 0) / KINDS),
    ),
  )

  test('its upper limit is false in at most delta of the draws, with no price for the number of auditors', () => {
    const [draws, rows, failure] = [400, 300, 0.2]
    let [above, below, measuredBelow] = [0, 0, 0]
    for (let draw = 0; draw < draws; draw++) {
      const sums = new Float64Array(KINDS)
      let squares = 0
      for (let row = 0; row < rows; row++) {
        const kind = random.integer(KINDS)
        const residual = (random.next() < truth[kind] ? 1 : 0) - SCORE
        sums[kind] += residual
        squares += residual ** 2
      }
      const measured = Math.max(
        ...auditors.map(signs =>
          Math.abs(signs.reduce((sum, sign, kind) => sum + sign * sums[kind], 0) / rows),
        ),
      )
      const evidence = { units: rowsOf(rows), equal: true, meanSquare: squares / rows }
      if (limitAbove(evidence, measured, failure) < worst) above++
      if (limitBelow(evidence, measured, failure, Math.log(2 * auditors.length)) > worst) below++
      if (measured < worst) measuredBelow++
    }
    expect(above / draws).toBeLessThanOrEqual(failure)
    expect(below / draws).toBeLessThanOrEqual(failure)
    // Noise raises the largest of many: it is rarely below the truth even without slack. From below, that must be paid for.
    expect(measuredBelow / draws).toBeLessThan(failure)
  })

  test('and of one auditor the measured error alone is too low half of the time', () => {
    let [low, above] = [0, 0]
    const [draws, rows, failure] = [600, 300, 0.1]
    for (let draw = 0; draw < draws; draw++) {
      let ones = 0
      for (let row = 0; row < rows; row++) if (random.next() < 0.4) ones++
      const mean = ones / rows - SCORE
      const meanSquare = (ones * (1 - SCORE) ** 2 + (rows - ones) * SCORE ** 2) / rows
      const fitting = { units: rowsOf(900), equal: true, meanSquare: 0.24 }
      const evidence = {
        units: rowsOf(rows),
        equal: true,
        meanSquare,
        prior: priorFrom(fitting, rowsOf(rows)),
      }
      if (mean < 0.1) low++
      if (limitAbove(evidence, mean, failure) < 0.1) above++
    }
    expect(low / draws).toBeGreaterThan(0.4)
    expect(above / draws).toBeLessThanOrEqual(failure)
    expect(above).toBeGreaterThan(0)
  })
})
