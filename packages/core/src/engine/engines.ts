// The engines that there are, and the one that is taken unless another is asked for.

import type { LocalEngine } from './engine.ts'
import type { RowSource } from './engineRows.ts'
import { type MemoryOptions, memoryEngine } from './memory/memory.ts'

export { type EngineBuilder, type MemoryOptions, memoryEngine, openMemoryEngine } from './memory/memory.ts'
export { referenceEngine } from './reference/reference.ts'

/** Rows in memory, in as many threads as they are worth. */
export const defaultEngine = ({
  onWarning,
  signal,
  threads,
}: {
  readonly onWarning?: MemoryOptions['onWarning'] | undefined
  readonly signal?: MemoryOptions['signal'] | undefined
  readonly threads?: number | undefined
} = {}): ((rows: RowSource) => Promise<LocalEngine>) =>
  memoryEngine({
    ...(threads !== undefined && { mostThreads: threads }),
    ...(signal !== undefined && { signal }),
    ...(onWarning !== undefined && { onWarning }),
  })
