// What went wrong, said in place.

import type { Failure } from '../worker/protocol.ts'
import { plainWords } from './plainWords.ts'
import { rejected } from './state.ts'
import { WrittenForm } from './Written.tsx'

/** A wish to stop is no failure. */
export function Failed({ failure }: { failure: Failure }) {
  if (failure.code === 'FB_ABORTED')
    return (
      <p class="note" role="status" id="failure" tabIndex={-1}>
        Stopped. Nothing was changed.
      </p>
    )
  const isOurs = failure.code === undefined
  const { code, words } = plainWords(failure.message)
  return (
    <>
      <div class="note bad" role="alert" id="failure" tabIndex={-1}>
        <strong>{isOurs ? 'This is a bug in featureboost. Please report it.' : 'This did not work.'}</strong>
        <span class={isOurs ? 'code' : undefined}>{words}</span>
        {code !== undefined && <span class="hint">{code}</span>}
      </div>
      {failure.asks !== undefined && rejected.value !== undefined && <WrittenForm />}
    </>
  )
}
