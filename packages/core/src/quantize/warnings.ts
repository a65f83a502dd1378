// What a person should know of the text columns that groups are made of, from what was learned of them.

import { findWrittenNumbers, idSentence, looksLikeIds, writtenNumbersSentence } from '../data/suspects.ts'
import type { FeatureSchema } from './schema.ts'

/** Columns in `meant` are categories because somebody said so. */
export function columnWarnings(
  features: readonly FeatureSchema[],
  rowCount: number,
  meant: readonly string[] = [],
): string[] {
  return features.flatMap(feature => {
    if (feature.kind !== 'categorical') return []
    const { categories, name, pooled } = feature
    const written = meant.includes(name) ? undefined : findWrittenNumbers([...categories, ...pooled])
    if (written !== undefined)
      return [`${writtenNumbersSentence(name, written)} Make it a column of numbers first, or leave it out.`]
    return looksLikeIds(categories.length + pooled.length, rowCount) ? [idSentence(name)] : []
  })
}
