// The measures of a score, and of two scores, as tables and as dumbbells.

import type { Audit, BeforeAfter, Estimate } from '@featureboost/core'
import { type MeasureChange, measureOf, measuresOf, outward } from '@featureboost/core/internal'
import { layoutDumbbells } from './dumbbell.ts'
import { fitTable } from './layout.ts'
import type { View } from './view.ts'

const DECIMALS = 4

export const formatMeasure = (value: number): string => value.toFixed(DECIMALS)

/** With its sign, where there is a change. */
export const formatChange = (value: number, digits = DECIMALS): string => {
  const size = Math.abs(value).toFixed(digits)
  return Number(size) === 0 ? size : `${value < 0 ? '-' : '+'}${size}`
}

/** `keys`: only these. */
export function layoutMeasures(found: Audit, view: View, keys?: readonly string[]): string {
  const measures = measuresOf(found).filter(({ key }) => keys === undefined || keys.includes(key))
  const column = (title: string, read: (estimate: Estimate) => number, spare = 0) => ({
    title,
    cells: measures.map(({ estimate }) => formatMeasure(read(estimate))),
    spare,
  })
  return fitTable(
    [
      { title: 'measure', cells: measures.map(({ name }) => name) },
      column('value', ({ value }) => value),
      column('from', estimate => outward(estimate, DECIMALS).low, 1),
      column('to', estimate => outward(estimate, DECIMALS).high, 1),
    ],
    view,
  )
}

/** Its ends are rounded outwards. */
export function interval(estimate: Estimate, format: (value: number) => string, decimals = DECIMALS): string {
  const { high, low } = outward(estimate, decimals)
  return `[${format(low)}, ${format(high)}]`
}

/** `titles`: of the two columns. */
export function layoutChanges(
  changes: readonly MeasureChange[],
  view: View,
  titles: readonly [string, string] = ['before', 'after'],
): string {
  const column = (title: string, spare: number | undefined, cell: (change: MeasureChange) => string) => ({
    title,
    cells: changes.map(cell),
    ...(spare !== undefined && { spare }),
  })
  const words = { better: 'better', worse: 'worse', unclear: '' }
  return fitTable(
    [
      column('measure', undefined, ({ name }) => name),
      column(titles[0], undefined, ({ before }) => formatMeasure(before.value)),
      column('interval', 3, ({ before }) => interval(before, formatMeasure)),
      column(titles[1], undefined, ({ after }) => formatMeasure(after.value)),
      column('interval', 3, ({ after }) => interval(after, formatMeasure)),
      column('change', 1, ({ change }) => formatChange(change.value)),
      column('interval', 2, ({ change }) => interval(change, formatChange)),
      column('', 1, ({ judged }) => words[judged]),
    ],
    view,
  )
}

export function layoutErrorBells(changes: readonly MeasureChange[], view: View): string {
  // Errors of calibration share an axis.
  const errors = changes.filter(({ key }) => measureOf(key).isError)
  const rows = errors.map(({ after, before, name }) => ({
    name,
    before: before.value,
    after: after.value,
  }))
  return layoutDumbbells(rows, { format: formatMeasure }, view)
}

/** "the 9,753 held-out rows", or that they are those of the fit. */
export const rowsInWords = ({ rowCount, rows }: Pick<BeforeAfter, 'rowCount' | 'rows'>): string =>
  rows === 'held-out'
    ? `${rowCount.toLocaleString('en-US')} held-out rows`
    : `the ${rowCount.toLocaleString('en-US')} rows of the fit: none were held out, so what follows is too kind`
