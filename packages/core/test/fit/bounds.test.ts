// The certificate of any fit: what is proven is never below what is measured, whatever the data and the class.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Certificate, FeatureBoostError, fit, fitWithTrace } from '../../src/index.ts'
import { nameClass, roleArbitrary, sampleArbitrary, UPDATE_CLASSES } from './tables.ts'

/** Exact integers go in, but bounds and errors are doubles: a last digit may differ. */
const ROUNDING = 1e-9

function expectBounded({ rungs, heldOut, after }: Certificate): void {
  expect(rungs.map(({ guarantee }) => guarantee).slice(0, 2)).toEqual(['multiaccuracy', 'multicalibration'])
  expect(rungs.length).toBe(after.levelSet === undefined ? 2 : 3)
  for (const { bound, guarantee, measured } of rungs) {
    expect(measured.error, guarantee).toBeLessThanOrEqual(measured.atMost + ROUNDING)
    expect(measured.atMost, guarantee).toBeLessThanOrEqual(bound + ROUNDING)
    expect(measured.worst, guarantee).not.toBe('')
  }
  if (heldOut === undefined) return
  for (const part of [heldOut.multicalibration, heldOut.levelSet]) {
    if (part !== undefined) expect(part.bound).toBeCloseTo(part.measured + part.slack, 12)
  }
}

/** A fold may be left without rows, or without a category that a group names: such draws say nothing. */
function tooFewRows(error: unknown): undefined {
  const expected = error instanceof FeatureBoostError && /^FB_(NO_ROWS|OPTION_VALUE)$/.test(error.code)
  if (!expected) throw error
}

describe('the bound is at least the measured error', () => {
  it.each(UPDATE_CLASSES.map(each => [nameClass(each), each] as const))('for %s', async (_, updateClass) => {
    await fc.assert(
      fc.asyncProperty(
        sampleArbitrary(40),
        roleArbitrary,
        fc.constantFrom(0.3, 0.6, 0.9),
        fc.integer({ min: 0, max: 3 }),
        async ({ table }, roles, epsilon, roundLimit) => {
          const options = { label: 'y', ...roles, ...updateClass, epsilon, method: 'rounds', roundLimit }
          const { model, trace } = await fitWithTrace(table, {
            ...options,
            method: 'rounds',
            stop: 'certificate',
          })
          expectBounded(model.certificate)
          for (const round of trace.rounds) expect(round.words).toMatch(/.+:/)
        },
      ),
      { numRuns: 8 },
    )
  })

  it('with held-out rows and a small learning rate too', async () => {
    await fc.assert(
      fc.asyncProperty(
        sampleArbitrary(60, 20),
        roleArbitrary,
        fc.constantFrom(...UPDATE_CLASSES),
        async ({ table }, roles, updateClass) => {
          const options = {
            label: 'y',
            ...roles,
            ...updateClass,
            epsilon: 0.4,
            method: 'rounds',
            roundLimit: 3,
            patience: 1,
          }
          const model = await fit(table, {
            ...options,
            holdout: 0.5,
            method: 'rounds',
            learningRate: 0.2,
          }).catch(tooFewRows)
          fc.pre(model !== undefined)
          expectBounded(model.certificate)
          expect(model.certificate.heldOut === undefined).toBe(updateClass.auditors.kind === 'linear')
        },
      ),
      { numRuns: 40 },
    )
  })
})
