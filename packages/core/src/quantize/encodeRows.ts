// Many rows given as objects, brought into bins column after column. The same bins as row by row (encoding.ts), several times faster: what
// a column needs is at hand for all of its values.

import { type Encoding, makeBinReader, namesAreOwn, type RowRoom } from './encoding.ts'
import { type FeatureSchema, missingBin } from './schema.ts'
import { makeBinFinder } from './search.ts'
import type { Row } from './signals.ts'

/** Fills the bins of all rows. An error may be of any row: whoever wants the first bad one goes row by row. */
export type RowsEncoder = (rows: readonly Row[], room: RowRoom) => void

/** Undefined where columns depend on each other, or have names that every object knows. */
export function makeRowsEncoder({ features, functions, signals }: Encoding): RowsEncoder | undefined {
  if (functions.length > 0 || signals.length > 0 || !namesAreOwn(features)) return undefined
  const columns = features.map(encodeColumn)
  return (rows, { bins }) => {
    for (let place = 0; place < columns.length; place++) columns[place](rows, bins[place])
  }
}

/** Do these rows have nothing but what is their own? */
export const arePlain = (rows: readonly Row[]): boolean =>
  rows.every(row => Object.getPrototypeOf(row) === Object.prototype)

function encodeColumn(schema: FeatureSchema): (rows: readonly Row[], bins: Uint8Array) => void {
  const { kind, name } = schema
  const missing = missingBin(schema)
  const readAny = makeBinReader(schema)
  if (kind === 'numeric' && schema.time === undefined) {
    const find = makeBinFinder(schema.cuts)
    return (rows, bins) => {
      for (let row = 0; row < rows.length; row++) {
        const value = rows[row][name]
        // Infinity and NaN are no numbers here.
        bins[row] =
          typeof value === 'number' && value - value === 0
            ? find(value)
            : value === null
              ? missing
              : readAny(value)
      }
    }
  }
  return (rows, bins) => {
    for (let row = 0; row < rows.length; row++) {
      const value = rows[row][name]
      bins[row] = value === null ? missing : readAny(value)
    }
  }
}
