// The ledger of a survey (core's data/ledger.ts) in DuckDB: what must be known of every row while it is not yet in the engine. Rows are
// written in order and never change, so a row's number is its place in the table; copies and ids are found by grouping, for which DuckDB
// takes the disk where memory ends.

import type { DuckDBConnection } from '@duckdb/node-api'
import type {
  FoldUnits,
  LedgerChunk,
  LedgerFacts,
  LedgerRows,
  LedgerSample,
  RowLedger,
  WeightFacts,
} from '@featureboost/core/internal'
import { DUCKDB } from '../sql/duckdb.ts'
import {
  type Asking,
  copiesSql,
  foldFacts,
  idUnitFacts,
  mergedSql,
  readRow,
  sampleBound,
  scaledFacts,
  scaledSql,
  unitFacts,
  weightFacts,
} from '../sql/survey.ts'
import { asEngineError, type Connector, inEngine } from './driver.ts'
import {
  type Appender,
  createByAppending,
  type NamedKind,
  type Numbers,
  readColumns,
  streamColumns,
} from './numbers.ts'

export interface LedgerPlace extends Connector {
  readonly connection: DuckDBConnection
  /** Names of its tables begin with this. */
  readonly prefix: string
}

export class DuckdbLedger implements RowLedger {
  readonly #place: LedgerPlace
  readonly #rows: string
  readonly #merged: string
  readonly #asking: Asking
  #appender: Appender | undefined
  #has: ReadonlySet<string> = new Set()
  #isWeighted = false
  #isFolded = false

  constructor(place: LedgerPlace) {
    this.#place = place
    this.#rows = `${place.prefix}ledger`
    this.#merged = `${place.prefix}merged`
    this.#asking = {
      dialect: DUCKDB,
      query: (sql, kinds) => readColumns(this.#place.connection, sql, kinds),
    }
  }

  async add(rows: LedgerRows): Promise<void> {
    const columns = columnsOf(rows)
    if (this.#appender === undefined) {
      await this.#drop(this.#rows, this.#merged)
      this.#has = new Set(columns.map(({ name }) => name))
      this.#appender = await inEngine(() => createByAppending(this.#place.connection, this.#rows, columns))
    }
    const appender = this.#appender
    await inEngine(() => appender.append(columns.map(({ values }) => values)))
  }

