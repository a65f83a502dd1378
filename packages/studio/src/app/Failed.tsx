// What went wrong, said in place.

import type { Failure } from '../worker/protocol.ts'

/** A wish to stop is no failure. */
export function Failed({ failure }: { failure: Failure }) {
  if (failure.code === 'FB_ABORTED')
    return (
      <p class="note" role="status">
        Stopped. Nothing was changed.
      </p>
    )
  const isOurs = failure.code === undefined
  return (
    <div class="note bad" role="alert">
      <strong>{isOurs ? 'This is a bug in featureboost. Please report it.' : 'This did not work.'}</strong>
      <span class={isOurs ? 'code' : undefined}>{failure.message}</span>
    </div>
  )
}
