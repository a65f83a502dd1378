// A database file, attached beside ours, and the table of it that is read.

import { FeatureBoostError } from '@featureboost/core'
import { didYouMean } from '@featureboost/core/internal'
import { CommandError } from '../errors.ts'
import { type Database, inWords, type Row } from './database.ts'
import type { Input } from './input.ts'
import { localPath, quoteName, quoteText } from './sql.ts'

export const ATTACHED = 'featureboost source'

export async function attach(database: Database, { files, name }: Input): Promise<void> {
  if (files.length > 1) throw new CommandError(2, 'Only one database file can be read at a time.')
  await inWords(`${name} could not be opened as a DuckDB database`, () =>
    database.run(`attach ${quoteText(localPath(files[0]))} as ${quoteName(ATTACHED)} (read_only)`),
  )
}

/** By its name, or by "schema.name"; the only one where none is named. Views are no tables: they may read anything. */
export async function chooseTable(
  database: Database,
  file: string,
  wanted: string | undefined,
): Promise<string> {
  const rows = await database.query(
    `select table_schema as schema, table_name as name, table_type as type from information_schema.tables
     where table_catalog = ${quoteText(ATTACHED)} order by all`,
  )
  const all = rows as (Row & { schema: string; name: string; type: string })[]
  const titled = (table: (typeof all)[number]) =>
    table.schema === 'main' ? table.name : `${table.schema}.${table.name}`
  const tables = all.filter(({ type }) => type === 'BASE TABLE')
  const view = all.find(each => !tables.includes(each) && (titled(each) === wanted || tables.length === 0))
  if (view !== undefined && !tables.some(table => titled(table) === wanted))
    throw new FeatureBoostError(
      'FB_FILE_ACCESS',
      `"${titled(view)}" is a view, which may read other files.`,
      {
        path: file,
        expected: 'a table',
        hint: 'Save it as a table of the database, or export it; --sql reads a view of tables in this database.',
      },
    )
  const titles = tables.map(titled)
  if (tables.length === 0) throw new CommandError(3, `${file} holds no table.`, { code: 'FB_TABLE' })
  if (wanted === undefined && tables.length > 1)
    throw new CommandError(
      3,
      `${file} holds ${tables.length} tables: ${titles.join(', ')}. Choose one with --table.`,
      { code: 'FB_TABLE' },
    )
  const found = wanted === undefined ? tables[0] : tables.find(table => titled(table) === wanted)
  if (found === undefined)
    throw new CommandError(3, `${file} holds no table "${wanted}". ${didYouMean(wanted!, titles)}`, {
      code: 'FB_TABLE',
    })
  return [ATTACHED, found.schema, found.name].map(quoteName).join('.')
}
