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

/** The share below which values are pooled; no other than asked for where rows may be shown, or groups were declared. */
export function rareFor(
  rows: Table | TableSource,
  { kind }: Auditors,
  {
    includeRows = false,
    rare = AUDIT_OPTIONS.rare.default,
  }: { readonly includeRows?: boolean; readonly rare?: number },
): number {
  // Rows that are too many to be held have values of few rows pooled by the default.
  return includeRows || kind === 'groups' || isSource(rows) ? rare : Math.max(rare, rareShare(rows.rowCount))
}

/** Options of an audit that is told on a terminal or on the page: of the groups that a report of the same rows searches, unless asked otherwise. */
export function poolingRare<Options extends AuditOptions>(
  rows: Table | TableSource,
  options: Options,
): Options & { readonly rare: number } {
  const { auditors = trees(), onWarning: _, rare, ...words } = options
  return { ...options, rare: rare ?? rareFor(readWords(rows, words), auditors, {}) }
}
