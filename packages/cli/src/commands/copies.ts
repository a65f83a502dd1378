// Rows that are exact copies of another: what they were taken for, said where they are more than a few.

import { AUDIT_OPTIONS, formatCount, OPTIONS } from '@featureboost/core/internal'
import { wrap } from '../terminal/layout.ts'
import type { View } from '../terminal/view.ts'

/** A smaller share of the rows is not worth a line. */
const WORTH_SAYING = 0.01

interface CopyOptions {
  readonly copies?: string
  readonly groupBy?: string
}

/** A paragraph, where a certificate counts copies once. Ids say by themselves what belongs together. */
export function copiesOfFit(
  copyCount: number,
  rowCount: number,
  { copies = OPTIONS.copies.default, groupBy }: CopyOptions,
  { width }: Pick<View, 'width'>,
): string[] {
  if (copyCount <= WORTH_SAYING * rowCount || copies !== 'one' || groupBy !== undefined) return []
  const consequence = `What is certified for new rows counts ${each(copyCount)} once; if they are different people, say --copies independent.`
  return [wrap(`${copiedRows(copyCount, rowCount)} ${consequence}`, width)]
}

/** A paragraph, where an audit counts every copy. */
export function copiesOfAudit(
  copyCount: number,
  rowCount: number,
  { copies = AUDIT_OPTIONS.copies.default }: CopyOptions,
  { width }: Pick<View, 'width'>,
): string[] {
  if (copyCount <= WORTH_SAYING * rowCount || copies !== 'independent') return []
  const consequence = `They count as different people who are alike; if they are not, say --copies one.`
  return [wrap(`${copiedRows(copyCount, rowCount)} ${consequence}`, width)]
}

const each = (copyCount: number): string => (copyCount === 1 ? 'it' : 'them')

const copiedRows = (copyCount: number, rowCount: number): string =>
  `${formatCount(copyCount)} of ${formatCount(rowCount)} rows ${copyCount === 1 ? 'is an exact copy' : 'are exact copies'} of another row.`
