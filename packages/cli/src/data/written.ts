// Columns of numbers that are text for how they are written, "$30,198.13" or "0,35": named, with what to do. They are never read as
// numbers by a guess, because "1,234" may be 1234 and may be 1.234.

import { suspectNumbers, type WrittenNumbers, writtenNumbersSentence } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { isText } from './kinds.ts'
import type { ReadColumn } from './read.ts'
import { quoteName } from './sql.ts'

/** What was said of columns. */
interface Said {
  readonly text?: readonly string[]
  readonly categorical?: readonly string[]
  readonly decimal?: ',' | '.'
}

/** A note where there are few of them; more are refused, unless the column is said to be categories. */
export function writtenNumbersIn(column: ReadColumn, options: Said, isCsv: boolean): string[] {
  const { categories = [], duckType, name } = column
  const isMeant = options.text?.includes(name) || options.categorical?.includes(name)
  if (isMeant || !isText(duckType)) return []
  const found = suspectNumbers(categories, options.decimal)
  if (found === undefined) return []
  const said = `${writtenNumbersSentence(name, found)} ${whatToDo(name, found, isCsv)}`
  if (found.isMany) throw new CommandError(3, said, { code: 'FB_COLUMN_KIND' })
  return [said]
}

function whatToDo(name: string, { comma, points, signed }: WrittenNumbers, isCsv: boolean): string {
  const isFlag = isCsv && !signed && !points
  const query = (as: WrittenNumbers['comma']) => `--sql "${numberQuery(name, as)}"`
  const ways: Readonly<Record<WrittenNumbers['comma'], string>> = {
    decimal: `pass ${isFlag ? '--decimal ,' : query('decimal')}`,
    thousands: `pass ${query('thousands')}`,
    unclear: `pass ${isFlag ? '--decimal ,' : query('decimal')} if the comma begins the decimals, or ${query('thousands')} if it parts thousands`,
    mixed: 'write all of them in one way first',
    none: `pass ${query('none')}`,
  }
  return `To have numbers, ${ways[comma]}; else leave it out with --except, or keep it as it is with --categorical.`
}

/** Takes away whatever is not part of the number; in double quotes of a shell. */
function numberQuery(name: string, comma: WrittenNumbers['comma']): string {
  const column = /^[a-z_]\w*$/i.test(name) ? name : quoteName(name).replaceAll(/["$`\\]/g, '\\$&')
  const digits = (kept: string) => `regexp_replace(${column}, '[^0-9${kept}-]', '', 'g')`
  const number = comma === 'decimal' ? `replace(${digits(',')}, ',', '.')` : digits('.')
  return `select * replace (${number}::DOUBLE as ${column}) from data`
}
