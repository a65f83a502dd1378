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
import { MAX_TOTAL_WEIGHT } from '@featureboost/core/internal'
import type { NumberKind } from '../sql/driver.ts'
import { DUCKDB } from '../sql/duckdb.ts'
import { doubleSql, roundSql } from '../sql/select.ts'
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
  #appender: Appender | undefined
  #has: ReadonlySet<string> = new Set()
  #isWeighted = false
  #isFolded = false

  constructor(place: LedgerPlace) {
    this.#place = place
    this.#rows = `${place.prefix}ledger`
    this.#merged = `${place.prefix}merged`
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
    const whole = `floor(gw) = gw AND gw <= ${MAX_TOTAL_WEIGHT}`
    const [[other, notOne, parts, largest, total]] = await this.#row(
      `SELECT count(*) FILTER (gw <> 0), count(*) FILTER (gw <> 1), count(*) FILTER (NOT (${whole})), max(gw),
       coalesce(sum(CASE WHEN ${whole} THEN gw::BIGINT ELSE 0 END), 0) FROM ${this.#rows}`,
      5,
    )
    return {
      areZero: other === 0,
      areOne: notOne === 0,
      areWhole: parts === 0 && total <= MAX_TOTAL_WEIGHT,
      largest,
    }
  }

  async scaled(scale: number): Promise<{ largest: number; total: number }> {
    const [[largest, total]] = await this.#row(
      `SELECT max(${scaledSql(scale)}), sum(${scaledSql(scale)}) FROM ${this.#rows}`,
      2,
    )
    return { largest, total }
  }

  async folds(): Promise<{ rows: [number, number]; weighing: [number, number] }> {
    await this.#seal()
    const weighs = this.#has.has('gw') ? 'gw > 0' : 'true'
    const sides = [0, 1].flatMap(side => [
      `count(*) FILTER (fold = ${side})`,
      `count(*) FILTER (fold = ${side} AND ${weighs})`,
    ])
    const [[fit, fitWeighing, held, heldWeighing]] = await this.#row(
      `SELECT ${sides.join(', ')} FROM ${this.#rows}`,
      4,
    )
    return { rows: [fit, held], weighing: [fitWeighing, heldWeighing] }
  }

  async merge(scale: number | undefined, folded: boolean): Promise<LedgerFacts> {
    await this.#seal()
    this.#isFolded = folded
    const own = scale === undefined ? '1::BIGINT' : scaledSql(scale)
    const copyCount = this.#has.has('ca') ? await this.#findCopies(own) : 0
    this.#isWeighted = scale !== undefined || copyCount > 0
    const fold = folded ? 'fold' : '0::UTINYINT'
    const label = this.#has.has('y') ? ', y' : ''
    const id = this.#has.has('ia') ? ', ia, ib' : ''
    const given = `SELECT rowid AS place, (${own})::INTEGER AS w, ${fold} AS fold, key${label}${id}${copyCount > 0 ? ', ca, cb' : ''} FROM ${this.#rows}`
    const merged =
      copyCount === 0
        ? given
        : `SELECT place, (CASE WHEN first IS NULL OR w = 0 THEN w WHEN first = place THEN total ELSE 0 END)::INTEGER AS w, fold, key${label}${id}
           FROM (${given}) LEFT JOIN ${this.#rows}_copies USING (ca, cb)`
    // A join may give rows in another order.
    await this.#run(
      `CREATE TABLE ${this.#merged} AS SELECT w, fold, key${label}${id} FROM (${merged})${copyCount === 0 ? '' : ' ORDER BY place'}`,
    )
    const weighing = this.#has.has('gw') ? `SELECT rowid AS place FROM ${this.#rows} WHERE gw > 0` : undefined
    await this.#drop(`${this.#rows}_copies`)
    const rows = await this.#unitsOf(`SELECT fold AS side, w AS unit FROM ${this.#merged} WHERE w > 0`)
    const units = await this.#idUnits(rows, weighing)
    await this.#drop(this.#rows)
    return {
      copyCount,
      countedRows: rows.reduce((sum, { count }) => sum + count, 0),
      units,
      weighted: this.#isWeighted,
    }
  }

  async labelSum(): Promise<{ sum: number; total: number }> {
    const [[sum, total]] = await this.#row(
      `SELECT sum(w::BIGINT * y), sum(w) FROM ${this.#merged} WHERE fold = 0`,
      2,
    )
    return { sum, total }
  }

  async sample(most: number): Promise<LedgerSample> {
    const used = 'fold = 0 AND w > 0'
    const unsigned = '(key::BIGINT & 4294967295)'
    // How many keys have so many bits: a key below 2^n has at most n.
    const [bits, counts] = await this.#query(
      `SELECT bits::DOUBLE, count(*)::DOUBLE FROM (SELECT length(bin(${unsigned}))::INTEGER AS bits, ${unsigned} AS k FROM ${this.#merged} WHERE ${used}) WHERE k > 0 GROUP BY bits`,
      ['double', 'double'],
    )
    const [[zeros]] = await this.#row(`SELECT count(*) FROM ${this.#merged} WHERE ${used} AND key = 0`, 1)
    const below = (power: number) =>
      bits.reduce((sum, count, index) => (count <= power ? sum + counts[index] : sum), zeros)
    let power = 32
    while (below(power) > most) power--
    const [rows, keys, weight] = await this.#query(
      `SELECT rowid::INTEGER, key, w FROM ${this.#merged} WHERE ${used} AND ${unsigned} < ${2 ** power} ORDER BY rowid`,
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

  /** Copies of which each kind has at least two that weigh something: the first of them, and what all weigh together. */
  async #findCopies(own: string): Promise<number> {
    const weighs = this.#has.has('gw') ? 'WHERE gw > 0' : ''
    await this.#run(
      `CREATE TABLE ${this.#rows}_copies AS SELECT ca, cb, min(rowid) AS first, sum(${own}) AS total, count(*) AS n
       FROM ${this.#rows} ${weighs} GROUP BY ca, cb HAVING count(*) > 1`,
    )
    const [[later]] = await this.#row(`SELECT coalesce(sum(n - 1), 0) FROM ${this.#rows}_copies`, 1)
    return later
  }

  /** Units are ids where rows share them. */
  async #idUnits(rows: readonly FoldUnits[], weighing: string | undefined): Promise<readonly FoldUnits[]> {
    if (!this.#has.has('ia')) return rows
    const known = weighing === undefined ? '' : ` WHERE place IN (${weighing})`
    const all = `(SELECT rowid AS place, ia, ib, w, fold FROM ${this.#merged})${known}`
    const [[shared]] = await this.#row(
      `SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM ${all} GROUP BY ia, ib)`,
      1,
    )
    if (shared === 0) return rows
    const ids = await this.#unitsOf(
      `SELECT side, unit FROM (SELECT arg_min(fold, place) AS side, sum(w) AS unit FROM ${all} GROUP BY ia, ib) WHERE unit > 0`,
    )
    return ids.map((units, side) => ({ ...units, rows: rows[side].count }))
  }

  async #unitsOf(source: string): Promise<FoldUnits[]> {
    const [sides, counts, totals, largest, squares] = await this.#query(
      `SELECT side::DOUBLE, count(*)::DOUBLE, sum(unit)::DOUBLE, max(unit)::DOUBLE, sum(unit::HUGEINT * unit)::DOUBLE FROM (${source}) GROUP BY side`,
      ['double', 'double', 'double', 'double', 'double'],
    )
    return [0, 1].slice(0, this.#isFolded ? 2 : 1).map(side => {
      const at = sides.indexOf(side)
      const read = (column: Float64Array) => (at < 0 ? 0 : column[at])
      return {
        rows: read(counts),
        count: read(counts),
        weight: read(totals),
        largestWeight: read(largest),
        squaredWeight: read(squares),
      }
    })
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

  async #query<K extends readonly NumberKind[]>(sql: string, kinds: K) {
    return await inEngine(() => readColumns(this.#place.connection, sql, kinds))
  }

  /** One row of numbers. */
  async #row(sql: string, width: number): Promise<number[][]> {
    const names = Array.from({ length: width }, (_, index) => `n${index}`)
    const columns = await this.#query(
      `SELECT ${names.map(name => `${name}::DOUBLE`).join(', ')} FROM (${sql}) AS found(${names.join(', ')})`,
      names.map(() => 'double' as const),
    )
    return [columns.map(column => column[0])]
  }
}

/** scaleWeight (core's data/weights.ts): a positive weight never becomes nothing. */
const scaledSql = (scale: number): string =>
  `(CASE WHEN gw = 0 THEN 0 ELSE GREATEST(1, ${roundSql(DUCKDB, `gw * ${doubleSql(scale)}`)}) END)`

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
