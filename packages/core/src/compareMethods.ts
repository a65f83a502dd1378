// compareMethods: which method corrects this score best, on these rows? Each fold is predicted by fits to the others, so no
// method is judged on rows it has seen; all predictions are measured alike, and differences have paired intervals.

import type { AuditSettings } from './auditSettings.ts'
import { type CancelSignal, throwIfCancelled } from './common/cancel.ts'
import { seconds } from './common/clock.ts'
import { type CompareOptions, type CompareSettings, readCompareSettings } from './compareOptions.ts'
import { checkDealt, dealRows } from './data/deal.ts'
import { holdTable } from './data/hold.ts'
import { resolveRoles } from './data/resolve.ts'
import { assignRoles, checkRowCount } from './data/roles.ts'
import type { TableSource } from './data/source.ts'
import type { Table } from './data/table.ts'
import {
  type BoardedScore,
  COMPARED_MEASURES,
  type ComparedMeasure,
  type MeasuredScore,
  ScoreBoard,
} from './methodScores.ts'
import { type Method, SIMPLEST_FIRST } from './options.ts'
import { type MethodFailure, type OutOfFold, predictOutOfFold } from './outOfFold.ts'
import { type JudgedMethod, type Recommendation, recommend, spansZero } from './recommend.ts'
import type { FitOptions } from './settings.ts'
import { Trials } from './trials.ts'

/** The name of the score that was given, where it stands among methods. */
export const BASE = 'base'

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

/** Plain data, fit for JSON; numbers without bound, such as the log loss of a sure and wrong score, become null there. */
export interface MethodComparison {
  readonly rows: number
  readonly label: string
  readonly score: string
  readonly folds: number
  readonly seed: number
  readonly confidence: number
  /** What was searched for the worst errors, in words, and at how many levels of the score. */
  readonly auditors: string
  readonly bins: number
  /** Intervals of the worst errors have half the doubt of the others. */
  readonly base: MeasuredScore
  /** Lowest log loss first. */
  readonly methods: readonly ComparedMethod[]
  readonly failed: readonly (MethodFailure & { readonly method: Method })[]
  readonly best: Readonly<Partial<Record<ComparedMeasure, BestOfMeasure>>>
  readonly recommendation: Recommendation
  readonly seconds: { readonly fitting: number; readonly scoring: number; readonly total: number }
}

/** Rows that come in chunks are kept in memory. */
export async function compareMethods(
  rows: Table | TableSource,
  options: CompareOptions,
): Promise<MethodComparison> {
  const started = seconds()
  const settings = readCompareSettings(options)
  const { audit, fold, table } = dealTable(await holdTable(rows, options.signal), settings)
  const board = await ScoreBoard.open(table, audit, settings.confidence)
  const { folds, methods } = settings
  const predicted = await predictOutOfFold(table, {
    methods,
    fold,
    foldCount: folds,
    open: others => new Trials(others, method => fitOptions(method, audit, settings, options)),
    onFit: (method, index) => {
      throwIfCancelled(options.signal, 'the comparison')
      const place = { method, methodNumber: methods.indexOf(method) + 1, methodCount: methods.length }
      settings.onStep({ step: 'fitting', ...place, fold: index + 1, foldCount: folds })
    },
  })
  const fitted = seconds()
  const scored = await scoreMethods(board, predicted, settings, options.signal)
  const ended = seconds()
  return {
    rows: table.rowCount,
    label: options.label,
    score: options.prediction,
    folds,
    seed: settings.seed,
    confidence: settings.confidence,
    auditors: board.auditors,
    bins: audit.bins,
    ...scored,
    seconds: { fitting: fitted - started, scoring: ended - fitted, total: ended - started },
  }
}

interface DealtTable {
  /** With the columns that have a role, and no others. */
  readonly table: Table
  readonly fold: Uint8Array
  /** Every feature is named. */
  readonly audit: AuditSettings
}

