// What is drawn of a score.

import { type AuditOptions, audit, type Model, type Table } from '@featureboost/core'

export interface PageEvidence {
  readonly verdict: { readonly sentence: string; readonly level: 'good' | 'attention' | 'bad' }
}

export interface EvidenceRequest {
  readonly name: string
  readonly table: Table
  readonly options: AuditOptions
  readonly command: string
  readonly model?: Model
}

export async function evidenceOf({ options, table }: EvidenceRequest): Promise<PageEvidence> {
  const found = await audit(table, options)
  const level = found.significance.beyondNoise ? 'bad' : 'good'
  return { ...found, verdict: { sentence: found.verdict, level } }
}
