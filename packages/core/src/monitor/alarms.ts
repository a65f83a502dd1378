// Which claims are refused, at all times and of all of them together: the chance that any true one is ever refused is at most delta.
// Weighted averages of e-values test any set of claims together; a claim is refused where every set that holds it is (closed testing, as
// Vovk and Wang 2021 have it for e-values). The worst of these sets takes along all claims whose own e-value is below 1/delta.

import { expOfStep, lnOf, MAX_STEP } from '../common/logistic.ts'
import { ONE } from '../common/units.ts'
import { LOG_ONE } from './bets.ts'

export interface Claim {
  /** All weights together come to at most 1. */
  readonly weight: number
  /** The logarithm of its e-value, in units of 2^-20. */
  readonly evidence: number
}

export interface Refused {
  /** Is one of the claims refused, whichever it may be? */
  readonly any: boolean
  /** For each claim. */
  readonly each: readonly boolean[]
}

/** What additions of many doubles may be off by. */
const SPARE = 1e-9

export function refuse(claims: readonly Claim[], delta: number): Refused {
  const threshold = lnOf(delta)
  const times = claims.map(({ evidence }) => {
    const step = (evidence / LOG_ONE + threshold) * ONE
    return step < -MAX_STEP ? 0 : expOfStep(Math.min(MAX_STEP, step))
  })
  let [total, lacking] = [0, 0]
  for (const [index, { weight }] of claims.entries()) {
    total += weight * times[index]
    if (times[index] < 1) lacking += weight * (1 - times[index])
  }
  return {
    any: total >= 1 + SPARE,
    each: claims.map(
      ({ weight }, index) => times[index] > 1 && weight * (times[index] - 1) >= lacking + SPARE,
    ),
  }
}
