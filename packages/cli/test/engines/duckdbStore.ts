// The store of rows that stay in a database, on DuckDB: the SQL that Spark is asked, in another dialect, so that it is tried with every
// test run. Types, and hashes of texts, are those of DuckDB.

import { duckdbDriver } from '../../src/engines/duckdb/driver.ts'
import type { WorkDatabase } from '../../src/engines/duckdb/work.ts'
import { DUCKDB } from '../../src/engines/sql/duckdb.ts'
import type { Lane } from '../../src/engines/sql/hash.ts'
import type { StorePlace } from '../../src/engines/sql/store/prepare.ts'
import type { Cell, GivenType, StoreDialect, StoreDriver } from '../../src/engines/sql/store/storeDialect.ts'

const quoteText = (text: string) => `'${text.replaceAll("'", "''")}'`
const NUMBER: GivenType = {
  kind: 'numeric',
  sql: column => `(nullif(CAST(${column} AS DOUBLE), 'nan'::DOUBLE) + 0E0)`,
}
const TYPES: Readonly<Record<string, GivenType>> = {
  DOUBLE: NUMBER,
  INTEGER: NUMBER,
  BIGINT: { ...NUMBER, wide: true },
  BOOLEAN: { kind: 'boolean', sql: column => `CAST(${column} AS INTEGER)` },
  VARCHAR: { kind: 'categorical', sql: column => `nullif(${column}, '')` },
  TIMESTAMP: { kind: 'numeric', time: 'timestamp', sql: column => `epoch_us(${column})::DOUBLE / 8.64E10` },
}

function textHash(text: string, { first, flip, second, start }: Lane): string {
  const { modulo32, shiftRight, timesModulo, unsigned, xor } = DUCKDB
  const rotate = (x: string, bits: number) => `(${timesModulo(x, 2 ** bits)} + ${shiftRight(x, 32 - bits)})`
  const fold = (x: string, bits: number) => xor(x, shiftRight(x, bits))
  const constant = (value: number) => unsigned(String(value >>> 0))
  const value = timesModulo(rotate(timesModulo(xor('word', constant(flip)), first), 15), second)
  const met = xor('hash', value)
  const turned = modulo32(`${timesModulo(rotate(met, 13), 5)} + ${constant(0xe6546b64)}`)
  const mixed = fold(timesModulo(fold(turned, 16), 0x85ebca6b), 15)
  // Characters beyond 2^16 are two code units.
  const units = `flatten(list_transform(string_split(${text}, ''), c -> CASE WHEN unicode(c) < 65536 THEN [unicode(c)] ELSE [55296 + (unicode(c) - 65536) // 1024, 56320 + (unicode(c) - 65536) % 1024] END))`
  const words = `list_transform(list_concat([len(${units})], ${units}), unit -> CAST(unit AS UBIGINT))`
  return `list_reduce(list_concat([${constant(start)}], ${words}), (hash, word) -> ${mixed})`
}

const DUCKDB_STORE: StoreDialect = {
  ...DUCKDB,
  textType: 'VARCHAR',
  quoteName: name => `"${name.replaceAll('"', '""')}"`,
  quoteText,
  given: type => TYPES[type],
  rowNumber: 'ROW_NUMBER() OVER ()',
  isInfinite: double => `isinf(${double})`,
  matches: (text, pattern) => `regexp_full_match(${text}, ${quoteText(pattern)})`,
  textHash,
  lookUpDouble: (table, index) =>
    `([${table.map(value => `'${value}'::DOUBLE`).join(', ')}])[CAST(${index} AS BIGINT) + 1]`,
  placeOf: (list, text) => `(coalesce(list_position([${list.map(quoteText).join(', ')}], ${text}), 0) - 1)`,
}

export function duckdbPlace(work: WorkDatabase): StorePlace & { readonly statements: string[] } {
  const { scan: _, transform: __, ...driver } = duckdbDriver(work.connection, work, async () => {})
  const statements: string[] = []
  const read = async (sql: string) => (await work.connection.runAndReadAll(sql)).getColumnsJS()
  const far: StoreDriver = {
    ...driver,
    dialect: DUCKDB_STORE,
    run: sql => {
      statements.push(sql)
      return driver.run(sql)
    },
    describe: async query => {
      const [names, types] = (await read(`DESCRIBE ${query}`)) as string[][]
      return names.map((name, index) => ({ name, type: types[index] }))
    },
    values: async query => (await read(query)) as Cell[][],
  }
  return {
    driver: far,
    statements,
    newPrefix: () => work.newPrefix(),
    drop: async table => await far.run(`DROP TABLE IF EXISTS ${table}`),
  }
}
