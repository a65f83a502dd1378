// The nearest known name to a mistyped one, for error messages.

/** Edit distance that counts a swap of neighbours as one step (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      current[j] = Math.min(previous[j] + 1, current[j - 1] + 1, substitution)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) current[j] = Math.min(current[j], beforePrevious[j - 2] + 1)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length]
}

/** The nearest name within a third of its length (at least 2 edits), or undefined. Case is ignored. */
export function nearestName(wanted: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const name of known) {
    const distance = editDistance(wanted.toLowerCase(), name.toLowerCase())
    if (distance < bestDistance && distance <= Math.max(2, Math.floor(name.length / 3))) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

export function didYouMean(wanted: string, known: readonly string[]): string {
  const nearest = nearestName(wanted, known)
  if (nearest !== undefined) return `Did you mean "${nearest}"?`
  const shown = known.slice(0, 12).map(name => `"${name}"`)
  return `Known names: ${shown.join(', ')}${known.length > 12 ? `, and ${known.length - 12} more` : ''}.`
}
