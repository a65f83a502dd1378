// What an oracle searches: a finite list of partitions, all trees of some depth, or real-valued signals.

import type { Encoding } from '../quantize/encoding.ts'
import type { Tree } from '../update/update.ts'
import type { FactorKind } from './factors.ts'

/** A finite partition. An indicator is the 0/1 function of leaf 0; otherwise every leaf has a value of its own. */
export interface Partition {
  readonly tree: Tree
  readonly words: string
  readonly indicator: boolean
}

export type AuditorSpace =
  | { readonly kind: 'partitions'; readonly partitions: readonly Partition[] }
  | { readonly kind: 'trees'; readonly depth: number; readonly features: readonly number[] }
  /** Real-valued functions: each alone, or the linear span of all of them. */
  | {
      readonly kind: 'signals'
      readonly signals: readonly number[]
      readonly span: boolean
      readonly budget: number
    }

export type SpaceOf<Kind extends AuditorSpace['kind']> = Extract<AuditorSpace, { kind: Kind }>

/** An update class ready to be searched. */
export interface CompiledClass {
  readonly space: AuditorSpace
  readonly factors: FactorKind
  readonly encoding: Encoding
}
