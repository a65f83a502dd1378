// A gap in words: how many digits, which sign, and to which side ends are rounded.

import { expect, it } from 'vitest'
import { sayGap, sayPoints, sayTest } from '../../../src/audit/worst/say.ts'

it('says by how many points, with its sign, and between which ends, rounded outwards', () => {
  expect(sayPoints(0.0751, { low: 0.04839, high: 0.10219 })).toBe('+7.5 points, 4.8 to 10.3')
  expect(sayPoints(-0.0751, { low: -0.10219, high: -0.04831 })).toBe('-7.5 points, -10.3 to -4.8')
  expect(sayPoints(0, { low: -0.5, high: 0.25 })).toMatch(/^0(\.0+)? points, -50(\.0+)? to 25(\.0+)?$/)
})

it('has more digits for smaller gaps', () => {
  const interval = { low: 0.00012345, high: 0.0223456 }
  expect(sayPoints(0.00995, interval)).toBe('+1.0 points, 0.0 to 2.3')
  expect(sayPoints(0.00994, interval)).toBe('+0.99 points, 0.01 to 2.24')
  expect(sayPoints(-0.00994, interval)).toBe('-0.99 points, 0.01 to 2.24')
  expect(sayPoints(0.000995, interval)).toBe('+0.10 points, 0.01 to 2.24')
  expect(sayPoints(0.000994, interval)).toBe('+0.099 points, 0.012 to 2.235')
})

it('says what the score says, what the outcome is, and on how many rows', () => {
  const said = { meanScore: 0.37, meanLabel: 0.445, gap: 0.075, interval: { low: 0.05, high: 0.1 } }
  expect(sayGap({ ...said, weight: 8416 })).toBe(
    'the score says 37 %, the outcome is 45 % (8,416 rows; +7.5 points, 5.0 to 10.0)',
  )
  expect(sayGap({ ...said, weight: 1 })).toContain('(1 row; ')
  expect(sayGap({ ...said, weight: 1.4 })).toContain(' row; ')
  expect(sayGap({ ...said, weight: 2 })).toContain('(2 rows; ')
  const small = {
    meanScore: 0.0123,
    meanLabel: 0.0105,
    gap: -0.0018,
    interval: { low: -0.003, high: -0.001 },
  }
  expect(sayGap({ ...small, weight: 5 })).toContain('the score says 1.2 %, the outcome is 1.1 %')
})

it('says z and p, and no more of a p that is tiny', () => {
  expect(sayTest({ z: 7.68, p: 0.0009 })).toBe('z 7.7, p < 0.001 after correction')
  expect(sayTest({ z: -2.04, p: 0.001 })).toBe('z -2.0, p = 0.001 after correction')
  expect(sayTest({ z: 2, p: 0.256 })).toBe('z 2.0, p = 0.26 after correction')
})
