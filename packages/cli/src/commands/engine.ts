// The memory engine for commands: Ctrl-C is heard between two questions.

import { setImmediate } from 'node:timers/promises'
import { type MakeEngine, type MemoryOptions, memoryEngine } from '@featureboost/core'
import { turningEngine } from '@featureboost/core/internal'

export function interruptibleEngine(
  options: Pick<MemoryOptions, 'onWarning' | 'signal'> & { readonly threads?: number | undefined },
): MakeEngine {
  const { threads, ...rest } = options
  const make = memoryEngine({ ...rest, ...(threads !== undefined && { mostThreads: threads }) })
  return turningEngine(make, () => setImmediate())
}
