// The checksum of engine/fingerprint.ts as SQL. Bins are few, so what they are mixed to stands in a table; all else is mixed word by
// word. Sums are made of halves of words: whole ones would pass 2^53 from two million rows on.

import { type ColumnRange, hashToHex } from '@featureboost/core/internal'
import type { Dialect, Statements } from './dialect.ts'
import { LANES, laneStarts, mixedValue, mixLanesSql, mixWordsSql } from './hash.ts'
import { addColumns, type Columns, cast } from './select.ts'

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
    ...mixWordsSql(
      dialect,
      words.map(word => dialect.unsigned(word)),
      'fi_',
    ),
    known,
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
