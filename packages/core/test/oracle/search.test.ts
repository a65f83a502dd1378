// The exhaustive search from the inside: two ways to scan a pair of features, and questions asked one batch ahead.

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { trees } from '../../src/classes/auditors.ts'
import type { Engine, Histogram } from '../../src/engine/engine.ts'
import { scanQuadrants } from '../../src/kernels/pairs/quadrants.ts'
import type { Channel } from '../../src/oracle/channel.ts'
import { scanOneLevel } from '../../src/oracle/oneLevel.ts'
import { searchTrees } from '../../src/oracle/search.ts'
import { type Prepared, prepare, tablesArbitrary } from '../support/tables.ts'

vi.mock('../../src/kernels/pairs/quadrants.ts', async original => {
  const actual = await original<typeof import('../../src/kernels/pairs/quadrants.ts')>()
  return { ...actual, scanQuadrants: vi.fn(actual.scanQuadrants) }
})

vi.mock('../../src/oracle/oneLevel.ts', async original => {
  const actual = await original<typeof import('../../src/oracle/oneLevel.ts')>()
  return { ...actual, scanOneLevel: vi.fn(actual.scanOneLevel) }
})

const requestOf = ({ encoding, engine }: Prepared, levels: number, channels: readonly Channel[]) => ({
  engine,
  fold: 0,
  levels,
  depth: 2 as const,
  schemas: encoding.features,
  features: encoding.features.map((_, feature) => feature),
  channels,
  cellBudget: 1e9,
})

describe('a pair of features', () => {
  it.each(['squares', 'largest', 'absolute'] as const)(
    'is scanned by quadrants, or side by side, with the same bits: %s',
    async score => {
      const property = fc.asyncProperty(
        tablesArbitrary(),
        fc.integer({ min: 1, max: 4 }),
        async (table, levels) => {
          const prepared = prepare(table, trees({ depth: 2 }), 'table')
          const search = async (factor: number) => {
            const projection = new Float64Array(levels).fill(factor)
            const [found] = await searchTrees(requestOf(prepared, levels, [{ score, projection }]))
            return found
          }
          // Halves are not whole numbers, so they are scanned side by side; yet halving is exact.
          const [byQuadrants, other] =
            score === 'absolute' ? [scanOneLevel, scanQuadrants] : [scanQuadrants, scanOneLevel]
          vi.mocked(byQuadrants).mockClear()
          vi.mocked(other).mockClear()
          const halved = await search(0.5)
          expect(byQuadrants).not.toHaveBeenCalled()
          const whole = await search(1)
          expect(byQuadrants).toHaveBeenCalledTimes(6)
          expect(other).not.toHaveBeenCalled()
          expect(halved.tree).toEqual(whole.tree)
          expect(halved.score * (score === 'absolute' ? 2 : 1)).toBe(whole.score)
        },
      )
      await fc.assert(property)
    },
  )
})

/** An engine whose joint histograms wait until they are let go, and say in which order things happen. */
function holdBack(engine: Engine) {
  const waiting: { release: () => void; fail: (error: Error) => void }[] = []
  const ask = engine.jointHistogram.bind(engine)
  engine.jointHistogram = request =>
    new Promise<Histogram>((resolve, reject) => {
      waiting.push({ release: () => resolve(ask(request)), fail: reject })
    })
  return waiting
}

describe('batches of pairs', () => {
  // So many levels that every pair of features is a batch.
  const LEVELS = 60_000
  const [table] = fc.sample(tablesArbitrary(), { numRuns: 1, seed: 9 })
  const prepared = () => prepare(table, trees({ depth: 2 }), 'table')
  const start = (given: Prepared) => searchTrees(requestOf(given, LEVELS, [{ score: 'squares' }]))
  const settled = () => new Promise(resolve => setTimeout(resolve, 20))

  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  beforeEach(() => {
    unhandled.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
    vi.mocked(scanQuadrants).mockReset()
  })

  it('are asked for one ahead, never two, and give the same answer', async () => {
    const expected = await start(prepared())
    const given = prepared()
    const waiting = holdBack(given.engine)
    const found = start(given)
    for (const asked of [1, 2, 3]) {
      await expect.poll(() => waiting.length).toBe(asked)
      await settled()
      expect(waiting).toHaveLength(asked)
      waiting[asked - 1].release()
    }
    expect(await found).toEqual(expected)
    expect(waiting).toHaveLength(3)
  })

  it('are asked for before the present one is scanned', async () => {
    const given = prepared()
    const waiting = holdBack(given.engine)
    const scannedAt: number[] = []
    vi.mocked(scanQuadrants).mockClear()
    vi.mocked(scanQuadrants).mockImplementation(() => {
      scannedAt.push(waiting.length)
    })
    const found = start(given)
    for (const asked of [1, 2, 3]) {
      await expect.poll(() => waiting.length).toBe(asked)
      waiting[asked - 1].release()
    }
    await found
    // Three diagonals before anything is asked; then each pair while the next one is under way.
    expect(scannedAt).toEqual([0, 0, 0, 2, 3, 3])
  })

  it.each([0, 1, 2])('fail the search when number %i fails, and nothing goes unhandled', async failing => {
    const given = prepared()
    const waiting = holdBack(given.engine)
    const failure = start(given).catch((error: unknown) => error)
    for (let batch = 0; batch <= failing; batch++) {
      await expect.poll(() => waiting.length).toBeGreaterThan(batch)
      if (batch === failing) waiting[batch].fail(new Error(`no batch ${batch}`))
      else waiting[batch].release()
    }
    expect(await failure).toEqual(new Error(`no batch ${failing}`))
    await settled()
    expect(unhandled).toEqual([])
  })

  it('under way when a scan fails may fail too, unheard', async () => {
    const given = prepared()
    const waiting = holdBack(given.engine)
    vi.mocked(scanQuadrants).mockImplementation(() => {
      if (waiting.length > 0) throw new Error('no scan')
    })
    const failure = start(given).catch((error: unknown) => error)
    await expect.poll(() => waiting.length).toBe(1)
    waiting[0].release()
    expect(await failure).toEqual(new Error('no scan'))
    expect(waiting).toHaveLength(2)
    waiting[1].fail(new Error('too late'))
    await settled()
    expect(unhandled).toEqual([])
  })
})
