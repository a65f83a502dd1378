// Tables as CSV. Text that a spreadsheet would run as a formula gets an apostrophe first; numbers stay numbers.

export type Cell = string | number | boolean | null | undefined

/** As in predict --neutralise. */
const FORMULA = /^[=+\-@\t\r\n]/

export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `${[header, ...rows].map(row => row.map(csvCell).join(',')).join('\r\n')}\r\n`
}

export function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
