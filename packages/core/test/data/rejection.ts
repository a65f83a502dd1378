// The error that a piece of work is rejected with; fails the test if it is not one of ours.

import { FeatureBoostError } from '../../src/common/errors.ts'

export function rejectionOf(work: () => unknown): FeatureBoostError {
  try {
    work()
  } catch (error) {
    if (error instanceof FeatureBoostError) return error
    throw error
  }
  throw new Error('nothing was rejected')
}
