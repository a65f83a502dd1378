// Columns of few values that draws of the noise count together: nothing else comes of it, and the plan knows what it costs.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audit } from '../../../src/audit/audit.ts'
import { sampleForDraws } from '../../../src/audit/worst/drawnRows.ts'
import { DrawScanner } from '../../../src/audit/worst/drawScanner.ts'
import { costOfDraw, planJoined } from '../../../src/audit/worst/joinedDraws.ts'
import { openDraws } from '../../../src/audit/worst/nullMaximum.ts'
import { costOfPairs } from '../../../src/audit/worst/plan.ts'
import { trees } from '../../../src/classes/auditors.ts'
import { makeRandom } from '../../../src/common/random.ts'
import { assignRoles } from '../../../src/data/roles.ts'
import { makeTable, type Table } from '../../../src/data/table.ts'
import type { MakeEngine } from '../../../src/engine/engine.ts'
import { memoryEngine } from '../../../src/engine/memory/memory.ts'
import { joinColumns } from '../../../src/forest/joined.ts'
import { type Family, openFamily, sumFamily } from '../../../src/oracle/groups/family.ts'
import { engineRows, learnEncoding } from '../../../src/store/encode.ts'

interface Shape {
  readonly seed: number
  readonly rowCount: number
  /** Values of each column; 0: as many as there are rows. */
  readonly values: readonly number[]
  readonly weighted: boolean
}

const anyShape: fc.Arbitrary<Shape> = fc.record({
  seed: fc.nat(1e6),
  rowCount: fc.integer({ min: 200, max: 2500 }),
  values: fc.array(fc.constantFrom(1, 2, 2, 3, 4, 7, 0), { minLength: 2, maxLength: 9 }),
  weighted: fc.boolean(),
})

const fewColumns = anyShape.map(shape => ({
  ...shape,
  rowCount: 600,
  values: [...shape.values.slice(0, 4), 2, 3],
}))

/** Missing values now and then, words and numbers. */
function makeRows({ rowCount, seed, values, weighted }: Shape): Table {
  const random = makeRandom(seed)
  const score = Array.from({ length: rowCount }, () => random.next())
  const column = (count: number, index: number) =>
    score.map(() => {
      if (index % 4 === 3 && random.integer(6) === 0) return null
      const value = count === 0 ? random.next() : random.integer(count)
      return index % 3 === 1 && count > 0 ? `value ${value}` : value
    })
  return makeTable({
    ...Object.fromEntries(values.map((count, index) => [`x${index}`, column(count, index)])),
    ...(weighted && { w: score.map(() => random.integer(4)) }),
    score,
    y: score.map(chance => Number(random.next() < chance)),
  })
}

async function openRows(shape: Shape, levels: number) {
  const roles = { label: 'y', prediction: 'score', ...(shape.weighted && { weight: 'w' }) }
  const dataset = assignRoles(makeRows(shape), roles)
  const encoding = learnEncoding(dataset, trees(), { bins: 32, coarseBins: 9, rare: 0 })
  const key = Int32Array.from({ length: shape.rowCount }, (_, row) => Math.imul(row + 1, 0x9e3779b1))
  const engine = await memoryEngine({ threads: 1 })({ ...engineRows(dataset, encoding, {}), key })
  const features = encoding.features.map((_, feature) => feature)
  const family = await openFamily(engine, { fold: 0, levels, depth: 2, schemas: encoding.features, features })
  return { engine, family }
}

const NOISE = { noise: 'labels', shift: 0, leastVariance: 4 * 2 ** 24 } as const

/** Pairs that are counted in tables, of all. */
async function countJoined(family: Family): Promise<[joined: number, all: number]> {
  const expected = await sumFamily(family, { kind: 'variance', noise: 'labels', shift: 0 })
  const margins = expected.margins('residuals')
  const rows = (await sampleForDraws(family))!
  const scanner = new DrawScanner(family, rows, margins, NOISE.leastVariance)
  let all = 0
  for await (const pair of expected.pairs()) {
    scanner.addPair(pair, pair.sums('residuals'))
    all++
  }
  scanner.largest(margins, 'labels', 0, 0, Number.POSITIVE_INFINITY)
  return [scanner.joinedPairs, all]
}

