// A query of --sql before it is run: it is one, it only reads, and which files it names. DuckDB parses it and no more: to prepare an
// EXPORT makes its folder. Some functions that stand where a table does write files or turn the engine's switches, and some run
// text as a query that nobody has looked at; only those that are known to read are let through.

import { FeatureBoostError } from '@featureboost/core'
import { CommandError } from '../errors.ts'
import { ATTACHED } from './attached.ts'
import { type Database, inWords } from './database.ts'
import { quoteText } from './sql.ts'

/** Functions of DuckDB that give rows and do nothing else. */
const READS =
  /^(read_\w+|parquet_\w+|sniff_csv|glob|json_each|json_tree|unnest|range|generate_series|repeat|repeat_row|summary|test_all_types|duckdb_\w+|pragma_(version|platform|table_info|show|storage_info|database_size|collations)|pg_timezone_names|icu_calendar_names)$/

/** A node of the parsed query. */
type Node = Readonly<Record<string, unknown>>

/** Queries within a query, and what they are called. */
type Ctes = { readonly map?: readonly { readonly key: string }[] } | undefined

/** What a query names: files, as far as they are written out. */
export interface NamedFiles {
  readonly files: readonly string[]
}

/** Throws where `sql` is no single query, or calls what does more than read. `macros`: those of the database that is read. */
export async function checkQuery(
  database: Database,
  sql: string,
  macros: readonly string[] = [],
): Promise<NamedFiles> {
  const parsed = await inWords('--sql could not be read', () => database.parseQuery(sql), { code: 'FB_SQL' })
  if (parsed === undefined)
    throw new CommandError(3, '--sql must be one query, such as a SELECT, and nothing else.', {
      code: 'FB_SQL',
    })
  const nodes = [...nodesIn(parsed)]
  const calls = nodes.filter(({ type }) => type === 'TABLE_FUNCTION')
  for (const call of calls) {
    const name = String((call.function as Node).function_name)
    if (!READS.test(name) && !macros.includes(name)) throw doesMore('--sql calls', name)
  }
  const own = new Set(nodes.flatMap(({ cte_map: ctes }) => ((ctes as Ctes)?.map ?? []).map(({ key }) => key)))
  const tables = nodes.filter(({ type }) => type === 'BASE_TABLE').map(node => String(node.table_name))
  const texts = calls.flatMap(call => [...nodesIn(call)]).flatMap(textIn)
  return { files: [...tables.filter(name => !own.has(name)), ...texts] }
}

/** The files of a query that named its own, patterns expanded. */
export async function expandFiles(database: Database, { files }: NamedFiles): Promise<string[]> {
  const found: string[] = []
  for (const file of new Set(files)) {
    found.push(file)
    if (!/[*?[]/.test(file)) continue
    const more = await database.queryColumn(`select file from glob(${quoteText(file)})`).catch(() => [])
    found.push(...(more as string[]))
  }
  return found
}

/** Views and macros of a database are queries, too. Returns the names of its macros. */
export async function checkDefinitions(database: Database, file: string): Promise<string[]> {
  const known = await database.queryColumn(
    `select distinct function_name from duckdb_functions() where database_name = 'system' and function_type = 'table'`,
  )
  const others = (known as string[]).filter(name => !READS.test(name))
  const calls = new RegExp(`(?<!\\w)(${others.join('|')})"?\\s*\\(`, 'i')
  const rows = await database.query(
    `select 'view' as kind, view_name as name, sql as text from duckdb_views()
       where database_name = ${quoteText(ATTACHED)} and not internal
     union all select 'macro', function_name, macro_definition from duckdb_functions()
       where database_name = ${quoteText(ATTACHED)} and not internal and macro_definition is not null`,
  )
  for (const { kind, name, text } of rows) {
    const [, called] = calls.exec(String(text)) ?? []
    if (called !== undefined) throw doesMore(`the ${kind} "${name}" of ${file} calls`, called)
  }
  return rows.filter(({ kind }) => kind === 'macro').map(({ name }) => String(name))
}

const doesMore = (who: string, name: string): FeatureBoostError =>
  new FeatureBoostError('FB_SQL', `${who} ${name}, which is not known to read and do nothing else.`, {
    expected: 'tables, files, and functions such as read_csv, read_parquet, range and unnest',
    hint: 'Leave it out.',
  })

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Node
  for (const child of Object.values(value)) yield* nodesIn(child)
}

function textIn({ type, value }: Node): string[] {
  const text = type === 'VALUE_CONSTANT' ? (value as Node).value : undefined
  return typeof text === 'string' ? [text] : []
}
