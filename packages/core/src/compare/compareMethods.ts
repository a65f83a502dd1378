// compareMethods: which method corrects this score best, on these rows? Each fold is predicted by fits to the others, so no
// method is judged on rows it has seen; all predictions are measured alike, and differences have paired intervals.

import type { AuditSettings } from '../audit/settings.ts'
import { BASELINES, isBaseline } from '../baselines/baselines.ts'
import { throwIfCancelled } from '../common/cancel.ts'
import { seconds } from '../common/clock.ts'
import { coreCount } from '../common/threads.ts'
import { checkDealt, dealRows } from '../data/deal.ts'
import { checkOptionsObject } from '../data/given.ts'
import { holdTable } from '../data/hold.ts'
import { resolveRoles } from '../data/resolve.ts'
import { assignRoles, checkRowCount } from '../data/roles.ts'
import type { TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { readWords } from '../data/wording.ts'
import type { FitOptions } from '../fit/settings.ts'
import type { Method } from '../options/options.ts'
import { type CompareOptions, type CompareSettings, readCompareSettings } from './compareOptions.ts'
import { type JudgedMethods, judgeMethods } from './judgeMethods.ts'
import { ScoreBoard } from './methodScores.ts'
import { predictOutOfFold } from './outOfFold.ts'
import { Trials } from './trials.ts'

/** Plain data, fit for JSON; numbers without bound, such as the log loss of a sure and wrong score, become null there. */
export interface MethodComparison extends JudgedMethods {
  readonly rows: number
  readonly label: string
  readonly score: string
  readonly folds: number
  readonly seed: number
  readonly confidence: number
  /** What was searched for the worst errors, in words, and at how many levels of the score. */
  readonly auditors: string
  readonly bins: number
  readonly seconds: { readonly fitting: number; readonly scoring: number; readonly total: number }
}

/**
 * Cross-fits methods on the same folds, measures what each predicts for rows it has not seen, and
 * recommends one, several or none. Rows that come in chunks are kept in memory.
 */
export async function compareMethods(
  rows: Table | TableSource,
  options: CompareOptions,
): Promise<MethodComparison> {
  checkOptionsObject(options)
  const started = seconds()
  const settings = readCompareSettings(options)
  const { audit, fold, table } = dealTable(
    await holdTable(readWords(rows, options), options.signal),
    settings,
  )
  const board = await ScoreBoard.open(table, audit, settings.confidence)
  for (const warning of board.warnings(options.categorical)) options.onWarning?.(warning)
  const { folds, methods } = settings
  const predicted = await predictOutOfFold(table, {
    methods,
    fold,
    foldCount: folds,
    atOnce: options.threads ?? coreCount(),
    usesOneThread: method => isBaseline(method) && BASELINES[method].usesThreads === undefined,
    open: others => new Trials(others, method => fitOptions(method, audit, settings, options)),
    onFit: (method, index) => {
      throwIfCancelled(options.signal, 'the comparison')
      const place = { method, methodNumber: methods.indexOf(method) + 1, methodCount: methods.length }
      settings.onStep({ step: 'fitting', ...place, fold: index + 1, foldCount: folds })
    },
  })
  const fitted = seconds()
  const judged = await judgeMethods(board, predicted, settings, options.signal)
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
    ...judged,
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
function dealTable(given: Table, { audit, copies, folds, groupBy, seed }: CompareSettings): DealtTable {
  checkRowCount(given.rowCount)
  const columns = resolveRoles(given, audit.roles, groupBy)
  const dataset = assignRoles(given, audit.roles)
  const fold = dealRows(columns, folds, seed, copies)
  checkDealt(fold, folds, dataset, columns, copies)
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
  { copies, groupBy, seed }: CompareSettings,
  { auditors, onWarning, signal, threads }: CompareOptions,
): FitOptions {
  return {
    ...roles,
    copies,
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
