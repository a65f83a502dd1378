// Memory that could not be had: every platform says it in its own words, and none of them with a code.

import { FeatureBoostError } from './errors.ts'

const WORDS = /out of memory|could not allocate|allocation failed|failed to allocate|bad_alloc/i

export const MORE_MEMORY =
  'Leave columns out, take fewer rows or fewer threads, or use a machine with more memory. A limit on addresses (ulimit -v) has to be lifted: every thread reserves 10 GiB of them, and uses few.'

/** Undefined where the error is of another kind, or has a code already. */
export function asMemoryError(error: unknown): FeatureBoostError | undefined {
  if (!(error instanceof Error) || error instanceof FeatureBoostError || !WORDS.test(error.message))
    return undefined
  const [reason] = error.message.split('\n')
  return new FeatureBoostError('FB_MEMORY', `memory ran out: ${reason.replace(/\.$/, '')}.`, {
    hint: MORE_MEMORY,
  })
}
