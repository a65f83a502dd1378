// The one scorer: every method's predictions of the test rows, measured alike, and any two of them compared in pairs.

import { compareMeasures, type Estimate, makeTable, type ScoredRows, scoreMeasures } from '@featureboost/core'
import type { Comparisons } from '@featureboost/core/internal'
import type { SegmentColumn } from '../../packages/core/src/measures/score/segments.ts'
import { type CaseFacts, type Part, readyColumns } from './arrays.ts'
import { differenceOf, type RedrawnError, redrawnDifference, type WorstSum } from './spread.ts'
import { worstSegment } from './worstSegment.ts'
import { worstTrees } from './worstTrees.ts'

/** In the order of the tables. Lower is better, but for auc. */
export const MEASURES = ['logLoss', 'brier', 'auc', 'ece', 'worstK1', 'levelSet', 'mceSigma'] as const
export type Measure = (typeof MEASURES)[number]

export type Differences = Readonly<Record<Measure, Estimate>>

/** A method's predictions with what takes long to find. */
export interface Scored {
  readonly predictions: Float64Array
  readonly values: Readonly<Record<Measure, number>>
  readonly worst: { readonly worstK1: WorstSum; readonly levelSet: WorstSum; readonly mceSigma: RedrawnError }
}

export interface Scorer {
  score(predictions: Float64Array): Promise<Scored>
  /** a minus b, with 95 % intervals from pairs of rows. */
  compare(a: Scored, b: Scored): Differences
}

// The names of the two cannot meet those of columns.
const [LABEL, SCORE] = [' label', ' score']

/** `test` are the test rows of a case. */
export function makeScorer({ features }: CaseFacts, { columns, label }: Part, threads: number): Scorer {
  const ready = readyColumns(features, columns)
  const segments = features.map(({ categories, name }, index): SegmentColumn => {
    if (categories === undefined) return { name, numbers: columns[index] }
    return { name, categories: Array.from(columns[index], code => categories[code] ?? null) }
  })
  const rowsOf = (predictions: Float64Array): ScoredRows => ({ predictions, labels: label })
  return {
    async score(predictions) {
      checkPredictions(predictions, label.length)
      const table = makeTable({ ...ready, [LABEL]: label, [SCORE]: predictions })
      const rows = { table, label: LABEL, score: SCORE, labels: label, predictions }
      const { levelSet, multicalibration } = await worstTrees(rows, threads)
      const worst = { worstK1: multicalibration, levelSet, mceSigma: worstSegment(rows, segments) }
      const { auc, brier, eceWidth, logLoss } = scoreMeasures(rowsOf(predictions))
      return {
        predictions,
        worst,
        values: {
          logLoss: logLoss.value,
          brier: brier.value,
          auc: auc?.value ?? Number.NaN,
          ece: eceWidth.value,
          worstK1: worst.worstK1.value,
          levelSet: worst.levelSet.value,
          mceSigma: worst.mceSigma.value,
        },
      }
    },
    compare(a, b) {
      const found = compareMeasures(rowsOf(a.predictions), rowsOf(b.predictions))
      const paired = (name: keyof Comparisons) => found[name]?.difference ?? UNKNOWN
      return {
        logLoss: paired('logLoss'),
        brier: paired('brier'),
        auc: paired('auc'),
        ece: paired('eceWidth'),
        worstK1: differenceOf(a.worst.worstK1, b.worst.worstK1),
        levelSet: differenceOf(a.worst.levelSet, b.worst.levelSet),
        mceSigma: redrawnDifference(a.worst.mceSigma, b.worst.mceSigma),
      }
    },
  }
}

const UNKNOWN: Estimate = { value: Number.NaN, low: Number.NaN, high: Number.NaN }

/** What a method answered is checked before it is scored: a peer may answer NaN for rows it does not take. */
function checkPredictions(predictions: Float64Array, rowCount: number): void {
  if (predictions.length !== rowCount) {
    throw new Error(`${predictions.length} predictions for ${rowCount} test rows`)
  }
  const odd = predictions.findIndex(value => !(value >= 0 && value <= 1))
  if (odd >= 0) throw new Error(`the prediction of test row ${odd + 1} is ${predictions[odd]}`)
}
