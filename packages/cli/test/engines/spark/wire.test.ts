// The wire format, in both directions and with bytes that nobody should send.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SparkError } from '../../../src/engines/spark/errors.ts'
import { MessageReader, MessageWriter } from '../../../src/engines/spark/wire.ts'

/** Anything but a refusal with a code is thrown on. */
function attempt(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof SparkError) || error.code !== 'FB_SPARK_ANSWER') throw error
  }
}

describe('a message', () => {
  it('reads as it was written', () => {
    const entry = fc.record({
      field: fc.integer({ min: 1, max: 2000 }),
      value: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.string({ unit: 'grapheme' })),
    })
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ field }) => field }), entries => {
        const writer = new MessageWriter()
        for (const { field, value } of entries) {
          if (typeof value === 'bigint') writer.integer(field, value)
          else writer.message(field, new MessageWriter().text(1, value).integer(2, 7))
        }
        const reader = new MessageReader(writer.finish())
        for (const { field, value } of entries) {
          if (typeof value === 'bigint') expect(reader.integer(field)).toBe(value)
          else {
            expect(reader.message(field)?.text(1)).toBe(value)
            expect(reader.message(field)?.count(2)).toBe(7)
          }
        }
      }),
    )
  })

  it('has the bytes of the description of protobuf', () => {
    const bytes = new MessageWriter().integer(1, 150).text(2, 'testing').integer(3, -1).finish()
    expect(Buffer.from(bytes).toString('hex')).toBe('089601120774657374696e6718ffffffffffffffffff01')
  })

  it('leaves out what is undefined, keeps all of a repeated field and takes the last of a single one', () => {
    const bytes = new MessageWriter().text(1, undefined).text(2, 'a').text(2, 'b').finish()
    const reader = new MessageReader(bytes)
    expect(reader.has(1)).toBe(false)
    expect(reader.text(1)).toBe('')
    expect(reader.texts(2)).toEqual(['a', 'b'])
    expect(reader.text(2)).toBe('b')
    expect(reader.count(9)).toBe(0)
  })

  it('skips fields of four and of eight bytes that nobody asks for', () => {
    const bytes = Uint8Array.from([0x0d, 1, 2, 3, 4, 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x18, 5])
    expect(new MessageReader(bytes).count(3)).toBe(5)
  })

  it('is refused with a code, and nothing else, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
        attempt(() => {
          const reader = new MessageReader(bytes)
          for (let field = 1; field < 32; field++) {
            attempt(() => reader.text(field))
            attempt(() => reader.integer(field))
            attempt(() => reader.messages(field))
            attempt(() => reader.map(field))
          }
        })
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['a number without an end', [0x08, 0x80]],
    ['a number of eleven bytes', [0x08, ...new Array(10).fill(0x80), 1]],
    ['a text that is longer than the message', [0x12, 5, 65]],
    ['a group', [0x0b]],
    ['a field without a number', [0x00, 1]],
  ])('refuses %s', (_, bytes) => {
    expect(() => new MessageReader(Uint8Array.from(bytes))).toThrow(/^FB_SPARK_ANSWER/)
  })

  it('refuses a number where a text should be, and the other way round', () => {
    const reader = new MessageReader(new MessageWriter().integer(1, 1).text(2, 'a').finish())
    expect(() => reader.text(1)).toThrow(/^FB_SPARK_ANSWER/)
    expect(() => reader.integer(2)).toThrow(/^FB_SPARK_ANSWER/)
  })
})
