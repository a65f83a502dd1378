// Errors are data, and their message is made of it.

import { describe, expect, it } from 'vitest'
import { throwIfCancelled } from '../../src/common/cancel.ts'
import { ERROR_CODES, FeatureBoostError } from '../../src/common/errors.ts'
import { rejectionOf } from '../data/rejection.ts'

describe('an error', () => {
  it('says code, place, what was found, what was expected and what to do, in this order', () => {
    const details = {
      path: 'loans.csv',
      column: 'score',
      row: 1204,
      found: 1.7,
      expected: '0 to 1',
      hint: 'Pass a probability.',
    }
    const error = new FeatureBoostError('FB_PREDICTION_RANGE', '1.7 is not a probability.', details)
    expect(error.message).toBe(
      'FB_PREDICTION_RANGE loans.csv, column "score", row 1,204: 1.7 is not a probability. Expected 0 to 1. Pass a probability.',
    )
    expect(error.details).toEqual(details)
    expect(error.code).toBe('FB_PREDICTION_RANGE')
  })

  it.each([
    [{}, 'FB_PLAN: no.'],
    [{ column: 'age' }, 'FB_PLAN column "age": no.'],
    [{ row: 3 }, 'FB_PLAN row 3: no.'],
    [{ path: 'updates[2]' }, 'FB_PLAN updates[2]: no.'],
    [{ expected: 'yes' }, 'FB_PLAN: no. Expected yes.'],
    [{ hint: 'Try again.' }, 'FB_PLAN: no. Try again.'],
    [{ found: 0 }, 'FB_PLAN: no.'],
  ])('leaves out what it does not know: %j', (details, message) => {
    expect(new FeatureBoostError('FB_PLAN', 'no.', details).message).toBe(message)
  })

  it('is an Error with a name and a stack', () => {
    const error = new FeatureBoostError('FB_NO_ROWS', 'the table has no rows.')
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe('FeatureBoostError')
    expect(error.details).toEqual({})
    expect(error.stack).toContain('the table has no rows.')
  })
})

describe('an error from another thread', () => {
  it('comes back with its code, its details and the message it had', () => {
    const thrown = new FeatureBoostError('FB_FUNCTION', 'it failed.', { column: 'age', row: 2 })
    const revived = FeatureBoostError.revive(thrown.code, thrown.message, thrown.details)
    expect(revived).toBeInstanceOf(FeatureBoostError)
    expect({ ...revived, message: revived.message }).toEqual({ ...thrown, message: thrown.message })
  })
})

describe('the codes', () => {
  it('are explained by one sentence each', () => {
    for (const [code, meaning] of Object.entries(ERROR_CODES)) {
      expect(code).toMatch(/^FB_[A-Z]+(_[A-Z]+)*$/)
      expect(meaning, code).toMatch(/^[A-Z].+\.$/)
    }
  })
})

describe('cancellation', () => {
  it('stops the work with FB_ABORTED and says during what', () => {
    const controller = new AbortController()
    controller.abort()
    const error = rejectionOf(() => throwIfCancelled(controller.signal, 'boosting'))
    expect(error.code).toBe('FB_ABORTED')
    expect(error.message).toBe('FB_ABORTED: cancelled during boosting.')
  })

  it('does nothing without a signal, or before it is raised', () => {
    expect(() => throwIfCancelled(undefined, 'boosting')).not.toThrow()
    expect(() => throwIfCancelled(new AbortController().signal, 'boosting')).not.toThrow()
  })
})
