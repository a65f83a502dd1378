// Mistyped names: the distance by its recursive definition, and what the error message then says.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { didYouMean, editDistance, nearestName } from '../../src/common/nearest.ts'

/** Optimal string alignment, straight from its recursion. */
function naiveDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const cost = a.at(-1) === b.at(-1) ? 0 : 1
  const ways = [
    naiveDistance(a.slice(0, -1), b) + 1,
    naiveDistance(a, b.slice(0, -1)) + 1,
    naiveDistance(a.slice(0, -1), b.slice(0, -1)) + cost,
  ]
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)
  if (swapped) ways.push(naiveDistance(a.slice(0, -2), b.slice(0, -2)) + 1)
  return Math.min(...ways)
}

describe('the edit distance', () => {
  it('equals its recursive definition', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(naiveDistance(a, b))
      }),
      { numRuns: 300 },
    )
  })

  it('counts a swap of neighbours as one step', () => {
    expect(editDistance('epsilno', 'epsilon')).toBe(1)
    expect(editDistance('abc', 'cba')).toBe(2)
  })
})

describe('the nearest name', () => {
  it('is found whatever the case', () => {
    expect(nearestName('EPSILON', ['label', 'epsilon'])).toBe('epsilon')
  })

  it('is the first of the nearest', () => {
    expect(nearestName('bims', ['bins', 'bips'])).toBe('bins')
    expect(nearestName('bips', ['bins', 'bips'])).toBe('bips')
  })

  it('lies within two edits, or a third of a longer name', () => {
    expect(nearestName('xyz', ['abc'])).toBeUndefined()
    expect(nearestName('xbz', ['abc'])).toBe('abc')
    expect(nearestName('learnXXXate', ['learningRate'])).toBe('learningRate')
    expect(nearestName('leXXXXXgRate', ['learningRate'])).toBeUndefined()
    expect(nearestName('anything', [])).toBeUndefined()
  })
})

describe('the sentence about a mistyped name', () => {
  it('proposes the nearest name', () => {
    expect(didYouMean('toleranec', ['tolerance', 'slack'])).toBe('Did you mean "tolerance"?')
  })

  it('lists the known names when none is near, twelve at most', () => {
    expect(didYouMean('zzzzzz', ['age', 'sex'])).toBe('Known names: "age", "sex".')
    const many = Array.from({ length: 15 }, (_, index) => `column${index}`)
    const sentence = didYouMean('zzzzzz', many)
    expect(sentence).toContain('"column11", and 3 more.')
    expect(sentence).not.toContain('column12')
    expect(didYouMean('zzzzzz', many.slice(0, 12))).not.toContain('more')
  })
})
