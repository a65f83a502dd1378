import { describe, expect, it } from 'vitest'
import { trees } from '../../../src/classes/auditors.ts'
import { makeRandom } from '../../../src/common/random.ts'
import { FIT } from '../../../src/engine/engine.ts'
import { multicalibrationError } from '../../../src/measures/class/multicalibration.ts'
import { findWorstSigned } from '../../../src/measures/class/worstTree/search.ts'
import { discretize } from '../../../src/round/discretize.ts'
import { cellsOf, signedErrors, treesOf } from '../../support/bruteForce.ts'
import { MANY_BINS, prepare, type SmallTable } from '../../support/tables.ts'

const LEVELS = 8
const ONE = 2 ** 24
const CITIES = ['Bonn', 'Kiel', 'Ulm', 'Jena']

/** Coin tosses for labels: the signs of bins agree in no order, which is what makes the search hard. */
function drawTable(seed: number, { ages, missing }: { ages: number; missing: number }): SmallTable {
  const random = makeRandom(seed)
  const rows = Array.from({ length: 60 }, () => ({
    age: missing > 0 && random.next() < missing ? null : random.integer(ages),
    city: CITIES[random.integer(CITIES.length)],
    member: random.next() < 0.5,
    label: random.integer(2),
    score: random.integer(8) / 8 + 1 / 16,
    weight: missing > 0 ? 1 + random.integer(3) : 1,
    fold: 'fit' as const,
  }))
  return { rows, weighted: missing > 0, folded: false }
}

/** Few ages, some of them missing, and weights: small enough for all trees and signs. */
const SMALL = { ages: 4, missing: 0.1 }

async function open(seed: number, drawn = SMALL) {
  const prepared = prepare(drawTable(seed, drawn), trees({ depth: 2 }), 'table', MANY_BINS)
  const rounding = await discretize(prepared.engine, LEVELS)
  const { compiled, engine } = prepared
  const request = {
    ...{ engine, fold: FIT, cellBudget: 1e6, levels: LEVELS, depth: 2 as const },
    levelValues: Int32Array.from(rounding.values),
    schemas: compiled.encoding.features,
    features: compiled.encoding.features.map((_, index) => index),
  }
  return { prepared, rounding, request }
}

/** Over all trees and signs of leaves, in residual units times weight. */
async function bruteForce({ prepared, rounding }: Awaited<ReturnType<typeof open>>): Promise<number> {
  const { rows, trees: all } = await treesOf(prepared, 2, FIT)
  const values = rounding.values.map(units => units / ONE)
  const errors = all.flatMap(leaves => signedErrors(cellsOf(rows, leaves, LEVELS, values)))
  return errors.reduce((a, b) => Math.max(a, b), 0) * ONE
}

describe('the worst tree', () => {
  it('is found where a climb over signs of bins and trees stays at 0.2875', async () => {
    const { prepared, rounding } = await open(12, { ages: 12, missing: 0 })
    const scope = { fold: FIT, cellBudget: 1e6 }
    const { atMost, error } = await multicalibrationError(
      ...([prepared.engine, prepared.compiled, rounding, scope] as const),
    )
    expect({ atMost, error }).toEqual({ atMost: 1 / 3, error: 1 / 3 })
  })

  it.each([1, 6, 12, 18, 32])('has the largest error of all trees and signs (seed %i)', async seed => {
    const opened = await open(seed)
    const { atMost, error } = await findWorstSigned(opened.request)
    expect(error / (await bruteForce(opened))).toBeCloseTo(1, 9)
    expect(atMost).toBe(error)
  })

  it('is the same where pairs are not kept, but counted for each root', async () => {
    const { request } = await open(12)
    const kept = await findWorstSigned(request)
    const asked = await findWorstSigned(request, { keptCells: 0 })
    expect(asked.error).toBe(kept.error)
    expect(asked.atMost).toBe(kept.error)
  })

  it('is the same from the kernels and from the twin, bounds of what was not looked at included', async () => {
    const { request } = await open(12)
    for (const limits of [{}, { work: 1 }, { work: 3000 }, { work: 20_000 }, { keptCells: 0 }]) {
      const [wasm, twin] = await Promise.all(
        (['wasm', 'twin'] as const).map(kernels => findWorstSigned(request, { ...limits, kernels })),
      )
      expect(twin).toEqual(wasm)
    }
  })

  it('lies between two numbers where the work ends early', async () => {
    for (const seed of [6, 12]) {
      const opened = await open(seed)
      const truth = await bruteForce(opened)
      for (const work of [1, 200, 3000, 20_000]) {
        const { atMost, error } = await findWorstSigned(opened.request, { work })
        expect(error).toBeLessThanOrEqual(truth * (1 + 1e-12))
        expect(atMost).toBeGreaterThanOrEqual(truth * (1 - 1e-12))
        if (work === 1) expect(atMost).toBeGreaterThan(error)
      }
    }
  })
})
