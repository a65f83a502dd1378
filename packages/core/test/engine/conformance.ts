// Runs the published conformance suite on an engine of this repository.

import { describe, it } from 'vitest'
import { CONFORMANCE, type MakeTestedEngine, type Rounds } from '../../src/testing/index.ts'

/** Like the property tests, other rows where FAST_CHECK_SEED is set. */
const seed = process.env.FAST_CHECK_SEED
const rounds: Rounds = seed === undefined ? {} : { seed: 60_000 * Number(seed) }

export function describeEngine(name: string, make: MakeTestedEngine): void {
  describe(`${name} conforms to the definitions`, () => {
    for (const { check, title } of CONFORMANCE) it(title, () => check(make, rounds))
  })
}
