import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signedBound } from '../../src/certify/bounds.ts'
import { heldOutSlack, logTreeAuditors, rowsForSlack } from '../../src/certify/heldOut.ts'
import { oneMeanSlack } from '../../src/certify/oneMean.ts'
import { planParameters } from '../../src/certify/plan.ts'
import { planRows } from '../../src/certify/planRows.ts'
import {
  deviationAtRows,
  oneAuditorSlack,
  paperSampleSize,
  requiredRows,
  rowsForOneAuditor,
} from '../../src/certify/sampleSize.ts'
import type { FactorKind, Guarantee } from '../../src/classes/factors.ts'

const confidence = 0.95
const small = { depth: 2, features: 10, bins: 20, rounds: 100, tolerance: 0.000625, confidence }
const tiny = { depth: 1, features: 1, bins: 40, rounds: 1, tolerance: 0.000625, confidence }

describe('rows for a deviation', () => {
  test('by hand: d = 100, xi = 0.1, delta = 0.05', () => {
    const exact = (32 / 0.01) * (Math.log(80) + 1 + Math.log(101) + 100 * Math.log(320 * Math.E))
    expect(requiredRows({ dimension: 100, deviation: 0.1, confidence })).toBe(Math.ceil(exact))
    expect(exact / 1e6).toBeCloseTo(2.198, 2)
  })

  test('a class of dimension 0 needs the logarithms of the failure only', () => {
    expect(requiredRows({ dimension: 0, deviation: 0.5, confidence: 0.5 })).toBe(
      Math.ceil(128 * (Math.log(8) + 1)),
    )
  })

  test('the probability of Corollary 7.3 is at most delta at n and more at n - 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (dimension, deviation) => {
          const n = requiredRows({ dimension, deviation, confidence })
          const logFailure = (rows: number) =>
            Math.log(4 * Math.E * (dimension + 1)) +
            dimension * Math.log((32 * Math.E) / deviation) -
            (deviation ** 2 * rows) / 32
          expect(logFailure(n)).toBeLessThanOrEqual(Math.log(0.05) + 1e-9)
          expect(logFailure(n - 1)).toBeGreaterThan(Math.log(0.05) - 1e-9)
        },
      ),
    )
  })
})

describe('deviation at given rows', () => {
  test('is the smallest one: its rows are there, a little less asks for more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 200_000, max: 1_000_000_000 }),
        (dimension, rows) => {
          const deviation = deviationAtRows({ dimension, rows, confidence })
          expect(deviation).toBeDefined()
          expect(requiredRows({ dimension, deviation: deviation!, confidence })).toBeLessThanOrEqual(rows)
          expect(requiredRows({ dimension, deviation: deviation! * (1 - 1e-7), confidence })).toBeGreaterThan(
            rows,
          )
        },
      ),
    )
  })

  test('is undefined when not even a deviation near 1 is supported', () => {
    // At xi = 1 and d = 1000: 32 (ln 80 + 1 + ln 1001 + 1000 ln(32 e)) rows.
    const limit = 32 * (Math.log(80) + 1 + Math.log(1001) + 1000 * Math.log(32 * Math.E))
    expect(deviationAtRows({ dimension: 1000, rows: Math.floor(limit), confidence })).toBeUndefined()
    expect(deviationAtRows({ dimension: 1000, rows: Math.ceil(limit), confidence })).toBeGreaterThan(0.999)
  })
})

