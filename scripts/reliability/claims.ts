// All that is promised, in the order of the page.

import type { Claim } from './claim.ts'
import { bombs } from './claims/bombs.ts'
import { damagedModels } from './claims/damagedModels.ts'
import { fuzzedData } from './claims/fuzzedData.ts'
import { hostileModels } from './claims/hostileModels.ts'
import { ioFaults } from './claims/ioFaults.ts'
import { killedFits } from './claims/killedFits.ts'
import { killedWrites } from './claims/killedWrites.ts'
import { oldModels } from './claims/oldModels.ts'
import { runtimes } from './claims/runtimes.ts'
import { threads } from './claims/threads.ts'

export const CLAIMS: readonly Claim[] = [
  damagedModels,
  hostileModels,
  fuzzedData,
  bombs,
  threads,
  runtimes,
  killedFits,
  killedWrites,
  ioFaults,
  oldModels,
]