  async weights(): Promise<WeightFacts> {
    await this.#seal()
    return await weightFacts(this.#asking, this.#rows)
  }

  async scaled(scale: number): Promise<{ largest: number; total: number }> {
    return await scaledFacts(this.#asking, this.#rows, scale)
  }

  async folds(): Promise<{ rows: [number, number]; weighing: [number, number] }> {
    await this.#seal()
    return await foldFacts(this.#asking, this.#rows, this.#has.has('gw'))
  }

  async merge(scale: number | undefined, folded: boolean): Promise<LedgerFacts> {
    await this.#seal()
    this.#isFolded = folded
    const own = scale === undefined ? '1::BIGINT' : scaledSql(DUCKDB, scale)
    const isGiven = this.#has.has('gw')
    const rows = `(SELECT *, rowid AS place FROM ${this.#rows})`
    const copies = `${this.#rows}_copies`
    let copyCount = 0
    if (this.#has.has('ca')) {
      await this.#run(`CREATE TABLE ${copies} AS ${copiesSql(rows, own, isGiven)}`)
      copyCount = (await readRow(this.#asking, ['SUM(n - 1)'], copies))[0]
    }
    this.#isWeighted = scale !== undefined || copyCount > 0
    const columns = [
      folded ? 'fold' : '0::UTINYINT AS fold',
      'key',
      ...(this.#has.has('y') ? ['y'] : []),
      ...(this.#has.has('ia') ? ['ia', 'ib'] : []),
      ...(isGiven ? ['gw > 0 AS weighs'] : []),
    ].join(', ')
    const merged =
      copyCount === 0
        ? `SELECT place, (${own})::INTEGER AS w, ${columns} FROM ${rows}`
        : // A join may give rows in another order.
          `${mergedSql(rows, copies, own, columns, 'INTEGER')} ORDER BY place`
    await this.#run(`CREATE TABLE ${this.#merged} AS SELECT * EXCLUDE (place) FROM (${merged})`)
    await this.#drop(copies, this.#rows)
    const units = await unitFacts(
      this.#asking,
      `SELECT fold AS side, w AS unit FROM ${this.#merged} WHERE w > 0`,
      folded,
    )
    return {
      copyCount,
      countedRows: units.reduce((sum, { count }) => sum + count, 0),
      units: this.#has.has('ia') ? await this.#idUnits(units, isGiven) : units,
      weighted: this.#isWeighted,
    }
  }

  #idUnits(units: readonly FoldUnits[], isGiven: boolean): Promise<readonly FoldUnits[]> {
    const merged = `SELECT *, rowid AS place FROM ${this.#merged}`
    return idUnitFacts(this.#asking, merged, isGiven ? 'weighs' : undefined, units, this.#isFolded)
  }

  async labelSum(): Promise<{ sum: number; total: number }> {
    const [sum, total] = await readRow(
      this.#asking,
      ['SUM(w::BIGINT * y)', 'SUM(w)'],
      `(SELECT * FROM ${this.#merged} WHERE fold = 0)`,
    )
    return { sum, total }
  }

  async sample(most: number): Promise<LedgerSample> {
    const used = `SELECT rowid AS place, key, w FROM ${this.#merged} WHERE fold = 0 AND w > 0`
    const bound = await sampleBound(this.#asking, used, 'key', most)
    const [rows, keys, weight] = await this.#asking.query(
      `SELECT place::INTEGER, key, w FROM (${used}) WHERE ${DUCKDB.unsigned('key')} < ${bound} ORDER BY place`,
      ['word', 'word', 'word'],
    )
    return { rows, keys, ...(this.#isWeighted && { weight }) }
  }

  async *chunks(): AsyncGenerator<LedgerChunk> {
    const connection = await inEngine(() => this.#place.connect())
    try {
      const key = this.#has.has('ia') ? 'ib' : 'key'
      const kinds = ['word', 'byte', 'word'] as const
      for await (const [weight, fold, keys] of streamColumns(
        connection,
        `SELECT w, fold, ${key} FROM ${this.#merged}`,
        kinds,
      ))
        yield {
          key: keys as Int32Array,
          ...(this.#isWeighted && { weight: weight as Int32Array }),
          ...(this.#isFolded && { fold: fold as Uint8Array }),
        }
    } catch (error) {
      throw asEngineError(error)
    } finally {
      this.#place.disconnect(connection)
    }
  }

  /** All rows are there. */
  async #seal(): Promise<void> {
    const appender = this.#appender
    this.#appender = undefined
    await inEngine(() => appender?.close())
  }

  async #drop(...tables: readonly string[]): Promise<void> {
    for (const table of tables) await this.#run(`DROP TABLE IF EXISTS ${table}`)
  }

  async #run(sql: string): Promise<void> {
    await inEngine(() => this.#place.connection.run(sql))
  }
}

function columnsOf({ copy, fold, id, key, label, weight }: LedgerRows): (NamedKind & { values: Numbers })[] {
  return [
    { name: 'key', kind: 'word', values: key },
    ...(copy === undefined
      ? []
      : [
          { name: 'ca', kind: 'word', values: copy.a } as const,
          { name: 'cb', kind: 'word', values: copy.b } as const,
        ]),
    ...(id === undefined
      ? []
      : [
          { name: 'ia', kind: 'word', values: id.a } as const,
          { name: 'ib', kind: 'word', values: id.b } as const,
        ]),
    ...(weight === undefined ? [] : [{ name: 'gw', kind: 'double', values: weight } as const]),
    ...(fold === undefined ? [] : [{ name: 'fold', kind: 'byte', values: fold } as const]),
    ...(label === undefined ? [] : [{ name: 'y', kind: 'word', values: label } as const]),
  ]
}
