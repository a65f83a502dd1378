// What every kind of auditors has to say. The table of kinds (kinds.ts) is total, so the compiler names what a new one lacks.

import { FeatureBoostError } from '../../common/errors.ts'
import { didYouMean } from '../../common/nearest.ts'
import { showValue } from '../../data/column.ts'
import type { Column } from '../../data/table.ts'
import type { Encoding } from '../../quantize/encoding.ts'
import type { FeatureSchema } from '../../quantize/schema.ts'
import type { RowFunctions, SignalSchema } from '../../quantize/signals.ts'
import type { Auditors } from '../auditors.ts'
import type { FactorKind } from '../factors.ts'
import type { AuditorSpace } from '../space.ts'

export interface AuditorKind<A extends Auditors> {
  /** Refuses what types cannot rule out: the command line and the page hand over whatever they read. */
  check(auditors: A, refuse: Refuse): void
  /** |S'|: the most values an auditor has, where they are finitely many. */
  valueBins(auditors: A): number
  /** M: the bound on E[b(x)^2]. */
  budget(auditors: A): number
  /** Are level sets of the auditors cells of a finite partition, so that tables on them guarantee level sets? */
  readonly hasLevelSets: boolean
  /** The factors that multicalibration and more call for. */
  factors(auditors: A): FactorKind
  /** Why these factors do not go with it, and what to do. */
  refusal(auditors: A, factors: FactorKind): { readonly message: string; readonly hint: string } | undefined
  /** Cuts that columns have to have. */
  requiredCuts(auditors: A): ReadonlyMap<string, readonly number[]>
  /** What it adds to the columns of an encoding. */
  extend(auditors: A, given: GivenColumns): Extension
  /** What an oracle searches. */
  space(auditors: A, factors: FactorKind, encoding: Encoding): AuditorSpace
  /** The user's functions, or none. */
  functions(auditors: A): RowFunctions
}

export type Refuse = (message: string, expected: string) => never

export interface GivenColumns {
  readonly features: readonly FeatureSchema[]
  readonly columns: readonly Column[]
  /** Is the row one to learn from? */
  readonly use: (row: number) => boolean
}

export interface Extension {
  /** Features that functions compute. */
  readonly derived: readonly FeatureSchema[]
  readonly signals: readonly SignalSchema[]
  readonly functions: readonly string[]
}

/** Of kinds that test the columns as they are. */
export const PLAIN = {
  valueBins: () => 2,
  budget: () => 1,
  hasLevelSets: true,
  factors: () => 'table' as const,
  refusal: () => undefined,
  requiredCuts: () => new Map<string, readonly number[]>(),
  extend: (): Extension => ({ derived: [], signals: [], functions: [] }),
  functions: () => ({}),
}

export function checkColumns(columns: unknown, refuse: Refuse): void {
  if (columns === undefined) return
  if (!Array.isArray(columns) || columns.some(name => typeof name !== 'string')) {
    refuse(`columns is ${showValue(columns)}.`, 'a list of column names')
  }
}

export function featureIndexes(
  columns: readonly string[] | undefined,
  features: readonly FeatureSchema[],
): number[] {
  const names = features.map(feature => feature.name)
  return (columns ?? names).map(column => {
    const index = names.indexOf(column)
    if (index >= 0) return index
    throw new FeatureBoostError('FB_COLUMN_UNKNOWN', `no feature "${column}" for the auditors.`, {
      column,
      hint: didYouMean(column, names),
    })
  })
}
