// Results of a choice that has changed since.

import { hasRows, isStopped, running } from './state.ts'

export function Stale({ again, what }: { what: string; again: () => Promise<void> }) {
  return (
    <div class="note stale row spread" role="status">
      <p>
        <strong>Out of date.</strong> Columns, roles or options have changed since this {what}: what follows
        is about the choice of before.
      </p>
      <button
        type="button"
        disabled={running.value !== undefined || isStopped.value || !hasRows.value}
        onClick={() => void again()}
      >
        Run again
      </button>
    </div>
  )
}
