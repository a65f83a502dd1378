// What a store of rows needs to know of Spark SQL: types, names, texts and their hashes. Moments are those of UTC: the session says so.

import type { Lane } from '../sql/hash.ts'
import { SPARK } from '../sql/spark.ts'
import type { GivenType, StoreDialect } from '../sql/store/storeDialect.ts'
import { quoteName } from './session.ts'

const NAN = "CAST('NaN' AS DOUBLE)"

/** Adding 0 makes -0 equal to 0. */
const numberSql = (column: string): string => `nullif(CAST(${column} AS DOUBLE), ${NAN}) + 0E0`
const microsSql = (moment: string): string => `CAST(unix_micros(${moment}) AS DOUBLE) / 8.64E10`

const NUMBER: GivenType = { kind: 'numeric', sql: numberSql }
const WIDE: GivenType = { ...NUMBER, wide: true }
const TEXT: GivenType = { kind: 'categorical', sql: column => `nullif(CAST(${column} AS STRING), '')` }

const TYPES: readonly (readonly [RegExp, GivenType])[] = [
  [/^(tinyint|smallint|int|float|double)$/, NUMBER],
  [/^bigint$|^decimal\(\d+,0\)$/, WIDE],
  [/^decimal\(\d+,\d+\)$/, NUMBER],
  [/^boolean$/, { kind: 'boolean', sql: column => `CAST(${column} AS INT)` }],
  [/^(string( collate \w+)?|(var)?char\(\d+\))$/i, TEXT],
  [/^date$/, { kind: 'numeric', time: 'date', sql: column => `CAST(unix_date(${column}) AS DOUBLE)` }],
  [/^timestamp$/, { kind: 'numeric', time: 'timestamp', sql: microsSql }],
  [
    /^timestamp_ntz$/,
    { kind: 'numeric', time: 'timestamp', sql: column => microsSql(`CAST(${column} AS TIMESTAMP)`) },
  ],
]

export const quoteText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A value that is used several times is computed once. */
const once = (value: string, name: string, sql: string): string =>
  `transform(array(${value}), ${name} -> ${sql})[0]`

/** mixHash of one lane, for a function of a few values: no row of its own, so no columns for what is in between. */
function mixSql(lane: string, value: string, { first, flip, second }: Lane): string {
  const { shiftRight, timesModulo, xor } = SPARK
  const rotated = (x: string, bits: number) => `(${timesModulo(x, 2 ** bits)} + ${shiftRight(x, 32 - bits)})`
  const folded = (x: string, bits: number) => xor(x, shiftRight(x, bits))
  const flipped = flip === 0 ? value : xor(value, `${flip}L`)
  return once(
    once(
      once(
        once(
          once(
            once(once(flipped, 'm0', timesModulo('m0', first)), 'm1', rotated('m1', 15)),
            'm2',
            xor(lane, timesModulo('m2', second)),
          ),
          'm3',
          rotated('m3', 13),
        ),
        'm4',
        `(${timesModulo('m4', 5)} + ${0xe6546b64}L) & 4294967295L`,
      ),
      'm5',
      once(folded('m5', 16), 'm6', timesModulo('m6', 0x85ebca6b)),
    ),
    'm7',
    folded('m7', 15),
  )
}

/** The length of a text, then its UTF-16 code units. */
function textHashSql(text: string, lane: Lane): string {
  const units = `transform(sequence(0, CAST(length(h) / 4 AS INT) - 1), i -> CAST(conv(substring(h, 4 * i + 1, 4), 16, 10) AS BIGINT))`
  const words = once(
    `hex(encode(${text}, 'UTF-16BE'))`,
    'h',
    `concat(array(CAST(length(h) / 4 AS BIGINT)), ${units})`,
  )
  return `aggregate(${words}, ${lane.start}L, (hash, word) -> ${mixSql('hash', 'word', lane)})`
}

export const SPARK_STORE: StoreDialect = {
  ...SPARK,
  textType: 'STRING',
  quoteName,
  quoteText,
  given: type => TYPES.find(([pattern]) => pattern.test(type))?.[1],
  rowNumber: 'monotonically_increasing_id()',
  isInfinite: double => `(abs(${double}) = CAST('Infinity' AS DOUBLE))`,
  matches: (text, pattern) => `${text} RLIKE ${quoteText(`^(${pattern})$`)}`,
  textHash: textHashSql,
  lookUpDouble: (table, index) =>
    `array(${table.map(value => `CAST('${value}' AS DOUBLE)`).join(', ')})[CAST(${index} AS INT)]`,
  placeOf: (list, text) =>
    `(CAST(array_position(array(${list.map(quoteText).join(', ')}), ${text}) AS INT) - 1)`,
}
