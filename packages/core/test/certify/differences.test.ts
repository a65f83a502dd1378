// What differs between a certificate as it is stated and as it is found.

import { describe, expect, it } from 'vitest'
import { findDifferences } from '../../src/certify/differences.ts'
import { inWordsOfNow } from '../../src/certify/statements.ts'

describe('differences', () => {
  it('are none between equal values', () => {
    const value = { a: [1, { b: 'x', c: null }], d: true }
    expect(findDifferences(value, structuredClone(value))).toEqual([])
    expect(findDifferences(null, null)).toEqual([])
    expect(findDifferences(0.1 + 0.2, 0.1 + 0.2)).toEqual([])
  })

  it('are named by the path to them, each once', () => {
    const stated = { a: [1, { b: 2 }], c: { d: 'x', e: 5 }, f: 0.3 }
    const found = { a: [1, { b: 3 }], c: { d: 'y', e: 5 }, f: 0.1 + 0.2 }
    expect(findDifferences(stated, found)).toEqual([
      { path: 'a[1].b', stated: 2, found: 3 },
      { path: 'c.d', stated: 'x', found: 'y' },
      { path: 'f', stated: 0.3, found: 0.1 + 0.2 },
    ])
  })

  it('are also keys and entries that only one side has', () => {
    expect(findDifferences({ a: 1, list: [1] }, { list: [1, 2], b: 3 })).toEqual([
      { path: 'a', stated: 1, found: undefined },
      { path: 'list[1]', stated: undefined, found: 2 },
      { path: 'b', stated: undefined, found: 3 },
    ])
  })

  it('are whole values where these are of different kinds', () => {
    const pairs: [unknown, unknown][] = [
      [[1], { 0: 1 }],
      [{ 0: 1 }, [1]],
      [null, {}],
      [{}, null],
      [{ a: 1 }, 1],
      [1, { a: 1 }],
      ['1', 1],
      [1, '1'],
      [['a'], 'a'],
    ]
    for (const [stated, found] of pairs)
      expect(findDifferences({ at: stated }, { at: found })).toEqual([{ path: 'at', stated, found }])
    expect(findDifferences(1, 2)).toEqual([{ path: '', stated: 1, found: 2 }])
  })

  it('are none where a file says the same in the words of its time, and only there', () => {
    const words = (columns: string, splits: string) =>
      `decision trees of depth 2 on ${columns} (${splits} of the forms x <= cut)`
    const pairs = [
      [words('1 columns', '1 splits'), words('1 column', '1 split')],
      [words('3 columns', '1 splits'), words('3 columns', '1 split')],
      [words('1 columns', '21 splits'), words('1 column', '21 splits')],
      ['linear functions of 1 terms with mean', 'linear functions of 1 term with mean'],
    ]
    for (const [old, now] of pairs) {
      expect(inWordsOfNow(old)).toBe(now)
      expect(findDifferences({ auditors: old }, { auditors: now })).toEqual([])
      expect(findDifferences({ auditors: now }, { auditors: old })).toHaveLength(1)
    }
    for (const same of [words('2 columns', '12 splits'), 'linear functions of 2 terms', 'the 1 columns'])
      expect(inWordsOfNow(same)).toBe(same)
  })
})
