// The measures of a score, and of two scores, by name: which there are, in which order, and which way is better.

import type { WorstErrors } from '../certify/worstErrors.ts'
import type { Comparison, Comparisons } from '../measures/score/compare.ts'
import type { MulticalibrationError } from '../measures/score/mce.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import type { ScoreMeasures } from '../measures/score/scoreMeasures.ts'

/** What an audit measures. */
export interface Measurements extends WorstErrors {
  readonly measures: ScoreMeasures
  readonly mce?: Pick<MulticalibrationError, 'value'>
}

export interface NamedEstimate {
  readonly name: string
  /** Of the JSON documents. */
  readonly key: string
  readonly estimate: Estimate
  /** Is less better? */
  readonly falls: boolean
}

export function measuresOf(found: Measurements): NamedEstimate[] {
  const { measures } = found
  const list: [name: string, key: string, estimate: Estimate | undefined][] = [
    ['Brier score', 'brier', measures.brier],
    ['log loss', 'logLoss', measures.logLoss],
    ['AUC', 'auc', measures.auc],
    ['ECE, equal width', 'ece', measures.eceWidth],
    ['smooth ECE', 'smoothEce', measures.smoothEce],
    ['multiaccuracy error', 'multiaccuracy', found.multiaccuracy],
    ['multicalibration error', 'multicalibration', found.multicalibration],
    ['level-set error', 'levelSet', found.levelSet],
    ['MCE', 'mce', found.mce?.value],
  ]
  return list.flatMap(([name, key, estimate]) =>
    estimate === undefined ? [] : [{ name, key, estimate, falls: key !== 'auc' }],
  )
}

/** A measure before and after, with after minus before. */
export interface MeasureChange {
  readonly name: string
  readonly key: string
  readonly before: Estimate
  readonly after: Estimate
  readonly change: Estimate
  /** What the interval of the change says. */
  readonly judged: 'better' | 'worse' | 'unclear'
}

export function judge({ high, low }: Estimate, falls: boolean): MeasureChange['judged'] {
  if (low <= 0 && high >= 0) return 'unclear'
  return high < 0 === falls ? 'better' : 'worse'
}

/** Two audits of the same rows, and the differences of their measures: a minus b. */
export interface ComparedMeasurements {
  readonly a: Measurements
  readonly b: Measurements
  readonly measures: Comparisons
  readonly worst: Readonly<Record<keyof WorstErrors, Comparison>>
}

export function changesOf({ a, b, measures, worst }: ComparedMeasurements): MeasureChange[] {
  const compared: Record<string, Comparison | undefined> = { ...measures, ...worst, ece: measures.eceWidth }
  const after = new Map(measuresOf(b).map(({ estimate, key }) => [key, estimate]))
  return measuresOf(a).flatMap(({ estimate, falls, key, name }) => {
    const difference = compared[key]?.difference
    const other = after.get(key)
    if (difference === undefined || other === undefined) return []
    const change = negated(difference)
    return [{ name, key, before: estimate, after: other, change, judged: judge(change, falls) }]
  })
}

const negated = ({ high, low, value }: Estimate): Estimate => ({ value: -value, low: -high, high: -low })

/** Some estimates carry more than they are asked for. */
export const plainEstimate = ({ high, low, value }: Estimate): Estimate => ({ value, low, high })
