// The measures of an audit, in one table: their keys and names, which way is better, and where they are found. The terminal, JSON
// documents, `audit --baseline`, comparisons of methods, reports and the page go by it.

import type { WorstErrors } from '../certify/worstErrors.ts'
import type { Comparison, Comparisons } from '../measures/score/compare.ts'
import type { MulticalibrationError } from '../measures/score/mce.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import type { ScoreMeasures } from '../measures/score/scoreMeasures.ts'
import type { ScoreMeasureName } from '../measures/score/table.ts'

/** Of one score alone, of the worst of a class of auditors, or MCGrad's over segments. */
type Place =
  | { readonly score: ScoreMeasureName }
  | { readonly worst: keyof WorstErrors }
  | { readonly mce: 'value' | 'sigma' }

interface MeasureSpec {
  readonly name: string
  readonly at: Place
  /** Is more better? Absent: less is. */
  readonly rises?: true
  /** Is it one of those that are shown? The others are in the JSON document. */
  readonly shown?: true
  /** An error of calibration: those share an axis. */
  readonly isError?: true
  /** May it be missing, of labels that are all alike or where it was not asked for? */
  readonly optional?: true
  /** In a comparison of methods. */
  readonly compared?: ComparedSpec
}

interface ComparedSpec {
  /** From the left. */
  readonly place: number
  /** Where it is another than the measure's own. */
  readonly name?: string
  readonly short: string
  readonly digits: number
  /** How soon its column is left out where lines would be too long. */
  readonly spare?: number
}

/** In the order of lists. Keys are those of JSON documents: they may be added to, not renamed. */
export const MEASURES = {
  brier: {
    name: 'Brier score',
    at: { score: 'brier' },
    shown: true,
    compared: { place: 2, short: 'Brier', digits: 4, spare: 2 },
  },
  logLoss: {
    name: 'log loss',
    at: { score: 'logLoss' },
    shown: true,
    compared: { place: 1, short: 'log loss', digits: 4 },
  },
  auc: {
    name: 'AUC',
    at: { score: 'auc' },
    rises: true,
    shown: true,
    optional: true,
    compared: { place: 3, short: 'AUC', digits: 4, spare: 1 },
  },
  prAuc: { name: 'PR-AUC', at: { score: 'prAuc' }, rises: true, optional: true },
  ece: {
    name: 'ECE, equal width',
    at: { score: 'eceWidth' },
    shown: true,
    isError: true,
    compared: { place: 4, name: 'ECE', short: 'ECE', digits: 4, spare: 1 },
  },
  eceMass: { name: 'ECE, equal mass', at: { score: 'eceMass' }, isError: true },
  smoothEce: { name: 'smooth ECE', at: { score: 'smoothEce' }, shown: true, isError: true },
  smoothCalibration: {
    name: 'smooth calibration error',
    at: { score: 'smoothCalibration' },
    shown: true,
    isError: true,
  },
  ecce: { name: 'ECCE', at: { score: 'ecce' }, isError: true },
  multiaccuracy: {
    name: 'multiaccuracy error',
    at: { worst: 'multiaccuracy' },
    shown: true,
    isError: true,
  },
  multicalibration: {
    name: 'multicalibration error',
    at: { worst: 'multicalibration' },
    shown: true,
    isError: true,
    compared: { place: 5, short: 'worst K1', digits: 4 },
  },
  levelSet: {
    name: 'level-set error',
    at: { worst: 'levelSet' },
    shown: true,
    isError: true,
    compared: { place: 6, short: 'level sets', digits: 4, spare: 3 },
  },
  swapRegret: { name: 'swap regret', at: { worst: 'swapRegret' } },
  mce: { name: 'MCE', at: { mce: 'value' }, shown: true, isError: true, optional: true },
  mceSigma: {
    name: 'MCE, in sigmas',
    at: { mce: 'sigma' },
    optional: true,
    compared: { place: 7, short: 'MCE sigma', digits: 2 },
  },
} as const satisfies Readonly<Record<string, MeasureSpec>>

export type MeasureKey = keyof typeof MEASURES

/** Those that methods are compared by. */
export type ComparedMeasure = {
  [Key in MeasureKey]: (typeof MEASURES)[Key] extends { readonly compared: ComparedSpec } ? Key : never
}[MeasureKey]

export const measureOf = (key: MeasureKey): MeasureSpec => MEASURES[key]

export const comparedOf = (key: ComparedMeasure): ComparedSpec => MEASURES[key].compared

const KEYS = Object.keys(MEASURES) as MeasureKey[]

export const SHOWN_MEASURES: readonly MeasureKey[] = KEYS.filter(key => measureOf(key).shown)

/** In the order of tables. */
export const COMPARED_MEASURES: readonly ComparedMeasure[] = KEYS.filter(
  (key): key is ComparedMeasure => measureOf(key).compared !== undefined,
).sort((a, b) => comparedOf(a).place - comparedOf(b).place)

/** What an audit measures. */
interface Measurements extends WorstErrors {
  readonly measures: ScoreMeasures
  readonly mce?: Pick<MulticalibrationError, 'value' | 'sigma'>
}

/** What an audit found of it, as it is. */
export function findMeasure(key: MeasureKey, found: Measurements): Estimate | undefined {
  const { at } = measureOf(key)
  if ('score' in at) return found.measures[at.score]
  return 'worst' in at ? found[at.worst] : found.mce?.[at.mce]
}

export interface NamedEstimate {
  readonly name: string
  readonly key: MeasureKey
  readonly estimate: Estimate
  /** Is less better? */
  readonly falls: boolean
}

export function measuresOf(found: Measurements): NamedEstimate[] {
  return SHOWN_MEASURES.flatMap(key => {
    const estimate = findMeasure(key, found)
    const { name, rises } = measureOf(key)
    return estimate === undefined ? [] : [{ name, key, estimate, falls: rises !== true }]
  })
}

/** A measure before and after, with after minus before. */
export interface MeasureChange {
  readonly name: string
  readonly key: MeasureKey
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
interface ComparedMeasurements {
  readonly a: Measurements
  readonly b: Measurements
  readonly measures: Comparisons
  readonly worst: Readonly<Record<keyof WorstErrors, Comparison>>
}

export function changesOf(compared: ComparedMeasurements): MeasureChange[] {
  return SHOWN_MEASURES.flatMap(key => {
    const [before, after] = [findMeasure(key, compared.a), findMeasure(key, compared.b)]
    const difference = findDifference(key, compared)
    if (before === undefined || after === undefined || difference === undefined) return []
    const { name, rises } = measureOf(key)
    const change = negated(difference)
    return [{ name, key, before, after, change, judged: judge(change, rises !== true) }]
  })
}

/** The differences of MCE are no more than what both intervals leave, and are not shown. */
function findDifference(key: MeasureKey, { measures, worst }: ComparedMeasurements): Estimate | undefined {
  const { at } = measureOf(key)
  if ('score' in at) return measures[at.score]?.difference
  return 'worst' in at ? worst[at.worst].difference : undefined
}

const negated = ({ high, low, value }: Estimate): Estimate => ({ value: -value, low: -high, high: -low })

/** Some estimates carry more than they are asked for. */
export const plainEstimate = ({ high, low, value }: Estimate): Estimate => ({ value, low, high })
