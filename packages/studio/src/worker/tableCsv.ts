// A table as CSV. Read again, it is the same table, but for texts that are empty and dates, which are numbers by now.

import type { Column } from '@featureboost/core'

const CHUNK_ROWS = 20_000

/** A name that no column has. */
export function freeName(wanted: string, names: readonly string[]): string {
  const taken = new Set(names.map(name => name.toLowerCase()))
  let name = wanted
  while (taken.has(name.toLowerCase())) name = `${name} score`
  return name
}

export async function tableCsv(
  columns: readonly Column[],
  rowCount: number,
  turn: () => Promise<void>,
): Promise<Blob> {
  const readers = columns.map(cellReader)
  const parts: string[] = [`${columns.map(column => csvCell(column.name)).join(',')}\n`]
  for (let from = 0; from < rowCount; from += CHUNK_ROWS) {
    let text = ''
    for (let row = from; row < Math.min(rowCount, from + CHUNK_ROWS); row++) {
      for (let index = 0; index < readers.length; index++)
        text += (index === 0 ? '' : ',') + readers[index](row)
      text += '\n'
    }
    parts.push(text)
    await turn()
  }
  return new Blob(parts, { type: 'text/csv' })
}

function cellReader(column: Column): (row: number) => string {
  if (column.kind === 'numeric') {
    const { values } = column
    return row => (Number.isNaN(values[row]) ? '' : String(values[row]))
  }
  if (column.kind === 'boolean') {
    const { values } = column
    return row => (values[row] < 0 ? '' : values[row] === 1 ? 'true' : 'false')
  }
  const { codes } = column
  const cells = column.categories.map(csvCell)
  return row => (codes[row] < 0 ? '' : cells[codes[row]])
}

/** An empty text is not a missing one, but CSV cannot tell. */
export const csvCell = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
