// The error that a promise is rejected with; fails the test if it is not one of ours.

import { FeatureBoostError } from '../../src/common/errors.ts'

export async function failureOf(work: Promise<unknown>): Promise<FeatureBoostError> {
  const failure = await work.then(
    () => new Error('nothing was rejected'),
    (error: unknown) => error,
  )
  if (failure instanceof FeatureBoostError) return failure
  throw failure
}
