// Which method to use, by a rule that is stated in docs/compare.md, in one sentence that hides no tie.

import type { ComparedMeasure } from '../audit/measures.ts'
import { formatNumber, joinWords } from '../common/text.ts'
import type { Estimate } from '../measures/score/scoredRows.ts'
import type { MeasuredScore } from './methodScores.ts'

/** What the rule looks at, of one method. */
export interface JudgedMethod {
  readonly method: string
  readonly measures: MeasuredScore
  /** To the base score: the method minus it. */
  readonly differences: MeasuredScore
}

export interface Recommendation {
  /** Simplest first; empty where no method beats the base score. */
  readonly methods: readonly string[]
  /** Methods that the interval cannot tell from the one with the lowest log loss, but that may be no better than the base score. */
  readonly unsure: readonly string[]
  /** Methods that lower the log loss and make one of the worst errors worse. */
  readonly harmful: readonly { readonly method: string; readonly measures: readonly ComparedMeasure[] }[]
  readonly sentence: string
}

interface RecommendOptions {
  readonly confidence: number
  /** Of the log loss of two methods: a minus b. */
  readonly difference: (a: string, b: string) => Estimate
  /** How simple a method is: the lowest number is the simplest. */
  readonly rank: (method: string) => number
}

const GUARDED = ['multicalibration', 'mceSigma'] as const satisfies ComparedMeasure[]

/** As sentences name them. */
const NAMES = { multicalibration: 'the worst K1', mceSigma: 'MCE' } as const

export function recommend(
  judged: readonly JudgedMethod[],
  { confidence, difference, rank }: RecommendOptions,
): Recommendation {
  const lowering = judged.filter(({ differences }) => (differences.logLoss?.high ?? 0) < 0)
  const harmful = lowering.flatMap(each => {
    const measures = GUARDED.filter(name => (each.differences[name]?.low ?? 0) > 0)
    return measures.length === 0 ? [] : [{ method: each.method, measures }]
  })
  const isHarmful = (method: string) => harmful.some(each => each.method === method)
  const good = lowering.filter(({ method }) => !isHarmful(method))
  const best = good.toSorted((a, b) => lossOf(a) - lossOf(b)).at(0)
  const level = percent(confidence)
  if (best === undefined) {
    return { methods: [], unsure: [], harmful, sentence: noneSentence(judged, harmful, level) }
  }
  const isTied = ({ method }: JudgedMethod) =>
    method === best.method || spansZero(difference(method, best.method))
  const bySimplicity = (a: JudgedMethod, b: JudgedMethod) => rank(a.method) - rank(b.method)
  const tied = good.filter(isTied).sort(bySimplicity)
  const unsure = judged
    .filter(each => !lowering.includes(each) && isTied(each))
    .sort(bySimplicity)
    .map(({ method }) => method)
  return {
    methods: tied.map(({ method }) => method),
    unsure,
    harmful,
    sentence: bestSentence(tied, best, unsure, level),
  }
}

const lossOf = ({ measures }: JudgedMethod): number => measures.logLoss!.value

/** The interval cannot tell the two apart. */
export const spansZero = ({ high, low }: Estimate): boolean => low <= 0 && high >= 0

const percent = (confidence: number): string => `${formatNumber(100 * confidence)} %`

function noneSentence(
  judged: readonly JudgedMethod[],
  harmful: Recommendation['harmful'],
  level: string,
): string {
  if (judged.length === 0) return 'No method could be fitted, so none can be recommended.'
  const who =
    judged.length === 1 ? `${judged[0].method} does not beat` : `None of the ${judged.length} methods beats`
  if (harmful.length === 0)
    return `${who} the base score: no ${level} interval of the difference in log loss lies below 0.`
  const harm = harmful.map(
    ({ measures, method }) => `${method} lowers log loss but worsens ${joinWords(measures.map(nameOf))}`,
  )
  return `${who} the base score: ${joinWords(harm)}, by the ${level} intervals.`
}

const nameOf = (measure: ComparedMeasure): string =>
  (NAMES as Partial<Record<ComparedMeasure, string>>)[measure]!

function bestSentence(
  tied: readonly JudgedMethod[],
  best: JudgedMethod,
  unsure: readonly string[],
  level: string,
): string {
  const [first, ...others] = tied
  const { high, low, value } = first.differences.logLoss!
  const drop = `log loss ${fixed(lossOf(first))}, ${fixed(-value)} below the base score (${level} interval ${fixed(-high)} to ${fixed(-low)})`
  const rest = others.map(({ method }) => method)
  const alike =
    rest.length === 0
      ? ''
      : `; its log loss cannot be told from that of ${joinWords(rest)}${first === best ? '' : ` (lowest: ${best.method}, ${fixed(lossOf(best))})`}, and it is the simplest`
  const either = rest.length === 0 ? '' : ' either'
  const doubt =
    unsure.length === 0
      ? ''
      : `; ${joinWords(unsure)} cannot be told from ${best.method}${either}, but may be no better than the base score`
  return `Use ${first.method}: ${drop}${alike}${doubt}.`
}

const fixed = (value: number): string => value.toFixed(4)
