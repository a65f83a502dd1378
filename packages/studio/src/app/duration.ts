// Seconds that are estimates, in words.

/** Less is not worth a word. */
const WORTH_SAYING_S = 10

export const isWorthSaying = (seconds: number): boolean => seconds >= WORTH_SAYING_S

/** Is so much less a choice? */
export const isWorthwhile = (full: number, quicker: number): boolean => quicker <= 0.7 * full

/** "less than 10 seconds", "about 40 seconds", "about 3 minutes", "about 2 hours". */
export function durationWords(seconds: number): string {
  if (seconds < 10) return 'less than 10 seconds'
  if (seconds < 100) return `about ${10 * Math.round(seconds / 10)} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `about ${minutes} minutes` : `about ${Math.round(seconds / 3600)} hours`
}
