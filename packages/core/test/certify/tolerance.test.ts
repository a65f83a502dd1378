// The realized tolerance against brute force over every declared tree, and the class that it speaks of.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { certifiedClass, realizedTolerance, strongestFactors } from '../../src/certify/tolerance.ts'
import { type CompiledClass, compileAuditors } from '../../src/classes/compile.ts'
import { declaredSteps } from '../../src/classes/splits.ts'
import { ONE } from '../../src/common/units.ts'
import { assignRoles } from '../../src/data/roles.ts'
import type { EngineRows, EngineShape } from '../../src/engine/engine.ts'
import { type Auditors, fit, functions, groups, linear, referenceEngine, trees } from '../../src/index.ts'
import { type FactorKind, replay } from '../../src/internal.ts'
import { searchCells } from '../../src/oracle/search.ts'
import { engineRows, learnEncoding } from '../../src/store/encode.ts'
import { numberLeaves, ROOT, type Split, type Tree } from '../../src/update/update.ts'
import { ROW_FUNCTIONS, type Sample, sampleArbitrary } from '../fit/tables.ts'
import { naiveLeaf, naiveLevel, naiveMoved } from '../support/naive.ts'

const QUANTIZE = { bins: 6, coarseBins: 4, rare: 0 }

function prepare(sample: Sample, auditors: Auditors, factors: FactorKind) {
  const dataset = assignRoles(sample.table, { label: 'y', prediction: 'score', except: ['weight'] })
  const encoding = learnEncoding(dataset, auditors, QUANTIZE)
  const compiled = compileAuditors(auditors, factors, encoding)
  return { compiled, rows: engineRows(dataset, encoding, ROW_FUNCTIONS) }
}

/** L(f) minus the loss after the best table on the leaves and levels of one tree: the sum of R^2/N. */
function tableGain(tree: Tree, rows: EngineRows, predictions: readonly number[], levels: number): number {
  const cells = new Map<number, { count: number; residual: number }>()
  predictions.forEach((prediction, row) => {
    const key = naiveLeaf(tree, rows, row, prediction) * levels + naiveLevel(prediction, levels)
    const cell = cells.get(key) ?? { count: 0, residual: 0 }
    cells.set(key, { count: cell.count + 1, residual: cell.residual + (rows.label[row] - prediction) / ONE })
  })
  let gain = 0
  for (const { count, residual } of cells.values()) gain += residual ** 2 / count
  return gain / predictions.length
}

function declaredSplits({ encoding }: CompiledClass): Split[] {
  return encoding.features.flatMap((schema, feature) =>
    declaredSteps(schema, feature, true).flatMap(step => (step.split === undefined ? [] : [step.split])),
  )
}

const branch = (split: Split, yes: Tree, no: Tree): Tree => numberLeaves({ split, yes, no })

/** The best gain over every declared tree of depth 1 or 2. In a table the two sides gain apart, but this tries all. */
function bruteForceGain(
  compiled: CompiledClass,
  rows: EngineRows,
  predictions: number[],
  levels: number,
): number {
  const splits = declaredSplits(compiled)
  const depth = compiled.space.kind === 'trees' ? compiled.space.depth : 0
  const sides: Tree[] = depth === 2 ? [ROOT, ...splits.map(split => branch(split, ROOT, ROOT))] : [ROOT]
  let best = tableGain(ROOT, rows, predictions, levels)
  for (const split of splits) {
    for (const yes of sides) {
      for (const no of sides) {
        best = Math.max(best, tableGain(branch(split, yes, no), rows, predictions, levels))
      }
    }
  }
  return best
}