describe('rows for one auditor', () => {
  test('are those whose slack by Hoeffding is small enough, and no more', () => {
    for (let rows = 1; rows < 2000; rows += 13)
      for (const candidates of [1, 5]) {
        const slack = oneAuditorSlack({ rows, confidence, candidates })
        expect(slack).toBeCloseTo(Math.sqrt((2 * Math.log(candidates / 0.05)) / rows), 12)
        expect(rowsForOneAuditor({ slack, confidence, candidates })).toBe(rows)
      }
    expect(rowsForOneAuditor({ slack: 100, confidence })).toBe(1)
    expect(rowsForOneAuditor({ slack: 1e-10, confidence })).toBeGreaterThan(5e20)
  })

  test('are refused outside their ranges', () => {
    expect(() => rowsForOneAuditor({ slack: 0, confidence })).toThrow(/slack is 0/)
    expect(() => oneAuditorSlack({ rows: 0, confidence })).toThrow(/rows is 0/)
    for (const wrong of [0, 1, 1.5, -0.5])
      expect(() => oneAuditorSlack({ rows: 5, confidence: wrong })).toThrow(/confidence is/)
    expect(() => oneAuditorSlack({ rows: 5, confidence, candidates: 0.9 })).toThrow(/candidates is 0.9/)
    expect(oneAuditorSlack({ rows: 0.5, confidence })).toBeGreaterThan(0)
  })
})

describe('the ends of the ranges', () => {
  test('of what a sample size is asked for', () => {
    const asked = { ...tiny, deviation: 0.1 }
    for (const change of [{ bins: 1 }, { tolerance: 0 }])
      expect(paperSampleSize({ ...asked, ...change })).toBeDefined()
    const refused = [{ bins: 0 }, { bins: 1.5 }, { tolerance: 1 }, { tolerance: -0.1 }, { confidence: 0 }]
    for (const change of [...refused, { confidence: 1 }, { deviation: 0 }, { deviation: 1 }, { rows: 0 }])
      expect(() => paperSampleSize({ ...asked, ...change })).toThrow(/FB_OPTION_VALUE/)
    expect(() => paperSampleSize({ ...asked, rows: Number.POSITIVE_INFINITY })).toThrow(
      /FB_OPTION_VALUE|FB_ARGUMENT/,
    )
    const { deviation: _, ...targeted } = asked
    for (const epsilonTarget of [0, 1])
      expect(() => paperSampleSize({ ...targeted, epsilonTarget })).toThrow(/FB_OPTION_VALUE/)
    // 1/40 is what rounding alone costs.
    for (const epsilonTarget of [1 / 40, 0.01, 1 / 40 + Math.sqrt(tiny.tolerance)])
      expect(() => paperSampleSize({ ...targeted, epsilonTarget })).toThrow(
        /No number of rows brings the error to/,
      )
    expect(() => requiredRows({ dimension: -1, deviation: 0.1, confidence })).toThrow(/dimension is -1/)
    expect(() => requiredRows({ dimension: Number.POSITIVE_INFINITY, deviation: 0.1, confidence })).toThrow(
      /dimension/,
    )
  })

  test('of what can be said: a bound of just 1 says nothing', () => {
    // sqrt(gamma) + 1/4 = 1 where gamma = 9/16.
    const at = (deviation: number) => paperSampleSize({ ...tiny, bins: 4, tolerance: 1 / 16, deviation })
    expect(at(0.25)).toMatchObject({ bound: 1, vacuous: true })
    expect(at(0.25).sentence).toMatch(/^vacuous at every n/)
    expect(at(0.2499).vacuous).toBe(false)
    expect(at(0.2499).sentence).toMatch(/^an error of at most 1\.00 needs n >= /)
  })

  test('factors that cannot give a guarantee are refused, with those that can', () => {
    const asked = { ...tiny, deviation: 0.1, guarantee: 'level-set', factors: 'signed' } as const
    expect(() => paperSampleSize(asked)).toThrow(/signed factors cannot give the level-set guarantee/)
  })
})

