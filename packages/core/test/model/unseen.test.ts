// What new rows have that those of the fit had not.

import { describe, expect, it } from 'vitest'
import { fit, makeTable } from '../../src/index.ts'
import { NewsTally } from '../../src/internal.ts'

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
