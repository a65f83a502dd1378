// Does the table begin where the file does? DuckDB looks for lines that have equally many fields, and passes over those above them: a title,
// but also the header itself, where it has fewer fields than the rows, and then a row is taken for the header. So it is told.

import { formatCount } from '@featureboost/core/internal'
import { countFieldsOfHeader, firstLines, type Limits, longestLine } from './bounds.ts'
import type { Database } from './database.ts'
import type { Input } from './input.ts'
import { literalPath, quoteText } from './sql.ts'

/** A sentence for each file in which lines with something in them were passed over. `names`: the columns that were found. */
export async function notesOnSkipped(
  database: Database,
  { files, name }: Input,
  names: readonly string[],
  limits: Limits,
): Promise<string[]> {
  const notes: string[] = []
  for (const file of files) {
    if ((await countFieldsOfHeader(file, limits)) === names.length) continue
    const [skipped] = (await database.queryColumn(
      `select SkipRows::DOUBLE from sniff_csv(${quoteText(literalPath(file))}, header = true, max_line_size = ${longestLine(limits)})`,
    )) as number[]
    if (skipped === 0 || (await areEmpty(file, skipped, limits))) continue
    const lines =
      skipped === 1
        ? 'line 1 was passed over, which has'
        : `lines 1 to ${formatCount(skipped)} were passed over, which have`
    notes.push(
      `${files.length === 1 ? name : file}: ${lines} other fields than the table. Line ${formatCount(skipped + 1)} is taken for the header: ${shown(names)}. If it is a row, give every column a name in line 1.`,
    )
  }
  return notes
}

const shown = (names: readonly string[]): string =>
  names.length > 4 ? `${names.slice(0, 4).join(', ')} ...` : names.join(', ')

async function areEmpty(file: string, count: number, limits: Limits): Promise<boolean> {
  const lines = await firstLines(file, count, longestLine(limits))
  return lines?.every(line => line.replace('\u00ef\u00bb\u00bf', '').trim() === '') ?? false
}
