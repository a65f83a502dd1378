// Text that is probably something else: ids, and numbers that are text for how they are written.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audit } from '../../src/audit/audit.ts'
import { makeRandom } from '../../src/common/random.ts'
import { findWrittenNumbers } from '../../src/data/suspects.ts'
import { makeTable } from '../../src/data/table.ts'
import { fit } from '../../src/fit/fit.ts'

describe('written numbers', () => {
  const commaOf = (...texts: string[]) => findWrittenNumbers(texts)?.comma

  it('are told apart by what the commas can be', () => {
    expect(commaOf('$30,198.13', '$5.00')).toBe('thousands')
    expect(commaOf('30,198.13', '12')).toBe('thousands')
    expect(commaOf('1,234,567', '1,234')).toBe('thousands')
    expect(commaOf('0,35', '1')).toBe('decimal')
    expect(commaOf('12,5')).toBe('decimal')
    expect(commaOf('1234,567')).toBe('decimal')
    expect(commaOf('€ 1.234,56')).toBe('decimal')
    expect(commaOf('1,234', '5,678')).toBe('unclear')
    expect(commaOf('0,35', '1,234.5')).toBe('unclear')
    expect(commaOf('£12', '£13.5')).toBe('none')
    expect(commaOf('5%', '12.5%')).toBe('none')
  })

  it('are not seen in numbers as programs write them, nor in words, nor where one text is none', () => {
    for (const texts of [['1', '2.5', '-3'], ['a', 'b'], ['1,234', 'n/a'], ['1,2,3'], ['10.0.0.1'], [''], []])
      expect(findWrittenNumbers(texts), texts.join(' ')).toBeUndefined()
  })

  it('are seen whatever the number is, once one has a comma', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1000, max: 9_999_999 }), { minLength: 1, maxLength: 20 }),
        numbers => {
          const texts = numbers.map(number => `$${number.toLocaleString('en-US')}.50`)
          expect(findWrittenNumbers(texts)).toMatchObject({ comma: 'thousands', signed: true })
          const german = numbers.map(number => `${number.toLocaleString('de-DE')},50`)
          expect(findWrittenNumbers(german)).toMatchObject({ comma: 'decimal', points: true })
        },
      ),
    )
  })
})

describe('warnings of a fit and of an audit', () => {
  const random = makeRandom(4)
  const rows = 400
  const table = (distinct: number) =>
    makeTable({
      user: Array.from({ length: rows }, (_, row) => `u${row % distinct}`),
      price: Array.from({ length: rows }, () => `$${1 + random.integer(9)},${100 + random.integer(900)}.00`),
      x: Array.from({ length: rows }, () => random.next()),
      score: Array.from({ length: rows }, () => random.next()),
      y: Array.from({ length: rows }, () => random.integer(2)),
    })
  const warningsOf = async (distinct: number, categorical: string[] = []) => {
    const told: string[] = []
    const options = {
      label: 'y',
      prediction: 'score',
      categorical,
      onWarning: (said: string) => told.push(said),
    }
    const rows = table(distinct)
    await audit(rows, { ...options, draws: 0 })
    const audited = told.splice(0)
    await fit(rows, { ...options, method: 'platt', holdout: 0 })
    expect(told).toEqual(audited)
    return audited
  }

  it('name ids that repeat a little and numbers that are text, and neither where they are meant', async () => {
    const many = await warningsOf(250)
    expect(many).toHaveLength(2)
    expect(many[0]).toContain('"user" has more different values than half of the number of rows')
    expect(many[1]).toContain('"price" holds numbers with commas between thousands, such as "$')
    expect(await warningsOf(150)).toEqual([expect.stringContaining('"price" holds numbers')])
    expect(await warningsOf(150, ['price'])).toEqual([expect.stringContaining('"price" has more different')])
  })
})
