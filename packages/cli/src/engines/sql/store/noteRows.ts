// Rows with everything that is known of each by itself: values in their final form, label and score in units, the hashes that rows are told
// by (core's data/rowHash.ts), the side of the split. One SELECT over rows as they were given.

import {
  addColumns,
  type Columns,
  type CopyRule,
  cast,
  doubleSql,
  emptyHash,
  type Holdout,
  hashString,
  mixA,
  mixB,
  ONE,
  roundSql,
} from '@featureboost/core/internal'
import { doubleBitsSql } from '../doubleBits.ts'
import { type Lane, mixLanesSql, mixWordsSql } from '../hash.ts'
import type { Kind } from './givenColumns.ts'
import type { StoreDialect } from './storeDialect.ts'
import { joinedTextsSql, type TextColumn } from './textTable.ts'

/** A column with a role: its name in the table of given rows, and what it turned out to hold. */
export interface NotedColumn {
  readonly column: string
  readonly kind: Kind
  /** In its final form: a double, 0 or 1, or text. */
  readonly sql: string
  readonly time?: 'date' | 'timestamp'
  /** Has it no value in any row? */
  readonly isEmpty: boolean
  /** Of a column of texts. */
  readonly texts?: number
}

export interface NotedRoles {
  readonly features: readonly NotedColumn[]
  readonly label: NotedColumn
  readonly prediction: NotedColumn | undefined
  readonly weight: NotedColumn | undefined
  readonly fold: NotedColumn | undefined
  readonly group: NotedColumn | undefined
}

export interface NoteRule {
  readonly copies: CopyRule
  readonly seed: number
  readonly holdout: Holdout | undefined
}

/** What a missing value is mixed in as, whatever the kind of its column. */
const MISSING_HIGH = 0x7ff80000

export function noteRowsSql(
  dialect: StoreDialect,
  { given, texts }: { readonly given: string; readonly texts: string },
  roles: NotedRoles,
  rule: NoteRule,
): string {
  const { features, fold, group, label, prediction, weight } = roles
  const all = [...features, label, prediction, weight, group].filter(each => each !== undefined)
  const textColumns = all.flatMap(({ column, texts: number }): TextColumn[] =>
    number === undefined ? [] : [{ column, number }],
  )
  const isIndependent = rule.copies === 'independent'
  const words = new WordList(dialect)
  const content = [...features, ...(isIndependent ? [label, prediction, fold, group] : [prediction])]
  const mixed = (columns: readonly (NotedColumn | undefined)[]) =>
    columns.flatMap(each => (each === undefined ? [] : words.of(each)))
  const contentWords = mixed(content)
  const furtherWords = isIndependent ? [] : mixed([label, fold, group])
  const idWords = mixed([group])
  if (isIndependent) mixed([weight])
  const starts = seededLanes(dialect, rule.seed)
  const rows = addColumns(
    joinedTextsSql(given, texts, textColumns),
    words.values(),
    ...words.layers(),
    ...mixLanesSql(dialect, starts, contentWords, 'kk_'),
  )
  const keyed = isIndependent
    ? independentRows(dialect, rows, weight, words)
    : addColumns(rows, { ke_a: 'kk_a', ke_b: 'kk_b' })
  const hashed = addColumns(
    keyed,
    ...(isIndependent ? [] : mixLanesSql(dialect, { a: 'ke_a', b: 'ke_b' }, furtherWords, 'co_')),
    ...(group === undefined ? [] : mixLanesSql(dialect, starts, idWords, 'id_')),
  )
  return `SELECT ${Object.entries(notedColumns(dialect, roles, rule))
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')} FROM (${hashed})`
}

function notedColumns(dialect: StoreDialect, roles: NotedRoles, { copies, holdout }: NoteRule): Columns {
  const { features, fold, group, label, prediction, weight } = roles
  const side = group === undefined ? 'ke_a' : 'id_a'
  const held = `${cast(side, dialect.doubleType)} / ${doubleSql(2 ** 32)} < ${doubleSql(holdout?.fraction ?? 0)}`
  return {
    place: 'place',
    ...Object.fromEntries(features.map(({ sql }, index) => [`v${index}`, sql])),
    outcome: cast(label.sql, dialect.doubleType),
    y: unitsSql(dialect, label.sql),
    ...(prediction !== undefined && {
      score: cast(prediction.sql, dialect.doubleType),
      start: unitsSql(dialect, prediction.sql),
    }),
    ...(weight !== undefined && { gw: weight.sql }),
    ...(fold !== undefined && { fold: `CASE WHEN ${fold.sql} = 'holdout' THEN 1 ELSE 0 END` }),
    ...(fold === undefined && holdout !== undefined && { fold: `CASE WHEN ${held} THEN 1 ELSE 0 END` }),
    ...(copies === 'one' && { ca: signedSql(dialect, 'co_a'), cb: signedSql(dialect, 'co_b') }),
    ...(copies === 'independent' && { later: 'occurrence' }),
    ...(group !== undefined && { ia: signedSql(dialect, 'id_a'), ib: signedSql(dialect, 'id_b') }),
    key: signedSql(dialect, 'ke_b'),
  }
}

