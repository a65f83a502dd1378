// What a certificate says, as plain data.

import type { FactorKind, Guarantee } from '../classes/factors.ts'
import type { Copies } from '../data/copies.ts'
import type { Holdout } from '../data/split.ts'
import type { AuditSummary } from '../measures/class/summary.ts'
import type { Oracle } from '../oracle/oracle.ts'
import type { HeldOutCertificate } from './heldOutCertificate.ts'
import type { CertifiedGroup } from './protectedGroups.ts'
import type { RealizedTolerance } from './tolerance.ts'

export interface CertificateClaim {
  readonly guarantee: Guarantee
  readonly epsilon: number
  /** The planned alpha; the realized one is found anew. */
  readonly tolerance: number
  /** K */
  readonly bins: number
  /** M */
  readonly budget: number
  /** 1 - delta, of the held-out certificate. */
  readonly confidence: number
  /** As many predictors are paid for, of which held-out rows may have chosen one. */
  readonly candidates: number
}

/** One rung of the ladder: the bound that is proven and the error that was measured. */
export interface Rung {
  readonly guarantee: Guarantee
  readonly bound: number
  readonly through: FactorKind
  readonly tolerance: number
  readonly measured: { readonly error: number; readonly atMost: number; readonly worst: string }
}

/** What is known for sure on the fitting rows: the lemma's bound, or what was counted, where that is less. */
export const provenError = ({ bound, measured }: Rung): number => Math.min(bound, measured.atMost)

/** How rows were held out: marked in a column, drawn at random, or drawn by the ids in a column. */
export type RowSplit =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'rows'; readonly fraction: number; readonly seed: number }
  | { readonly kind: 'ids'; readonly column: string; readonly fraction: number; readonly seed: number }

export function splitOf(roles: { readonly fold?: string; readonly holdout?: Holdout }): RowSplit | undefined {
  const { fold, holdout } = roles
  if (fold !== undefined) return { kind: 'column', column: fold }
  if (holdout === undefined) return undefined
  const { fraction, groupBy, seed } = holdout
  if (groupBy === undefined) return { kind: 'rows', fraction, seed }
  return { kind: 'ids', column: groupBy, fraction, seed }
}

/** What is proven of a model, on which rows, for which groups. */
export interface Certificate {
  readonly claim: CertificateClaim
  /** Is the claimed error, as bounded or as counted, at most epsilon? */
  readonly holds: boolean
  readonly rows: {
    readonly rowCount: number
    readonly fitWeight: number
    readonly holdoutWeight?: number
    readonly split?: RowSplit
    /** What exact copies of a row were taken for. */
    readonly copies?: Copies
    readonly fingerprint: string
  }
  readonly auditors: string
  readonly factors: FactorKind
  readonly oracle: Oracle['kind']
  readonly rounds: number
  readonly tolerances: readonly RealizedTolerance[]
  readonly rungs: readonly Rung[]
  readonly before: AuditSummary
  readonly after: AuditSummary
  /** The bound by the paper's own lemma for the declared factors, where it is another one. */
  readonly paperBound?: number
  readonly heldOut?: HeldOutCertificate
  /** Only where columns are protected. */
  readonly protected?: readonly CertifiedGroup[]
  /** Sentences. */
  readonly proven: readonly string[]
  readonly measured: readonly string[]
  readonly caveats: readonly string[]
}
