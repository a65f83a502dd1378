// Losses of two to four actions, at least two of which are best somewhere.

import fc from 'fast-check'
import { type OutcomeLosses, readLoss } from '../../src/decide/losses.ts'

const anyCost = fc.oneof(
  fc.integer({ min: -4, max: 8 }),
  fc.integer({ min: 0, max: 3000 }).map(thousandths => thousandths / 1000),
)

export const lossesArbitrary: fc.Arbitrary<Record<string, OutcomeLosses>> = fc
  .array(fc.tuple(anyCost, anyCost), { minLength: 2, maxLength: 4 })
  .map(pairs => Object.fromEntries(pairs.map((pair, index) => [`a${index}`, pair])))
  .filter(losses => {
    try {
      return readLoss({ losses }).actions.length > 1
    } catch {
      return false
    }
  })