/** toUnits of a probability. */
const unitsSql = (dialect: StoreDialect, value: string): string =>
  cast(roundSql(dialect, `${cast(value, dialect.doubleType)} * ${doubleSql(ONE)}`), dialect.wordType)

const signedSql = (dialect: StoreDialect, lane: string): string => {
  const long = cast(lane, dialect.longType)
  return cast(`CASE WHEN ${long} >= 2147483648 THEN ${long} - 4294967296 ELSE ${long} END`, dialect.wordType)
}

/** Copies are told apart by how many came before; which is which nobody can tell, since they are alike. */
function independentRows(
  dialect: StoreDialect,
  rows: string,
  weight: NotedColumn | undefined,
  words: WordList,
): string {
  const weighed =
    weight === undefined
      ? addColumns(rows, { kw_a: 'kk_a', kw_b: 'kk_b' })
      : addColumns(
          rows,
          ...mixLanesSql(dialect, { a: 'kk_a', b: 'kk_b' }, words.of(weight), 'kx_'),
          // A weight of 1 is as good as none.
          Object.fromEntries(
            ['a', 'b'].map(lane => [
              `kw_${lane}`,
              `CASE WHEN ${weight.sql} = 1E0 THEN kk_${lane} ELSE kx_${lane} END`,
            ]),
          ),
        )
  const counted = addColumns(weighed, {
    occurrence: 'ROW_NUMBER() OVER (PARTITION BY kw_a, kw_b ORDER BY place) - 1',
  })
  const occurrence = dialect.unsigned('occurrence')
  const zero = dialect.unsigned('0')
  return addColumns(
    counted,
    { oc_0: occurrence, oc_1: zero },
    mixWordsSql(dialect, ['oc_0', 'oc_1'], 'om_'),
    ...mixLanesSql(
      dialect,
      { a: 'kw_a', b: 'kw_b' },
      [0, 1].map(place => ({ a: `om_a${place}`, b: `om_b${place}` })),
      'ke_',
    ),
  )
}

function seededLanes(dialect: StoreDialect, seed: number): Record<Lane['name'], string> {
  const { a, b } = emptyHash()
  const [low, high] = [seed | 0, Math.floor(seed / 2 ** 32) | 0]
  const constant = (lane: number) => dialect.unsigned(String(lane >>> 0))
  return { a: constant(mixA(mixA(a, low), high)), b: constant(mixB(mixB(b, low), high)) }
}

/** The two words that each column is mixed in as. */
class WordList {
  readonly #dialect: StoreDialect
  readonly #columns: NotedColumn[] = []

  constructor(dialect: StoreDialect) {
    this.#dialect = dialect
  }

  /** The names under which the words of a column are found once they are mixed. */
  of(column: NotedColumn): { a: string; b: string }[] {
    const known = this.#columns.findIndex(each => each.column === column.column)
    const at = known < 0 ? this.#columns.push(column) - 1 : known
    return [2 * at, 2 * at + 1].map(word => ({ a: `mw_a${word}`, b: `mw_b${word}` }))
  }

  /** Numbers under names of their own. */
  values(): Columns {
    return Object.fromEntries(
      this.#columns.flatMap(({ kind, sql }, index) => (kind === 'numeric' ? [[`nu${index}`, sql]] : [])),
    )
  }

  layers(): Columns[] {
    const dialect = this.#dialect
    const numbers = Object.fromEntries(
      this.#columns.flatMap(({ kind }, index) => (kind === 'numeric' ? [[`nu${index}`, `nu${index}`]] : [])),
    )
    const words = this.#columns.flatMap((column, index) => this.#wordsOf(column, index))
    return [
      ...(Object.keys(numbers).length === 0 ? [] : doubleBitsSql(dialect, numbers)),
      Object.fromEntries(words.map((word, index) => [`wd${index}`, word])),
      mixWordsSql(
        dialect,
        words.map((_, index) => `wd${index}`),
        'mw_',
      ),
    ]
  }

  #wordsOf({ kind, sql, texts }: NotedColumn, index: number): [string, string] {
    const dialect = this.#dialect
    const missing = dialect.unsigned(String(MISSING_HIGH))
    const zero = dialect.unsigned('0')
    const orMissing = (first: string, second: string): [string, string] => [
      `COALESCE(${first}, ${missing})`,
      `COALESCE(${second}, ${zero})`,
    ]
    if (kind === 'numeric') return orMissing(`nu${index}_h`, `nu${index}_l`)
    if (kind === 'boolean') return [`COALESCE(${dialect.unsigned(sql)}, ${missing})`, zero]
    if (texts !== undefined) return orMissing(`t${texts}a`, `t${texts}b`)
    // The names of the two sides.
    const side = (lane: 'a' | 'b') => {
      const [fit, held] = ['fit', 'holdout'].map(name =>
        dialect.unsigned(String(hashString(name)[lane] >>> 0)),
      )
      return `CASE WHEN ${sql} = 'holdout' THEN ${held} ELSE ${fit} END`
    }
    return [side('a'), side('b')]
  }
}
