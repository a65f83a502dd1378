// All groups of the segment map at once: how many there are of a size and a gap. Beneath the marks of the most significant ones, it shows
// that most groups are where they should be.

import { fromUnits } from '../common/units.ts'
import type { GroupDensity } from './groupEvidence.ts'
import type { Sums } from './groupSums.ts'
import type { Candidate, Yardsticks } from './parts.ts'

const COLUMNS = 64
const ROWS = 41

export function densityOf(groups: readonly Candidate[], { before }: Yardsticks): GroupDensity {
  const sizes = groups.map(group => group.before.weight / before.perRow)
  const low = sizes.reduce((least, size) => Math.min(least, size))
  const high = sizes.reduce((most, size) => Math.max(most, size))
  const gaps = {
    before: groups.map(group => gapOf(group.before)),
    after: groups.flatMap(group => (group.after === undefined ? [] : [gapOf(group.after)])),
  }
  const reach = [...gaps.before, ...gaps.after].reduce((most, gap) => Math.max(most, Math.abs(gap)), 1e-6)
  const span = Math.log(high / low)
  const columnOf = (size: number) =>
    span === 0 ? 0 : Math.min(COLUMNS - 1, Math.floor((Math.log(size / low) / span) * COLUMNS))
  const rowOf = (gap: number) => Math.min(ROWS - 1, Math.floor(((gap + reach) / (2 * reach)) * ROWS))
  const count = (side: readonly number[]) => {
    const cells = new Map<number, number>()
    side.forEach((gap, group) => {
      const cell = columnOf(sizes[group]) * ROWS + rowOf(gap)
      cells.set(cell, (cells.get(cell) ?? 0) + 1)
    })
    return [...cells]
      .sort(([a], [b]) => a - b)
      .map(([cell, groups]) => [Math.floor(cell / ROWS), cell % ROWS, groups] as const)
  }
  return {
    columns: COLUMNS,
    rows: ROWS,
    weights: [low, high],
    reach,
    before: count(gaps.before),
    ...(gaps.after.length > 0 && { after: count(gaps.after) }),
  }
}

const gapOf = ({ residual, weight }: Sums): number => fromUnits(residual) / weight
