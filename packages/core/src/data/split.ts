// A seeded split into fit and holdout rows that does not depend on the order of rows.
//
// Every row is hashed from its content and the seed (rowHash.ts); it is held out when the hash, read as a fraction of 2^32, lies below
// the wanted fraction. So a reordered table is split alike, and copies of one row lie on one side, whatever they weigh. The sizes are
// near the fraction, not exactly at it. Independent copies spread over both sides: which one of two equal rows is held out may
// change with their order, and nobody can tell. Split by a column of ids, the id alone is hashed: all rows of one id lie on one side.

import { FeatureBoostError } from '../common/errors.ts'
import { type Column, showValue } from './column.ts'
import { rejectMissing } from './reject.ts'
import { hashContent, type RowHashes } from './rowHash.ts'

export interface Holdout {
  /** Between 0 and 1, both excluded. */
  readonly fraction: number
  /** A whole number. */
  readonly seed: number
  /** A column whose equal values stay on one side. */
  readonly groupBy?: string
}

/** Per row: 0 = fit, 1 = holdout. */
export function splitByHash({ a }: RowHashes, { fraction }: Holdout): Uint8Array {
  const fold = new Uint8Array(a.length)
  for (let row = 0; row < fold.length; row++) fold[row] = (a[row] >>> 0) / 2 ** 32 < fraction ? 1 : 0
  return fold
}

export function splitByGroup(ids: Column, holdout: Holdout, before = 0): Uint8Array {
  rejectMissing(ids, 'id to split by', before)
  return splitByHash(hashContent([ids], holdout.seed), holdout)
}

/** A key for every row, independent of its side: its own, or, split by ids, that of its id. */
export const keysOf = (
  ids: Column | undefined,
  holdout: Holdout | undefined,
  hashes: () => RowHashes,
): Int32Array => (ids === undefined ? hashes() : hashContent([ids], holdout?.seed ?? 0)).b

export function checkHoldout({ fraction, seed }: Holdout): void {
  if (!(typeof fraction === 'number' && fraction > 0 && fraction < 1)) {
    throw new FeatureBoostError('FB_OPTION_VALUE', `the holdout fraction is ${showValue(fraction)}.`, {
      found: fraction,
      expected: 'a number between 0 and 1, both excluded',
    })
  }
  if (!Number.isSafeInteger(seed)) {
    throw new FeatureBoostError('FB_OPTION_VALUE', `the holdout seed is ${showValue(seed)}.`, {
      found: seed,
      expected: 'a whole number',
    })
  }
}
