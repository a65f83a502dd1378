// Signals: what one value, one column and one function become.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ONE } from '../../src/common/units.ts'
import { makeTable, type Value } from '../../src/data/table.ts'
import {
  encodeSignal,
  evaluateFunction,
  evaluateFunctions,
  type RowFunctions,
  type SignalSchema,
  signalOf,
} from '../../src/quantize/signals.ts'
import { rejectionOf } from '../data/rejection.ts'

const NO_FUNCTIONS = new Map<string, Float64Array>()

describe('a scaled signal', () => {
  const scaled = (center: number, scale: number) => ({ kind: 'scaled', column: 'x', center, scale }) as const

  it('is the distance from the center over the scale, cut off at -1 and 1', () => {
    const schema = scaled(10, 4)
    expect(signalOf(schema, 10)).toBe(0)
    expect(signalOf(schema, 12)).toBe(ONE / 2)
    expect(signalOf(schema, 9)).toBe(-ONE / 4)
    expect(signalOf(schema, 14)).toBe(ONE)
    expect(signalOf(schema, 1e300)).toBe(ONE)
    expect(signalOf(schema, -1e300)).toBe(-ONE)
  })

  it('lies within -ONE and ONE and rises with the value', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(
        finite,
        finite,
        finite,
        fc.double({ min: 1e-300, max: 1e300, noNaN: true }),
        (a, b, center, scale) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)].map(value =>
            signalOf(scaled(center, scale), value),
          )
          expect(low).toBeLessThanOrEqual(high)
          expect(low).toBeGreaterThanOrEqual(-ONE)
          expect(high).toBeLessThanOrEqual(ONE)
          expect(Number.isInteger(low) && Number.isInteger(high)).toBe(true)
        },
      ),
    )
  })

  it('is 0 where the value is missing', () => {
    expect(signalOf(scaled(10, 4), null)).toBe(0)
    expect(signalOf(scaled(10, 4), Number.NaN)).toBe(0)
    const table = makeTable({ x: [12, null, Number.NaN] })
    expect(Array.from(encodeSignal(scaled(10, 4), table, NO_FUNCTIONS))).toEqual([ONE / 2, 0, 0])
  })
})

describe('an indicator', () => {
  it.each<[string | boolean, Value[]]>([
    ['a', ['a', 'b', null, 'A']],
    [true, [true, false, null, null]],
  ])('of %j is ONE where the column holds it, else 0', (value, values) => {
    const schema: SignalSchema = { kind: 'indicator', column: 'c', value }
    const table = makeTable({ c: values })
    expect(Array.from(encodeSignal(schema, table, NO_FUNCTIONS))).toEqual([ONE, 0, 0, 0])
    expect(values.map(entry => signalOf(schema, entry))).toEqual([ONE, 0, 0, 0])
  })
})

describe('the constant signal', () => {
  it('is ONE in every row', () => {
    const table = makeTable({ c: ['a', null, 'b'] })
    expect(Array.from(encodeSignal({ kind: 'one' }, table, NO_FUNCTIONS))).toEqual([ONE, ONE, ONE])
    expect(signalOf({ kind: 'one' }, null)).toBe(ONE)
  })
})

describe('an auditor function', () => {
  const table = makeTable({ x: [0.5, -1, null], c: ['a', null, 'b'] })
  const evaluate = (functions: RowFunctions, names = Object.keys(functions)) =>
    evaluateFunctions(names, functions, table.columns, table.rowCount)

  it('is evaluated on every row, where a missing value is null', () => {
    const seen: unknown[] = []
    const values = evaluate({
      half: row => {
        seen.push(row)
        return Number(row.x) / 2
      },
    })
    expect(seen).toEqual([
      { x: 0.5, c: 'a' },
      { x: -1, c: null },
      { x: null, c: 'b' },
    ])
    expect(Array.from(values.get('half')!)).toEqual([0.25, -0.5, 0])
    const signal = encodeSignal({ kind: 'function', name: 'half' }, table, values)
    expect(Array.from(signal)).toEqual([ONE / 4, -ONE / 2, 0])
  })

  it('is not called at all where none is named', () => {
    const values = evaluate({ half: () => 0.5 }, [])
    expect(values.size).toBe(0)
  })

  it.each([
    ['1.5', 1.5],
    ['-1.0000001', -1.0000001],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['undefined', undefined],
    ['null', null],
    ['true', true],
    ['0.5', '0.5'],
  ])('that returns %s is refused with its name and row', (shown, returned) => {
    let calls = 0
    const wrong = (() => (++calls < 3 ? 0 : returned)) as RowFunctions[string]
    const error = rejectionOf(() => evaluate({ wrong }))
    expect(error.code).toBe('FB_FUNCTION')
    expect(error.details.row).toBe(3)
    expect(error.message).toContain(`row 3: auditor function "wrong" returned ${shown}.`)
    expect(error.message).toContain('Expected a number from -1 to 1.')
  })

  it('that throws is refused with its name, its row and what it said', () => {
    const fails = (thrown: unknown): RowFunctions => ({
      fails: row => {
        if (row.x === -1) throw thrown
        return 0
      },
    })
    const error = rejectionOf(() => evaluate(fails(new TypeError('no such group'))))
    expect(error.code).toBe('FB_FUNCTION')
    expect(error.message).toContain('row 2: auditor function "fails" threw: no such group.')
    expect(rejectionOf(() => evaluate(fails('a text'))).message).toContain('threw: a text.')
  })

  it.each([
    ['absent', {}],
    ['inherited', Object.create({ gone: () => 0 }) as RowFunctions],
    ['no function', { gone: 1 } as unknown as RowFunctions],
  ])('that is %s is asked for', (_, given) => {
    const error = rejectionOf(() => evaluate(given, ['gone']))
    expect(error.code).toBe('FB_FUNCTION')
    expect(error.message).toContain('"gone" is not at hand')
    expect(error.message).toContain('readModel(text, { functions })')
  })

  it('on a single row is refused without a row number', () => {
    const error = rejectionOf(() => evaluateFunction('wrong', { wrong: () => 2 }, {}))
    expect(error.details).not.toHaveProperty('row')
    expect(error.message).toContain('FB_FUNCTION: auditor function "wrong" returned 2.')
    expect(evaluateFunction('right', { right: () => -1 }, {})).toBe(-1)
  })
})
