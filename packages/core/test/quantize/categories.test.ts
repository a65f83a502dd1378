import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../../src/data/table.ts'
import { fitSchema, type QuantizeOptions } from '../../src/quantize/quantize.ts'
import {
  binCount,
  binOf,
  type CategoricalSchema,
  coarseCount,
  missingBin,
} from '../../src/quantize/schema.ts'

const defaults = { bins: 255, coarseBins: 64, rare: 0 }

/** The column lists its categories in descending order, which no schema may depend on. */
function fit(
  words: readonly (string | null)[],
  options: Partial<QuantizeOptions> = {},
  weight?: readonly number[],
  use?: (row: number) => boolean,
): CategoricalSchema {
  const categories = [...new Set(words.filter(word => word !== null))].sort().reverse()
  const codes = Int32Array.from(words, word => (word === null ? -1 : categories.indexOf(word)))
  const column = makeTable([{ name: 'c', kind: 'categorical', codes, categories }]).columns[0]
  const integers = weight === undefined ? undefined : Int32Array.from(weight)
  return fitSchema(column, integers, use, { ...defaults, ...options }) as CategoricalSchema
}

const repeat = (counts: Record<string, number>): string[] =>
  Object.entries(counts).flatMap(([word, count]) => Array<string>(count).fill(word))

describe('the dictionary of a categorical column', () => {
  it('holds the categories in code unit order', () => {
    expect(fit(['b', 'a', null, 'Z', 'b'])).toEqual({
      name: 'c',
      kind: 'categorical',
      missing: true,
      categories: ['Z', 'a', 'b'],
      pooled: [],
      coarse: [0, 1, 2],
    })
  })

  it('is empty for a column without any value, whose only bin is the missing one', () => {
    const schema = fit([null, null])
    expect(schema).toMatchObject({ categories: [], pooled: [], coarse: [] })
    expect(binCount(schema)).toBe(1)
    expect(coarseCount(schema)).toBe(1)
  })

  it('pools categories below the rare share of all rows, missing values included', () => {
    const words = [...repeat({ a: 5, b: 2, c: 1 }), null, null]
    expect(fit(words, { rare: 0.2 })).toMatchObject({ categories: ['a', 'b'], pooled: ['c'] })
    expect(fit(words, { rare: 0.21 })).toMatchObject({ categories: ['a'], pooled: ['b', 'c'] })
    expect(fit(words, { rare: 1 })).toMatchObject({ categories: [], pooled: ['a', 'b', 'c'], coarse: [] })
  })

  it('keeps one bin for the pool: at most bins - 1 categories, by weight and then by name', () => {
    const words = repeat({ d: 3, c: 2, b: 2, a: 1 })
    expect(fit(words, { bins: 3 })).toMatchObject({ categories: ['b', 'd'], pooled: ['a', 'c'] })
    expect(fit(words, { bins: 2 })).toMatchObject({ categories: ['d'], pooled: ['a', 'b', 'c'] })
  })

  it('has at most 255 value bins, so that the missing bin fits a byte', () => {
    const schema = fit(Array.from({ length: 600 }, (_, i) => `w${i}`))
    expect(schema.categories).toHaveLength(254)
    expect(schema.pooled).toHaveLength(346)
    expect(missingBin(schema)).toBe(255)
    expect(schema.coarse).toHaveLength(63)
    expect(coarseCount(schema)).toBe(65)
  })

  it('lets the heaviest keep a coarse bin of their own', () => {
    const words = repeat({ a: 1, b: 4, c: 2, d: 3 })
    expect(fit(words, { coarseBins: 3 }).coarse).toEqual([1, 3])
  })

  it('does not know categories that have no weight or are not in use', () => {
    const words = ['a', 'b', 'c', 'a']
    const weighted = fit(words, {}, [1, 0, 2, 1])
    expect(weighted).toMatchObject({ categories: ['a', 'c'], pooled: [] })
    expect(binOf(weighted, 'b')).toBe(missingBin(weighted))
    expect(fit(words, {}, undefined, row => row > 1)).toMatchObject({ categories: ['a', 'c'], pooled: [] })
  })

  it('does not depend on the order of rows, and a weight of two equals the row twice', () => {
    const row = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', '', null), fc.integer({ min: 0, max: 4 }))
    const options = fc.record({
      bins: fc.integer({ min: 2, max: 5 }),
      coarseBins: fc.integer({ min: 2, max: 5 }),
      rare: fc.constantFrom(0, 0.1, 0.25),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), options, (rows, chosen) => {
        const weights = rows.map(([, weight]) => weight)
        const words = rows.map(([word]) => word)
        const schema = fit(words, chosen, weights)
        const repeated = rows.flatMap(([word, weight]) => Array<string | null>(weight).fill(word))
        expect(fit(repeated.toReversed(), chosen)).toEqual(schema)
        expect(schema.categories.length).toBeLessThan(chosen.bins)
        expect(schema.coarse.length).toBeLessThan(chosen.coarseBins)
        const known = new Set(repeated.filter(word => word !== null))
        expect([...schema.categories, ...schema.pooled].sort()).toEqual([...known].sort())
      }),
    )
  })
})
