import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextDown, nextUp } from '../../src/common/doubles.ts'
import { makeRandom } from '../../src/common/random.ts'
import { makeTable } from '../../src/data/table.ts'
import { shortestBetween } from '../../src/quantize/cuts.ts'
import { fitSchema, quantizeColumn } from '../../src/quantize/quantize.ts'
import { binOf, coarseMap, type NumericSchema } from '../../src/quantize/schema.ts'
import { rejectionOf } from '../data/rejection.ts'

interface Fit {
  readonly weight?: readonly number[]
  readonly use?: (row: number) => boolean
  readonly bins?: number
  readonly coarseBins?: number
  readonly required?: readonly number[]
}

function fit(values: ArrayLike<number | null>, options: Fit = {}): NumericSchema {
  const column = makeTable({ x: values }).columns[0]
  const weight = options.weight === undefined ? undefined : Int32Array.from(options.weight)
  const limits = { bins: options.bins ?? 255, coarseBins: options.coarseBins ?? 64, rare: 0 }
  return fitSchema(column, weight, options.use, limits, options.required) as NumericSchema
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const value = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0, -0, 0.1, 25), finite)
const values = fc.array(
  fc.oneof({ arbitrary: value, weight: 9 }, { arbitrary: fc.constant(null), weight: 1 }),
  {
    maxLength: 80,
  },
)
const limits = fc.record({
  bins: fc.integer({ min: 2, max: 30 }),
  coarseBins: fc.integer({ min: 2, max: 12 }),
})

/** How many of the (not missing) values fall into each value bin. */
function countBins(schema: NumericSchema, given: Float64Array): number[] {
  const counts = Array<number>(schema.cuts.length + 2).fill(0)
  for (const bin of quantizeColumn(schema, { name: 'x', kind: 'numeric', values: given })) counts[bin]++
  return counts.slice(0, -1)
}

describe('a cut between two neighbouring values', () => {
  it.each([
    [24, 25, 24.5],
    [24, 26, 25],
    [0, 1, 0.5],
    [1, 2, 1.5],
    [0.1, 100, 50],
    [-5, 5, 0],
    [-25, -24, -25],
    [1000, 1_000_000, 500_000],
    [0.1, 0.2, 0.15],
    [-Number.MAX_VALUE, Number.MAX_VALUE, 0],
    [1.1e308, 1.7e308, 1.4e308],
    [-Number.MIN_VALUE, 0, -Number.MIN_VALUE],
  ])('%d and %d is the short number %d', (a, b, cut) => {
    expect(shortestBetween(a, b)).toBe(cut)
  })

  it('is at least the one, below the other, and never -0', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        fc.pre(one !== other)
        const [a, b] = one < other ? [one, other] : [other, one]
        const cut = shortestBetween(a, b)
        expect(a <= cut && cut < b).toBe(true)
        expect(Object.is(cut, -0)).toBe(false)
      }),
    )
  })

  it('exists between neighbouring doubles, too', () => {
    fc.assert(
      fc.property(finite, a => {
        fc.pre(a !== Number.MAX_VALUE)
        const cut = shortestBetween(a, nextUp(a))
        expect(cut >= a && cut < nextUp(a)).toBe(true)
      }),
    )
  })
})

