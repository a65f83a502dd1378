import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureBoostError } from '../../../src/common/errors.ts'
import { makeRandom } from '../../../src/common/random.ts'
import { makeSorter } from '../../../src/kernels/sorter.ts'
import { ecce } from '../../../src/measures/score/ecce.ts'
import { type MceOptions, segmentError } from '../../../src/measures/score/mce.ts'
import { levelColumn, type SegmentColumn } from '../../../src/measures/score/segments.ts'
import { makeSteps } from '../../../src/measures/score/steps.ts'
import { expectClose } from '../../support/close.ts'
import { type Row, rowArrays, toRows } from './rowsArbitrary.ts'

interface CodeColumn {
  readonly name: string
  readonly codes: number[]
}

const codesOf = (count: number, rows: number, seed: number): CodeColumn[] => {
  const random = makeRandom(seed)
  return Array.from({ length: count }, (_, column) => ({
    name: `c${column}`,
    codes: Array.from({ length: rows }, () => random.integer(2 + (column % 2))),
  }))
}

const codeAt = (column: CodeColumn, row: number): string => String(column.codes[row])

describe('the multicalibration error of segments', () => {
  it('has the tie-safe ECCE of each segment, computed on its rows alone', () => {
    const property = fc.property(rowArrays({ minLength: 5 }), fc.nat(1000), (rows, seed) => {
      const columns = codesOf(3, rows.length, seed)
      const { segments } = segmentError(toRows(rows), columns, { minRows: 1 })
      for (const segment of segments) {
        const within = rows.filter((_, row) =>
          segment.where.every(({ column, level }) => {
            return codeAt(columns.find(({ name }) => name === column)!, row) === level
          }),
        )
        const alone = ecce(makeSteps(toRows(within)))
        expect(segment.rowCount).toBe(within.length)
        expectClose(segment.value, alone.value)
        // A segment's labels may be 0 and 1 only by chance; sigma goes by all rows, and these all are.
        expectClose(segment.sigma, alone.sigma)
      }
      const distinct = (chosen: CodeColumn[]) =>
        new Set(rows.map((_, row) => chosen.map(column => codeAt(column, row)).join())).size
      const [a, b, c] = columns
      const sets = [[], [a], [b], [c], [a, b], [a, c], [b, c], [a, b, c]]
      expect(segments.length).toBe(sets.reduce((sum, chosen) => sum + distinct(chosen), 0))
    })
    fc.assert(property, { numRuns: 50 })
  })

  it('does not depend on the order of rows, to the bit', () => {
    const property = fc.property(
      rowArrays({ fractional: true, minLength: 5 }),
      fc.nat(1000),
      (rows, seed) => {
        const [column] = codesOf(1, rows.length, seed)
        const turned = rows.map((_, row) => (row * 7 + 3) % rows.length)
        fc.pre(new Set(turned).size === rows.length)
        const codes = turned.map(row => column.codes[row])
        const options = { minRows: 1 }
        expect(segmentError(toRows(turned.map(row => rows[row])), [{ name: 'c0', codes }], options)).toEqual(
          segmentError(toRows(rows), [column], options),
        )
      },
    )
    fc.assert(property)
  })

  it('is the largest ratio, in units of the sigma of everyone, and corrects p for the number of segments', () => {
    const random = makeRandom(5)
    const rows: Row[] = Array.from({ length: 400 }, () => {
      const prediction = random.next()
      return { prediction, label: Number(random.next() < prediction), weight: 1 }
    })
    const found = segmentError(toRows(rows), codesOf(3, 400, 1))
    const [everyone] = found.segments
    expect(everyone.where).toEqual([])
    expect(found.sigma.value).toBe(Math.max(...found.segments.map(({ ratio }) => ratio)))
    expectClose(found.value.value, found.sigma.value * everyone.sigma)
    expect(found.detectable).toBe(5 * everyone.sigma)
    expectClose(found.bonferroni, Math.min(1, found.pValue * found.segments.length))
    expectClose(found.sidak, 1 - (1 - found.pValue) ** found.segments.length)
    expect(found.simulatedPValue).toBeUndefined()
    expect(segmentError(toRows(rows), codesOf(3, 400, 1), { maxSegments: 4 }).segments).toEqual(
      found.segments.slice(0, 4),
    )
    expect(segmentError(toRows(rows), codesOf(3, 400, 1), { minRows: 120 }).segments.length).toBeLessThan(
      found.segments.length,
    )
  })

  it('has no relative value with one class only', () => {
    const rows = { predictions: [0.2, 0.7], labels: [1, 1] }
    expect(segmentError(rows, []).relative).toBeUndefined()
  })
})

