// One encoding, two ways in: a whole table and a single row give the same bins and signals.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ONE } from '../../src/common/units.ts'
import { assignRoles } from '../../src/data/roles.ts'
import { makeTable } from '../../src/data/table.ts'
import { type Auditors, functions, groups, linear, trees } from '../../src/index.ts'
import { type Encoding, encodeTable, makeRoom, makeRowEncoder } from '../../src/quantize/encoding.ts'
import type { Row, RowFunctions } from '../../src/quantize/signals.ts'
import { learnEncoding } from '../../src/store/encode.ts'
import { rejectionOf } from '../data/rejection.ts'
import { newRowsArbitrary, ROW_FUNCTIONS, type Sample, sampleArbitrary } from '../fit/tables.ts'

const OPTIONS = { bins: 255, coarseBins: 64, rare: 0.05 }

const AUDITORS: readonly Auditors[] = [
  groups([{ column: 'age', atLeast: 21 }]),
  trees(),
  linear(),
  functions(ROW_FUNCTIONS),
  functions(ROW_FUNCTIONS, { valueBins: 5 }),
]

function encodingOf(sample: Sample, auditors: Auditors): Encoding {
  const dataset = assignRoles(sample.table, { label: 'y', prediction: 'score', except: ['weight'] })
  return learnEncoding(dataset, auditors, OPTIONS)
}

/** One row, as one-element lists. */
function encodeRow(encoding: Encoding, row: Row, functions: RowFunctions) {
  const { bins, signals } = makeRoom(encoding, 1)
  makeRowEncoder(encoding, functions)(row, { bins, signals }, 0)
  return { bins: bins.map(column => [...column]), signals: signals.map(column => [...column]) }
}

describe('encoding a row', () => {
  it('agrees with encoding the table that holds it, for every row', () => {
    fc.assert(
      fc.property(
        sampleArbitrary(30),
        newRowsArbitrary,
        fc.constantFrom(...AUDITORS),
        (fitted, fresh, auditors) => {
          const encoding = encodingOf(fitted, auditors)
          const whole = encodeTable(encoding, fresh.table, ROW_FUNCTIONS)
          fresh.rows.forEach((row, index) => {
            const { bins, signals } = encodeRow(encoding, row, ROW_FUNCTIONS)
            expect(bins).toEqual(whole.bins.map(column => [column[index]]))
            expect(signals.map(([signal]) => signal + 0)).toEqual(whole.signals.map(signal => signal[index]))
          })
        },
      ),
      { numRuns: 150 },
    )
  })

  it('takes an absent key, undefined and NaN for missing, for functions too', () => {
    const [fitted] = fc.sample(sampleArbitrary(20), { numRuns: 1, seed: 3 })
    const age = (row: Row) => (row.age === null ? 1 : 0)
    const encoding = encodingOf(fitted, functions({ age_is_missing: age }, { valueBins: 2 }))
    const encode = (row: Row) => encodeRow(encoding, row, { age_is_missing: age })
    const missing = encode({ age: null, region: 'north', member: true })
    expect(missing.signals).toEqual([[ONE]])
    expect(encode({ region: 'north', member: true })).toEqual(missing)
    expect(encode({ age: Number.NaN, region: 'north', member: true })).toEqual(missing)
    expect(encode({ age: undefined, region: 'north', member: true } as unknown as Row)).toEqual(missing)
    expect(encode({ age: 20, region: 'north', member: true })).not.toEqual(missing)
  })

  it('does not take a name from the prototype of the row for a value', () => {
    const encoding: Encoding = {
      features: [{ name: 'toString', kind: 'boolean', missing: true }],
      signals: [],
      functions: [],
    }
    expect(encodeRow(encoding, {}, {}).bins).toEqual([[2]])
    expect(encodeRow(encoding, { toString: true } as unknown as Row, {}).bins).toEqual([[1]])
  })
})

describe('auditor functions', () => {
  it('see the features of a row and nothing else, in tables and in rows', () => {
    const [fitted] = fc.sample(sampleArbitrary(10), { numRuns: 1, seed: 5 })
    const seen: string[] = []
    const spy = {
      spy: (row: Row) => {
        seen.push(Object.keys(row).sort().join())
        return 0
      },
    }
    const encoding = encodingOf(fitted, functions(spy, { valueBins: 3 }))
    encodeTable(encoding, fitted.table, spy)
    encodeRow(encoding, fitted.rows[0], spy)
    encodeRow(encoding, { score: 0.5, y: 1 }, spy)
    expect(new Set(seen)).toEqual(new Set(['age,member,region']))
  })

  it('may not have the name of a column', () => {
    const [fitted] = fc.sample(sampleArbitrary(10), { numRuns: 1, seed: 5 })
    const error = rejectionOf(() => encodingOf(fitted, functions({ age: () => 0 })))
    expect(error.code).toBe('FB_COLUMN_NAME')
    expect(error.details.column).toBe('age')
  })
})

describe('encoding a table', () => {
  it('names the feature that the table lacks', () => {
    const [fitted] = fc.sample(sampleArbitrary(10), { numRuns: 1, seed: 5 })
    const table = makeTable({ ages: [30], region: ['north'], member: [true] })
    const error = rejectionOf(() => encodeTable(encodingOf(fitted, trees()), table, {}))
    expect(error.code).toBe('FB_COLUMN_UNKNOWN')
    expect(error.message).toContain('"age"')
    expect(error.message).toContain('Did you mean "ages"?')
  })

  it('refuses a column of another kind than was fitted', () => {
    const [fitted] = fc.sample(sampleArbitrary(10), { numRuns: 1, seed: 5 })
    const table = makeTable({ age: ['30'], region: ['north'], member: [true] })
    const encoding = encodingOf(fitted, trees())
    expect(rejectionOf(() => encodeTable(encoding, table, {})).code).toBe('FB_COLUMN_KIND')
    expect(rejectionOf(() => encodeRow(encoding, { age: '30' }, {})).code).toBe('FB_COLUMN_KIND')
    expect(rejectionOf(() => encodeRow(encoding, { age: Number.POSITIVE_INFINITY }, {})).code).toBe(
      'FB_NOT_FINITE',
    )
  })
})
