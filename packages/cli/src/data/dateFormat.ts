// How a CSV file writes its dates, and whether it could mean others: 06/07/2024 is a day in June or in July.

import { CommandError } from '../errors.ts'
import type { Database } from './database.ts'
import type { Input } from './input.ts'
import { csvTextSql, type LoadOptions } from './load.ts'
import { literalPath, quoteList, quoteName, quoteText } from './sql.ts'

const ISO = '%Y-%m-%d'

export interface DateFormat {
  /** Undefined where dates are as ISO 8601 has them. */
  readonly format: string | undefined
  readonly notes: readonly string[]
}

/** A day, a month and a year, each once: what a format has to have to say anything. */
export function checkDateFormat(format: string | undefined): void {
  if (format === undefined) return
  const parts = Array.from(format.matchAll(/%(.)/g), match => match[1].toLowerCase()).sort()
  if (parts.join() === 'd,m,y') return
  throw new CommandError(
    2,
    `--date-format ${format}: expected %d, %m and %Y (or %y), each once, such as '%m/%d/%Y'.`,
  )
}

export async function readDateFormat(
  database: Database,
  input: Input,
  columns: readonly { readonly name: string; readonly type: string }[],
  options: LoadOptions,
): Promise<DateFormat | undefined> {
  const dates = columns.filter(({ type }) => type === 'DATE').map(({ name }) => name)
  if (dates.length === 0) return undefined
  const format = options.dateFormat ?? (await sniffFormat(database, input, options))
  if (format === undefined || format === ISO) return undefined
  if (options.dateFormat !== undefined) return { format, notes: [] }
  return { format, notes: await ambiguous(database, input, dates, format, options) }
}

async function sniffFormat(
  database: Database,
  { files }: Input,
  { missing = [] }: LoadOptions,
): Promise<string | undefined> {
  const [row] = await database.query(
    `select DateFormat as format from sniff_csv(${quoteText(literalPath(files[0]))}, header = true, nullstr = ${quoteList(['', ...missing])})`,
  )
  return typeof row?.format === 'string' ? row.format : undefined
}

/** Columns of which every date would be one with day and month the other way round. */
async function ambiguous(
  database: Database,
  input: Input,
  dates: readonly string[],
  format: string,
  { limits, missing = [] }: LoadOptions,
): Promise<string[]> {
  const other = format.replace(/%[dm]/g, part => (part === '%d' ? '%m' : '%d'))
  if (other === format) return []
  const empty = quoteList(['', ...missing])
  const parts = dates.map((name, index) => {
    const column = quoteName(name)
    return `count(*) filter (not list_contains(${empty}, ${column}) and try_strptime(${column}, ${quoteText(other)}) is null) as others_${index}, min(${column}) as shown_${index}`
  })
  const [row] = await database.query(`select ${parts.join(', ')} from ${csvTextSql(input, limits)}`)
  return dates.flatMap((name, index) =>
    Number(row[`others_${index}`]) > 0
      ? []
      : [
          `Column "${name}" has dates such as ${String(row[`shown_${index}`])}, which are read as ${inWords(format)}; as ${inWords(other)} they would be dates, too. Say which with --date-format '${format}' or '${other}'.`,
        ],
  )
}

const inWords = (format: string): string => format.replace(/%(.)/g, (_, part: string) => WORDS[part] ?? part)

const WORDS: Readonly<Record<string, string>> = { Y: 'year', y: 'year', m: 'month', d: 'day' }
