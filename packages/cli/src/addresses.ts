// Is there a limit on addresses (ulimit -v) under which no fit can run? WebAssembly reserves 10 GiB of them for every memory, whatever it uses;
// below some, Node itself is ended without a word when it starts a thread. So that is said before the work.

import { readFileSync } from 'node:fs'
import { FeatureBoostError } from '@featureboost/core'
import { formatCount } from '@featureboost/core/internal'

/** For one memory of WebAssembly, Node and DuckDB. */
const LEAST_BYTES = 16 * 2 ** 30

/** Where the system does not say, nothing is known. */
export function checkAddresses(limits = readLimits()): void {
  const [, text] = /^Max address space\s+(\d+)/m.exec(limits) ?? []
  if (text === undefined || Number(text) >= LEAST_BYTES) return
  const [has, needs] = [Number(text), LEAST_BYTES].map(bytes => formatCount(Math.floor(bytes / 2 ** 20)))
  throw new FeatureBoostError(
    'FB_MEMORY',
    `this process may have ${has} MiB of addresses (ulimit -v), and needs ${needs} at least.`,
    { hint: 'Lift the limit (ulimit -v unlimited): most of these addresses are reserved and never used.' },
  )
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
