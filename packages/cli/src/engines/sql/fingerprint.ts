// The checksum of engine/fingerprint.ts as SQL. Bins are few, so what they are mixed to stands in a table; all else is mixed word by
// word. Sums are made of halves of words: whole ones would pass 2^53 from two million rows on.

import {
  addColumns,
  type Checksum,
  type ColumnRange,
  type Columns,
  cast,
  fingerprintOf,
  hashToHex,
  joinChecksums,
} from '@featureboost/core/internal'
import type { Dialect, Statements } from './dialect.ts'
import type { NumberKind, SqlDriver } from './driver.ts'
import { LANES, laneStarts, mixedValue, mixLanesSql, mixWordsSql } from './hash.ts'

export interface FingerprintRows {
  readonly table: string
  readonly binCounts: readonly number[]
  readonly folded: boolean
  readonly weighted: boolean
}

export function fingerprintSql(
  dialect: Dialect,
  { binCounts, folded, table, weighted }: FingerprintRows,
  { features: [from, to], signals: [firstSignal, lastSignal] }: ColumnRange,
  name: string,
): Statements {
  const signals = Array.from({ length: lastSignal - firstSignal }, (_, index) => `s${firstSignal + index}`)
  const words = [...signals, 'y', 'start', ...(folded ? ['fold'] : [])]
  const features = Array.from({ length: to - from }, (_, index) => from + index)
  const known: Columns = Object.fromEntries(
    features.flatMap(feature =>
      LANES.map(lane => [
        `fi_${lane.name}_f${feature}`,
        dialect.unsigned(
          dialect.lookUp(
            Array.from({ length: binCounts[feature] }, (_, bin) => mixedValue(lane, bin)),
            `f${feature}`,
          ),
        ),
      ]),
    ),
  )
  const mixed = [
    ...features.map(feature => ({ a: `fi_a_f${feature}`, b: `fi_b_f${feature}` })),
    ...words.map((_, place) => ({ a: `fi_a${place}`, b: `fi_b${place}` })),
    // Rows that name no fold are all for fitting, which is 0.
    ...(folded
      ? []
      : [{ a: constant(dialect, mixedValue(LANES[0], 0)), b: constant(dialect, mixedValue(LANES[1], 0)) }]),
  ]
  const layers = [
    Object.fromEntries(words.map((word, place) => [`fw_${place}`, dialect.unsigned(word)])),
    {
      ...mixWordsSql(
        dialect,
        words.map((_, place) => `fw_${place}`),
        'fi_',
      ),
      ...known,
    },
    ...mixLanesSql(dialect, laneStarts(dialect), mixed, 'fl_'),
  ]
  // A weight is at most 2^28, so the product is below 2^60.
  const times = (each: 'a' | 'b') =>
    weighted ? dialect.modulo32(`fl_${each} * ${dialect.unsigned('w')}`) : `fl_${each}`
  const summed = addColumns(`SELECT * FROM ${table}`, ...layers, { fs_a: times('a'), fs_b: times('b') })
  const halves = ['fs_a', 'fs_b'].flatMap(each => [
    cast(`${each} - ${dialect.timesModulo(dialect.shiftRight(each, 16), 65536)}`, dialect.longType),
    cast(dialect.shiftRight(each, 16), dialect.longType),
  ])
  const source = `SELECT ${cast(0, dialect.byteType)} AS one, ${halves.map((half, index) => `${half} AS h${index}`).join(', ')} FROM (${summed})`
  return dialect.cells(
    { source, groups: [{ offset: 0, keys: [{ column: 'one', size: 1 }] }], sums: ['h0', 'h1', 'h2', 'h3'] },
    name,
  )
}

const constant = (dialect: Dialect, value: number): string => dialect.unsigned(String(value))

/** From the four sums. */
export function fingerprintText(sums: readonly number[]): string {
  const join = (low: number, high: number) => Number(BigInt.asIntN(32, BigInt(low) + (BigInt(high) << 16n)))
  return hashToHex({ a: join(sums[0], sums[1]), b: join(sums[2], sums[3]) })
}

/** The same of rows of a database in this process, piece by piece: several times faster. */
export async function scanFingerprint(
  driver: SqlDriver,
  { folded, table, weighted }: FingerprintRows,
  { features, signals }: ColumnRange,
): Promise<string> {
  const names = (letter: string, [from, to]: readonly [number, number]) =>
    Array.from({ length: to - from }, (_, index) => `${letter}${from + index}`)
  const bytes = names('f', features)
  const words = [...names('s', signals), 'y', 'start', ...(weighted ? ['w'] : [])]
  const columns = [...bytes, ...words, ...(folded ? ['fold'] : [])]
  const kinds = columns.map((name): NumberKind => (bytes.includes(name) || name === 'fold' ? 'byte' : 'word'))
  let sum: Checksum = { a: 0, b: 0 }
  await driver.scan!(`SELECT ${columns.join(', ')} FROM ${table}`, kinds, found => {
    const column = (name: string) => found[columns.indexOf(name)]
    const chunk = {
      rowCount: found[0].length,
      bins: bytes.map(column) as Uint8Array[],
      signals: names('s', signals).map(column) as Int32Array[],
      label: column('y') as Int32Array,
      start: column('start') as Int32Array,
      ...(weighted && { weight: column('w') as Int32Array }),
      ...(folded && { fold: column('fold') as Uint8Array }),
    }
    sum = joinChecksums([sum, fingerprintOf(chunk)])
  })
  return hashToHex(sum)
}
