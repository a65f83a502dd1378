// What new rows have that those of the fit had not.

import { describe, expect, it } from 'vitest'
import { fit, makeTable } from '../../src/index.ts'
import { NewsTally } from '../../src/internal.ts'
import type { FeatureSchema } from '../../src/quantize/schema.ts'

const city = Array.from({ length: 300 }, (_, row) => ['Aachen', 'Bonn', 'Celle'][row % 3])
const age = city.map((_, row) => (row % 50 === 0 ? null : 20 + (row % 40)))
const score = city.map((_, row) => 0.1 + (row % 9) / 10)
const y = score.map((_, row) => Number((row * 7) % 10 < 4))

const NONE = { unseen: 0, examples: [], outside: 0, fractional: 0, missing: 0, missingBefore: false }

describe('news of columns', () => {
  it('counts unseen categories, numbers out of range and missing values, chunk after chunk, and is silent where there are none', async () => {
    const table = makeTable({ city, age, score, y })
    const model = await fit(table, { label: 'y', prediction: 'score', method: 'rounds', roundLimit: 1 })
    const none = new NewsTally(model.data.encoding)
    none.add(table)
    expect(none.finish()).toEqual([{ ...NONE, column: 'age', missing: 6, missingBefore: true }])
    const news = new NewsTally(model.data.encoding)
    news.add(makeTable({ city: ['Bonn', 'Essen', 'Essen'], age: [19, 60, 20.5], score: [0.1, 0.2, 0.3] }))
    news.add(makeTable({ city: [null, 'Dessau'], age: [null, 59], score: [0.1, 0.2] }))
    expect(news.rowCount).toBe(5)
    expect(news.finish()).toEqual([
      { ...NONE, column: 'city', unseen: 3, examples: ['Dessau', 'Essen'], missing: 1 },
      { ...NONE, column: 'age', outside: 2, found: [19, 60], fractional: 1, missing: 1, missingBefore: true },
    ])
  })

  it('says nothing of ranges that a model does not know', async () => {
    const table = makeTable({ empty: y.map(() => null), age, score, y })
    const model = await fit(table, { label: 'y', prediction: 'score', method: 'rounds', roundLimit: 1 })
    const news = new NewsTally(model.data.encoding)
    news.add(makeTable({ empty: [3, null], age: [30, 30], score: [0.1, 0.2] }))
    expect(news.finish()).toEqual([
      { ...NONE, column: 'empty', outside: null, missing: 1, missingBefore: true },
    ])
  })
})

describe('news of one column', () => {
  const numeric = (more: object = {}): FeatureSchema => ({
    ...{ name: 'x', kind: 'numeric', missing: false, cuts: [], coarse: [], range: [2, 8], whole: true },
    ...more,
  })
  const newsOf = (schema: FeatureSchema, ...chunks: readonly (readonly unknown[])[]) => {
    const news = new NewsTally({ features: [schema], signals: [], functions: [] })
    for (const values of chunks) news.add(makeTable({ [schema.name]: values as number[] }))
    return news.finish()
  }

  it('of numbers is what lies beyond the smallest and the largest of the fit, and not these', () => {
    expect(newsOf(numeric(), [2, 8, 5])).toEqual([])
    expect(newsOf(numeric(), [8.5, 5])).toEqual([{ ...NONE, column: 'x', outside: 1, found: [5, 8.5] }])
    expect(newsOf(numeric(), [1.5, 2])).toEqual([{ ...NONE, column: 'x', outside: 1, found: [1.5, 2] }])
    expect(newsOf(numeric(), [9], [1], [3])).toEqual([{ ...NONE, column: 'x', outside: 2, found: [1, 9] }])
  })

  it('of fractions is told where all numbers of the fit were whole', () => {
    expect(newsOf(numeric(), [2.5, 3, 7.5])).toEqual([{ ...NONE, column: 'x', fractional: 2 }])
    expect(newsOf(numeric({ whole: false }), [2.5])).toEqual([])
    const { whole: _, ...unsaid } = numeric() as { whole?: boolean } & FeatureSchema
    expect(newsOf(unsaid, [2.5])).toEqual([])
  })

  it('of numbers whose range is not known is only what is missing', () => {
    const { range: _, ...open } = numeric({ missing: true }) as { range?: unknown } & FeatureSchema
    expect(newsOf(open as FeatureSchema, [1e9, 0.5, null])).toEqual([
      { ...NONE, column: 'x', outside: null, missing: 1, missingBefore: true },
    ])
  })

  it('of categories is what was neither common nor rare, with three examples in the order of the alphabet', () => {
    const schema: FeatureSchema = {
      ...{ name: 'c', kind: 'categorical', missing: false, categories: ['a', 'b'], pooled: ['rare'] },
      coarse: [],
    }
    expect(newsOf(schema, ['a', 'b', 'rare'])).toEqual([])
    expect(newsOf(schema, ['z', 'y', 'a', 'z'], ['x', null], ['w'])).toEqual([
      { ...NONE, column: 'c', unseen: 5, examples: ['w', 'x', 'y'], missing: 1 },
    ])
    const many = Array.from({ length: 150 }, (_, index) => `n${999 - index}`)
    // Of the first hundred.
    const [{ examples, unseen }] = newsOf(schema, many)
    expect([unseen, examples]).toEqual([150, ['n900', 'n901', 'n902']])
  })

  it('of truth values is what is missing', () => {
    const schema: FeatureSchema = { name: 'b', kind: 'boolean', missing: true }
    expect(newsOf(schema, [true, false])).toEqual([])
    expect(newsOf(schema, [true, null, null])).toEqual([
      { ...NONE, column: 'b', missing: 2, missingBefore: true, outside: 0 },
    ])
  })

  it('is not told of values that functions give', () => {
    const features = [numeric({ name: 'f' }), numeric()]
    const news = new NewsTally({ features, signals: [], functions: ['f'] })
    news.add(makeTable({ x: [9, 3] }))
    expect(news.rowCount).toBe(2)
    expect(news.finish().map(({ column }) => column)).toEqual(['x'])
  })
})