/** Keeps its rows to itself, so that draws are counted pair by pair. */
const closedEngine: MakeEngine = async rows => {
  const engine = await memoryEngine({ threads: 1 })(rows)
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'sample') return undefined
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('columns that draws count together', () => {
  it('give the statistics that every pair gives by itself', async () => {
    let together = 0
    await fc.assert(
      fc.asyncProperty(anyShape, fc.integer({ min: 1, max: 6 }), async (shape, levels) => {
        const { engine, family } = await openRows(shape, levels)
        together += (await countJoined(family))[0]
        const [plain, wasm, twin] = await Promise.all(
          ([undefined, 'wasm', 'twin'] as const).map(choice => openDraws(family, NOISE, choice)),
        )
        for (let draw = 0; draw < 3; draw++) {
          const largest = await plain(draw)
          expect(await wasm(draw)).toBe(largest)
          expect(await twin(draw)).toBe(largest)
        }
        await engine.close()
      }),
      { numRuns: 40 },
    )
    expect(together).toBeGreaterThan(300)
  })

  it('give the audits that every pair gives by itself', async () => {
    await fc.assert(
      fc.asyncProperty(fewColumns, async shape => {
        const table = makeRows(shape)
        const options = { label: 'y', prediction: 'score', draws: 39, threads: 1 } as const
        const weight = shape.weighted ? { weight: 'w' } : {}
        const found = await audit(table, { ...options, ...weight })
        expect(await audit(table, { ...options, ...weight, engine: closedEngine })).toEqual(found)
      }),
      { numRuns: 3 },
    )
  })

  it('are nearly all, where many rows have few values; those of many values stay alone', async () => {
    const shape = { seed: 3, rowCount: 6000, values: [2, 3, 4, 2, 3, 4, 2, 3, 4], weighted: false }
    const few = await openRows(shape, 4)
    expect(await countJoined(few.family)).toEqual([45, 45])
    await few.engine.close()
    const many = await openRows({ ...shape, rowCount: 300, values: [0, 0, 0] }, 4)
    expect(await countJoined(many.family)).toEqual([0, 6])
    await many.engine.close()
  })
})

describe('the plan of joined columns', () => {
  const anyBins = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 25 })
  const anySize = fc.record({
    rowCount: fc.integer({ min: 1, max: 200_000 }),
    tables: fc.integer({ min: 1, max: 21 }),
  })

  it('holds every column once, in a byte, and costs no more than counting every pair', () => {
    fc.assert(
      fc.property(anyBins, anySize, (bins, size) => {
        const columns = planJoined(bins, size)
        const members = columns.flatMap(column => column.members.map(({ feature }) => feature))
        expect(members.sort((a, b) => a - b)).toEqual(bins.map((_, index) => index))
        for (const column of columns) expect(column.size).toBeLessThanOrEqual(256)
        const alone = costOfDraw(joinColumns(bins, 0), size)
        expect(alone).toBeLessThanOrEqual((size.rowCount * bins.length * (bins.length + 1)) / 2)
        expect(costOfDraw(columns, size)).toBeLessThanOrEqual(alone)
      }),
    )
  })

  it('is what a draw is planned to cost, unless rows do not fit into one memory', async () => {
    const shape = { seed: 3, rowCount: 6000, values: [2, 3, 4, 2, 3, 4, 2, 3, 4], weighted: false }
    const { engine, family } = await openRows(shape, 4)
    const places = family.axes.map((_, axis) => axis)
    const { draw } = costOfPairs(family, places)
    // 9 columns and 45 pairs of 6,000 rows, 2 ns each.
    expect(draw).toBeLessThan(0.5 * 54 * 6000 * 2e-9)
    expect(draw).toBeGreaterThan((9 + 3) * 6000 * 2e-9)
    const rowCount = 2 ** 18 + 1
    const large = { ...family, engine: { shape: { ...engine.shape, rowCount } } as unknown as typeof engine }
    expect(costOfPairs(large, places).draw).toBeGreaterThan(54 * rowCount * 2e-9)
    await engine.close()
  })
})
