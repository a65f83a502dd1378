// All that is promised, in the order of the page.

import type { Claim } from './claim.ts'
import { bombs } from './claims/bombs.ts'
import { certificates } from './claims/certificates.ts'
import { conformance } from './claims/conformance.ts'
import { coverageClaim } from './claims/coverage.ts'
import { damagedModels } from './claims/damagedModels.ts'
import { engines } from './claims/engines.ts'
import { fuzzedData } from './claims/fuzzedData.ts'
import { hostileHttp } from './claims/hostileHttp.ts'
import { hostileModels } from './claims/hostileModels.ts'
import { ioFaults } from './claims/ioFaults.ts'
import { killedFits } from './claims/killedFits.ts'
import { killedWrites } from './claims/killedWrites.ts'
import { measures } from './claims/measures.ts'
import { oldModels } from './claims/oldModels.ts'
import { reportSafety } from './claims/reportSafety.ts'
import { rowOrder } from './claims/rowOrder.ts'
import { runtimes } from './claims/runtimes.ts'
import { hotReload, serverLoad } from './claims/server.ts'
import { soakClaim } from './claims/soak.ts'
import { supplyChain } from './claims/supplyChain.ts'
import { threads } from './claims/threads.ts'
import { weights } from './claims/weights.ts'

export const CLAIMS: readonly Claim[] = [
  ...[
    damagedModels,
    hostileModels,
    fuzzedData,
    bombs,
    conformance,
    threads,
    runtimes,
    engines,
    rowOrder,
    weights,
  ],
  ...[
    killedFits,
    killedWrites,
    ioFaults,
    oldModels,
    serverLoad,
    soakClaim,
    hostileHttp,
    hotReload,
    reportSafety,
  ],
  ...[certificates, measures, coverageClaim, supplyChain],
]
