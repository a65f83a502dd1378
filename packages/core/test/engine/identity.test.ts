// One table, one model: byte for byte from the reference, the twin and the kernels, with 1, 2, 4 and 8 threads, in any
// row order, through chunks of any size.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MemoryEngine, type MemoryOptions, memoryEngine } from '../../src/engine/memory/memory.ts'
import {
  FeatureBoostError,
  type FitOptions,
  fit,
  type MakeEngine,
  makeTable,
  referenceEngine,
  type Table,
  tableFromRows,
  trees,
} from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { sampleArbitrary, updateClassArbitrary } from '../fit/tables.ts'

const outcomeOf = (table: Table, options: FitOptions): Promise<string> =>
  fit(table, options).then(
    model => model.toText(),
    (error: unknown) => {
      // Options that are refused would be so by every engine, and nothing would have been compared.
      if (error instanceof FeatureBoostError && error.code !== 'FB_OPTION_METHOD') return error.code
      throw error
    },
  )

const inThisThread: MemoryOptions[] = [
  { threads: 1, kernels: 'wasm' },
  { threads: 1, kernels: 'twin' },
  { threads: 1, kernels: 'wasm', chunkRows: 3 },
]

describe('the model', () => {
  it('is the same from the reference, the kernels and the twin, for every class of updates', async () => {
    await fc.assert(
      fc.asyncProperty(
        sampleArbitrary(40),
        updateClassArbitrary,
        fc.boolean(),
        fc.boolean(),
        async ({ table }, each, weighted, heldOut) => {
          const options: FitOptions = {
            label: 'y',
            prediction: 'score',
            ...(weighted ? { weight: 'weight' } : { except: ['weight'] }),
            ...each,
            epsilon: 0.4,
            method: 'rounds',
            roundLimit: 3,
            ...(heldOut ? { stop: 'validation', holdout: 0.3 } : { stop: 'certificate' }),
          }
          const expected = await outcomeOf(table, { ...options, engine: referenceEngine })
          for (const memory of inThisThread) {
            expect(await outcomeOf(table, { ...options, engine: memoryEngine(memory) })).toBe(expected)
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is the same with 1, 2, 4 and 8 threads, shuffled, and in chunks of any size', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const { rows, options } = generatedCase(seed)
      const expected = await outcomeOf(tableFromRows(rows), { ...options, engine: referenceEngine })
      const engines: MakeEngine[] = [1, 2, 4, 8].map(threads =>
        memoryEngine({ threads, chunkRows: 17 + 40 * seed }),
      )
      for (const engine of engines)
        expect(await outcomeOf(tableFromRows(rows), { ...options, engine })).toBe(expected)
      const shuffled = [...rows].sort((a, b) => Number(a.order) - Number(b.order))
      const engine = memoryEngine({ threads: 2, kernels: 'twin', chunkRows: 1 })
      expect(await outcomeOf(tableFromRows(shuffled), { ...options, engine })).toBe(expected)
    }
  })

  it('is the same when rows need more memories than there are threads', async () => {
    const { options, rows } = generatedCase(3)
    const expected = await outcomeOf(tableFromRows(rows), { ...options, engine: referenceEngine })
    for (const threads of [1, 2]) {
      let shards = 0
      const engine: MakeEngine = async given => {
        const made = await memoryEngine({ threads, shardBytes: 2000 })(given)
        shards = (made as MemoryEngine).shardCount
        return made
      }
      expect(await outcomeOf(tableFromRows(rows), { ...options, engine })).toBe(expected)
      expect(shards).toBeGreaterThan(2)
    }
  })

  it('is the same when there is one row per side, one column, or a constant column', async () => {
    const small = makeTable({ x: [1, 1], y: [0, 1], score: [0.4, 0.4] })
    for (const auditors of [trees({ depth: 1 }), trees({ depth: 2 })]) {
      const options: FitOptions = {
        label: 'y',
        prediction: 'score',
        method: 'rounds',
        auditors,
        epsilon: 0.3,
        stop: 'certificate',
      }
      const expected = await outcomeOf(small, { ...options, engine: referenceEngine })
      expect(await outcomeOf(small, { ...options, engine: memoryEngine({ threads: 2 }) })).toBe(expected)
    }
  })
})

function generatedCase(seed: number): { rows: Record<string, unknown>[]; options: FitOptions } {
  const random = makeRandom(seed)
  const rows = Array.from({ length: 300 + 60 * seed }, () => {
    const score = random.next()
    return {
      a: random.next() < 0.1 ? null : random.integer(40),
      b: random.next() < 0.1 ? null : 'pqrst'[random.integer(5)],
      c: random.next() < 0.5,
      constant: 7,
      score,
      y: random.next() < score ** 2 ? 1 : 0,
      weight: random.integer(4),
      order: random.next(),
    }
  })
  const weighted = seed % 2 === 0
  const options: FitOptions = {
    label: 'y',
    prediction: 'score',
    ...(weighted && { weight: 'weight' }),
    except: weighted ? ['order'] : ['order', 'weight'],
    epsilon: 0.2,
    method: 'rounds',
    ...(seed % 3 === 0 ? { stop: 'certificate' } : { stop: 'validation', roundLimit: 4 }),
  }
  return { rows, options }
}
