// Values of few rows are pooled before groups are searched, so that no group is named after one: such a value could tell who is meant. What
// an audit or a fit prints, reports and the page do so alike, and so find the same groups.

import type { AuditOptions } from '../audit/settings.ts'
import { type Auditors, trees } from '../classes/auditors.ts'
import { isSource, type TableSource } from '../data/source.ts'
import type { Table } from '../data/table.ts'
import { readWords } from '../data/wording.ts'
import { AUDIT_OPTIONS } from '../options/options.ts'

export const LEAST_ROWS = 10

/** Categories with a smaller share of the rows than this have fewer than LEAST_ROWS; pooled, no search ever names them. */
export const rareShare = (rowCount: number): number => Math.min(1, LEAST_ROWS / rowCount)

/** How many rows these are; undefined where that is only known when they have been read. */
export const knownCount = (rows: Table | TableSource): number | undefined =>
  isSource(rows) ? undefined : rows.rowCount

/** The share below which values of so many rows are pooled; no other than asked for where rows may be shown, or groups were declared. */
export function rareFor(
  rowCount: number | undefined,
  { kind }: Auditors,
  {
    includeRows = false,
    rare = AUDIT_OPTIONS.rare.default,
  }: { readonly includeRows?: boolean; readonly rare?: number },
): number {
  const isFree = includeRows || kind === 'groups' || rowCount === undefined
  return isFree ? rare : Math.max(rare, rareShare(rowCount))
}

/**
 * Options of an audit that is told on a terminal or on the page: of the groups that a report of the same rows searches, unless asked
 * otherwise. `rowCount` is needed of rows that are not held: an audit is the same wherever rows are.
 */
export function poolingRare<Options extends AuditOptions>(
  rows: Table | TableSource,
  options: Options,
  rowCount?: number,
): Options & { readonly rare: number } {
  const { onWarning: _, rare: __, ...words } = options
  return poolingRareOf(rowCount ?? knownCount(readWords(rows, words)), options)
}

/** The same of so many rows. */
export const poolingRareOf = <Options extends AuditOptions>(
  rowCount: number | undefined,
  options: Options,
): Options & { readonly rare: number } => ({
  ...options,
  rare: options.rare ?? rareFor(rowCount, options.auditors ?? trees(), {}),
})
