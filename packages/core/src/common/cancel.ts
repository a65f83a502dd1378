// Cancellation. Any AbortSignal will do; core needs only this of it, and so no browser or Node types.

import { FeatureBoostError } from './errors.ts'

export interface CancelSignal {
  readonly aborted: boolean
}

export function throwIfCancelled(signal: CancelSignal | undefined, during: string): void {
  if (signal?.aborted) throw new FeatureBoostError('FB_ABORTED', `cancelled during ${during}.`)
}
