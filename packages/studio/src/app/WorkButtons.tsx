// Buttons that begin work on the rows, where they can be had.

import { audit, compare } from './actions.ts'
import { hasRows, hasScore, isStopped, running } from './state.ts'

export function CompareButton() {
  return (
    <button
      type="button"
      disabled={running.value !== undefined || isStopped.value || !hasScore.value || !hasRows.value}
      title="Every method is fitted to four fifths of the rows and measured on the rest, five times. With many rows that takes minutes; it can be cancelled."
      onClick={() => void compare()}
    >
      Compare methods
    </button>
  )
}

export function AuditButton({ label, isPrimary = true }: { label: string; isPrimary?: boolean }) {
  return (
    <button
      type="button"
      class={isPrimary ? 'primary' : undefined}
      onClick={() => void audit()}
      disabled={running.value !== undefined || isStopped.value || !hasScore.value || !hasRows.value}
    >
      {label}
    </button>
  )
}
