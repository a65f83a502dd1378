// The error that asynchronous work fails with; fails the test if it is not one of ours.

import { FeatureBoostError } from '../../src/index.ts'

export async function failureOf(
  work: Promise<unknown> | (() => Promise<unknown>),
): Promise<FeatureBoostError> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (error instanceof FeatureBoostError) return error
    throw error
  }
  throw new Error('nothing failed')
}
