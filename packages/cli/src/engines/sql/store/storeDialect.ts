// What a store of rows needs of a database besides what the engine needs: names and texts as SQL, types, hashes of texts.

import type { Dialect } from '../dialect.ts'
import type { SqlDriver } from '../driver.ts'
import type { Lane } from '../hash.ts'

export interface NamedType {
  readonly name: string
  /** As the database says it. */
  readonly type: string
}

/** What a column of a type holds, and the SQL that brings it into one form: doubles without NaN, texts that are not empty, or 0 and 1. */
export interface GivenType {
  readonly kind: 'numeric' | 'boolean' | 'categorical'
  readonly time?: 'date' | 'timestamp'
  /** Whole numbers that a double may not hold. */
  readonly wide?: boolean
  readonly sql: (column: string) => string
}

export interface StoreDialect extends Dialect {
  readonly textType: string
  quoteName(name: string): string
  quoteText(text: string): string
  /** Undefined where no kind of column can hold it. */
  given(type: string): GivenType | undefined
  /** Of every row of a table that is being written another whole number. */
  readonly rowNumber: string
  isInfinite(double: string): string
  /** Does the whole text match? */
  matches(text: string, pattern: string): string
  /** hashString (data/rowHash.ts) of a text: one lane, from 0 to below 2^32. */
  textHash(text: string, lane: Lane): string
  /** An entry of a table of doubles, counted from 0. */
  lookUpDouble(table: readonly number[], index: string): string
  /** Where a text stands in a list, from 0; -1 where it does not. */
  placeOf(list: readonly string[], text: string): string
}

export type Cell = number | bigint | boolean | string | null

export interface StoreDriver extends SqlDriver {
  readonly dialect: StoreDialect
  /** The columns that a query gives, without running it. */
  describe(query: string): Promise<NamedType[]>
  /** All rows of a query, column by column: a few, or the sample that cuts are learned from. */
  values(query: string): Promise<ArrayLike<Cell>[]>
}
