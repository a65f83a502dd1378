// Example 7.20: without a limit on precision and operations, two maps composed have unbounded pseudodimension, although
// the class they come from has pseudodimension 2. Numbers in [0,1) are kept as exact binary fractions.

import { describe, expect, test } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'

/** digits / 2^length */
interface Real {
  digits: bigint
  length: number
}

type AugmentedMap = (x: Real, u: Real) => Real

const ZERO: Real = { digits: 0n, length: 1 }
const ONE: Real = { digits: 1n, length: 0 }

const fromBits = (bits: string): Real => ({ digits: BigInt(`0b0${bits}`), length: bits.length })
const toNumber = ({ digits, length }: Real) => Number(digits) / 2 ** length

/** The i-th binary digit after the point, i from 1. */
const digitAt = ({ digits, length }: Real, i: number) =>
  i > length ? 0 : Number((digits >> BigInt(length - i)) & 1n)

/** x encodes (m, q) as m ones, a zero, q ones, a zero. */
const encodePoint = (m: number, q: number) => fromBits(`${'1'.repeat(m)}0${'1'.repeat(q)}0`)

function decodePoint(x: Real): { m: number; q: number } {
  let m = 0
  while (digitAt(x, m + 1) === 1) m += 1
  let q = 0
  while (digitAt(x, m + 2 + q) === 1) q += 1
  return { m, q }
}

/** a(x, u) = phi_u(q_x): the digit of u that x asks for. */
const a: AugmentedMap = (x, u) => {
  const { m, q } = decodePoint(x)
  return q >= 1 && q <= m && digitAt(u, q) === 1 ? ONE : ZERO
}

const constant =
  (eta: Real): AugmentedMap =>
  () =>
    eta

const compose =
  (outer: AugmentedMap, inner: AugmentedMap): AugmentedMap =>
  (x, u) =>
    outer(x, inner(x, u))

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const pointsFor = (d: number) => range(d).map(index => encodePoint(d, index + 1))

/** The pattern of a map on the points with every witness 1/2. */
const patternOf = (map: AugmentedMap, points: Real[]) =>
  points.map(x => (toNumber(map(x, ZERO)) >= 0.5 ? '1' : '0')).join('')

const composedPattern = (eta: Real, points: Real[]) => patternOf(compose(a, constant(eta)), points)

describe('Claim 7.22: a after a constant shatters any number of points', () => {
  test.each(range(12).map(index => index + 1))('all 2^d patterns of %i points', d => {
    const points = pointsFor(d)
    expect(new Set(points.map(toNumber)).size).toBe(d)
    for (let pattern = 0; pattern < 2 ** d; pattern++) {
      const bits = pattern.toString(2).padStart(d, '0')
      expect(composedPattern(fromBits(bits), points)).toBe(bits)
    }
  })

  test.each([13, 20, 27, 34, 40])('100 random patterns of %i points', d => {
    const random = makeRandom(d)
    const points = pointsFor(d)
    const bits = range(100).map(() =>
      range(d)
        .map(() => random.integer(2))
        .join(''),
    )
    expect(new Set(bits).size).toBeGreaterThan(90)
    for (const pattern of bits) expect(composedPattern(fromBits(pattern), points)).toBe(pattern)
  })

  test('it takes the precision: constants of 8 digits give 2^8 of the 2^12 patterns', () => {
    const points = pointsFor(12)
    const reached = range(2 ** 8).map(eta => composedPattern({ digits: BigInt(eta), length: 8 }, points))
    expect(new Set(reached).size).toBe(2 ** 8)
    expect(reached.every(pattern => pattern.endsWith('0000'))).toBe(true)
  })
})

/** Signs of values against witnesses; strict is the other convention for a value equal to its witness. */
const signs = (values: number[], witnesses: number[], strict: boolean) =>
  values.map((value, i) => (value > witnesses[i] || (!strict && value === witnesses[i]) ? '1' : '0')).join('')

/** Every pattern of constants: their signs change at witnesses only, so these and the gaps between are all cases. */
function constantPatterns(witnesses: number[], strict: boolean): Set<string> {
  const cuts = [0, 1, ...witnesses].sort((first, second) => first - second)
  const etas = cuts.flatMap((cut, i) => (i === 0 ? [cut] : [(cuts[i - 1] + cut) / 2, cut]))
  return new Set(etas.map(eta => signs([eta, eta, eta], witnesses, strict)))
}

const classPatterns = (valuesOfA: number[], witnesses: number[], strict: boolean) =>
  constantPatterns(witnesses, strict).add(signs(valuesOfA, witnesses, strict))

describe('Claim 7.21: the class itself has pseudodimension 2', () => {
  test('two points are shattered: constants give three patterns, a the fourth', () => {
    const [first, second] = [encodePoint(2, 1), encodePoint(2, 2)]
    const u = fromBits('10')
    const witnesses = [0.7, 0.3]
    const etas = [0.1, 0.5, 0.9].map(eta => signs([eta, eta], witnesses, false))
    const fromA = signs([toNumber(a(first, u)), toNumber(a(second, u))], witnesses, false)
    expect([...etas, fromA].sort()).toEqual(['00', '01', '10', '11'])
  })

  test('three points: every order of witnesses, ties and both conventions, and every value of a leave three patterns out', () => {
    const levels = [0.2, 0.5, 0.8]
    let most = 0
    for (const strict of [false, true]) {
      for (const witnesses of levels.flatMap(r => levels.flatMap(s => levels.map(t => [r, s, t])))) {
        expect(constantPatterns(witnesses, strict).size).toBeLessThanOrEqual(4)
        for (const values of range(8).map(bits => [bits & 1, (bits >> 1) & 1, bits >> 2])) {
          most = Math.max(most, classPatterns(values, witnesses, strict).size)
        }
      }
    }
    expect(most).toBe(5)
  })

  test('three points: a random search finds no more', () => {
    const random = makeRandom(7)
    const bits = (length: number) =>
      range(length)
        .map(() => random.integer(2))
        .join('')
    let most = 0
    for (let trial = 0; trial < 2000; trial++) {
      const values = range(3).map(() => {
        const m = 1 + random.integer(6)
        return toNumber(a(encodePoint(m, 1 + random.integer(m)), fromBits(bits(6))))
      })
      most = Math.max(
        most,
        classPatterns(
          values,
          range(3).map(() => random.next()),
          false,
        ).size,
      )
    }
    expect(most).toBe(5)
  })
})
