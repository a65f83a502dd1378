import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Column, type ColumnInput, makeTable, type Value, valueAt } from '../../src/data/table.ts'
import { fitSchema, type QuantizeOptions, quantizeColumn } from '../../src/quantize/quantize.ts'
import {
  type BooleanSchema,
  binCount,
  binOf,
  type CategoricalSchema,
  coarseCount,
  coarseMap,
  type FeatureSchema,
  missingBin,
  type NumericSchema,
} from '../../src/quantize/schema.ts'
import { rejectionOf } from '../data/rejection.ts'

const options: QuantizeOptions = { bins: 8, coarseBins: 4, rare: 0.05 }
const columnOf = (values: ColumnInput): Column => makeTable({ x: values }).columns[0]
const fit = (values: ColumnInput, chosen = options): FeatureSchema =>
  fitSchema(columnOf(values), undefined, undefined, chosen)

const numeric: NumericSchema = {
  name: 'x',
  kind: 'numeric',
  missing: true,
  cuts: [1, 2.5, 7, 9],
  coarse: [1, 2],
}
const words: CategoricalSchema = {
  name: 'x',
  kind: 'categorical',
  missing: false,
  categories: ['a', 'c', 'e'],
  pooled: ['b', 'd'],
  coarse: [0, 2],
}
const flags: BooleanSchema = { name: 'x', kind: 'boolean', missing: false }

const number = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, Number.MIN_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE),
)
const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'A', '', 'ä', '\u{1f600}')
const listOf = (one: fc.Arbitrary<Value>) => fc.array(fc.option(one, { nil: null }), { maxLength: 50 })
const sameKind = fc.oneof(
  fc.tuple(listOf(number), listOf(number)),
  fc.tuple(listOf(word), listOf(word)),
  fc.tuple(listOf(fc.boolean()), listOf(fc.boolean())),
)

describe('bins', () => {
  it('of a numeric feature are counted with the missing bin last', () => {
    expect([binCount(numeric), missingBin(numeric), coarseCount(numeric)]).toEqual([6, 5, 4])
    expect(coarseMap(numeric)).toEqual(Uint8Array.of(0, 0, 1, 2, 2, 3))
  })

  it('of a categorical feature have one for the pool, if there is a pool', () => {
    expect([binCount(words), missingBin(words), coarseCount(words)]).toEqual([5, 4, 4])
    expect(coarseMap(words)).toEqual(Uint8Array.of(0, 2, 1, 2, 3))
    const unpooled = { ...words, pooled: [] }
    expect([binCount(unpooled), coarseCount(unpooled)]).toEqual([4, 4])
    expect(coarseMap(unpooled)).toEqual(Uint8Array.of(0, 2, 1, 3))
    const whole = { ...unpooled, coarse: [0, 1, 2] }
    expect(coarseCount(whole)).toBe(4)
    expect(coarseMap(whole)).toEqual(Uint8Array.of(0, 1, 2, 3))
    const pooled = { ...whole, pooled: ['b'] }
    expect(coarseCount(pooled)).toBe(5)
    expect(coarseMap(pooled)).toEqual(Uint8Array.of(0, 1, 2, 3, 4))
  })

  it('of a boolean feature are false, true and missing', () => {
    expect([binCount(flags), missingBin(flags), coarseCount(flags)]).toEqual([3, 2, 3])
    expect(coarseMap(flags)).toEqual(Uint8Array.of(0, 1, 2))
    expect([false, true, null].map(value => binOf(flags, value))).toEqual([0, 1, 2])
  })
})

describe('the bin of a value', () => {
  it('holds the numbers above the cut before it and up to its own', () => {
    expect([-5, 1, 1.01, 2.5, 7, 7.5, 9, 10].map(x => binOf(numeric, x))).toEqual([0, 0, 1, 1, 2, 3, 3, 4])
  })

  it('is its category, the pool, or missing for an unknown one', () => {
    expect(['a', 'b', 'c', 'd', 'e', 'f', ''].map(x => binOf(words, x))).toEqual([0, 3, 1, 3, 2, 4, 4])
  })

  it('is the missing bin for null, undefined and NaN, whatever the feature', () => {
    for (const schema of [numeric, words, flags]) {
      for (const missing of [null, undefined, Number.NaN]) {
        expect(binOf(schema, missing)).toBe(binCount(schema) - 1)
      }
    }
  })

  it.each([
    ['a string', numeric, '7', 'found "7", which is categorical. Expected numeric values'],
    ['a boolean', numeric, true, 'found true, which is boolean. Expected numeric values'],
    ['a number', words, 7, 'found 7, which is numeric. Expected categorical values'],
    ['a number', flags, 1, 'found 1, which is numeric. Expected boolean values'],
    ['an object', flags, {} as Value, 'found an object, which is no value. Expected boolean values'],
  ])('rejects %s for another kind of feature', (_, schema, value, message) => {
    const error = rejectionOf(() => binOf(schema, value))
    expect(error.code).toBe('FB_COLUMN_KIND')
    expect(error.message).toContain(`column "x": ${message}`)
  })

  it('rejects an infinite number', () => {
    expect(rejectionOf(() => binOf(numeric, Number.NEGATIVE_INFINITY)).message).toContain(
      'FB_NOT_FINITE column "x": -Infinity',
    )
  })
})

