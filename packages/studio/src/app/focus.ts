// Where eyes and the keyboard go when something new is there.

/** The focus to what is named first, the screen to what is named second; without a ride for those who want none. */
export function showNew(focused: string | undefined, seen = 'file-title'): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  // After it has been drawn, which takes a turn.
  setTimeout(() =>
    requestAnimationFrame(() => {
      if (focused !== undefined) document.getElementById(focused)?.focus({ preventScroll: true })
      document.getElementById(seen)?.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth', block: 'start' })
    }),
  )
}
