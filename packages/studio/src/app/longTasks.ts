// How long this page was ever busy at a stretch. Work is done in workers, so it should never be long; the page says so itself.

import { signal } from '@preact/signals'

/** Milliseconds; 0 where no task took 50 ms or more, undefined where the browser does not tell. */
export const longestTask = signal<number | undefined>(undefined)

export function watchLongTasks(): void {
  if (!PerformanceObserver.supportedEntryTypes?.includes('longtask')) return
  longestTask.value = 0
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries())
      longestTask.value = Math.max(longestTask.value ?? 0, duration)
  }).observe({ type: 'longtask', buffered: true })
}

/** From here on. */
export function forgetLongTasks(): void {
  if (longestTask.value !== undefined) longestTask.value = 0
}
