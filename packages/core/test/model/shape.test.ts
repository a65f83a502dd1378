// The checkers that untrusted JSON goes through.

import { describe, expect, it } from 'vitest'
import {
  byKind,
  flag,
  listOf,
  oneOf,
  real,
  record,
  type Shape,
  text,
  whole,
  within,
} from '../../src/model/shape.ts'
import { rejectionOf } from '../data/rejection.ts'

describe('a shape', () => {
  const cases: readonly [string, Shape<unknown>, readonly unknown[], readonly unknown[]][] = [
    ['text', text, ['', 'a'], [null, 1, ['a'], {}]],
    ['flag', flag, [true, false], [null, 0, 'true', undefined]],
    ['real', real, [0, -1.5, 1e308], [Number.NaN, Number.POSITIVE_INFINITY, '1', null, [1]]],
    ['within 1 to 2', within(1, 2), [1, 1.5, 2], [0.999, 2.001, '1']],
    ['whole from 1 to 3', whole(1, 3), [1, 2, 3], [0, 4, 1.5, true]],
    ['one of a and 1', oneOf<string | number>('a', 1), ['a', 1], ['1', 'b', null]],
    [
      'list of at most two flags',
      listOf(flag, 2),
      [[], [true], [true, false]],
      [[1], [true, true, true], {}, 'ab'],
    ],
  ]

  it.each(cases)('(%s) gives back what fits and refuses the rest', (_, shape, fitting, others) => {
    for (const value of fitting) expect(shape(value, 'here')).toEqual(value)
    for (const value of others) {
      const error = rejectionOf(() => shape(value, 'here'))
      expect(error.code).toBe('FB_MODEL_FORMAT')
      expect(error.details.path).toContain('here')
    }
  })

  it('names the place within a list and within a record', () => {
    const shape = record({ list: listOf(record({ x: real })) })
    const error = rejectionOf(() => shape({ list: [{ x: 1 }, { x: null }] }, ''))
    expect(error.details.path).toBe('list[1].x')
    expect(rejectionOf(() => shape({ list: [{}] }, 'top')).details.path).toBe('top.list[0]')
    expect(rejectionOf(() => shape([], '')).details.path).toBe('model')
  })
})

describe('a record', () => {
  const shape = record({ a: real }, { b: text })

  it('is a copy of the known keys, optional ones where they are', () => {
    const given = { a: 1, b: 'x' }
    const copy = shape(given, '')
    expect(copy).toEqual(given)
    expect(copy).not.toBe(given)
    expect(shape({ a: 1 }, '')).toEqual({ a: 1 })
    expect(shape({ a: 1 }, '')).not.toHaveProperty('b')
  })

  it('refuses unknown keys, among them those that could reach a prototype', () => {
    for (const key of ['c', '__proto__', 'constructor', 'toString']) {
      const hostile = JSON.parse(`{"a":1,"${key}":{"polluted":true}}`)
      expect(rejectionOf(() => shape(hostile, '')).message).toContain(`unknown key "${key}"`)
    }
  })

  it('does not take a required key from a prototype', () => {
    expect(rejectionOf(() => shape(Object.create({ a: 1 }), '')).message).toContain('"a" is absent')
  })

  it('shows no more than the beginning of a long key', () => {
    const error = rejectionOf(() => shape({ a: 1, ['k'.repeat(1000)]: 1 }, ''))
    expect(error.message.length).toBeLessThan(250)
  })
})

describe('one of several records', () => {
  const shape = byKind<unknown>({
    dot: record({ kind: oneOf('dot') }),
    line: record({ kind: oneOf('line'), to: real }),
  })

  it('is chosen by its kind', () => {
    expect(shape({ kind: 'line', to: 2 }, '')).toEqual({ kind: 'line', to: 2 })
    expect(rejectionOf(() => shape({ kind: 'dot', to: 2 }, '')).message).toContain('unknown key "to"')
  })

  it('is refused for a kind that is unknown, inherited, no text or absent', () => {
    for (const kind of ['circle', 'toString', '__proto__', 1, undefined]) {
      expect(rejectionOf(() => shape({ kind }, 'here')).code).toBe('FB_MODEL_FORMAT')
    }
    expect(rejectionOf(() => shape({ kind: 'x'.repeat(1000) }, '')).message.length).toBeLessThan(250)
  })
})
