// Gates: what an audit may find at most, so that a pipeline can stop at it.

import type { Audit } from '@featureboost/core'
import {
  allSurelyOff,
  formatBound,
  formatNumber,
  gravest,
  type OffGroup,
  sureGap,
} from '@featureboost/core/internal'
import { formatMeasure } from '../terminal/measures.ts'

export interface Gate {
  readonly measure: 'multicalibration' | 'findings' | 'gap'
  readonly limit: number
  readonly value: number
  readonly passed: boolean
  readonly sentence: string
}

export interface GateOptions {
  /** The multicalibration error is no more than this. */
  readonly failOver?: number
  /** No group is surely off. */
  readonly failOnFinding?: boolean
  /** No group is surely off by more than this. */
  readonly maxGap?: number
}

export function gatesOf(found: Audit, { failOnFinding, failOver, maxGap }: GateOptions): Gate[] {
  const off = allSurelyOff(found)
  return [
    ...(failOver === undefined ? [] : [errorGate(found, failOver)]),
    ...(failOnFinding ? [findingGate(found, off)] : []),
    ...(maxGap === undefined ? [] : [gapGate(gravest(found), maxGap)]),
  ]
}

/**
 * What no auditor exceeds on these rows: the worst error itself where it was found exactly, else its bound. A maximum over groups, it
 * is too large on average, the more so the fewer the rows.
 */
function errorGate({ multicalibration: { atMost, value } }: Audit, limit: number): Gate {
  const passed = atMost <= limit
  const found =
    value < atMost
      ? `The multicalibration error is at least ${formatMeasure(value)} and at most ${formatBound(atMost, 4)} on these rows; what it can be at most`
      : `The multicalibration error ${formatMeasure(value)}, exact on these rows,`
  const sentence = `${found} is ${passed ? 'within' : 'over'} ${limit}.`
  return { measure: 'multicalibration', limit, value: atMost, passed, sentence }
}

function findingGate({ worst }: Audit, off: readonly OffGroup[]): Gate {
  const value = off.length
  const least = value > 0 && value >= worst.length ? 'at least ' : ''
  const sentence =
    value === 0
      ? 'No group is surely off.'
      : `${least}${value} ${value === 1 ? 'group is' : 'groups are'} surely off, the first being ${off[0].group}.`
  return { measure: 'findings', limit: 0, value, passed: value === 0, sentence: capital(sentence) }
}

/** By the near end of the interval: so much it is off at least. */
function gapGate(worst: OffGroup | undefined, limit: number): Gate {
  const value = worst === undefined ? 0 : sureGap(worst)
  const passed = value <= limit
  const sentence = passed
    ? `No group is surely off by more than ${limit}.`
    : `${worst!.group} is off by ${formatNumber(value, 2)} at least, which is more than ${limit}.`
  return { measure: 'gap', limit, value, passed, sentence }
}

const capital = (sentence: string): string => `${sentence[0].toUpperCase()}${sentence.slice(1)}`
