import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heldOutSlack, logTreeAuditors, rowsForSlack } from '../../src/certify/heldOut.ts'
import { makeRandom, type Random } from '../../src/common/random.ts'

const class20 = { logAuditors: Math.log(1e6), bins: 20, confidence: 0.95 }

describe('the slack', () => {
  test('is 0.025 for 100,000 rows, a million auditors, 20 bins and confidence 0.95', () => {
    const slack = heldOutSlack({ rows: 100_000, ...class20 })
    expect(slack).toBeCloseTo(Math.sqrt((2 * (Math.log(2e6 / 0.05) + 20 * Math.log(2))) / 100_000), 12)
    expect(slack.toFixed(3)).toBe('0.025')
  })

  test('halves with four times the rows', () => {
    for (const rows of [100, 5_000, 1e6]) {
      const ratio = heldOutSlack({ rows, ...class20 }) / heldOutSlack({ rows: 4 * rows, ...class20 })
      expect(ratio).toBeCloseTo(2, 12)
    }
  })

  test('a choice between J candidates costs as much as J times the auditors', () => {
    const chosen = heldOutSlack({ rows: 1000, ...class20, candidates: 50 })
    expect(chosen).toBeCloseTo(heldOutSlack({ rows: 1000, ...class20, logAuditors: Math.log(50e6) }), 12)
    expect(chosen).toBeGreaterThan(heldOutSlack({ rows: 1000, ...class20 }))
  })

  test('the rows for a slack are the fewest that reach it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.003, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 1000 }),
        (slack, logAuditors, bins, candidates) => {
          const heldOut = { logAuditors, bins, confidence: 0.9, candidates }
          const rows = rowsForSlack({ slack, ...heldOut })
          expect(heldOutSlack({ rows, ...heldOut })).toBeLessThanOrEqual(slack)
          if (rows > 1) expect(heldOutSlack({ rows: rows - 1, ...heldOut })).toBeGreaterThan(slack)
        },
      ),
    )
  })

  test('the rows of a slack give back the rows it came from', () => {
    for (let rows = 1; rows < 3000; rows += 7) {
      expect(rowsForSlack({ slack: heldOutSlack({ rows, ...class20 }), ...class20 })).toBe(rows)
    }
  })

  test('an absurdly small slack has an answer too', () => {
    expect(rowsForSlack({ slack: 1e-10, ...class20 })).toBeGreaterThan(6e21)
  })
})

describe('the rows for a slack', () => {
  test('are one where one is enough', () => {
    const slack = heldOutSlack({ rows: 1, ...class20 })
    expect(rowsForSlack({ slack, ...class20 })).toBe(1)
    expect(rowsForSlack({ slack: 2 * slack, ...class20 })).toBe(1)
    expect(rowsForSlack({ slack: slack * (1 - 1e-9), ...class20 })).toBe(2)
  })
})

describe('the number of trees', () => {
  test('is that of one leaf with a sign where there is no split, or no depth', () => {
    expect(logTreeAuditors(0, 1)).toBeCloseTo(2 * Math.LN2, 12)
    expect(logTreeAuditors(5, 0)).toBeCloseTo(Math.LN2, 12)
    expect(logTreeAuditors(0.5, 0)).toBeCloseTo(Math.LN2, 12)
  })

  test('is refused for what is no number from 0', () => {
    for (const wrong of [-1, Number.NaN, '3', '', true, null]) {
      expect(() => logTreeAuditors(wrong as number, 1)).toThrow(/FB_ARGUMENT/)
      expect(() => logTreeAuditors(1, wrong as number)).toThrow(/FB_ARGUMENT/)
    }
  })

  test('a stump over s splits: s + 1 choices, two signed leaves', () => {
    expect(logTreeAuditors(9, 1)).toBeCloseTo(Math.log(10 * 2 ** 2), 12)
  })

  test('depth 2 over 310 splits: 311^3 * 2^4', () => {
    expect(logTreeAuditors(310, 2)).toBeCloseTo(Math.log(311 ** 3 * 16), 10)
  })

  test('is no less than the distinct functions of all signed trees of depth 2 over three splits', () => {
    // Rows are all 8 answers to three splits; a function is its 8 signs. Split 3 is "none": everything goes left.
    const answers = Array.from(
      { length: 8 },
      (_, row) => (split: number) => (split === 3 ? 0 : (row >> split) & 1),
    )
    const functions = new Set<string>()
    for (let tree = 0; tree < 4 ** 3; tree++) {
      const node = (index: number) => (tree >> (2 * index)) & 3
      const leaves = answers.map(answer => {
        const side = answer(node(0))
        return 2 * side + answer(node(1 + side))
      })
      for (let signs = 0; signs < 16; signs++) functions.add(leaves.map(leaf => (signs >> leaf) & 1).join(''))
    }
    expect(functions.size).toBeGreaterThan(50)
    expect(Math.log(functions.size)).toBeLessThanOrEqual(logTreeAuditors(3, 2))
    expect(logTreeAuditors(3, 2)).toBeCloseTo(Math.log(4 ** 3 * 16), 12)
  })
})