describe('the realized tolerance', () => {
  it.each([1, 2] as const)('of trees of depth %d is the best gain over every declared tree', async depth => {
    await fc.assert(
      fc.asyncProperty(sampleArbitrary(12), fc.constantFrom(1, 3), async (sample, levels) => {
        const factors: FactorKind = levels === 1 ? 'constant' : 'table'
        const { compiled, rows } = prepare(sample, trees({ depth, columns: ['age', 'region'] }), factors)
        const columns = { ...compiled.encoding, features: compiled.encoding.features.slice(0, 2) }
        const engine = referenceEngine(rows)
        const found = await realizedTolerance(engine, compiled, factors, levels, 2 ** 27)
        const expected = bruteForceGain(
          { ...compiled, encoding: columns },
          rows,
          Array.from(rows.start),
          levels,
        )
        expect(found.tolerance).toBeCloseTo(expected, 12)
        expect(found.attained).toBe(true)
        expect(found.factors).toBe(factors)
      }),
      { numRuns: depth === 1 ? 40 : 8 },
    )
  })

  it('in a certificate is that of the final predictions', async () => {
    await fc.assert(
      fc.asyncProperty(sampleArbitrary(25), async sample => {
        const auditors = trees({ depth: 1 })
        const { compiled, rows } = prepare(sample, auditors, 'table')
        const options = {
          label: 'y',
          prediction: 'score',
          except: ['weight'],
          featureBins: 6,
          coarseBins: 4,
          rare: 0,
        }
        const model = await fit(sample.table, {
          ...options,
          method: 'rounds',
          auditors,
          stop: 'certificate',
          bins: 3,
          roundLimit: 2,
        })
        const final = Array.from(rows.start, (start, row) =>
          model.data.updates.reduce((prediction, update) => naiveMoved(update, rows, row, prediction), start),
        )
        const { tolerances } = model.certificate
        expect(tolerances.map(({ factors }) => factors)).toEqual(['constant', 'table'])
        expect(tolerances[0].tolerance).toBeCloseTo(bruteForceGain(compiled, rows, final, 1), 12)
        expect(tolerances[1].tolerance).toBeCloseTo(bruteForceGain(compiled, rows, final, 3), 12)
      }),
      { numRuns: 25 },
    )
  })

  it('is attained by the update it names', async () => {
    await fc.assert(
      fc.asyncProperty(
        sampleArbitrary(30),
        fc.constantFrom<Auditors>(trees(), groups(['region']), linear(), functions(ROW_FUNCTIONS)),
        async (sample, auditors) => {
          const { compiled, rows } = prepare(sample, auditors, strongestOf(auditors))
          const engine = referenceEngine(rows)
          const found = await realizedTolerance(engine, compiled, strongestFactors(compiled), 4, 2 ** 27)
          const [before] = await engine.losses()
          const [after] = await engine.evaluate(found.update)
          const drop = (before.squares.high - after.squares.high) / ONE / before.weight
          // Clipping and the rounding to units can only add to the gain, but for some units.
          expect(drop).toBeGreaterThan(found.tolerance - 1e-5)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('of rank-one factors is bounded by the table that contains them', async () => {
    const [sample] = fc.sample(sampleArbitrary(60, 60), { numRuns: 1, seed: 4 })
    const { compiled, rows } = prepare(sample, trees(), 'signed')
    const engine = referenceEngine(rows)
    const signed = await realizedTolerance(engine, compiled, 'signed', 5, 2 ** 27)
    const table = await realizedTolerance(engine, compiled, 'table', 5, 2 ** 27)
    expect(signed.attained).toBe(false)
    expect(signed.tolerance).toBeCloseTo(table.tolerance, 12)
  })

  it('is nothing where no update gains anything', async () => {
    const [sample] = fc.sample(sampleArbitrary(10), { numRuns: 1, seed: 4 })
    const { compiled, rows } = prepare(sample, groups(['region']), 'table')
    const engine = referenceEngine({ ...rows, start: rows.label })
    await replay(engine, [])
    const { tolerance, update } = await realizedTolerance(engine, compiled, 'table', 4, 2 ** 27)
    expect(tolerance).toBe(0)
    expect(update.kind === 'table' && update.values.every(value => value === 0)).toBe(true)
  })
})

const strongestOf = (auditors: Auditors): FactorKind =>
  auditors.kind === 'functions' && auditors.valueBins === undefined ? 'weighted' : 'table'

describe('the richest factors', () => {
  it.each<[string, Auditors, FactorKind, FactorKind]>([
    ['groups', groups(['region']), 'constant', 'table'],
    ['trees', trees(), 'intervals', 'table'],
    ['linear', linear(), 'signed', 'table'],
    ['functions', functions(ROW_FUNCTIONS), 'constant', 'weighted'],
    ['functions in value bins', functions(ROW_FUNCTIONS, { valueBins: 3 }), 'level-sets', 'table'],
  ])('of %s are those their auditors go with', (_, auditors, factors, strongest) => {
    const [sample] = fc.sample(sampleArbitrary(10), { numRuns: 1, seed: 4 })
    expect(strongestFactors(prepare(sample, auditors, factors).compiled)).toBe(strongest)
  })
})

describe('the certified class', () => {
  const [sample] = fc.sample(sampleArbitrary(20, 20), { numRuns: 1, seed: 4 })
  const classOf = (auditors: Auditors, cellBudget = 2 ** 27) => {
    const { compiled, rows } = prepare(sample, auditors, 'table')
    const shape: EngineShape = {
      ...rows,
      countedRows: rows.rowCount,
      units: [],
      signalCount: 0,
      foldCount: 1,
    }
    return { given: compiled, ...certifiedClass(compiled, shape, 10, cellBudget) }
  }
  const depthOf = ({ space }: CompiledClass) => (space.kind === 'trees' ? space.depth : undefined)

  it.each([trees({ depth: 1 }), trees({ depth: 2 }), groups(['region'])])(
    'is the declared one for %j',
    auditors => {
      const { compiled, given, note } = classOf(auditors)
      expect(compiled).toBe(given)
      expect(note).toBeUndefined()
    },
  )

  it.each([3, 4])('for trees of depth %d is that of depth 2, with a note', depth => {
    const { compiled, note } = classOf(trees({ depth }))
    expect(depthOf(compiled)).toBe(2)
    expect(note).toBe(
      `Trees of depth ${depth} were grown greedily; what is proven is proven for trees of depth 2.`,
    )
  })

  it.each([2, 3])('for trees of depth %d beyond the cell budget is that of depth 1, with a note', depth => {
    const { compiled, note } = classOf(trees({ depth }), 50)
    expect(depthOf(compiled)).toBe(1)
    expect(note).toMatch(
      /^Depth 2 would need [\d,]+ cells, more than the budget of 50: certified for trees of depth 1 only\.$/,
    )
  })

  it('is of depth 2 where its cells are just the cell budget', () => {
    const [sample] = fc.sample(sampleArbitrary(20), { numRuns: 1, seed: 5 })
    const { compiled, rows } = prepare(sample, trees({ depth: 2 }), 'table')
    const features = compiled.encoding.features.map((_, feature) => feature)
    const cells = searchCells(rows.coarseCounts, features, 4)
    expect(certifiedClass(compiled, rows, 4, cells)).toEqual({ compiled })
    expect(certifiedClass(compiled, rows, 4, cells - 1).note).toContain('depth 1 only')
  })

  it('for trees of depth 1 does not depend on the cell budget', () => {
    expect(depthOf(classOf(trees({ depth: 1 }), 1).compiled)).toBe(1)
    expect(classOf(trees({ depth: 1 }), 1).note).toBeUndefined()
  })
})
