import { describe, expect, it } from 'vitest'
import { MemoryEngine, type MemoryOptions, memoryEngine } from '../../src/engine/memory/memory.ts'
import { describeEngine } from './conformance.ts'

const engines: [name: string, options: MemoryOptions][] = [
  ['the memory engine, kernels in this thread', { threads: 1, kernels: 'wasm' }],
  [
    'the memory engine, twin in this thread, rows in small chunks',
    { threads: 1, kernels: 'twin', chunkRows: 7 },
  ],
  ['the memory engine, rows in several memories', { threads: 1, shardBytes: 200, chunkRows: 5 }],
]

for (const [name, options] of engines) describeEngine(name, memoryEngine(options))

describe('the choice of kernels', () => {
  it.each(['wasm', 'twin'] as const)('%s is what really runs', async kernels => {
    const rows = {
      rowCount: 1,
      bins: [Uint8Array.of(0)],
      binCounts: [2],
      coarseOf: [Uint8Array.of(0, 1)],
      coarseCounts: [2],
      signals: [],
      label: Int32Array.of(0),
      start: Int32Array.of(0),
    }
    for (const threads of [1, 2]) {
      const engine = await memoryEngine({ threads, kernels })(rows)
      expect(engine).toBeInstanceOf(MemoryEngine)
      expect((engine as MemoryEngine).kernelKind).toBe(kernels)
      expect((engine as MemoryEngine).shardCount).toBe(threads)
      await engine.close()
    }
  })
})
