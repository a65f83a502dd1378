// Bounds of predicates: numbers, or dates and times as people write them.

import { FeatureBoostError } from '../common/errors.ts'
import { showValue } from '../data/column.ts'
import { formatTime, parseClock, parseMoment, type TimeKind } from '../data/times.ts'
import type { NumericSchema } from '../quantize/schema.ts'
import type { Bound } from './auditors.ts'

/** As a number of the column. */
export function boundOf(bound: Bound, column: string): number {
  if (typeof bound === 'number') return bound
  const parsed = parseMoment(bound) ?? parseClock(bound)
  if (parsed !== undefined) return parsed
  throw new FeatureBoostError('FB_OPTION_VALUE', `a condition tests against ${showValue(bound)}.`, {
    column,
    found: bound,
    expected: 'a number, or a date or time such as 2024-06-14, 2024-06-14 12:30:00 or 12:30:00',
  })
}

/**
 * A cut of a column of times, as the last value that is not above it: dates are whole days, moments have at most millionths of a
 * second.
 */
export function timeBound(cut: number, kind: TimeKind): string {
  if (kind === 'date') return formatTime(Math.floor(cut), kind)
  const step = kind === 'time' ? 1e6 : 86_400e6
  const micros = Math.floor(cut * step)
  // The product is rounded: the value may be a neighbour.
  const last = [2, 1, 0, -1, -2].map(by => micros + by).find(each => each / step <= cut) ?? micros
  return formatTime(last / step, kind)
}

/** The first and the last whole number within neighbouring bins; absent at an open end. */
export interface WholeBounds {
  readonly low?: number
  readonly high?: number
}

/** Of a column of whole numbers, but for a threshold that somebody declared with a fraction, or as "less than". */
export function wholeBounds(
  { cuts, whole }: NumericSchema,
  bins: readonly number[],
): WholeBounds | undefined {
  if (!whole) return undefined
  const [first, last] = [bins[0], bins[bins.length - 1]]
  const [below, upTo] = [cuts[first - 1], cuts[last]]
  const low = below === undefined ? undefined : Math.floor(below) + 1
  const high = upTo === undefined ? undefined : Math.floor(upTo)
  const isPlain = [below, upTo].every(cut => cut === undefined || Number.isInteger(cut))
  if (!isPlain && low !== high) return undefined
  return { ...(low !== undefined && { low }), ...(high !== undefined && { high }) }
}
