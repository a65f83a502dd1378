// How long this page was busy at a stretch. Work is done in workers, so it should never be long; the page says so itself.

import { signal } from '@preact/signals'

interface Pauses {
  /** Milliseconds; 0 where no task took 50 ms or more. */
  readonly ever: number
  /** While the last work was under way, until its results were drawn. */
  readonly working: number
}

/** Undefined where the browser does not tell. */
export const pauses = signal<Pauses | undefined>(undefined)

let from = Number.POSITIVE_INFINITY
let to = Number.POSITIVE_INFINITY

export function watchLongTasks(): void {
  if (!PerformanceObserver.supportedEntryTypes?.includes('longtask')) return
  pauses.value = { ever: 0, working: 0 }
  new PerformanceObserver(list => {
    for (const { duration, startTime } of list.getEntries()) {
      const { ever, working } = pauses.value!
      const isDuring = startTime >= from && startTime < to
      pauses.value = {
        ever: Math.max(ever, duration),
        working: isDuring ? Math.max(working, duration) : working,
      }
    }
  }).observe({ type: 'longtask', buffered: true })
}

/** The click that starts it is a task of its own, and before. Returns what ends it. */
export function beginWork(): () => void {
  from = performance.now()
  to = Number.POSITIVE_INFINITY
  if (pauses.value !== undefined) pauses.value = { ...pauses.value, working: 0 }
  const begun = from
  return () => {
    if (from === begun) to = performance.now()
  }
}