describe('the sample size of Theorem 7.14', () => {
  test('by hand: depth 2, 10 features, 20 bins, 100 rounds', () => {
    const result = paperSampleSize({ ...small, deviation: 0.01 })
    const dimension = 4 * 5895 * 7116
    expect(result).toMatchObject({ parameters: 5895, operations: 7113, dimension, deviation: 0.01 })
    expect(result.gamma).toBeCloseTo(0.020625, 14)
    expect(result.bound).toBeCloseTo(Math.sqrt(0.020625) + 1 / 20, 14)
    const exact =
      (32 / 0.0001) * (Math.log(80) + 1 + Math.log(dimension + 1) + dimension * Math.log(3200 * Math.E))
    expect(result.rowsRequired / exact).toBeCloseTo(1, 12)
    expect(result.vacuous).toBe(false)
    expect(result.sentence).toBe('an error of at most 0.194 needs n >= 4.9e14')
  })

  test('is vacuous at practical n, and says so', () => {
    const result = paperSampleSize({ ...small, deviation: 0.01, rows: 48_842 })
    expect(result.vacuous).toBe(true)
    expect(result.boundAtRows).toBeUndefined()
    expect(result.sentence).toBe('vacuous at n = 48,842; needs n >= 4.9e14')
  })

  test('is vacuous too when the best bound at these rows is not below 1', () => {
    // 6 million rows support a deviation below 1 for the tiny class, but none below 0.47.
    const result = paperSampleSize({ ...tiny, deviation: 0.1, rows: 6_000_000 })
    expect(result.boundAtRows).toBeGreaterThan(1)
    expect(result.vacuous).toBe(true)
    expect(result.sentence).toMatch(/^vacuous at n = 6,000,000; needs n >= \d\.\de8$/)
  })

  test('a target error gives the deviation that leads to it', () => {
    const result = paperSampleSize({ ...small, epsilonTarget: 0.2 })
    expect(result.deviation).toBeCloseTo((0.15 ** 2 - 0.000625) / 2, 14)
    expect(result.bound).toBeCloseTo(0.2, 12)
  })

  test('rows enough, and rows that fall short without being useless', () => {
    const enough = paperSampleSize({ ...tiny, epsilonTarget: 0.5, rows: 1e9 })
    expect(enough.sentence).toBe('n = 1,000,000,000 is enough for an error of at most 0.500')
    expect(enough.boundAtRows).toBeLessThan(0.5)
    const rows = enough.rowsRequired
    expect(Number.isSafeInteger(rows)).toBe(true)
    expect(paperSampleSize({ ...tiny, epsilonTarget: 0.5, rows }).sentence).toContain(' is enough for ')
    const short = paperSampleSize({ ...tiny, epsilonTarget: 0.4, rows: 1e9 })
    expect(short.vacuous).toBe(false)
    expect(short.sentence).toMatch(
      /^an error of at most 0\.461 at n = 1,000,000,000; 0\.400 needs n >= \d\.\de9$/,
    )
  })

  test('a deviation too large to say anything is called vacuous at every n', () => {
    const result = paperSampleSize({ ...small, deviation: 0.9 })
    expect(result.vacuous).toBe(true)
    expect(result.sentence).toBe('vacuous at every n for this deviation: the bound 1.39 is not below 1')
  })

  test('the rows named are enough: they are rounded up to two digits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.double({ min: 0.001, max: 0.3, noNaN: true }),
        (rounds, deviation) => {
          const large = paperSampleSize({ ...small, rounds, deviation })
          const named = Number(large.sentence.match(/n >= (.*)$/)![1])
          expect(named).toBeGreaterThanOrEqual(large.rowsRequired * (1 - 1e-12))
          expect(named).toBeLessThanOrEqual(large.rowsRequired * 1.1)
        },
      ),
    )
  })
})

