// Protected groups, all of them, as a table for the terminal, for Markdown and as CSV.

import {
  formatCount,
  isSurelyOff,
  outward,
  type ProtectedRow,
  type ProtectedScore,
} from '@featureboost/core/internal'
import { fitTable, section, type TableColumn, wrap } from './layout.ts'
import type { View } from './view.ts'
import { visible } from './width.ts'

/** `rows`: on which the groups were looked at. */
export function layoutProtected(groups: readonly ProtectedRow[], rows: string, view: View): string {
  const columns = columnsOf(groups).map(
    ({ cells, spare, title }, index): TableColumn => ({
      title,
      cells: index === 0 ? cells.map(visible) : cells,
      ...(spare !== undefined && { spare }),
    }),
  )
  const title = `Protected groups, outcome less score, on ${rows}`
  return `${section(title, fitTable(columns, view), view)}\n${wrap(noteOn(groups), view.width)}`
}

/** Rows of a Markdown table, the head first. `escapeName` is for names, which come from the data. */
export function markdownProtected(
  groups: readonly ProtectedRow[],
  escapeName: (text: string) => string,
): string {
  const columns = columnsOf(groups)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = columns.map((_, index) => (index === 0 ? '---' : '---:'))
  const rows = groups.map((_, row) =>
    line(columns.map(({ cells }, index) => (index === 0 ? escapeName(cells[row]) : cells[row]))),
  )
  const table = [line(columns.map(({ title }) => title)), line(rule), ...rows].join('\n')
  return `${table}\n\n${noteOn(groups)}`
}

function columnsOf(groups: readonly ProtectedRow[]): TableColumn[] {
  const cells = (read: (group: ProtectedRow) => string) => groups.map(read)
  const hasAfter = groups.some(({ after }) => after !== undefined)
  const last = (group: ProtectedRow) => group.after ?? group.before
  return [
    { title: 'group', cells: cells(({ group }) => group) },
    { title: 'rows', cells: cells(({ weight }) => formatCount(weight)) },
    { title: 'outcome', cells: cells(({ meanLabel }) => meanLabel.toFixed(3)), spare: 3 },
    { title: 'score', cells: cells(group => last(group).meanScore.toFixed(3)), spare: 3 },
    ...(hasAfter
      ? [
          { title: 'gap before', cells: cells(({ before }) => formatGap(before.gap)) },
          { title: 'p', cells: cells(({ before }) => formatP(before)), spare: 4 },
        ]
      : []),
    { title: hasAfter ? 'after' : 'gap', cells: cells(group => formatGap(last(group).gap)) },
    { title: 'interval', cells: cells(group => formatInterval(last(group))), spare: 1 },
    { title: 'p', cells: cells(group => formatP(last(group))), spare: 2 },
  ]
}

const formatGap = (gap: number): string => `${gap < 0 ? '-' : '+'}${Math.abs(gap).toFixed(3)}`
const rangeWords = ({ high, low }: { low: number; high: number }) => `${formatGap(low)} to ${formatGap(high)}`
const formatP = ({ p }: ProtectedScore): string =>
  p === undefined ? '' : p < 0.001 ? '< 0.001' : p.toFixed(3)
const formatInterval = ({ interval }: ProtectedScore): string =>
  interval === undefined ? 'too few rows' : rangeWords(outward(interval, 3))

function noteOn(groups: readonly ProtectedRow[]): string {
  const off = groups.filter(({ after, before }) => isSurelyOff(after ?? before))
  const small = groups.filter(({ before }) => before.interval === undefined).length
  const count = `${formatCount(off.length)} of ${formatCount(groups.length - small)} tested`
  const few = small === 0 ? '' : ` ${formatCount(small)} more have too few rows to tell.`
  return `Surely off: ${count}; intervals and p-values hold for all of them at once.${few}`
}

/** Numbers as they are, empty where nothing is known. */
export function protectedCsv(groups: readonly ProtectedRow[]): string {
  const sides = groups.some(({ after }) => after !== undefined)
    ? (['before', 'after'] as const)
    : (['before'] as const)
  const named = (side: string, name: string) => (sides.length === 1 ? name : `${name}_${side}`)
  const head = ['group', 'sql', 'rows', 'outcome']
  const heads = sides.flatMap(side => ['score', 'gap', 'low', 'high', 'p'].map(name => named(side, name)))
  const lines = groups.map(group => {
    const { meanLabel, sql, weight } = group
    const scores = sides.flatMap(side => {
      const { gap, interval, meanScore, p } = group[side]!
      return [meanScore, gap, interval?.low, interval?.high, p]
    })
    return [quote(group.group), quote(sql), weight, meanLabel, ...scores].map(cell => cell ?? '').join(',')
  })
  return `${[[...head, ...heads].join(','), ...lines].join('\n')}\n`
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`