describe('refused with FB_OPTION_VALUE', () => {
  test.each([
    ['rows is 0', () => heldOutSlack({ rows: 0, ...class20 })],
    ['logAuditors is -1', () => heldOutSlack({ rows: 10, ...class20, logAuditors: -1 })],
    ['bins is 0', () => heldOutSlack({ rows: 10, ...class20, bins: 0 })],
    ['bins is 2.5', () => heldOutSlack({ rows: 10, ...class20, bins: 2.5 })],
    ['confidence is 1', () => heldOutSlack({ rows: 10, ...class20, confidence: 1 })],
    ['confidence is 0', () => heldOutSlack({ rows: 10, ...class20, confidence: 0 })],
    ['candidates is 0', () => heldOutSlack({ rows: 10, ...class20, candidates: 0 })],
    ['candidates is 1.5', () => heldOutSlack({ rows: 10, ...class20, candidates: 1.5 })],
    ['slack is 0', () => rowsForSlack({ slack: 0, ...class20 })],
  ])('%s', (message, call) => {
    expect(call).toThrow(`FB_OPTION_VALUE: ${message}.`)
  })
})

describe('in a simulation with 8 auditors and 5 bins', () => {
  const BINS = 5
  const AUDITORS = 8
  const confidence = 0.7
  const levels = [0, 0.2, 0.5, 0.8, 1]
  const heldOut = { logAuditors: Math.log(AUDITORS), bins: BINS, confidence }

  /**
   * The hardest rows for the slack: labels far from the prediction, auditors of random sign, so that each term is near
   * -1 or 1. tilt is the share by which the first auditor's sign agrees with the label, on every level.
   */
  function largestDeviation(random: Random, rows: number, tilt: number): number {
    const sums = Array.from({ length: AUDITORS }, () => new Float64Array(BINS))
    for (let row = 0; row < rows; row++) {
      const bin = random.integer(BINS)
      const residual = (levels[bin] < 0.5 ? 1 : 0) - levels[bin]
      for (let auditor = 0; auditor < AUDITORS; auditor++) {
        const agree = random.next() < 0.5 + (auditor === 0 ? tilt : 0)
        sums[auditor][bin] += (agree ? 1 : -1) * Math.abs(residual)
      }
    }
    // E|residual| = (1 + 0.8 + 0.5 + 0.8 + 1) / 5, and the signs agree with probability 1/2 + tilt.
    const truth = (auditor: number) => (auditor === 0 ? 2 * tilt * 0.82 : 0)
    const measured = sums.map(bins => bins.reduce((sum, value) => sum + Math.abs(value), 0) / rows)
    return Math.max(...measured.map((error, auditor) => Math.abs(error - truth(auditor))))
  }

  const REPETITIONS = 400
  const deviations = (rows: number, tilt: number) => {
    const random = makeRandom(rows + Math.round(1000 * tilt))
    return Array.from({ length: REPETITIONS }, () => largestDeviation(random, rows, tilt))
  }
  const falseRate = (observed: number[], slack: number) =>
    observed.filter(deviation => deviation > slack).length / REPETITIONS

  test.each([0, 0.1])('the false rate stays below 1 - confidence (tilt %s)', tilt => {
    const observed = deviations(500, tilt)
    expect(falseRate(observed, heldOutSlack({ rows: 500, ...heldOut }))).toBeLessThan(1 - confidence)
    // Not because anything would pass: the slack for one auditor and one bin fails more often than it may.
    const alone = heldOutSlack({ rows: 500, logAuditors: 0, bins: 1, confidence })
    expect(falseRate(observed, alone)).toBeGreaterThan(1 - confidence)
  })

  test('the deviations shrink with the rows as the slack does', () => {
    const typical = (rows: number) => deviations(rows, 0).reduce((sum, value) => sum + value, 0) / REPETITIONS
    expect(typical(250) / typical(1000)).toBeCloseTo(2, 0)
  })
})
