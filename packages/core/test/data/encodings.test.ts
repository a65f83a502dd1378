import { describe, expect, it } from 'vitest'
import { isBigEndian, isUtf16, OTHER_ENCODINGS } from '../../src/data/encodings.ts'

const utf16 = (text: string, isBig: boolean): Uint8Array =>
  Uint8Array.from(
    [...text].flatMap(letter => {
      const [high, low] = [letter.charCodeAt(0) >> 8, letter.charCodeAt(0) & 255]
      return isBig ? [high, low] : [low, high]
    }),
  )
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('text in UTF-16', () => {
  it.each([true, false])(
    'is known by its mark, or by the zeros of Latin letters; big end first: %s',
    isBig => {
      for (const text of ['\uFEFFa,b\n1,2\n', '\uFEFF日本', 'age,score\n31,0.5\n', 'größe,y\n1,0\n']) {
        expect(isUtf16(utf16(text, isBig))).toBe(true)
        expect(isBigEndian(utf16(text, isBig))).toBe(isBig)
      }
    },
  )

  it('is not what other files hold', () => {
    for (const text of ['', 'a', 'a,b\n1,2\n', 'größe,日本\n', '\uFEFFa,b\n'])
      expect(isUtf16(utf8(text))).toBe(false)
    expect(isUtf16(new Uint8Array(64))).toBe(false)
    expect(isUtf16(Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 2))).toBe(false)
  })

  it('is one of the encodings that need a word', () => {
    expect(OTHER_ENCODINGS).toEqual(['latin-1', 'windows-1252', 'utf-16'])
  })
})
