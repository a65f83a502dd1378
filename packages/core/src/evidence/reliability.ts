// The data of reliability diagrams: on the scale of the score, and on the logit scale, where rare outcomes show.

import type { Bins } from '../measures/score/bins.ts'
import { type ReliabilityBin, reliabilityBins } from '../measures/score/ece.ts'
import type { ScoredRows } from '../measures/score/scoredRows.ts'
import type { Steps } from '../measures/score/steps.ts'
import type { Reliability } from './evidence.ts'

const HISTOGRAM_BINS = 50

/** Of the logit: scores from 0.0006 to 0.9994 lie in bins of their own, the rest in the outermost. */
const LOGIT_REACH = 7.5
const LOGIT_WIDTH = 0.75
const LOGIT_BINS = (2 * LOGIT_REACH) / LOGIT_WIDTH

/** Outcomes rarer than this crowd into the corner of a plain diagram. */
const RARE = 0.1

export function reliabilityOf(
  steps: Steps,
  { predictions }: ScoredRows,
  bins: readonly ReliabilityBin[],
  confidence: number,
): Reliability {
  const rate = steps.stepLabels.reduce((sum, labels) => sum + labels, 0) / steps.weight
  return {
    bins,
    logitBins: reliabilityBins(steps, logitBins(steps), confidence),
    rare: Math.min(rate, 1 - rate) < RARE,
    confidence,
    histogram: countScores(predictions),
  }
}

function logitBins({ predictions }: Steps): Bins {
  const ofStep = Uint32Array.from(predictions, score => {
    const place = Math.floor((Math.log(score / (1 - score)) + LOGIT_REACH) / LOGIT_WIDTH)
    return Math.max(0, Math.min(LOGIT_BINS - 1, place))
  })
  return { ofStep, count: LOGIT_BINS }
}

function countScores(scores: ArrayLike<number>): number[] {
  const counts = new Array<number>(HISTOGRAM_BINS).fill(0)
  for (let row = 0; row < scores.length; row++) counts[binAmong(scores[row], HISTOGRAM_BINS)]++
  return counts
}

/** The equally wide bin of [0,1] that holds a score. */
export const binAmong = (score: number, bins: number): number => Math.min(bins - 1, Math.floor(score * bins))
