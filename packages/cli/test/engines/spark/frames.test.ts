// Messages in a stream: whole again however they were cut, and refused where they are too large or no messages.

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameReader, writeFrame } from '../../../src/engines/spark/frames.ts'

const codeOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return undefined
}

const headOf = (flag: number, length: number): Uint8Array => {
  const head = Buffer.alloc(5)
  head.writeUInt8(flag)
  head.writeUInt32BE(length, 1)
  return head
}

describe('messages in a stream', () => {
  it('come out as they went in, however the network cuts them', () => {
    const message = fc.oneof(fc.uint8Array({ maxLength: 50 }), fc.constant(new Uint8Array(5000)))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(message, fc.boolean())),
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }),
        (messages, lengths) => {
          const bytes = Buffer.concat(
            messages.map(([body, compress]) => writeFrame(body, { compress }).bytes),
          )
          const reader = new FrameReader(10_000)
          const found: Uint8Array[] = []
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const length = lengths[turn % lengths.length]
            found.push(...reader.add(bytes.subarray(at, at + length), 'gzip'))
            at += length
          }
          reader.end()
          expect(found.map(each => [...each])).toEqual(messages.map(([body]) => [...body]))
        },
      ),
    )
  })

  it('are compressed only where that makes them shorter', () => {
    expect(writeFrame(Buffer.alloc(1000), { compress: true })).toMatchObject({ isCompressed: true })
    expect(writeFrame(Buffer.from('abc'), { compress: true })).toMatchObject({ isCompressed: false })
    expect(writeFrame(Buffer.alloc(1000), { compress: false })).toMatchObject({ isCompressed: false })
  })

  it('are refused where they are larger than the limit, before they have come', () => {
    expect(codeOf(() => [...new FrameReader(99).add(headOf(0, 100))])).toBe('FB_SPARK_LIMIT')
  })

  it('are refused where they get larger than the limit by being unpacked', () => {
    const packed = gzipSync(Buffer.alloc(10_000_000))
    const reader = new FrameReader(50_000)
    expect(codeOf(() => [...reader.add(Buffer.concat([headOf(1, packed.length), packed]), 'gzip')])).toBe(
      'FB_SPARK_LIMIT',
    )
  })

  it.each([
    ['a first byte that gRPC does not have', Buffer.from('<html>'), 'gzip'],
    ['a compression that was not agreed', Buffer.concat([headOf(1, 1), Buffer.from('a')]), 'snappy'],
    ['what is no gzip', Buffer.concat([headOf(1, 1), Buffer.from('a')]), 'gzip'],
  ])('are refused for %s', (_, bytes, encoding) => {
    expect(codeOf(() => [...new FrameReader(100).add(bytes, encoding)])).toBe('FB_SPARK_ANSWER')
  })

  it('are refused where the stream ends in one', () => {
    for (const bytes of [headOf(0, 3), Buffer.from([0])]) {
      const reader = new FrameReader(100)
      expect([...reader.add(bytes)]).toEqual([])
      expect(codeOf(() => reader.end())).toBe('FB_SPARK_ANSWER')
    }
  })
})
