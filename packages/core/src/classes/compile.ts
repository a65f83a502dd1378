// From declared auditors and factors to the space an oracle searches.

import type { Encoding } from '../quantize/encoding.ts'
import type { Auditors } from './auditors.ts'
import type { FactorKind } from './factors.ts'
import { kindOf } from './kinds/kinds.ts'
import type { CompiledClass } from './space.ts'

export type { AuditorSpace, CompiledClass, Partition, SpaceOf } from './space.ts'

export const compileAuditors = (
  auditors: Auditors,
  factors: FactorKind,
  encoding: Encoding,
): CompiledClass => ({ space: kindOf(auditors).space(auditors, factors, encoding), factors, encoding })
