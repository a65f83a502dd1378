// Numbers of a certificate that cannot be true together are found without rows; a genuine certificate has none.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureBoostError, fit, readModel, tableFromRows } from '../../src/index.ts'
import { findContradictions, refuseContradictions } from '../../src/verify/contradictions.ts'
import { rejectionOf } from '../data/rejection.ts'
import { roleArbitrary, sampleArbitrary, updateClassArbitrary } from '../fit/tables.ts'
import { BASE_NAMES, fitBase } from './bases.ts'
import { type Contents, forge } from './forge.ts'

describe('a genuine certificate', () => {
  it.each(BASE_NAMES)('of %s contradicts nothing', async name => {
    expect(findContradictions(readModel(await fitBase(name)).data)).toEqual([])
  })

  it('of any class, role and table contradicts nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        sampleArbitrary(30),
        roleArbitrary,
        updateClassArbitrary,
        fc.constantFrom(1, 2, 20),
        fc.constantFrom(undefined, 0.3),
        async ({ rows }, roles, each, bins, holdout) => {
          const model = await fit(tableFromRows(rows), {
            ...{ label: 'y', ...roles, ...each, bins, epsilon: 0.4, roundLimit: 2 },
            ...(holdout !== undefined && { holdout }),
            method: 'rounds',
            stop: 'certificate',
          }).catch((error: unknown) => {
            if (!(error instanceof FeatureBoostError)) throw error
          })
          fc.pre(model !== undefined)
          expect(findContradictions(model.data)).toEqual([])
        },
      ),
      { numRuns: 80 },
    )
  })
})

describe('a certificate is refused with both numbers', () => {
  const rungOf = ({ rungs }: Contents, guarantee: string): Contents =>
    rungs.find((rung: Contents) => rung.guarantee === guarantee)

  it.each<[string, (certificate: Contents) => void, RegExp]>([
    [
      'whose bound is smaller than what was measured',
      c => (rungOf(c, 'multicalibration').bound = 1e-9),
      /rungs\[1\]\.bound: the bound 1e-9 of the multicalibration error is smaller than the error 0\.\d+/,
    ],
    [
      'that says at most less than was measured',
      c => (rungOf(c, 'level-set').measured.atMost = 0),
      /is said to be at most 0, and 0\.\d+ was measured/,
    ],
    [
      'with a bound below 0',
      c => (rungOf(c, 'multiaccuracy').bound = -0.5),
      /its bound of -0\.5 .* cannot be below 0/,
    ],
    [
      'that holds with less than is proven',
      c => {
        c.holds = true
        c.claim.epsilon = 1e-6
      },
      /said to hold with epsilon 0\.000001, and 0\.\d+ is proven/,
    ],
    [
      'that does not hold with more than is proven',
      c => {
        c.holds = false
        c.claim.epsilon = 0.999
      },
      /said not to hold with epsilon 0\.999, and 0\.\d+ is proven/,
    ],
    [
      'whose level-set error is below the multicalibration error',
      c => {
        rungOf(c, 'level-set').measured.error = 0
        c.after.levelSet.error = 0
      },
      /the level-set error 0 is smaller than the multicalibration error 0\.\d+/,
    ],
    [
      'that says one error twice, differently',
      c => (c.after.multiaccuracy.error = 0.125),
      /the multiaccuracy error is 0\.\d+ here and 0\.125 in certificate\.after/,
    ],
    [
      'with a loss above 1',
      c => (c.before.loss = 1.5),
      /a mean squared error of 1\.5 and .* are not both from 0 to 1/,
    ],
    ['with a confidence of 1', c => (c.claim.confidence = 1), /a confidence of 1 is not between 0 and 1/],
    [
      'with two confidences',
      c => (c.heldOut.confidence = 0.5),
      /the confidence is 0\.5 here and 0\.95 in the claim/,
    ],
    [
      'whose bound on new rows is smaller than what was measured',
      c => (c.heldOut.multicalibration.bound = 0.001),
      /the bound 0\.001 on new rows is smaller than the error 0\.\d+ that was measured on held-out rows/,
    ],
    [
      'with other held-out rows',
      c => (c.heldOut.units.weight = 5),
      /held-out rows weigh 5 here and \d+ in certificate\.rows/,
    ],
    [
      'whose held-out rows are worth more than they are',
      c => (c.heldOut.units.count = 1e6),
      /\d+ held-out rows are not 1000000 independent ones/,
    ],
    [
      'of a protected group that is farther off than its bound',
      c => (c.protected[0].heldOut.bound = 0),
      /the bound 0 of the gap on new rows is smaller than the gap -?0\.\d+/,
    ],
    ['with other rounds', c => (c.rounds = 99), /it counts 99 updates, and the file has \d/],
  ])('%s', async (_, change, message) => {
    const { data } = readModel(forge(await genuine, ({ certificate }) => change(certificate)))
    const error = rejectionOf(() => refuseContradictions(data))
    expect(error.code).toBe('FB_MODEL_CONTRADICTION')
    expect(error.message).toMatch(message)
  })
})

const genuine = fitBase('rounds')