describe('refused', () => {
  const base = { dimension: 10, confidence }
  test.each([
    ['FB_OPTION_VALUE: deviation is 0.', () => requiredRows({ ...base, deviation: 0 })],
    ['FB_OPTION_VALUE: deviation is 1.', () => requiredRows({ ...base, deviation: 1 })],
    ['FB_OPTION_VALUE: confidence is 95.', () => requiredRows({ ...base, deviation: 0.1, confidence: 95 })],
    ['FB_OPTION_VALUE: dimension is -1.', () => requiredRows({ ...base, deviation: 0.1, dimension: -1 })],
    [
      'FB_OPTION_VALUE: dimension is NaN.',
      () => requiredRows({ ...base, deviation: 0.1, dimension: Number.NaN }),
    ],
    ['FB_OPTION_VALUE: rows is 0.', () => deviationAtRows({ ...base, rows: 0 })],
    [
      'FB_OPTION_VALUE: rows is Infinity.',
      () => deviationAtRows({ ...base, rows: Number.POSITIVE_INFINITY }),
    ],
    ['FB_OPTION_VALUE: confidence is 0.', () => deviationAtRows({ ...base, rows: 10, confidence: 0 })],
    ['FB_OPTION_VALUE: bins is 0.', () => paperSampleSize({ ...small, bins: 0, deviation: 0.1 })],
    [
      'FB_OPTION_VALUE: tolerance is -0.1.',
      () => paperSampleSize({ ...small, tolerance: -0.1, deviation: 0.1 }),
    ],
    ['FB_OPTION_VALUE: tolerance is 1.', () => paperSampleSize({ ...small, tolerance: 1, deviation: 0.1 })],
    ['FB_OPTION_VALUE: epsilonTarget is 1.', () => paperSampleSize({ ...small, epsilonTarget: 1 })],
    [
      'FB_PLAN: No number of rows brings the error to 0.07.',
      () => paperSampleSize({ ...small, epsilonTarget: 0.07 }),
    ],
    [
      'FB_PLAN: No number of rows brings the error to 0.01.',
      () => paperSampleSize({ ...small, epsilonTarget: 0.01 }),
    ],
    [
      'FB_PLAN: No number of rows brings the error to 0.05.',
      () => paperSampleSize({ ...tiny, epsilonTarget: 0.05 }),
    ],
  ])('%s', (message, call) => {
    expect(call).toThrow(message)
  })
})

/** Plain arithmetic: numbers, + - * / ^, ln and sqrt. */
function evaluate(expression: string): number {
  const plain = expression.replaceAll('`', '')
  expect(plain).toMatch(/^(?:ln|sqrt|[\d.\s()*/+^-])+$/)
  return Function('ln', 'sqrt', `return ${plain.replaceAll('^', '**')}`)(Math.log, Math.sqrt)
}

const TEN_COLUMNS = { depth: 2, features: 10, confidence }

/** The paper's numbers for a plan, half the tolerance lost. */
function paperOf(epsilon: number, guarantee: Guarantee, factors: FactorKind) {
  const { bins, roundLimit, tolerance } = planParameters({ epsilon, guarantee, factors })
  return paperSampleSize({
    ...{ ...TEN_COLUMNS, guarantee, factors, bins, tolerance },
    rounds: roundLimit,
    deviation: tolerance / 2,
  })
}

function heldOutOf(epsilon: number, guarantee: Guarantee, depth = 2, rows?: number) {
  const { bins } = planParameters({ epsilon, guarantee, factors: 'table' })
  return planRows({ guarantee, depth, splits: 1270, bins, epsilon, confidence, rows })
}

const BY_LIBRARY: readonly (() => number)[] = [
  () => paperOf(0.1, 'multiaccuracy', 'constant').bound,
  () => paperOf(0.1, 'multicalibration', 'table').bound,
  () => paperOf(0.1, 'multicalibration', 'intervals').bound,
  () => heldOutOf(0.02, 'level-set').everyAuditor.rowsNeeded,
  () => heldOutOf(0.02, 'level-set', 2, 1e6).everyAuditor.slack!,
  () => heldOutOf(0.05, 'multicalibration').everyAuditor.rowsNeeded,
  () => heldOutOf(0.1, 'multiaccuracy').everyAuditor.rowsNeeded,
  () => heldOutOf(0.1, 'multicalibration', 1).everyAuditor.rowsNeeded,
  () => heldOutOf(0.05, 'level-set').worstError.rowsNeeded,
  () => oneAuditorSlack({ rows: 1e6, confidence, candidates: 6 }),
  () => paperOf(0.05, 'multicalibration', 'table').dimension,
  () => paperOf(0.05, 'multicalibration', 'weighted').dimension,
]