describe('the cuts of a numeric column', () => {
  it('give every value its own bin when there are bins enough', () => {
    expect(fit([25, 24, null, 40, 24]).cuts).toEqual([24, 30])
    expect(fit([3, 1, 2], { bins: 3 }).cuts).toEqual([1, 2])
  })

  it('are none for a column that is constant, missing or empty', () => {
    const known = { name: 'x', kind: 'numeric', cuts: [], coarse: [] }
    expect(fit([7, 7, null])).toEqual({ ...known, missing: true, range: [7, 7], whole: true })
    for (const given of [[null, null], []]) {
      expect(fit(given)).toEqual({ ...known, missing: given.length > 0 })
    }
  })

  it('are whole numbers where all values are, and part the same values as others would', () => {
    const whole = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(whole, limits, (given, { bins, coarseBins }) => {
        const schema = fit(given, { bins, coarseBins })
        const shifted = fit(
          given.map(x => x + 0.5),
          { bins, coarseBins },
        )
        expect(schema.whole).toBe(true)
        expect(schema.range).toEqual([Math.min(...given), Math.max(...given)].map(x => x + 0))
        expect(schema.cuts.every(cut => Number.isInteger(cut) && !Object.is(cut, -0))).toBe(true)
        expect(shifted.whole).toBeUndefined()
        for (const x of given) expect(binOf(schema, x)).toBe(binOf(shifted, x + 0.5))
      }),
    )
  })

  it('stay as short as they are beyond 2^53, where there is no next whole number', () => {
    expect(fit([2 ** 53, 2 ** 60]).whole).toBeUndefined()
    expect(fit([2 ** 53 - 1, 0]).whole).toBe(true)
  })

  it('are quantiles when there are more values than bins', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
    expect(fit(hundred, { bins: 4 }).cuts).toEqual([25, 50, 75])
  })

  it('take 0 and -0 for one value, and never come out as -0', () => {
    expect(fit([0, -0, 1]).cuts).toEqual([0])
    expect(fit([-1, 5], { required: [-0] }).cuts).toEqual([0])
    expect(Object.is(fit([-1, 5], { required: [-0] }).cuts[0], 0)).toBe(true)
  })

  it('keep a fine tail when 91 % of the rows hold one value', () => {
    const random = makeRandom(11)
    const given = Float64Array.from({ length: 100_000 }, () =>
      random.next() < 0.91 ? 0 : random.next() ** 4,
    )
    const schema = fit(given)
    const counts = countBins(schema, given)
    const tail = counts.slice(1)
    const tailRows = tail.reduce((sum, count) => sum + count, 0)
    expect(counts[0]).toBe(given.filter(x => x === 0).length)
    expect(tail.length).toBeGreaterThanOrEqual(200)
    expect(Math.max(...tail)).toBeLessThanOrEqual((2 * tailRows) / tail.length)
  })

  it('keep fine tails on both sides of several heavy values', () => {
    const random = makeRandom(12)
    const heavy = [-1, 0, 2]
    const given = Float64Array.from({ length: 50_000 }, () =>
      random.next() < 0.8 ? heavy[random.integer(3)] : 8 * random.next() - 4,
    )
    const schema = fit(given)
    for (const spike of heavy) {
      const bin = binOf(schema, spike)
      expect(countBins(schema, given)[bin]).toBe(given.filter(x => x === spike).length)
    }
    const light = countBins(schema, given).filter(count => count < 1000)
    const lightRows = light.reduce((sum, count) => sum + count, 0)
    expect(light.length).toBe(252)
    expect(Math.max(...light)).toBeLessThanOrEqual((2 * lightRows) / light.length)
  })

  it('make no more bins than allowed, fine and coarse', () => {
    fc.assert(
      fc.property(values, limits, (given, options) => {
        const schema = fit(given, options)
        const distinct = new Set(given.filter(x => x !== null)).size
        expect(schema.cuts.length + 1).toBe(Math.max(1, Math.min(options.bins, distinct)))
        expect(schema.coarse.length + 1).toBe(Math.min(options.coarseBins, schema.cuts.length + 1))
      }),
    )
  })

  it('make 255 value bins at most, so that the missing bin still fits a byte', () => {
    const schema = fit(Float64Array.from({ length: 5000 }, (_, i) => i))
    expect(schema.cuts.length).toBe(254)
    expect(schema.coarse.length).toBe(63)
    expect(
      quantizeColumn(schema, { name: 'x', kind: 'numeric', values: Float64Array.of(Number.NaN) })[0],
    ).toBe(255)
  })

  it('ascend strictly, and the coarse ones are a subset of them', () => {
    fc.assert(
      fc.property(values, limits, (given, options) => {
        const { cuts, coarse } = fit(given, options)
        expect(cuts.every((cut, i) => i === 0 || cut > cuts[i - 1])).toBe(true)
        expect(coarse.every((index, i) => i === 0 || index > coarse[i - 1])).toBe(true)
        expect(coarse.every(index => index >= 0 && index < cuts.length)).toBe(true)
      }),
    )
  })

  it('do not depend on the order of rows', () => {
    const shuffled = values.chain(given =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
    )
    fc.assert(
      fc.property(shuffled, limits, ([given, other], options) => {
        expect(fit(other, options)).toEqual(fit(given, options))
      }),
    )
  })

  it('are the same for a weight of two as for the row twice', () => {
    const weighted = fc.array(fc.tuple(fc.option(value, { freq: 9 }), fc.integer({ min: 0, max: 5 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(weighted, limits, (rows, options) => {
        const repeated = rows.flatMap(([x, weight]) => Array<number | null>(weight).fill(x))
        const weight = rows.map(([, one]) => one)
        const given = rows.map(([x]) => x)
        expect(fit(given, { ...options, weight })).toEqual(fit(repeated, options))
      }),
    )
  })

  it('do not see rows that are not in use, weighted or not', () => {
    const rows = fc.array(fc.tuple(value, fc.boolean()), { maxLength: 60 })
    fc.assert(
      fc.property(rows, limits, (all, options) => {
        const given = all.map(([x]) => x)
        const use = (row: number) => all[row][1]
        const used = fit(
          given.filter((_, row) => use(row)),
          options,
        )
        expect(fit(given, { ...options, use })).toEqual(used)
        expect(fit(given, { ...options, use, weight: given.map(() => 3) })).toEqual(used)
      }),
    )
  })
})

describe('required cuts', () => {
  it('stand among the cuts, fine and coarse, and take the place of a cut in the same gap', () => {
    expect(fit([20, 30, 40], { bins: 3, required: [22, 22] })).toMatchObject({
      cuts: [22, 35],
      coarse: [0, 1],
    })
    expect(fit([20, 30, 40], { coarseBins: 2, required: [33] }).coarse).toEqual([1])
  })

  it('that equal a value part it from the next one', () => {
    expect(fit([20, 30, 40], { bins: 3, required: [30] }).cuts).toEqual([25, 30])
  })

  it('leave each value in the bin that ends with it when coarse bins are weighed', () => {
    const given = [...Array<number>(100).fill(0), 1, 2, 3, 4, 5, 6, 7, 8, 9]
    expect(fit(given, { coarseBins: 5, required: [0] }).coarse).toEqual([0, 2, 4, 7])
  })

  it('cost a bin where they part no values', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i)
    const schema = fit(hundred, { bins: 10, coarseBins: 5, required: [-7, 50.25, 50.75, 200] })
    expect(schema.cuts).toHaveLength(9)
    expect(schema.coarse.map(index => schema.cuts[index])).toEqual([-7, 50.25, 50.75, 200])
  })

  it('hold for a column without any value', () => {
    expect(fit([null], { required: [3, 1] })).toMatchObject({ cuts: [1, 3], coarse: [0, 1] })
  })

  it('are exact: x <= t if and only if the bin is at most one bin, fine and coarse', () => {
    const below25 = nextDown(25)
    const threshold = fc.oneof(value, fc.constantFrom(25, below25, nextDown(0), 0))
    const required = fc.uniqueArray(threshold, { maxLength: 6 })
    const options = fc.record({
      bins: fc.integer({ min: 8, max: 30 }),
      coarseBins: fc.integer({ min: 8, max: 12 }),
    })
    const given = values.map(some => [...some, 25, below25, 24])
    fc.assert(
      fc.property(given, required, options, (rows, thresholds, counts) => {
        const schema = fit(rows, { ...counts, required: thresholds })
        expect(schema.cuts.length).toBeLessThan(counts.bins)
        expect(schema.coarse.length).toBeLessThan(counts.coarseBins)
        const coarse = coarseMap(schema)
        for (const t of thresholds) {
          const bin = schema.cuts.indexOf(t)
          const probes = [...rows, t, nextDown(t), nextUp(t)].filter(x => x !== null && Number.isFinite(x))
          for (const x of probes as number[]) {
            expect(binOf(schema, x) <= bin).toBe(x <= t)
            expect(coarse[binOf(schema, x)] <= coarse[bin]).toBe(x <= t)
          }
        }
      }),
    )
  })

  it('part 25 from the next double below it', () => {
    const schema = fit([24, 25, 26], { required: [nextDown(25)] })
    expect(binOf(schema, nextDown(25))).toBe(binOf(schema, 24))
    expect(binOf(schema, 25)).toBe(binOf(schema, 24) + 1)
  })

  it('must be fewer than the bins and than the coarse bins', () => {
    const error = rejectionOf(() => fit([1, 2, 3], { bins: 4, required: [1, 2, 3, 4] }))
    expect(error.code).toBe('FB_CUTS_TOO_MANY')
    expect(error.message).toContain('column "x": declared predicates need 4 cuts. Expected at most 3')
    expect(rejectionOf(() => fit([1], { coarseBins: 3, required: [1, 2, 3] })).code).toBe('FB_CUTS_TOO_MANY')
    expect(fit([1], { coarseBins: 4, required: [1, 2, 3] }).coarse).toEqual([0, 1, 2])
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('must not be %d', threshold => {
    const error = rejectionOf(() => fit([1, 2], { required: [threshold] }))
    expect(error.code).toBe('FB_NOT_FINITE')
    expect(error.message).toContain(`column "x": the threshold ${threshold}`)
  })
})
