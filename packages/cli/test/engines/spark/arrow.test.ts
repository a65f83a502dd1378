// Arrow streams: every type, with and without nulls; and streams that are damaged or of kinds that are not read.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ColumnKind, Value } from '../../../src/arrow/columns.ts'
import { joinBatches, readArrow } from '../../../src/engines/spark/arrow.ts'
import { SparkError } from '../../../src/engines/spark/errors.ts'
import {
  type MadeColumn,
  writeArrow,
  writeBatch,
  writeEnd,
  writeMessage,
  writeSchema,
} from './arrowWriter.ts'

const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const whole = (bits: number) => fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 })

const VALUES: Record<ColumnKind, fc.Arbitrary<Value>> = {
  null: fc.constant(null),
  boolean: fc.boolean(),
  int8: whole(8),
  int16: whole(16),
  int32: whole(32),
  int64: long,
  uint8: fc.nat(2 ** 8 - 1),
  uint16: fc.nat(2 ** 16 - 1),
  uint32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  float: fc.float(),
  double: fc.double(),
  decimal: fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
  text: fc.string({ unit: 'grapheme' }),
  'large text': fc.string({ unit: 'grapheme' }),
  binary: fc.uint8Array({ maxLength: 9 }),
  date: whole(32),
  timestamp: long,
}
const KINDS = Object.keys(VALUES) as ColumnKind[]

const anyColumn = (kind: ColumnKind, rowCount: number): fc.Arbitrary<MadeColumn> =>
  fc
    .record({
      name: fc.string({ maxLength: 8 }),
      withNulls: fc.boolean(),
      values: fc.array(fc.tuple(VALUES[kind], fc.integer({ min: 0, max: 2 })), {
        minLength: rowCount,
        maxLength: rowCount,
      }),
    })
    .map(({ name, values, withNulls }) => ({
      name,
      kind,
      ...(kind === 'decimal' && { scale: 3 }),
      values: values.map(([value, draw]) => (withNulls && draw === 0 ? null : value)),
    }))

const anyColumns: fc.Arbitrary<MadeColumn[]> = fc
  .tuple(fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 20 }))
  .chain(([kinds, rowCount]) => fc.tuple(...kinds.map(kind => anyColumn(kind, rowCount))))

const plain = (values: Iterable<Value>): unknown[] =>
  [...values].map(value => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value))

