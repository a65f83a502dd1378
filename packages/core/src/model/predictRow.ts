// The corrected probability of one row: what a model means, without kernels. Models that are exported to JavaScript are this file and
// what it imports, so what it uses is small.

import { FeatureBoostError } from '../common/errors.ts'
import { fromUnits, ONE, toUnits } from '../common/units.ts'
import type { StartKind } from '../data/roles.ts'
import { probabilityOf, SCORE_WORDS } from '../data/scoreScale.ts'
import { type Encoding, makeRoom, makeRowEncoder } from '../quantize/encoding.ts'
import { binCount } from '../quantize/schema.ts'
import type { Row, RowFunctions } from '../quantize/signals.ts'
import { type Rounding, roundUnits } from '../round/discretize.ts'
import { makeMover } from '../update/move.ts'
import type { Update } from '../update/update.ts'

/** What of a model's data predicts. */
export interface ScoringData {
  readonly start: StartKind
  readonly encoding: Encoding
  readonly updates: readonly Update[]
}

export function makeRowPredictor(
  { encoding, start, updates }: ScoringData,
  functions: RowFunctions,
  rounding?: Rounding,
): (row: Row) => number {
  const binCounts = encoding.features.map(binCount)
  const movers = updates.map(update => makeMover(update, binCounts))
  const encodeRow = makeRowEncoder(encoding, functions)
  const single = makeRoom(encoding, 1)
  return row => {
    encodeRow(row, single, 0)
    let prediction = startOfRow(start, row)
    for (const move of movers) prediction = move(single.bins, single.signals, 0, prediction)
    return fromUnits(rounding === undefined ? prediction : roundUnits(rounding, prediction))
  }
}

/** Where the prediction of one row starts, in units. */
export function startOfRow(start: StartKind, row: Row): number {
  if (start.kind === 'constant') return start.units
  const value = Object.hasOwn(row, start.column) ? row[start.column] : null
  const { column, scale = 'probability' } = start
  if (typeof value === 'boolean' && scale === 'probability') return value ? ONE : 0
  const score = typeof value === 'number' && Number.isFinite(value) ? probabilityOf(value, scale) : undefined
  // Adding 0 makes -0 equal to 0, as it is in a table.
  if (score !== undefined) return toUnits(score) + 0
  const missing = value === null || value === undefined || Number.isNaN(value)
  throw new FeatureBoostError(
    missing ? 'FB_MISSING_VALUE' : 'FB_PREDICTION_RANGE',
    missing ? 'the score to correct is missing.' : `${String(value)} is not a ${SCORE_WORDS[scale].name}.`,
    { column, found: value, expected: SCORE_WORDS[scale].range },
  )
}
