// Rows without a label that were left out: said with every result.

import { droppedSentence } from '@featureboost/core/internal'
import { wrap } from '../terminal/layout.ts'
import type { View } from '../terminal/view.ts'
import { visible } from '../terminal/width.ts'
import type { Reading, ReadRows } from './session.ts'

/** A paragraph, where there were any. */
export function leftOutLines(
  { leftOut, rowCount }: ReadRows,
  { complete }: Reading,
  { width }: Pick<View, 'width'>,
  shown: (text: string) => string = visible,
): string[] {
  if (complete === undefined || leftOut === 0) return []
  return [wrap(shown(droppedSentence(complete, leftOut, leftOut + rowCount)), width)]
}

/** A key of the JSON document, where rows without a label are left out. */
export const leftOutJson = (
  { leftOut }: ReadRows,
  { complete }: Reading,
): { readonly rowsWithoutLabel?: number } => (complete === undefined ? {} : { rowsWithoutLabel: leftOut })