describe('an Arrow stream', () => {
  it('gives back every value of every type, wherever in memory it stands', () => {
    fc.assert(
      fc.property(anyColumns, fc.integer({ min: 0, max: 7 }), (columns, shift) => {
        const bytes = Buffer.concat([new Uint8Array(shift), writeArrow(columns)]).subarray(shift)
        const [batch, ...none] = readArrow(bytes)
        expect(none).toEqual([])
        expect(batch.rowCount).toBe(columns[0].values.length)
        expect(batch.columns.map(({ kind, name, scale }) => [name, kind, scale])).toEqual(
          columns.map(({ kind, name, scale }) => [name, kind, scale]),
        )
        batch.columns.forEach(({ values }, index) => {
          expect(plain(values)).toEqual(plain(columns[index].values))
        })
      }),
    )
  })

  it('has typed arrays where the type has one and no value is null', () => {
    const columns: MadeColumn[] = [
      { name: 'a', kind: 'int64', values: [1n, 2n] },
      { name: 'b', kind: 'int64', values: [1n, null] },
      { name: 'c', kind: 'timestamp', zone: 'UTC', values: [5n, 6n] },
    ]
    const [{ columns: found }] = readArrow(writeArrow(columns))
    expect(found[0].values).toBeInstanceOf(BigInt64Array)
    expect(found[1].values).toEqual([1n, null])
    expect(found[2]).toMatchObject({ zone: 'UTC', values: BigInt64Array.of(5n, 6n) })
  })

  it('is one answer, however many batches it has', () => {
    fc.assert(
      fc.property(anyColumns, fc.integer({ min: 1, max: 4 }), (columns, copies) => {
        const batches = Array.from({ length: copies }, () => writeBatch(columns))
        const whole = joinBatches(readArrow(Buffer.concat([writeSchema(columns), ...batches, writeEnd()])))
        expect(whole.rowCount).toBe(copies * columns[0].values.length)
        whole.columns.forEach(({ values }, index) => {
          const once = plain(columns[index].values)
          expect(plain(values)).toEqual(Array.from({ length: copies }, () => once).flat())
        })
      }),
    )
  })

  it('joins parts with nulls and parts without', () => {
    const part = (values: Value[]) => readArrow(writeArrow([{ name: 'a', kind: 'int32', values }]))
    expect(joinBatches([...part([1, 2]), ...part([null]), ...part([3])]).columns[0].values).toEqual([
      1,
      2,
      null,
      3,
    ])
    expect(joinBatches([])).toEqual({ rowCount: 0, columns: [] })
  })

  it('refuses parts whose columns differ', () => {
    const part = (name: string) => readArrow(writeArrow([{ name, kind: 'int32', values: [1] }]))
    expect(() => joinBatches([...part('a'), ...part('b')])).toThrow(/^FB_SPARK_ANSWER/)
  })

  it('has a batch without rows where it has a schema only', () => {
    const columns: MadeColumn[] = [{ name: 'a', kind: 'int64', values: [] }]
    const [batch] = readArrow(Buffer.concat([writeSchema(columns), writeEnd()]))
    expect(batch).toMatchObject({ rowCount: 0, columns: [{ name: 'a', values: new BigInt64Array(0) }] })
  })

  it('is refused with a code, and nothing else, when bytes are changed or cut off', () => {
    const change = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 0, max: 255 }),
    )
    fc.assert(
      fc.property(
        anyColumns,
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (columns, changes, cut) => {
          const bytes = Buffer.from(writeArrow(columns))
          for (const [place, value] of changes) bytes[Math.floor(place * bytes.length)] = value
          try {
            readArrow(cut ? bytes.subarray(0, Math.floor(changes[0][0] * bytes.length)) : bytes)
          } catch (error) {
            if (!(error instanceof SparkError)) throw error
            expect(error.code).toBe('FB_SPARK_ANSWER')
          }
        },
      ),
      { numRuns: 1500 },
    )
  })

  const column: MadeColumn = { name: 'amount', kind: 'int32', values: [1, 2] }

  it.each([
    ['a batch packed by lz4', writeArrow([column], { codec: 0 }), /compressed by lz4.*codec to none/],
    ['a batch packed by zstd', writeArrow([column], { codec: 1 }), /compressed by zstd.*codec to none/],
    ['bytes in the other order', writeArrow([column], { bigEndian: true }), /other order/],
    ['a column with a dictionary', writeArrow([column], { dictionary: true }), /column "amount".*dictionary/],
    [
      'a list',
      writeArrow([column], { type: { number: 12, fields: {} } }),
      /column "amount".*type list.*Cast/,
    ],
    [
      'a type that nobody knows',
      writeArrow([column], { type: { number: 99, fields: {} } }),
      /column "amount".*type 99/,
    ],
    [
      'a decimal of 256 bits',
      writeArrow([column], { type: { number: 7, fields: { 2: { size: 4, value: 256 } } } }),
      /decimal/,
    ],
    [
      'an integer of 24 bits',
      writeArrow([column], { type: { number: 2, fields: { 0: { size: 4, value: 24 } } } }),
      /integer/,
    ],
    [
      'a dictionary',
      Buffer.concat([writeSchema([column]), writeMessage(2, {}, new Uint8Array(0))]),
      /dictionary/,
    ],
    ['a batch without a schema', writeBatch([column]), /kind 3/],
    ['nothing', new Uint8Array(0), /no schema/],
    ['something else', Buffer.from('PAR1PAR1'), /no Arrow stream/],
    [
      'a batch of other columns',
      Buffer.concat([writeSchema([column]), writeBatch([column, column])]),
      /not the columns/,
    ],
  ])('is refused in words for %s', (_, bytes, words) => {
    expect(() => readArrow(bytes)).toThrow(words)
    expect(() => readArrow(bytes)).toThrow(/^FB_SPARK_ANSWER/)
  })
})
