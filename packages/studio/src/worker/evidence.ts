// What is drawn of a score, or of a score and its correction.

import {
  type Audit,
  type AuditOptions,
  collectEvidence,
  type Evidence,
  type Model,
  type Table,
} from '@featureboost/core'

export type PageEvidence = Evidence

interface EvidenceRequest {
  readonly name: string
  readonly table: Table
  readonly options: Omit<AuditOptions, 'onPhase'> & { readonly onPhase?: (phase: string) => void }
  readonly command: string
  readonly model?: Model
  /** Of the score, where it has been made already. */
  readonly audited?: Audit
}

/** With a model, columns and groups are its own. */
export async function evidenceOf({
  audited,
  command,
  model,
  name,
  options,
  table,
}: EvidenceRequest): Promise<PageEvidence> {
  if (model === undefined)
    return await collectEvidence(table, {
      ...options,
      name,
      command,
      ...(audited !== undefined && { audited }),
    })
  const { engine, onPhase, onWarning, signal } = options
  return await collectEvidence(table, {
    name,
    command,
    model,
    ...(engine !== undefined && { engine }),
    ...(onPhase !== undefined && { onPhase }),
    ...(onWarning !== undefined && { onWarning }),
    ...(signal !== undefined && { signal }),
  })
}
