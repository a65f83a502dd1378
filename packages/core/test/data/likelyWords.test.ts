// What outcomes and scores probably mean, and how many rows are copies.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCopies } from '../../src/data/countCopies.ts'
import { likelyPositive, likelyScale } from '../../src/data/likelyWords.ts'
import { probabilityOf } from '../../src/data/scoreScale.ts'
import { makeTable } from '../../src/data/table.ts'

describe('the likely scale of scores', () => {
  it('is one that every score in the range can be read by', () => {
    const number = fc.double({ noNaN: true, min: -1000, max: 1000 })
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        const [low, inside, high] = [a, b, c].sort((x, y) => x - y)
        const scale = likelyScale(low, high)
        if (scale === undefined) return
        for (const score of [low, inside, high]) expect(probabilityOf(score, scale)).toBeDefined()
      }),
    )
  })

  it('is none for amounts, and for credit scores', () => {
    expect(likelyScale(300, 850)).toBeUndefined()
    expect(likelyScale(-2000, 5000)).toBeUndefined()
    expect([likelyScale(0, 1), likelyScale(0, 97.5), likelyScale(-3.2, 4)]).toEqual([
      'probability',
      'percent',
      'logit',
    ])
  })
})

describe('the likely positive of two values', () => {
  it('does not depend on their order, and is one of them', () => {
    const word = fc.constantFrom('yes', 'No', 'TRUE', 'false', '1', '2', '-1', '0', 'good', 'bad', 'y', 'n')
    fc.assert(
      fc.property(word, word, (a, b) => {
        const found = likelyPositive([a, b])
        expect(found).toBe(likelyPositive([b, a]))
        expect([a, b, undefined]).toContain(found)
      }),
    )
  })

  it('is known of words that nobody doubts, and of no others', () => {
    expect(likelyPositive(['no', 'Yes'])).toBe('Yes')
    expect(likelyPositive(['-1', '1'])).toBe('1')
    expect(likelyPositive(['1', '2'])).toBeUndefined()
    expect(likelyPositive(['bad', 'good'])).toBeUndefined()
    expect(likelyPositive(['yes', 'no', 'maybe'])).toBeUndefined()
  })
})

describe('copies of rows', () => {
  it('are all rows but the first of their kind, whatever kinds of columns there are', () => {
    const row = fc.record({
      number: fc.constantFrom(null, 0, 1, 2.5),
      text: fc.constantFrom(null, 'a', 'b'),
      flag: fc.constantFrom(null, true, false),
    })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), rows => {
        const { columns } = makeTable({
          number: rows.map(({ number }) => number),
          text: rows.map(({ text }) => text),
          flag: rows.map(({ flag }) => flag),
        })
        const kinds = new Set(rows.map(each => JSON.stringify(each)))
        expect(countCopies(columns)).toBe(rows.length - kinds.size)
      }),
    )
    expect(countCopies([])).toBe(0)
  })
})
