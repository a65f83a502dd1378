// What a fit tells the keeper of its checkpoint, and what it asks back: a list of plain JSON values that only grows.

import type { NumberedForest } from '../forest/growParts.ts'
import type { Round } from './trace.ts'

export type CheckpointEntry = Kept & {
  /** That this fit, of these rows, wrote this entry after the entries before it. */
  readonly proof: string
}

export type Kept =
  /** The first entry: of which fit this is the checkpoint. */
  | { readonly kind: 'run'; readonly identity: RunIdentity }
  | { readonly kind: 'round'; readonly stage: string; readonly round: Round }
  | ({ readonly kind: 'forest' } & NumberedForest)

/** Two fits with one identity make the same model, round by round. */
export interface RunIdentity {
  readonly version: string
  readonly rows: { readonly rowCount: number; readonly fingerprint: string }
  /** A hash of names, cuts and categories: bins that are equal may stand for other values. */
  readonly columns: string
  readonly options: Readonly<Record<string, unknown>>
}

export interface CheckpointStore {
  /** Do entries never leave this process? Then nobody else can have written them, and their proofs are not looked at. */
  readonly inProcess?: boolean
  /** Entries as they were saved, in order; none for a new fit. Some may be lacking at the end: those rounds are computed again. */
  load(): Promise<readonly unknown[]>
  save(entry: CheckpointEntry): Promise<void>
}