describe('docs/sample-size.md', () => {
  const markdown = readFileSync(new URL('../../../../docs/sample-size.md', import.meta.url), 'utf8')
  const number = (text: string) => Number(text.replaceAll(',', ''))
  const grouped = (value: number) => value.toLocaleString('en-US')

  /** The body of the table whose first column has this name. */
  function tableRows(firstColumn: string): string[][] {
    const cells = (line: string) =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim())
    const lines = markdown.split('\n')
    const head = lines.findIndex(line => line.startsWith(`| ${firstColumn} |`))
    const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'))
    return lines.slice(head + 2, end).map(cells)
  }

  test('the rows the paper asks for', () => {
    const rows = tableRows('depth')
    expect(rows.length).toBe(5)
    for (const row of rows) {
      const [depth, features, bins, rounds] = row.slice(0, 4).map(number)
      const sized = (epsilonTarget: number) =>
        paperSampleSize({ depth, features, bins, rounds, tolerance: 0.000625, confidence, epsilonTarget })
      const { parameters, operations, dimension } = sized(0.2)
      const named = [0.2, 0.5].map(target => sized(target).sentence.split('n >= ')[1])
      expect(row.slice(4)).toEqual([...[parameters, operations, dimension].map(grouped), ...named])
    }
  })

  test('what it says at given rows', () => {
    const rows = tableRows('rows')
    expect(rows.length).toBe(7)
    for (const [count, says] of rows) {
      const options = { ...small, bins: 40, deviation: 0.01, rows: number(count) }
      const { vacuous, boundAtRows } = paperSampleSize(options)
      expect(says).toBe(vacuous ? 'vacuous' : `an error of at most ${boundAtRows!.toFixed(3)}`)
    }
  })

  test('what held-out rows give', () => {
    const rows = tableRows('auditors')
    expect(rows.length).toBe(7)
    for (const [auditors, logCount, bins, candidates, ...results] of rows) {
      const trees = auditors.match(/^trees of depth (\d) over (\d+) splits$/)
      const logAuditors = trees
        ? logTreeAuditors(Number(trees[2]), Number(trees[1]))
        : Math.log(number(auditors.split(' ')[0]))
      expect(logCount).toBe(logAuditors.toFixed(1))
      const heldOut = { logAuditors, bins: number(bins), candidates: number(candidates), confidence }
      const slacks = [10_000, 100_000].map(count => heldOutSlack({ rows: count, ...heldOut }).toFixed(3))
      expect(results).toEqual([...slacks, grouped(rowsForSlack({ slack: 0.02, ...heldOut }))])
    }
  })

  test('what a bound on the worst error costs', () => {
    const rows = tableRows('m')
    expect(rows.length).toBe(4)
    for (const [mean, ...results] of rows) {
      const slack = (count: number) => oneMeanSlack({ rows: count, meanSquare: Number(mean), confidence })
      expect(results).toEqual([400, 2_000, 20_000].map(count => slack(count).toFixed(3)))
    }
  })

  test('twelve settings by hand are what the library computes', () => {
    const settings = tableRows('no.')
    expect(settings.length).toBe(12)
    for (const [index, [, , , numbers, result]] of settings.entries()) {
      const value = evaluate(numbers)
      expect(BY_LIBRARY[index]() / (result.includes('.') ? value : number(result))).toBeCloseTo(1, 12)
      // Rounded up, to four digits or to a whole number.
      const step = result.includes('.') ? 10 ** -result.split('.')[1].length : 1
      expect(number(result)).toBeGreaterThanOrEqual(value * (1 - 1e-12))
      expect(number(result)).toBeLessThan(value + step)
    }
  })

  test('what the text says: tolerance 0.000625 and 40 bins give 0.05, and half the error takes sixteen times the rows', () => {
    expect(signedBound(0.000625, 1, 40)).toBeCloseTo(0.05, 12)
    const rows = (epsilonTarget: number) =>
      paperSampleSize({ ...small, tolerance: 0, bins: 1e6, epsilonTarget }).rowsRequired
    expect(rows(0.1) / rows(0.2)).toBeGreaterThan(16)
    expect(rows(0.1) / rows(0.2)).toBeLessThan(21)
  })
})
