// The canonical form: one text for one value, whatever order its keys were written in.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, deepFreeze } from '../../src/model/json.ts'

describe('canonical JSON', () => {
  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('does not depend on the order of keys', () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
    fc.assert(
      fc.property(record, entries => {
        const reversed = Object.fromEntries(Object.entries(entries).reverse())
        expect(canonicalJson(reversed)).toBe(canonicalJson(entries))
      }),
    )
  })

  it('sorts keys by code units, leaves out absent values and spaces, and has one zero', () => {
    const value = { b: 1, a: [1.5, -0, 'x y', null, true], Z: { '10': 0, '9': 1 }, gone: undefined }
    expect(canonicalJson(value)).toBe('{"Z":{"10":0,"9":1},"a":[1.5,0,"x y",null,true],"b":1}')
  })

  it('escapes lone surrogates, so that every text has UTF-8 bytes', () => {
    expect(canonicalJson('\\ud800')).toBe('"\\\\ud800"')
  })
})

describe('deepFreeze', () => {
  it('freezes every object within, also below one that is frozen already', () => {
    const value = { list: [{ inner: {} }], frozen: Object.freeze({ open: [1] }), nothing: null, text: 'a' }
    expect(deepFreeze(value)).toBe(value)
    for (const part of [value, value.list, value.list[0], value.list[0].inner, value.frozen.open]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })
})
