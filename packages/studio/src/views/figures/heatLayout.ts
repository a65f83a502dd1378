// Where the rows and columns of the heat map are.

import type { HeatCell, HeatRow } from '@featureboost/core/internal'
import type { Area } from '../chart/Chart.tsx'
import type { Side } from '../chart/marks.tsx'

export const ROW = 22
/** Where there is no room beside the cells, names stand above them. */
const NARROW = 560
const ABOVE = 16

export interface HeatLayout {
  readonly left: number
  /** Of a cell. */
  readonly wide: number
  readonly tall: number
  readonly isNarrow: boolean
  /** The upper edge of a row's cells. */
  top(row: number): number
}

export function layoutOf(area: Area, levels: number): HeatLayout {
  const isNarrow = area.width < NARROW
  const [left, above] = isNarrow ? [4, ABOVE] : [Math.min(320, area.width * 0.38), 0]
  const top = (row: number) => area.top + row * (ROW + above) + above
  return { left, wide: (area.right - left) / levels, tall: ROW, isNarrow, top }
}

export const heightOf = (rows: number, width: number): number =>
  rows * (ROW + (width < NARROW ? ABOVE : 0)) + 64

export const cellsOf = ({ after, before }: HeatRow, side: Side): readonly (HeatCell | null)[] =>
  side === 'after' && after !== undefined ? after : before
