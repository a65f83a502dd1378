// What stands for the label in a question, as SQL: engine/outcome.ts for all rows.

import {
  addColumns,
  type Columns,
  cast,
  doubleSql,
  type Noise,
  needsKeys,
  ONE,
  type Outcome,
  roundSql,
  within,
} from '@featureboost/core/internal'
import type { Dialect } from './dialect.ts'
import { flipSql, scatterSql } from './hash.ts'

export interface CountedRows {
  /** A SELECT with the columns of the rows, the prediction `p` and `o`, what stands for the label. */
  readonly source: string
  /** The column of weights; undefined where every row weighs 1. */
  readonly weight: 'cw' | undefined
}

/** `source` has the prediction `p`. */
export function countedRows(
  dialect: Dialect,
  source: string,
  outcome: Outcome,
  { keyed, weighted }: { readonly keyed: boolean; readonly weighted: boolean },
): CountedRows {
  const given: Columns = weighted ? { cw: cast('w', dialect.longType) } : {}
  const weight = weighted ? 'cw' : undefined
  if (outcome.kind !== 'label' && !keyed) throw needsKeys('noise is drawn')
  switch (outcome.kind) {
    case 'label':
      return { source: addColumns(source, { ...given, o: 'y' }), weight }
    case 'centred':
      return { source: addColumns(source, { ...given, o: `y + p - ${chanceSql(outcome.noise)}` }), weight }
    case 'variance':
      return varianceRows(dialect, source, outcome, weighted)
    case 'drawn': {
      const drawn = `CASE WHEN dr < ${dialect.unsigned(`${cast(chanceSql(outcome.noise), dialect.longType)} * 256`)} OR dr_all THEN ${ONE} ELSE 0 END`
      const layers = [
        ...scatterSql(
          dialect,
          flipSql(dialect, 'key', finish(outcome.draw + 0x9e3779b9)),
          'dr',
          [16, 13, 16],
          [0x85ebca6b, 0xc2b2ae35],
        ),
        // 2^32 is no 32-bit number: every hash is below it.
        { dr_all: `${chanceSql(outcome.noise)} = ${ONE}` },
        { o: `${drawn} + p - ${chanceSql(outcome.noise)}` },
      ]
      return { source: addColumns(source, given, ...layers), weight }
    }
  }
}

/** The chance of a label of 1, in units. */
const chanceSql = (noise: Noise): string =>
  noise === 'labels' ? 'p' : within('p', noise.errors, ONE - noise.errors)

/** Weights count squared; a positive weight never counts as nothing. */
function varianceRows(
  dialect: Dialect,
  source: string,
  { noise, shift }: Extract<Outcome, { kind: 'variance' }>,
  weighted: boolean,
): CountedRows {
  const long = (sql: string) => cast(sql, dialect.longType)
  const product =
    noise === 'squares' ? `${long('y - p')} * (y - p)` : `${long('va_chance')} * (${ONE} - va_chance)`
  const weight = weighted ? cast('w', dialect.doubleType) : '1E0'
  const layers: Columns[] = [
    {
      va_square: `${weight} * ${weight} / ${doubleSql(2 ** shift)}`,
      va_chance: noise === 'squares' ? '0' : chanceSql(noise),
    },
    {
      o: `p + ${dialect.shiftRight(product, 24)}`,
      cw: `CASE WHEN va_square = 0E0 THEN ${long('0')} ELSE GREATEST(${long('1')}, ${roundSql(dialect, 'va_square')}) END`,
    },
  ]
  return { source: addColumns(source, ...layers), weight: 'cw' }
}

/** The last mixing of a 32-bit hash, as in MurmurHash3: of the number of a draw. */
function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
