// What new rows have that those of the fit had not.

import { describe, expect, it } from 'vitest'
import { fit, makeTable } from '../../src/index.ts'
import { NewsTally } from '../../src/internal.ts'

const city = Array.from({ length: 300 }, (_, row) => ['Aachen', 'Bonn', 'Celle'][row % 3])
const age = city.map((_, row) => (row % 50 === 0 ? null : 20 + (row % 40)))
const score = city.map((_, row) => 0.1 + (row % 9) / 10)
const y = score.map((_, row) => Number((row * 7) % 10 < 4))

describe('news of columns', () => {
  it('counts unseen categories and missing values, chunk after chunk, and is silent where there are none', async () => {
    const table = makeTable({ city, age, score, y })
    const model = await fit(table, { label: 'y', prediction: 'score', method: 'rounds', roundLimit: 1 })
    const none = new NewsTally(model.data.encoding)
    none.add(table)
    expect(none.finish()).toEqual([
      { column: 'age', unseen: 0, examples: [], missing: 6, missingBefore: true },
    ])
    const news = new NewsTally(model.data.encoding)
    news.add(makeTable({ city: ['Bonn', 'Essen', 'Essen'], age: [1, 2, 3], score: [0.1, 0.2, 0.3] }))
    news.add(makeTable({ city: [null, 'Dessau'], age: [null, 5], score: [0.1, 0.2] }))
    expect(news.rowCount).toBe(5)
    expect(news.finish()).toEqual([
      { column: 'city', unseen: 3, examples: ['Dessau', 'Essen'], missing: 1, missingBefore: false },
      { column: 'age', unseen: 0, examples: [], missing: 1, missingBefore: true },
    ])
  })
})