/** Rare outcomes in small segments: where the p-value of one segment is far too small. */
function rareRows(seed: number): { rows: Row[]; columns: SegmentColumn[] } {
  const random = makeRandom(seed)
  const rows = Array.from({ length: 300 }, () => {
    const prediction = 0.002 + 0.02 * random.next()
    return { prediction, label: Number(random.next() < prediction), weight: 1 }
  })
  return { rows, columns: codesOf(4, 300, seed) }
}

describe('p-values of right predictions', () => {
  it('are kept by simulating the whole search, and not by Bonferroni, where outcomes are rare', () => {
    let [simulated, bonferroni] = [0, 0]
    const runs = 100
    for (let run = 0; run < runs; run++) {
      const { rows, columns } = rareRows(run)
      const found = segmentError(toRows(rows), columns, { simulations: 39, seed: run })
      simulated += Number(found.simulatedPValue! <= 0.1)
      bonferroni += Number(found.bonferroni <= 0.1)
    }
    // 10 % wanted; 100 runs vary by 3 %.
    expect(simulated / runs).toBeLessThanOrEqual(0.19)
    expect(bonferroni / runs).toBeGreaterThan(0.19)
  })

  it('are small, simulated too, where a segment is wrong', () => {
    const random = makeRandom(8)
    const codes = Array.from({ length: 600 }, () => random.integer(2))
    const predictions = codes.map(() => 0.2 + 0.6 * random.next())
    const labels = predictions.map((p, row) => Number(random.next() < (codes[row] === 1 ? p - 0.2 : p)))
    const found = segmentError({ predictions, labels }, [{ name: 'g', codes }], { simulations: 99 })
    expect(found.simulatedPValue).toBe(0.01)
    expect(found.worst.where).toEqual([{ column: 'g', level: '1' }])
    expect(found.sigma.low).toBeGreaterThan(0)
  })

  it('are those of labels of 0 and 1 for labels between them, which vary less', () => {
    const random = makeRandom(9)
    const predictions = Array.from({ length: 400 }, () => 0.2 + 0.6 * random.next())
    const noisy = (bias: number) => predictions.map(p => p + bias + 0.2 * (random.next() - 0.5))
    const found = (labels: number[]) => segmentError({ predictions, labels }, [], { simulations: 99 })
    expect(found(noisy(0.1)).simulatedPValue).toBe(0.01)
    expect(found(noisy(0)).simulatedPValue).toBe(1)
    const sigma = Math.sqrt(predictions.reduce((sum, p) => sum + p * (1 - p), 0)) / 400
    expect(found(noisy(0)).worst.sigma).toBeCloseTo(sigma, 12)
  })

  it('are not small because labels are 0 and seldom 1, and one of them lies between', () => {
    let small = 0
    for (let run = 0; run < 60; run++) {
      const random = makeRandom(100 + run)
      const predictions = Array.from({ length: 300 }, () => 0.02 + 0.06 * random.next())
      const codes = predictions.map(() => random.integer(6))
      const labels = predictions.map((p, row) => (row === 0 ? 0.5 : Number(random.next() < p)))
      const columns = [{ name: 'g', codes }]
      const found = segmentError({ predictions, labels }, columns, { values: 6, simulations: 39 })
      if (found.simulatedPValue! <= 0.1) small++
    }
    // 10 % of 60 are 6; more than 13 are seen once in 500 times.
    expect(small).toBeLessThanOrEqual(13)
  })
})

