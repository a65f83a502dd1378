// Tables and wrapped text for the terminal.

import { PAGE, type View } from './view.ts'
import { displayWidth, padEnd, padStart } from './width.ts'

export interface TableColumn {
  readonly title: string
  readonly cells: readonly string[]
  /** Columns that do not fit are left out, the highest number first; those without one stay. */
  readonly spare?: number
}

/** The first column to the left, the others to the right. */
export function layoutTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  view: View = PAGE,
): string {
  return fitTable(
    header.map((title, column) => ({ title, cells: rows.map(row => row[column]) })),
    view,
  )
}

/** The same, from columns of which some may be spared where lines would be too long; nothing is ever wrapped. */
export function fitTable(columns: readonly TableColumn[], { glyphs, paint, tableWidth }: View): string {
  const shown = fitColumns(columns, tableWidth)
  const widths = shown.map(widthOf)
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 0 ? padEnd(cell, widths[0]) : padStart(cell, widths[index])))
      .join(GAP)
      .trimEnd()
  const rows = shown[0].cells.map((_, row) => line(shown.map(({ cells }) => cells[row])))
  const rule = widths
    .map(count => glyphs.line.repeat(count))
    .join(GAP)
    .trimEnd()
  return [paint.bold(line(shown.map(({ title }) => title))), paint.dim(rule), ...rows].join('\n')
}

const GAP = '  '

const widthOf = ({ cells, title }: TableColumn): number => Math.max(...[title, ...cells].map(displayWidth))

function fitColumns(columns: readonly TableColumn[], width: number): readonly TableColumn[] {
  const total = columns.reduce((sum, column) => sum + widthOf(column) + GAP.length, -GAP.length)
  const dropped = Math.max(...columns.map(({ spare = 0 }) => spare))
  if (total <= width || dropped === 0) return columns
  return fitColumns(
    columns.filter(({ spare = 0 }) => spare !== dropped),
    width,
  )
}

/** Breaks lines at spaces; continuation lines hang by `hang` columns. Spaces at the start are kept. */
export function wrap(text: string, width: number, hang = 0): string {
  const start = text.match(/^ */)![0]
  const lines: string[] = []
  let line = start
  for (const word of text.trim().split(' ')) {
    const longer = line.trim() === '' ? line + word : `${line} ${word}`
    if (displayWidth(longer) > width && line.trim() !== '') {
      lines.push(line)
      line = ' '.repeat(hang) + word
    } else {
      line = longer
    }
  }
  return [...lines, line].join('\n')
}

/** A heading and what stands under it. */
export const section = (title: string, body: string, { paint, width }: View): string =>
  `${paint.bold(wrap(title, width))}\n${body}`
