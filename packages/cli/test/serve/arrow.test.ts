// Arrow in and out: the predictions that JSON gives, refusals with codes, and a server that lives on whatever comes.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readArrow } from '../../src/arrow/stream.ts'
import { writeNumbers } from '../../src/arrow/write.ts'
import {
  type MadeColumn,
  writeArrow,
  writeBatch,
  writeEnd,
  writeSchema,
} from '../engines/spark/arrowWriter.ts'
import { asJson, ROWS, start } from './started.ts'

const ARROW = 'application/vnd.apache.arrow.stream'
const SEND = { 'Content-Type': ARROW }

const daysOf = (text: unknown) => (text === null ? null : Date.parse(text as string) / 86_400_000)
const column = (name: string, kind: MadeColumn['kind'], read = (value: unknown) => value): MadeColumn => ({
  name,
  kind,
  values: ROWS.map(row => read(row[name]) as never),
})
const COLUMNS: readonly MadeColumn[] = [
  column('score', 'double'),
  column('age', 'int64', age => (age === null ? null : BigInt(age as number))),
  column('income', 'double'),
  column('region', 'text'),
  column('member', 'boolean'),
  column('since', 'date', daysOf),
]
const bytesOf = (columns: readonly MadeColumn[]) => writeArrow(columns) as unknown as string
const numbersIn = async (answer: Response) => {
  const [{ columns }] = readArrow(new Uint8Array(await answer.arrayBuffer()))
  return [...columns[0].values]
}

describe('an Arrow stream', () => {
  it('gets the predictions that JSON gets, in the form that was asked for', async () => {
    const { post } = await start(['default'])
    const { predictions } = (await (await post(asJson(ROWS))).json()) as { predictions: number[] }
    const plain = await post(bytesOf(COLUMNS), SEND)
    expect(await plain.json()).toMatchObject({ predictions })
    const arrow = await post(bytesOf(COLUMNS), { ...SEND, Accept: ARROW })
    expect(arrow.headers.get('content-type')).toBe(ARROW)
    expect(arrow.headers.get('x-featureboost-model')).toMatch(/^[\da-f]{64}$/)
    expect(await numbersIn(arrow)).toEqual(predictions)
    expect(await numbersIn(await post(asJson(ROWS), { Accept: ARROW }))).toEqual(predictions)
    expect(await numbersIn(await post(asJson(ROWS[0]), { Accept: ARROW }))).toEqual([predictions[0]])
  })

  it('may hold other types for the same values, several batches, and timestamps', async () => {
    const { post } = await start(['default'])
    const expected = await (await post(asJson(ROWS))).json()
    const others = [
      column('score', 'double'),
      column('age', 'uint16'),
      column('income', 'decimal', income => (income === null ? null : BigInt(100 * (income as number)))),
      column('region', 'large text'),
      column('member', 'boolean'),
      column('since', 'timestamp', since =>
        since === null ? null : BigInt(Date.parse(since as string)) * 1000n,
      ),
    ].map(each => (each.kind === 'decimal' ? { ...each, scale: 2 } : each))
    const half = (from: number, to: number) =>
      others.map(each => ({ ...each, values: each.values.slice(from, to) }))
    const stream = Buffer.concat([
      writeSchema(others),
      writeBatch(half(0, 9)),
      writeBatch(half(9, 24)),
      writeEnd(),
    ])
    expect(await (await post(stream as unknown as string, SEND)).json()).toEqual(expected)
  })

  it('is refused in words: what is amiss, and where', async () => {
    const { post } = await start(['default'], { limits: { rows: 20 } })
    const few = COLUMNS.map(each => ({ ...each, values: each.values.slice(0, 20) }))
    const told = async (columns: readonly MadeColumn[], quirks = {}) => {
      const answer = await post(writeArrow(columns, quirks) as unknown as string, SEND)
      return [answer.status, ((await answer.json()) as { error?: { message: string } }).error?.message]
    }
    expect(await told(few)).toEqual([200, undefined])
    expect(await told(COLUMNS)).toEqual([413, expect.stringContaining('more than 20 rows')])
    expect(await told(few.slice(1))).toEqual([
      422,
      expect.stringMatching(/^FB_COLUMN_UNKNOWN column "score", row 1/),
    ])
    expect(await told([...few, few[0]])).toEqual([400, expect.stringContaining('one name')])
    expect(await told(few, { codec: 0 })).toEqual([400, expect.stringContaining('compressed by lz4')])
    expect(await told(few, { dictionary: true })).toEqual([400, expect.stringContaining('column "score"')])
    const huge = few.map(each =>
      each.name === 'age' ? { ...each, values: few[1].values.map(() => 2n ** 60n) } : each,
    )
    expect(await told(huge)).toEqual([422, expect.stringContaining('1152921504606846976')])
  })

  it('with any bytes changed or cut off gets predictions or a refusal', async () => {
    const { post } = await start(['default'])
    const good = writeArrow(COLUMNS)
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 6 }),
        fc.nat(good.length),
        fc.boolean(),
        async (changes, end, isCut) => {
          const bytes = Buffer.from(good)
          for (const [at, byte] of changes) bytes[at] = byte
          const answer = await post((isCut ? bytes.subarray(0, end) : bytes) as unknown as string, SEND)
          expect([200, 400, 413, 422]).toContain(answer.status)
        },
      ),
      { numRuns: 250 },
    )
  })
})

describe('written numbers', () => {
  it('are read again, to the bit', () => {
    fc.assert(
      fc.property(fc.string(), fc.float64Array(), (name, values) => {
        const [{ columns, rowCount }] = readArrow(writeNumbers(name.slice(0, 40), values))
        expect([rowCount, columns[0].name]).toEqual([
          values.length,
          Buffer.from(name.slice(0, 40)).toString(),
        ])
        expect(Float64Array.from(columns[0].values as Float64Array)).toEqual(values)
      }),
    )
  })
})