/** Whatever is wrong with the rows is said here, before the first fit. */
function dealTable(given: Table, { audit, folds, groupBy, seed }: CompareSettings): DealtTable {
  checkRowCount(given.rowCount)
  const columns = resolveRoles(given, audit.roles, groupBy)
  const dataset = assignRoles(given, audit.roles)
  const fold = dealRows(columns, folds, seed)
  checkDealt(fold, folds, dataset, columns)
  const { features, group, label, prediction, weight } = columns
  const used = new Set([...features, label, prediction, weight, group])
  const { except: _, ...roles } = audit.roles
  return {
    table: { rowCount: given.rowCount, columns: given.columns.filter(column => used.has(column)) },
    fold,
    audit: { ...audit, roles: { ...roles, features: features.map(({ name }) => name) } },
  }
}

/**
 * As `fit` with its defaults. It holds rows out for its certificate; here there is none, so only rounds do, which stop by
 * them; and all methods where there are ids, because only a split by ids tells a fit of them.
 */
function fitOptions(
  method: Method,
  { engine, roles }: AuditSettings,
  { groupBy, seed }: CompareSettings,
  { auditors, onWarning, signal, threads }: CompareOptions,
): FitOptions {
  return {
    ...roles,
    method,
    ...(method !== 'rounds' && groupBy === undefined && { holdout: 0 }),
    ...(groupBy !== undefined && { groupBy }),
    ...(auditors !== undefined && { auditors }),
    ...(onWarning !== undefined && { onWarning }),
    ...(signal !== undefined && { signal }),
    ...(threads !== undefined && { threads }),
    seed,
    engine,
  }
}

async function scoreMethods(
  board: ScoreBoard,
  predicted: ReadonlyMap<Method, OutOfFold | MethodFailure>,
  { confidence, folds, onStep }: CompareSettings,
  signal: CancelSignal | undefined,
): Promise<Pick<MethodComparison, 'base' | 'methods' | 'failed' | 'best' | 'recommendation'>> {
  const outcomes = [...predicted]
  const failed = outcomes.flatMap(([method, found]) => ('code' in found ? [{ method, ...found }] : []))
  const done = outcomes.flatMap(([method, found]) => ('code' in found ? [] : [{ method, ...found }]))
  const scores = new Map<string, BoardedScore>()
  const methodCount = done.length + 1
  for (const [index, each] of [undefined, ...done].entries()) {
    throwIfCancelled(signal, 'the comparison')
    const method = each?.method ?? BASE
    onStep({ step: 'scoring', method, methodNumber: index + 1, methodCount, foldCount: folds })
    scores.set(method, await board.add(each?.predictions))
  }
  const base = scores.get(BASE)!
  const methods = done
    .map(({ fitSeconds, method, predictSeconds }): ComparedMethod => {
      const compared = board.compare(scores.get(method)!, base)
      return { method, ...compared, fitSeconds, predictSeconds }
    })
    .sort((a, b) => a.measures.logLoss!.value - b.measures.logLoss!.value)
  const measured = new Map([[BASE, board.compare(base, base).measures]])
  for (const { measures, method } of methods) measured.set(method, measures)
  const recommendation = recommend(methods, {
    confidence,
    difference: (a, b) => board.compare(scores.get(a)!, scores.get(b)!, ['logLoss']).differences.logLoss!,
    rank: simplicityOf,
  })
  return {
    base: measured.get(BASE)!,
    methods,
    failed,
    best: findBest(board, scores, measured),
    recommendation,
  }
}

/** Methods that nobody has placed yet come last. */
function simplicityOf(method: string): number {
  const place = SIMPLEST_FIRST.indexOf(method)
  return place < 0 ? SIMPLEST_FIRST.length : place
}

/** Two scores are put in pairs once for all measures in which the first is best. */
function findBest(
  board: ScoreBoard,
  scores: ReadonlyMap<string, BoardedScore>,
  measured: ReadonlyMap<string, MeasuredScore>,
): MethodComparison['best'] {
  const names = [...measured.keys()]
  const bests = COMPARED_MEASURES.flatMap(measure => {
    const best = bestIn(measure, measured)
    return best === undefined ? [] : [{ measure, best, ties: [] as string[] }]
  })
  for (const best of new Set(bests.map(each => each.best))) {
    const its = bests.filter(each => each.best === best)
    for (const other of names.filter(name => name !== best)) {
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
