// The two hashes: SHA-256 against published vectors and against Node's own, the checksum by its properties.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyHash, hashToHex, mixHash, sha256 } from '../../src/common/hash.ts'

const nodeSha256 = (text: string) => createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex')

describe('sha256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
  ])('gives the published digest of %j', (message, digest) => {
    expect(sha256(message)).toBe(digest)
  })

  it('gives the published digest of a million letters a', () => {
    const digest = 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'
    expect(sha256('a'.repeat(1_000_000))).toBe(digest)
  })

  it('agrees with Node on every length around the block size', () => {
    for (let length = 0; length <= 130; length++) {
      const text = 'x'.repeat(length)
      expect(sha256(text), `${length} letters`).toBe(nodeSha256(text))
    }
  })

  it('agrees with Node on any well-formed text, of one to four bytes a character', () => {
    const character = fc.integer({ min: 0, max: 0x10ffff }).filter(point => point < 0xd800 || point > 0xdfff)
    const anyText = fc.array(character, { maxLength: 80 }).map(points => String.fromCodePoint(...points))
    const edges = fc.constantFrom('\u007f', '\u0080', '\u07ff', '\u0800', '\uffff', '\u{10000}', '\u{10ffff}')
    fc.assert(
      fc.property(fc.oneof(anyText, edges, fc.string({ unit: 'grapheme' })), text => {
        expect(sha256(text)).toBe(nodeSha256(text))
      }),
    )
  })

  it('tells lone surrogates apart, which Node replaces by one and the same character', () => {
    expect(nodeSha256('\ud800')).toBe(nodeSha256('\udfff'))
    expect(sha256('\ud800')).not.toBe(sha256('\udfff'))
    const threeBytes = createHash('sha256')
      .update(Uint8Array.of(0xed, 0xa0, 0x80))
      .digest('hex')
    expect(sha256('\ud800')).toBe(threeBytes)
  })
})

describe('the checksum', () => {
  const hashOf = (values: readonly number[]) => {
    const hash = emptyHash()
    for (const value of values) mixHash(hash, value)
    return hash
  }
  const anyInteger = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })

  it('is the same for the same integers, and both lanes stay 32-bit integers', () => {
    fc.assert(
      fc.property(fc.array(anyInteger, { minLength: 1 }), values => {
        const hash = hashOf(values)
        expect(hashOf(values)).toEqual(hash)
        expect({ a: hash.a | 0, b: hash.b | 0 }).toEqual(hash)
      }),
    )
  })

  it('changes in both lanes when any one integer changes', () => {
    const changed = fc.array(anyInteger, { minLength: 1 }).chain(values =>
      fc.record({
        values: fc.constant(values),
        index: fc.integer({ min: 0, max: values.length - 1 }),
        other: anyInteger,
      }),
    )
    fc.assert(
      fc.property(changed, ({ values, index, other }) => {
        fc.pre(values[index] !== other)
        const [one, two] = [hashOf(values), hashOf(values.with(index, other))]
        expect(one.a).not.toBe(two.a)
        expect(one.b).not.toBe(two.b)
      }),
    )
  })

  it('changes in both lanes when any one bit changes', () => {
    for (let bit = 0; bit < 32; bit++) {
      const [one, two] = [hashOf([5, 0]), hashOf([5, 1 << bit])]
      expect(one.a, `bit ${bit}`).not.toBe(two.a)
      expect(one.b, `bit ${bit}`).not.toBe(two.b)
    }
  })

  it('depends on the order of the integers', () => {
    expect(hashToHex(hashOf([1, 2]))).not.toBe(hashToHex(hashOf([2, 1])))
    expect(hashToHex(hashOf([0]))).not.toBe(hashToHex(hashOf([0, 0])))
  })

  it('spreads neighbouring integers over all output bits', () => {
    const ones = new Array<number>(64).fill(0)
    const count = 4096
    for (let value = 0; value < count; value++) {
      const bits = BigInt(`0x${hashToHex(hashOf([value]))}`)
      for (let bit = 0; bit < 64; bit++) ones[bit] += Number((bits >> BigInt(bit)) & 1n)
    }
    for (const [bit, found] of ones.entries()) {
      expect(Math.abs(found / count - 0.5), `bit ${bit}`).toBeLessThan(0.06)
    }
  })

  it('is written as sixteen hexadecimal digits, the first lane first', () => {
    expect(hashToHex({ a: 1, b: -1 })).toBe('00000001ffffffff')
    expect(hashToHex(emptyHash())).toBe('243f6a8885a308d3')
    fc.assert(
      fc.property(anyInteger, anyInteger, (a, b) => {
        const text = hashToHex({ a, b })
        expect(text).toMatch(/^[0-9a-f]{16}$/)
        expect([text.slice(0, 8), text.slice(8)].map(lane => Number.parseInt(lane, 16) | 0)).toEqual([a, b])
      }),
    )
  })
})
