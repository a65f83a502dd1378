// Where eyes and the keyboard go when something new is there.

import { allDrawn } from '../views/turns.ts'

/** The focus to what is named first, the screen to what is named second; without a ride for those who want none. */
export function showNew(focused: string | undefined, seen = 'file-title'): void {
  // After it has been drawn, which takes a turn; figures take more.
  setTimeout(() =>
    requestAnimationFrame(() => {
      const isThere = [focused, seen].every(id => id === undefined || document.getElementById(id) !== null)
      if (isThere) lead(focused, seen)
      else void allDrawn().then(() => lead(focused, seen))
    }),
  )
}

function lead(focused: string | undefined, seen: string): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (focused !== undefined) document.getElementById(focused)?.focus({ preventScroll: true })
  document.getElementById(seen)?.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth', block: 'start' })
}
