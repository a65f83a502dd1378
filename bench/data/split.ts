// Seeded splits of rows into parts with given shares.

import { makeRandom } from '@featureboost/core/internal'

/** Row numbers of each part, ascending. Part sizes are exact to the row; the parts cover every row once. */
export function splitRows(rowCount: number, shares: readonly number[], seed: number): number[][] {
  const total = shares.reduce((sum, share) => sum + share, 0)
  if (shares.some(share => !(share > 0)) || Math.abs(total - 1) > 1e-9) {
    throw new Error(`Shares must be positive and sum to 1; got ${shares.join(', ')}.`)
  }
  const shuffled = shuffle(rowCount, seed)
  let cumulative = 0
  let start = 0
  return shares.map((share, part) => {
    cumulative += share
    const end = part === shares.length - 1 ? rowCount : Math.round(cumulative * rowCount)
    const rows = shuffled.slice(start, end).sort((a, b) => a - b)
    start = end
    return rows
  })
}

/** Splits by key, so that rows with the same key (one patient's visits) land in one part. */
export function splitByKey(keys: readonly unknown[], shares: readonly number[], seed: number): number[][] {
  const distinct = [...new Set(keys)]
  const parts = splitRows(distinct.length, shares, seed)
  const partOf = new Map<unknown, number>()
  parts.forEach((indexes, part) => {
    for (const index of indexes) partOf.set(distinct[index], part)
  })
  const rows: number[][] = parts.map(() => [])
  keys.forEach((key, row) => {
    rows[partOf.get(key)!].push(row)
  })
  return rows
}

/** Fisher and Yates. */
function shuffle(count: number, seed: number): number[] {
  const random = makeRandom(seed)
  const numbers = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const other = random.integer(last + 1)
    ;[numbers[last], numbers[other]] = [numbers[other], numbers[last]]
  }
  return numbers
}
