// Dates and times as numbers, and back.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeBound } from '../../src/classes/bounds.ts'
import { daysOf, formatTime, parseClock, parseDate, parseMoment, parseTime } from '../../src/data/times.ts'
import { makeTable, tableFromRows } from '../../src/index.ts'

const DAY = 86_400e6

/** Microseconds since 1970, from the year 1700 to the year 2250: a double holds them all. */
const micros = fc.integer({ min: -8_520_336_000e6, max: 8_835_955_200e6 })

describe('a moment', () => {
  it('is the same number however it is spelled', () => {
    const midnight = parseMoment('2024-06-14')
    expect(midnight).toBe(19_888)
    for (const text of [
      '2024-06-14 00:00',
      '2024-06-14T00:00:00',
      '2024-06-14 00:00:00.000000',
      '2024-06-14T00:00:00Z',
      '2024-06-14 02:00:00+02:00',
      '2024-06-13T18:30:00-05:30',
    ]) {
      expect(parseMoment(text), text).toBe(midnight)
    }
    expect(parseDate('06/14/2024', '%m/%d/%Y')).toBe(midnight)
    expect(parseDate('14.6.2024', '%d.%m.%Y')).toBe(midnight)
    expect(parseDate('14.6.24', '%d.%m.%y')).toBe(midnight)
    expect(parseTime('06/14/2024', 'date', '%m/%d/%Y')).toBe(midnight)
  })

  it('is refused where there is no such day or time', () => {
    const none = [
      '2024-06-31',
      '2023-02-29',
      '2024-13-01',
      '2024-06-14 24:00',
      '2024-06-14 12:60',
      '14-06-2024',
    ]
    for (const text of [...none, '', '2024-06', ' 2024-06-14', '2024-06-14x', '20240614'])
      expect(parseMoment(text), text).toBeUndefined()
    expect(parseDate('14/06/2024', '%m/%d/%Y')).toBeUndefined()
    expect(parseDate('2024-06-14', '%m/%d/%Y')).toBeUndefined()
    expect(parseDate('12:30', '%H:%M')).toBeUndefined()
  })

  it('is written as it can be read again, to the microsecond', () => {
    fc.assert(
      fc.property(micros, at => {
        const days = daysOf(0, at)
        const text = formatTime(days, 'timestamp')
        expect(parseMoment(text)).toBe(days)
        expect(text.includes(':')).toBe(at % DAY !== 0)
      }),
    )
  })

  it('of a cut is the last one that is not above it', () => {
    fc.assert(
      fc.property(
        micros,
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (at, gap, share) => {
          const [low, high] = [daysOf(0, at), daysOf(0, at + gap)]
          const cut = Math.min(low + share * (high - low), high)
          fc.pre(cut < high)
          const bound = parseMoment(timeBound(cut, 'timestamp'))!
          expect(bound).toBeLessThanOrEqual(cut)
          expect(bound).toBeGreaterThanOrEqual(low)
        },
      ),
    )
    expect(timeBound(19_888.5, 'date')).toBe('2024-06-14')
    expect(timeBound(45_000.5, 'time')).toBe('12:30:00.5')
  })
})

describe('a time of day', () => {
  it('is seconds since midnight', () => {
    expect(parseClock('12:30')).toBe(45_000)
    expect(parseClock('00:00:01.25')).toBe(1.25)
    expect(parseTime('23:59:59', 'time')).toBe(86_399)
    for (const text of ['24:00', '12:61', '12', '12:30:61', 'noon']) expect(parseClock(text)).toBeUndefined()
    expect(formatTime(45_000, 'time')).toBe('12:30:00')
  })
})

describe('columns of dates', () => {
  it('come from Dates and from text, as the same numbers', () => {
    const at = ['2024-06-14', '2024-06-15T12:00:00Z']
    const ofText = makeTable({ when: [...at, null] }).columns[0]
    const ofDates = tableFromRows([...at.map(text => ({ when: new Date(text) })), { when: null }]).columns[0]
    expect(ofDates).toEqual(ofText)
    expect(ofText).toMatchObject({ kind: 'numeric', time: 'timestamp' })
    expect(Array.from((ofText as { values: Float64Array }).values)).toEqual([19_888, 19_889.5, Number.NaN])
  })

  it('are text where one of them is no date, and refuse what is no value', () => {
    expect(makeTable({ when: ['2024-06-14', 'soon'] }).columns[0].kind).toBe('categorical')
    expect(() => makeTable({ when: [new Date('2024-06-14'), 3] })).toThrow('all Dates')
    expect(() => makeTable({ when: [new Date(Number.NaN)] })).toThrow('an invalid Date')
  })

  it('that are ready say what they are', () => {
    const values = Float64Array.of(1, 2)
    expect(makeTable({ when: { kind: 'numeric', values, time: 'date' } }).columns[0]).toMatchObject({
      time: 'date',
    })
    const wrong = { kind: 'numeric', values, time: 'year' } as never
    expect(() => makeTable({ when: wrong })).toThrow('"date", "timestamp", "time"')
  })

  it('of "true" and "false" are truth values; other words are not', () => {
    expect(makeTable({ a: ['True', 'false', null] }).columns[0]).toEqual({
      name: 'a',
      kind: 'boolean',
      values: Int8Array.of(1, 0, -1),
    })
    expect(makeTable({ a: ['yes', 'no'] }).columns[0].kind).toBe('categorical')
  })
})
