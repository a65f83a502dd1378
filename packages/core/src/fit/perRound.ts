// Theorem 7.6, round by round: what the paper proves of new rows for each accepted update of Algorithm 1. With probability 1 - delta every
// loss on n rows is within xi of that of the population, for all predictors of the unrolled class; so a drop of the loss is at least
// as large there less 2 xi.
//
// The theorem also says that each update is within 2 xi + tau of the best clipped one. That is not stated: our oracles know their tau
// before clipping. Nor is anything where rounds were found by other rules than Algorithm 1: forests are no updates of the class.

import type { Trace } from '../boost/trace.ts'
import { areEqual } from '../certify/oneMean.ts'
import { paperAtRows } from '../certify/paperAtRows.ts'
import type { CompiledClass } from '../classes/compile.ts'
import { type Engine, FIT } from '../engine/engine.ts'

export interface RoundOnNewRows {
  readonly round: number
  /** Of the mean squared loss on the fitting rows. */
  readonly drop: number
  /** On new rows at least this much, which may be negative; absent where no deviation is supported. */
  readonly dropAtLeast?: number
}

export interface RoundsOnNewRows {
  /** n: the fitting rows. */
  readonly rows: number
  readonly confidence: number
  /** xi; absent where these rows support none that says anything. */
  readonly deviation?: number
  /** Rows from which on every drop that was accepted carries over to new rows; absent where these are enough, or no number is. */
  readonly rowsNeeded?: number
  /** Accepted rounds. */
  readonly rounds: readonly RoundOnNewRows[]
}

interface RunOptions {
  readonly bins: number
  readonly confidence: number
}

/** Undefined where rows are not alike, as with weights or ids: the theorem is about rows that are. */
export function roundsOnNewRows(
  { shape }: Pick<Engine, 'shape'>,
  compiled: CompiledClass,
  { rounds }: Trace,
  { bins, confidence }: RunOptions,
): RoundsOnNewRows | undefined {
  const units = shape.units[FIT]
  if (!areEqual(units)) return undefined
  const { count: rows } = units
  const accepted = rounds.filter(round => round.accepted)
  const ask = (tolerance: number) =>
    paperAtRows(compiled, { rows, bins, rounds: accepted.length, tolerance, confidence })
  // The bound that it states is sqrt(tolerance + 2 xi) + 1/K, rounded up; with a tolerance of 0 that says what xi is.
  const { bound } = ask(0)
  const deviation = bound === undefined ? undefined : (bound - 1 / bins) ** 2 / 2
  const smallest = Math.min(...accepted.map(({ drop }) => drop))
  // It falls below 1 where 2 xi is what this tolerance leaves: the smallest drop.
  const room = (1 - 1 / bins) ** 2 - smallest
  const rowsNeeded = accepted.length > 0 && smallest > 0 && room > 0 ? ask(room).rowsNeeded : undefined
  return {
    rows,
    confidence,
    ...(deviation !== undefined && { deviation }),
    ...(rowsNeeded !== undefined && { rowsNeeded }),
    rounds: accepted.map(({ drop, round }) => ({
      round,
      drop,
      ...(deviation !== undefined && { dropAtLeast: drop - 2 * deviation }),
    })),
  }
}
