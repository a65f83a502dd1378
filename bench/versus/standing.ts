// Where ours stands: against MCGrad, case by case, and where any peer is better than ours beyond the interval.

import type { Estimate } from '@featureboost/core'
import type { Cost, MethodSummary, Summary } from './results.ts'
import { MEASURES, type Measure } from './score.ts'

/** What ours must not be worse in, beyond the interval. */
const AGAINST_MCGRAD = ['logLoss', 'brier', 'mceSigma', 'worstK1'] as const satisfies Measure[]
const AGAINST_OTHERS = ['worstK1', 'brier'] as const satisfies Measure[]

const RIVAL = 'mcgrad'
/** The floor, which no method is to beat. */
const TRUTH = 'truth'

export const RIVAL_MEASURES: readonly Measure[] = AGAINST_MCGRAD

export interface Standing {
  readonly data: string
  readonly base: string
  readonly calibrationRows: number
  /** Fit time of MCGrad over that of ours, by the clock and in seconds of all threads; undefined where one has none. */
  readonly timesFaster: number | undefined
  readonly timesLessWork: number | undefined
  /** Ours minus MCGrad. */
  readonly differences: Readonly<Record<Measure, Estimate>>
}

/** Ours with its defaults and with every other setting that was run, in the order of the run. */
export const oursIn = (summaries: readonly Summary[]): string[] => [
  ...new Set(summaries.flatMap(({ ours }) => Object.keys(ours))),
]

/** One line for each case that both were run on. */
export function standingsOf(summaries: readonly Summary[], ours: string): Standing[] {
  return summaries.flatMap(({ base, calibrationRows, data, methods, ours: found }) => {
    const differences = found[ours]?.[RIVAL]
    if (differences === undefined) return []
    const [theirs, our] = [costOf(methods[RIVAL]), costOf(methods[ours])]
    const timesFaster = ratioOf(theirs?.fit, our?.fit)
    const timesLessWork = ratioOf(theirs?.fitCpu, our?.fitCpu)
    return [{ data, base, calibrationRows, timesFaster, timesLessWork, differences }]
  })
}

export interface Average {
  /** Geometric means. */
  readonly timesFaster: number
  readonly timesLessWork: number
  /** Means over cases in which the difference is finite. */
  readonly differences: Readonly<Record<Measure, number>>
}

export function averageOf(standings: readonly Standing[]): Average {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const known = (values: readonly (number | undefined)[]) => values.filter(value => value !== undefined)
  const geometric = (values: readonly number[]) => Math.exp(mean(values.map(Math.log)))
  const differences = MEASURES.map(measure => {
    const values = standings.map(each => each.differences[measure].value)
    return [measure, mean(values.filter(Number.isFinite))] as const
  })
  return {
    timesFaster: geometric(known(standings.map(each => each.timesFaster))),
    timesLessWork: geometric(known(standings.map(each => each.timesLessWork))),
    differences: Object.fromEntries(differences) as Record<Measure, number>,
  }
}

const costOf = (method: MethodSummary | undefined): Cost | undefined =>
  method === undefined || 'failed' in method ? undefined : method.cost

const ratioOf = (top: number | undefined, bottom: number | undefined): number | undefined =>
  top === undefined || bottom === undefined ? undefined : top / bottom

export interface Worse {
  readonly data: string
  readonly base: string
  readonly calibrationRows: number
  readonly other: string
  readonly measure: Measure
  readonly difference: Estimate
}

/** Every case, peer and measure where the whole interval of the difference speaks against ours. */
export function findWorse(summaries: readonly Summary[], ours: string): Worse[] {
  return summaries.flatMap(({ base, calibrationRows, data, ours: found }) =>
    Object.entries(found[ours] ?? {}).flatMap(([other, differences]) => {
      if (other === TRUTH || other.startsWith('ours')) return []
      const measures: readonly Measure[] = other === RIVAL ? AGAINST_MCGRAD : AGAINST_OTHERS
      return measures
        .filter(measure => differences[measure].low > 0)
        .map(measure => ({ data, base, calibrationRows, other, measure, difference: differences[measure] }))
    }),
  )
}

/** Cases where ours is worse than the base score it was given, which it must never be. */
export function findHarm(summaries: readonly Summary[], ours: string): Worse[] {
  return summaries.flatMap(({ base, calibrationRows, data, methods }) => {
    const method = methods[ours]
    if (method === undefined || 'failed' in method || method.againstBase === undefined) return []
    const { againstBase } = method
    return AGAINST_MCGRAD.filter(measure => againstBase[measure].low > 0).map(measure => ({
      data,
      base,
      calibrationRows,
      other: 'base',
      measure,
      difference: againstBase[measure],
    }))
  })
}
