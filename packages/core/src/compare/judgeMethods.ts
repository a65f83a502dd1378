// What methods predicted for rows they have not seen, measured and compared: with the base score, and with the best of each
// measure; and which of them to use.

import { COMPARED_MEASURES, type ComparedMeasure } from '../audit/measures.ts'
import type { CancelSignal } from '../common/cancel.ts'
import { takeTurn } from '../common/turn.ts'
import { type Method, SIMPLEST_FIRST } from '../options/options.ts'
import type { CompareSettings } from './compareOptions.ts'
import type { BoardedScore, MeasuredScore, ScoreBoard } from './methodScores.ts'
import type { MethodFailure, OutOfFold } from './outOfFold.ts'
import { type JudgedMethod, type Recommendation, recommend, spansZero } from './recommend.ts'

/** The name of the score that was given, where it stands among methods. */
const BASE = 'base'

export interface ComparedMethod extends JudgedMethod {
  readonly method: Method
  /** Of all folds together, without loading the rows, which methods share, and without a certificate. */
  readonly fitSeconds: number
  /** Of every row once. */
  readonly predictSeconds: number
}

export interface BestOfMeasure {
  /** A method, or 'base'. */
  readonly best: string
  /** Those that the interval of the difference cannot tell from it. */
  readonly ties: readonly string[]
}

export interface JudgedMethods {
  /** Intervals of the worst errors and of MCE have half the doubt of the others, and hold for all groups at once. */
  readonly base: MeasuredScore
  /** Lowest log loss first. */
  readonly methods: readonly ComparedMethod[]
  readonly failed: readonly (MethodFailure & { readonly method: Method })[]
  readonly best: Readonly<Partial<Record<ComparedMeasure, BestOfMeasure>>>
  readonly recommendation: Recommendation
}

export async function judgeMethods(
  board: ScoreBoard,
  predicted: ReadonlyMap<Method, OutOfFold | MethodFailure>,
  { confidence, folds, onStep }: CompareSettings,
  signal: CancelSignal | undefined,
): Promise<JudgedMethods> {
  const outcomes = [...predicted]
  const failed = outcomes.flatMap(([method, found]) => ('code' in found ? [{ method, ...found }] : []))
  const done = outcomes.flatMap(([method, found]) => ('code' in found ? [] : [{ method, ...found }]))
  const scores = new Map<string, BoardedScore>()
  const measured = new Map<string, MeasuredScore>()
  const methods: ComparedMethod[] = []
  for (const [index, each] of [undefined, ...done].entries()) {
    const method = each?.method ?? BASE
    const place = { method, methodNumber: index + 1, methodCount: done.length + 1 }
    onStep({ step: 'scoring', ...place, foldCount: folds })
    await takeTurn(signal, 'the comparison')
    const score = await board.add(each?.predictions)
    scores.set(method, score)
    const compared = board.compare(score, scores.get(BASE)!)
    measured.set(method, compared.measures)
    if (each === undefined) continue
    const { fitSeconds, predictSeconds } = each
    methods.push({ method: each.method, ...compared, fitSeconds, predictSeconds })
  }
  methods.sort((a, b) => a.measures.logLoss!.value - b.measures.logLoss!.value)
  const best = await findBest(board, scores, measured, signal)
  const recommendation = recommend(methods, {
    confidence,
    difference: (a, b) => board.compare(scores.get(a)!, scores.get(b)!, ['logLoss']).differences.logLoss!,
    rank: simplicityOf,
  })
  return { base: measured.get(BASE)!, methods, failed, best, recommendation }
}

/** Methods that nobody has placed yet come last. */
function simplicityOf(method: string): number {
  const place = SIMPLEST_FIRST.indexOf(method)
  return place < 0 ? SIMPLEST_FIRST.length : place
}

/** Two scores are put in pairs once for all measures in which the first is best. */
async function findBest(
  board: ScoreBoard,
  scores: ReadonlyMap<string, BoardedScore>,
  measured: ReadonlyMap<string, MeasuredScore>,
  signal: CancelSignal | undefined,
): Promise<JudgedMethods['best']> {
  const names = [...measured.keys()]
  const bests = COMPARED_MEASURES.flatMap(measure => {
    const best = bestIn(measure, measured)
    return best === undefined ? [] : [{ measure, best, ties: [] as string[] }]
  })
  for (const best of new Set(bests.map(each => each.best))) {
    const its = bests.filter(each => each.best === best)
    for (const other of names.filter(name => name !== best)) {
      await takeTurn(signal, 'the comparison')
      const measures = its.map(({ measure }) => measure)
      const { differences } = board.compare(scores.get(best)!, scores.get(other)!, measures)
      for (const { measure, ties } of its) if (spansZero(differences[measure]!)) ties.push(other)
    }
  }
  return Object.fromEntries(bests.map(({ best, measure, ties }) => [measure, { best, ties }]))
}

/** The first with the best value. */
function bestIn(measure: ComparedMeasure, measured: ReadonlyMap<string, MeasuredScore>): string | undefined {
  const sign = measure === 'auc' ? -1 : 1
  let [found, least] = [undefined as string | undefined, Number.POSITIVE_INFINITY]
  for (const [name, { [measure]: estimate }] of measured) {
    if (estimate === undefined || sign * estimate.value >= least) continue
    found = name
    least = sign * estimate.value
  }
  return found
}
