// Which columns of a batch are read, and what the batch is called: the same on the command line and in the page.

import type { Monitor } from '@featureboost/core'
import { columnsToPredict, type ModelColumns } from '../commands/modelColumns.ts'

/** What scoring takes, all that is watched, and outcomes where they are there. */
export function batchColumns(
  { data, model }: Monitor,
  unlabelled: boolean,
): ModelColumns & { readonly ifThere: readonly string[] } {
  const watched = data.reference.features.slice(0, -1).map(({ name }) => name)
  const named = data.named.flatMap(({ where }) => where.map(({ column }) => column))
  return {
    ...columnsToPredict(model, [...watched, ...named, data.weight?.column]),
    ifThere: unlabelled ? [] : [data.label],
  }
}

/** "june" of june.parquet. */
export const batchNameOf = (file: string): string =>
  file.replace(/(\.(csv|tsv|txt|json|ndjson|jsonl|parquet|gz|zst))+$/i, '')
