// Tables and wrapped text for the terminal.

/** The first column to the left, the others to the right. */
export function layoutTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map(row => row[column].length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('   ')
  return [line(header), widths.map(width => '─'.repeat(width)).join('   '), ...rows.map(line)].join('\n')
}

/** Breaks lines at spaces; continuation lines hang by `hang` columns. Spaces at the start are kept. */
export function wrap(text: string, width: number, hang = 0): string {
  const start = text.match(/^ */)![0]
  const lines: string[] = []
  let line = start
  for (const word of text.trim().split(' ')) {
    const longer = line.trim() === '' ? line + word : `${line} ${word}`
    if (longer.length > width && line.trim() !== '') {
      lines.push(line)
      line = ' '.repeat(hang) + word
    } else {
      line = longer
    }
  }
  return [...lines, line].join('\n')
}

/** As wide as the terminal, within reason. */
export const terminalWidth = (): number => Math.min(100, Math.max(60, process.stdout.columns ?? 100))