describe('quantizing a column', () => {
  it('agrees with the bin of each value, on rows that were fitted and on others', () => {
    fc.assert(
      fc.property(sameKind, ([fitted, others]) => {
        const schema = fit(fitted as Value[])
        for (const values of [fitted, others] as Value[][]) {
          const column = columnOf(values)
          if (column.kind !== schema.kind) continue
          const single = values.map((_, row) => binOf(schema, valueAt(column, row)))
          expect([...quantizeColumn(schema, column)]).toEqual(single)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('agrees with a plain count of smaller cuts, for any number of cuts', () => {
    const cuts = fc.uniqueArray(number, { maxLength: 254, size: 'max' }).map(all => all.sort((a, b) => a - b))
    fc.assert(
      fc.property(cuts, fc.array(number), (some, values) => {
        const distinct = some.filter((cut, i) => i === 0 || cut > some[i - 1])
        const schema: NumericSchema = {
          name: 'x',
          kind: 'numeric',
          missing: false,
          cuts: distinct,
          coarse: [],
        }
        const probes = Float64Array.from([...values, ...distinct, Number.NaN])
        const plain = Array.from(probes, x =>
          Number.isNaN(x) ? distinct.length + 1 : distinct.filter(cut => cut < x).length,
        )
        expect([...quantizeColumn(schema, { name: 'x', kind: 'numeric', values: probes })]).toEqual(plain)
      }),
      { numRuns: 60 },
    )
  })

  it('is monotone in numbers, fine and coarse', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 60 }), values => {
        const sorted = Float64Array.from(values).sort()
        const schema = fit(sorted)
        const bins = quantizeColumn(schema, columnOf(sorted))
        const coarse = bins.map(bin => coarseMap(schema)[bin])
        expect(bins).toEqual(bins.toSorted())
        expect(coarse).toEqual(coarse.toSorted())
        expect(bins.every(bin => bin < missingBin(schema))).toBe(true)
      }),
    )
  })

  it('maps fine bins onto all coarse bins, missing to missing', () => {
    fc.assert(
      fc.property(sameKind, ([fitted]) => {
        const schema = fit(fitted as Value[])
        const map = coarseMap(schema)
        expect([...new Set(map)].sort((a, b) => a - b)).toEqual([...Array(coarseCount(schema)).keys()])
        expect([...map.keys()].filter(bin => map[bin] === coarseCount(schema) - 1)).toEqual([
          missingBin(schema),
        ])
      }),
    )
  })

  it('sends unknown categories and missing values to the missing bin', () => {
    expect(quantizeColumn(words, columnOf(['zz', 'a', null, 'd']))).toEqual(Uint8Array.of(4, 0, 4, 3))
    expect(quantizeColumn(flags, columnOf([true, null, false]))).toEqual(Uint8Array.of(1, 2, 0))
  })

  it('takes a wholly missing column of any kind', () => {
    const missing: Column[] = [
      columnOf([null, null]),
      { name: 'x', kind: 'boolean', values: Int8Array.of(-1, -1) },
      { name: 'x', kind: 'categorical', codes: Int32Array.of(-1, -1), categories: ['a'] },
    ]
    for (const schema of [numeric, words, flags]) {
      for (const column of missing) {
        expect(quantizeColumn(schema, column)).toEqual(new Uint8Array(2).fill(missingBin(schema)))
      }
    }
  })

  it.each([
    ['strings for a numeric feature', numeric, [null, 'a'], 'found "a", which is categorical'],
    ['numbers for a categorical feature', words, [null, 3], 'found 3, which is numeric'],
    ['numbers for a boolean feature', flags, [null, 1], 'found 1, which is numeric'],
    ['booleans for a numeric feature', numeric, [null, false], 'found false, which is boolean'],
  ])('rejects %s, naming the row', (_, schema, values, message) => {
    const error = rejectionOf(() => quantizeColumn(schema, columnOf(values as Value[])))
    expect(error.code).toBe('FB_COLUMN_KIND')
    expect(error.message).toContain(`column "x", row 2: ${message}`)
  })
})

describe('fitting a schema', () => {
  it('gives a boolean column its two values', () => {
    expect(fit([true, false])).toEqual({ name: 'x', kind: 'boolean', missing: false })
  })

  it('notes missing values among the rows it is learned from, and only those', () => {
    for (const values of [
      [1, null],
      ['a', null],
      [true, null],
    ]) {
      expect(fit(values).missing).toBe(true)
      expect(fitSchema(columnOf(values), undefined, row => row === 0, options).missing).toBe(false)
      expect(fitSchema(columnOf(values), Int32Array.of(1, 0), undefined, options).missing).toBe(false)
    }
  })

  it('rejects thresholds on columns that have no order', () => {
    for (const values of [['a'], [true]]) {
      const error = rejectionOf(() => fitSchema(columnOf(values), undefined, undefined, options, [3]))
      expect(error.code).toBe('FB_COLUMN_KIND')
      expect(error.message).toContain('column "x": a predicate tests "<= 3"')
    }
  })

  it.each([
    ['bins', 1],
    ['bins', 256],
    ['bins', 2.5],
    ['coarseBins', 1],
    ['coarseBins', 65],
    ['rare', -0.1],
    ['rare', 1.1],
    ['rare', Number.NaN],
  ])('rejects the option %s = %d', (name, value) => {
    const error = rejectionOf(() => fit([1, 2], { ...options, [name]: value }))
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain(`the option "${name}" is ${value}`)
  })

  it('takes the options at their limits', () => {
    expect(fit([1, 2], { bins: 2, coarseBins: 2, rare: 0 })).toMatchObject({ cuts: [1], coarse: [0] })
    expect(fit([1, 2], { bins: 255, coarseBins: 64, rare: 1 })).toMatchObject({ cuts: [1] })
  })
})