describe('levels', () => {
  const all = (count: number) => Uint32Array.from({ length: count }, (_, row) => row)
  const level = (column: SegmentColumn, count: number, values = 3) => {
    const { levels, codes } = levelColumn(column, all(count), values, count)
    return Array.from(codes, code => levels[code])
  }

  it('of categories: the most frequent stay, the rest are "other", missing is a category', () => {
    const categories = ['b', 'a', 'b', 'c', 'a', 'b', null, undefined, 'd']
    expect(level({ name: 'x', categories }, 9)).toEqual([
      'b',
      'a',
      'b',
      'other',
      'a',
      'b',
      'other',
      'other',
      'other',
    ])
    expect(level({ name: 'x', categories: ['b', null, 'a'] }, 3)).toEqual(['b', 'missing', 'a'])
    expect(level({ name: 'x', categories: [true, 2, Number.NaN, 10, 'z'] }, 5, 9)).toEqual([
      'true',
      '2',
      'missing',
      '10',
      'z',
    ])
  })

  it('of categories are the same from a dictionary, whatever else is in it', () => {
    const dictionary: readonly (string | null)[] = ['d', null, 'a', 'never', 'b', 'c']
    const property = fc.property(
      fc.array(fc.constantFrom(-1, 0, 1, 2, 4, 5), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 2, max: 6 }),
      (indexes, values) => {
        const categories = indexes.map(index => (index < 0 ? null : dictionary[index]))
        const rows = all(indexes.length)
        const plain = levelColumn({ name: 'x', categories }, rows, values, indexes.length)
        const indexed = { name: 'x', categories: dictionary, indexes }
        expect(levelColumn(indexed, rows, values, indexes.length)).toEqual(plain)
      },
    )
    fc.assert(property)
  })

  it('of numbers are the same whoever sorts them', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(-0, 0, 1, null))
    const { sort } = makeSorter()
    const property = fc.property(fc.array(number, { minLength: 1, maxLength: 40 }), numbers => {
      const leveled = (...rest: [] | [typeof sort]) =>
        levelColumn({ name: 'x', numbers }, all(numbers.length), 3, numbers.length, ...rest)
      expect(leveled(sort)).toEqual(leveled())
    })
    fc.assert(property)
  })

  it('of numbers: quantile bins closed on the right, missing ones apart', () => {
    // As pandas cuts 1 to 7: its edges are a rounding error below 3 and 5.
    const numbers = [1, 2, 3, 4, 5, 6, 7, Number.NaN]
    const third = ['1 to 2', '1 to 2', '3 to 4', '3 to 4', '5 to 7', '5 to 7', '5 to 7', 'missing']
    expect(level({ name: 'x', numbers }, 8)).toEqual(third)
    expect(level({ name: 'x', numbers: [2, 1, 2, null, 3] }, 5)).toEqual(['2', '1', '2', 'missing', '3'])
    const heavy = level({ name: 'x', numbers: [0, 0, 0, 0, 0, 1, 2, 3] }, 8)
    expect(heavy).toEqual(['0', '0', '0', '0', '0', '1 to 3', '1 to 3', '1 to 3'])
  })

  const rows = { predictions: [0.1, 0.2], labels: [0, 1] }
  const refusals: [string, SegmentColumn[], MceOptions, string][] = [
    ['a code that is none', [{ name: 'x', codes: [0, -1] }], {}, 'FB_COLUMN_KIND'],
    ['a short column', [{ name: 'x', categories: ['a'] }], {}, 'FB_COLUMN_LENGTH'],
    ['too many segments', ['x', 'y'].map(name => ({ name, codes: [0, 65_000] })), {}, 'FB_CELL_BUDGET'],
    ['a negative depth', [], { depth: -1 }, 'FB_OPTION_VALUE'],
  ]
  it.each(refusals)('are refused: %s', (_, columns, options, code) => {
    try {
      segmentError(rows, columns, options)
      expect.fail('nothing was thrown')
    } catch (error) {
      expect((error as FeatureBoostError).code).toBe(code)
      expect(error).toBeInstanceOf(FeatureBoostError)
    }
  })
})
