// The memory engine for commands, which Ctrl-C can end.

import { type MakeEngine, type MemoryOptions, memoryEngine } from '@featureboost/core'

export function interruptibleEngine(
  options: Pick<MemoryOptions, 'onWarning' | 'signal'> & { readonly threads?: number | undefined },
): MakeEngine {
  const { threads, ...rest } = options
  return memoryEngine({ ...rest, ...(threads !== undefined && { mostThreads: threads }) })
}
