// The reader trusts nothing: thousands of damaged files with a fitting hash are refused, or are models.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FeatureBoostError, type Model, readModel, verify } from '../../src/index.ts'
import { ROW_FUNCTIONS } from '../fit/tables.ts'
import { FIXED_ROWS, fitSmall, fixedTable } from './models.ts'
import { damageArbitrary, damageModel } from './mutate.ts'

const REFUSALS = ['FB_MODEL_FORMAT', 'FB_MODEL_VERSION', 'FB_MODEL_HASH']
const where = fc.noBias(fc.nat(2 ** 31 - 1))

/** Does the work, unless one of our own errors says why not. */
function attempt<T>(work: () => T): T | FeatureBoostError {
  try {
    return work()
  } catch (error) {
    if (error instanceof FeatureBoostError) return error
    throw error
  }
}

function expectProbabilities(predictions: readonly number[] | FeatureBoostError): void {
  if (predictions instanceof FeatureBoostError) return
  for (const value of predictions) expect(value >= 0 && value <= 1, `predicts ${value}`).toBe(true)
}

function expectWellFormed(model: Model): void {
  expectProbabilities(attempt(() => Array.from(model.predict(fixedTable))))
  for (const row of FIXED_ROWS.slice(0, 6)) expectProbabilities(attempt(() => [model.predictRow(row)]))
  for (const { bins } of model.data.roundings) {
    expectProbabilities(attempt(() => Array.from(model.round(bins).predict(fixedTable))))
  }
  expect(readModel(model.toText()).hash).toBe(model.hash)
}

describe.each(['groups', 'trees', 'linear', 'functions'])('a damaged model of %s', kind => {
  it('is refused, or loads as a model that predicts probabilities', async () => {
    const text = (await fitSmall(kind)).toText()
    const outcomes = { refused: 0, loaded: 0 }
    fc.assert(
      fc.property(where, damageArbitrary, (place, damage) => {
        const read = attempt(() => readModel(damageModel(text, place, damage), { functions: ROW_FUNCTIONS }))
        if (read instanceof FeatureBoostError) {
          outcomes.refused++
          expect(REFUSALS).toContain(read.code)
          expect(read.code).not.toBe('FB_MODEL_HASH')
        } else {
          outcomes.loaded++
          expectWellFormed(read)
        }
        expect(({} as Record<string, unknown>).polluted).toBeUndefined()
      }),
      { numRuns: 550 },
    )
    expect(outcomes.refused).toBeGreaterThan(200)
    expect(outcomes.loaded).toBeGreaterThan(25)
  })

  it('fails verification with an error of ours, if it does not verify', async () => {
    const text = (await fitSmall(kind)).toText()
    await fc.assert(
      fc.asyncProperty(where, damageArbitrary, async (place, damage) => {
        const read = attempt(() => readModel(damageModel(text, place, damage), { functions: ROW_FUNCTIONS }))
        if (read instanceof FeatureBoostError) return
        const verified = await verify(read, fixedTable).catch((error: unknown) => error)
        if (!(verified instanceof FeatureBoostError)) expect(verified).toHaveProperty('matches')
      }),
      { numRuns: 150 },
    )
  })
})
