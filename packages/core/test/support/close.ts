// Sums of doubles in another order: equal up to a relative 1e-9.

import { expect } from 'vitest'

export const RELATIVE = 1e-9
const ABSOLUTE = 1e-13

export function expectClose(actual: number, expected: number, relative = RELATIVE): void {
  const allowed = ABSOLUTE + relative * Math.abs(expected)
  if (Math.abs(actual - expected) <= allowed) return
  expect.fail(`${actual} is not ${expected}: they differ by ${actual - expected}, allowed is ${allowed}`)
}

export function expectAtMost(actual: number, bound: number, relative = RELATIVE): void {
  const allowed = ABSOLUTE + relative * Math.abs(bound)
  if (actual <= bound + allowed) return
  expect.fail(`${actual} is more than ${bound}`)
}
