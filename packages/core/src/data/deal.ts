// Rows dealt into folds, by what they hold and not by where they stand; all rows of one id, where there are ids, go to one.

import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import type { CopyRule } from './copies.ts'
import { rejectMissing } from './reject.ts'
import type { RoleColumns } from './resolve.ts'
import { ALIKE_HINT, type Dataset } from './roles.ts'
import { hashContent, RowHasher } from './rowHash.ts'

/** Seeds of users are below this. Fits inside the folds split rows by the user's seed; dealing has a seed of its own. */
const DEALING = 2 ** 32

/** The fold of every row, from 0. Copies of one row go to one fold, unless they are independent. */
export function dealRows(
  columns: RoleColumns,
  foldCount: number,
  seed: number,
  copies?: CopyRule,
): Uint8Array {
  const { group } = columns
  if (group !== undefined) rejectMissing(group, 'id to deal by')
  const { a } =
    group === undefined
      ? new RowHasher(seed + DEALING, copies).hash(columns)
      : hashContent([group], seed + DEALING)
  return Uint8Array.from(a, hash => Math.floor(((hash >>> 0) / 2 ** 32) * foldCount))
}

/** Rows of one fold, at least: measures of fewer say nothing, and fits to fewer are not worth comparing. */
const FEWEST_ROWS = 10

/** Every fold needs some rows that count, and labels that differ. */
export function checkDealt(
  fold: Uint8Array,
  foldCount: number,
  { label, weight }: Pick<Dataset, 'label' | 'weight'>,
  { group, label: { name } }: RoleColumns,
  copies: CopyRule = 'one',
): void {
  const rows = new Array<number>(foldCount).fill(0)
  const [lowest, highest] = [rows.map(() => Infinity), rows.map(() => -Infinity)]
  for (let row = 0; row < fold.length; row++) {
    if (weight !== undefined && weight[row] === 0) continue
    const at = fold[row]
    rows[at]++
    lowest[at] = Math.min(lowest[at], label[row])
    highest[at] = Math.max(highest[at], label[row])
  }
  const more = group === undefined ? 'rows' : `rows and values of "${group.name}"`
  const alike = group === undefined && copies === 'one' ? ` ${ALIKE_HINT}` : ''
  const hint = `Compare with fewer folds, or on more ${more}.${alike}`
  const small = rows.findIndex(count => count < FEWEST_ROWS)
  if (small >= 0) {
    const message = `fold ${small + 1} of ${foldCount} has ${formatCount(rows[small])} of ${formatCount(fold.length)} rows.`
    throw new FeatureBoostError('FB_NO_ROWS', message, {
      found: rows[small],
      expected: `at least ${FEWEST_ROWS} rows with a weight in every fold`,
      hint,
    })
  }
  const constant = lowest.findIndex((label, at) => label === highest[at])
  if (constant < 0) return
  throw new FeatureBoostError(
    'FB_LABEL_CONSTANT',
    `every label of fold ${constant + 1} of ${foldCount} is the same.`,
    { column: name, hint },
  )
}
