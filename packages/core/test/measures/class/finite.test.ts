import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { functions, groups } from '../../../src/classes/auditors.ts'
import { FIT, HOLDOUT } from '../../../src/engine/engine.ts'
import { levelSetError } from '../../../src/measures/class/levelSet.ts'
import { multiaccuracyError } from '../../../src/measures/class/multiaccuracy.ts'
import { multicalibrationError, worstSigns } from '../../../src/measures/class/multicalibration.ts'
import type { RowFunctions } from '../../../src/quantize/signals.ts'
import { discretize } from '../../../src/round/discretize.ts'
import {
  absoluteError,
  type Cells,
  type CountedRow,
  cellsOf,
  countedRows,
  levelOfRow,
  range,
  signedErrors,
  signPatterns,
  sum,
  totalWeight,
} from '../../support/bruteForce.ts'
import { expectAtMost, expectClose } from '../../support/close.ts'
import { FUNCTIONS } from '../../support/functions.ts'
import { groupArbitrary, isMember } from '../../support/predicates.ts'
import { MANY_BINS, prepare, type SmallTable, tablesArbitrary } from '../../support/tables.ts'

const scope = { fold: FIT, cellBudget: 1e6 }
const anyBins = fc.integer({ min: 1, max: 5 })

const declared = tablesArbitrary().chain(table =>
  fc.record({
    table: fc.constant(table),
    groups: fc.array(groupArbitrary(table), { minLength: 1, maxLength: 4 }),
  }),
)

/** sum over prediction bins of |E[b (y - v_S) 1_S]|, or of |E[b (y - f)]| without rounding. */
function errorOf(
  rows: readonly CountedRow[],
  b: (row: CountedRow) => number,
  rounded?: readonly number[],
): number {
  const bins = rounded?.length ?? 1
  const parts = range(bins).map(bin => {
    const within = rows.filter(row => levelOfRow(row, bins) === bin)
    const predicted = (row: CountedRow) => (rounded === undefined ? row.prediction : rounded[bin] / 2 ** 24)
    return Math.abs(sum(within.map(row => row.weight * b(row) * (row.label - predicted(row)))))
  })
  return sum(parts) / totalWeight(rows)
}

describe('on declared groups', () => {
  it('every error is the largest over the groups and everyone, exactly', async () => {
    const property = fc.asyncProperty(declared, anyBins, async (given, bins) => {
      const specs = given.groups.map(group => group.spec)
      const { compiled, engine, ...prepared } = prepare(given.table, groups(specs), 'table', MANY_BINS)
      const rows = await countedRows({ ...prepared, compiled, engine })
      const { values } = await discretize(engine, bins)
      const members = [
        () => true,
        ...given.groups.map(group => (row: CountedRow) => isMember(group, row.values)),
      ]
      const worst = (rounded?: readonly number[]) =>
        Math.max(...members.map(member => errorOf(rows, row => Number(member(row)), rounded)))
      const levelSets = members.map(member => {
        const inside = errorOf(rows, row => Number(member(row)), values)
        return inside + errorOf(rows, row => Number(!member(row)), values)
      })
      const accuracy = await multiaccuracyError(engine, compiled, scope)
      const calibration = await multicalibrationError(engine, compiled, { bins, values }, scope)
      const levelSet = (await levelSetError(engine, compiled, { bins, values }, scope))!
      expectClose(accuracy.error, worst())
      expectClose(calibration.error, worst(values))
      expectClose(levelSet.error, Math.max(...levelSets))
      for (const { atMost, error } of [accuracy, calibration, levelSet]) expect(atMost).toBe(error)
    })
    await fc.assert(property)
  })

  const row = (member: boolean, label: number, score: number) => ({
    age: null,
    city: null,
    member,
    label,
    score,
    weight: 1,
    fold: 'fit' as const,
  })
  const table: SmallTable = {
    rows: [row(true, 1, 0.5), row(true, 1, 0.5), row(false, 0, 0.25), row(false, 0.25, 0.25)],
    weighted: false,
    folded: false,
  }

  it('the worst group is named', async () => {
    const { compiled, engine } = prepare(table, groups(['member']), 'table')
    const rounding = await discretize(engine, 2)
    const worst = 'member = true'
    expect(await multiaccuracyError(engine, compiled, scope)).toEqual({ error: 0.25, atMost: 0.25, worst })
    const everyone = { error: 0.3125, atMost: 0.3125, worst: 'everyone' }
    expect(await multicalibrationError(engine, compiled, rounding, scope)).toEqual(everyone)
    expect(await levelSetError(engine, compiled, rounding, scope)).toMatchObject(everyone)
  })

  it('no group is the worst when all are right', async () => {
    const right = { ...table, rows: table.rows.map(each => ({ ...each, score: each.label })) }
    const { compiled, engine } = prepare(right, groups(['member']), 'table')
    const none = { error: 0, atMost: 0, worst: 'none' }
    expect(await multiaccuracyError(engine, compiled, scope)).toEqual(none)
    expect(await multicalibrationError(engine, compiled, await discretize(engine, 8), scope)).toEqual(none)
  })
})

describe('on functions', () => {
  it('errors are those of the worst function, and there are no level sets', async () => {
    const fold = fc.constantFrom(FIT, HOLDOUT)
    const property = fc.asyncProperty(
      tablesArbitrary({ folds: true }),
      anyBins,
      fold,
      async (table, bins, fold) => {
        const prepared = prepare(table, functions(FUNCTIONS), 'weighted')
        const { compiled, engine } = prepared
        const rows = await countedRows(prepared, fold)
        const rounding = await discretize(engine, bins)
        const errors = (rounded?: readonly number[]) =>
          Object.values(FUNCTIONS).map(f => errorOf(rows, row => f({ ...row.values }), rounded))
        const accuracy = await multiaccuracyError(engine, compiled, { ...scope, fold })
        const calibration = await multicalibrationError(engine, compiled, rounding, { ...scope, fold })
        expectClose(accuracy.error, Math.max(...errors()))
        expectClose(calibration.error, Math.max(...errors(rounding.values)))
        const named = (name: string, all: number[]) => all[Object.keys(FUNCTIONS).indexOf(name)]
        expectClose(named(accuracy.worst, errors()), accuracy.error)
        expectClose(named(calibration.worst, errors(rounding.values)), calibration.error)
        for (const { atMost, error } of [accuracy, calibration]) expect(atMost).toBe(error)
        expect(await levelSetError(engine, compiled, rounding, { ...scope, fold })).toBeUndefined()
      },
    )
    await fc.assert(property)
  })

  it('with value bins, errors are those of the worst function that is constant on the bins of one', async () => {
    const valueBins = fc.integer({ min: 2, max: 6 })
    const property = fc.asyncProperty(tablesArbitrary(), anyBins, valueBins, async (table, bins, sets) => {
      const prepared = prepare(table, functions(FUNCTIONS, { valueBins: sets }), 'table')
      const { compiled, engine } = prepared
      const rows = await countedRows(prepared)
      const rounding = await discretize(engine, bins)
      const cells = (rounded?: readonly number[]) =>
        Object.values(FUNCTIONS).map(f => {
          const edges = range(sets - 1).map(edge => -1 + (2 * (edge + 1)) / sets)
          const of = rows.map(row => edges.filter(edge => f({ ...row.values }) > edge).length)
          const values = rounded?.map(units => units / 2 ** 24)
          return cellsOf(rows, { count: sets, of }, values?.length ?? 1, values)
        })
      const largest = (errors: number[]) => Math.max(...errors) / totalWeight(rows)
      const accuracy = await multiaccuracyError(engine, compiled, scope)
      const calibration = await multicalibrationError(engine, compiled, rounding, scope)
      const levelSet = (await levelSetError(engine, compiled, rounding, scope))!
      expectClose(accuracy.error, largest(cells().map(absoluteError)))
      expectClose(calibration.error, largest(cells(rounding.values).flatMap(signedErrors)))
      expectClose(levelSet.error, largest(cells(rounding.values).map(absoluteError)))
      for (const { atMost, error } of [accuracy, calibration, levelSet]) expect(atMost).toBe(error)
    })
    await fc.assert(property)
  })

  it('with more value bins than all signs can be tried for, the worst still lies within the bound', async () => {
    const sets = 20
    const spread: RowFunctions = { spread: row => ((row.age as number) - 10) / 10 }
    const rowsOf = fc.array(fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(0.1, 0.4, 0.7)), {
      minLength: 40,
      maxLength: 40,
    })
    const property = fc.asyncProperty(rowsOf, async drawn => {
      const draw = ([label, score]: [number, number], index: number) => ({
        age: 0.5 + (index % sets),
        city: null,
        member: null,
        label,
        score,
        weight: 1,
        fold: 'fit' as const,
      })
      const rows = drawn.map(draw)
      fc.pre(new Set(rows.map(({ label }) => label)).size > 1)
      const prepared = prepare(
        { rows, weighted: false, folded: false },
        functions(spread, { valueBins: sets }),
        'table',
      )
      const rounding = await discretize(prepared.engine, 4)
      const counted = await countedRows(prepared)
      const of = counted.map(({ row }) => row % sets)
      const values = rounding.values.map(units => units / 2 ** 24)
      const worst = worstOverLevelSigns(cellsOf(counted, { count: sets, of }, 4, values)) / rows.length
      const { atMost, error } = await multicalibrationError(
        prepared.engine,
        prepared.compiled,
        rounding,
        scope,
      )
      expectAtMost(error, worst)
      expectAtMost(worst, atMost)
    })
    await fc.assert(property, { numRuns: 30 })
  })
})

/** K1 with the signs of the levels fixed instead of those of the leaves: the other order of the same maximum. */
function worstOverLevelSigns({ leaves, levels, r }: Cells): number {
  const errors = signPatterns(levels).map(signs =>
    sum(
      range(leaves).map(leaf => Math.abs(sum(signs.map((sign, level) => sign * r[leaf * levels + level])))),
    ),
  )
  return Math.max(...errors)
}

describe('the worst signs of a partition', () => {
  const residual = fc.integer({ min: -9, max: 9 })
  const cellsArbitrary = fc
    .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 6 }))
    .chain(([leaves, levels]) =>
      fc.record({
        leaves: fc.constant(leaves),
        levels: fc.constant(levels),
        r: fc.array(residual, { minLength: leaves * levels, maxLength: leaves * levels }),
        n: fc.constant([]),
      }),
    )

  it('reach the largest K1 of all leaf values in [-1,1], whichever signs are tried first', () => {
    const property = fc.property(cellsArbitrary, cells => {
      const { error } = worstSigns(cells.r, cells.leaves, cells.levels)
      expect(error).toBe(Math.max(...signedErrors(cells)))
      expect(error).toBe(worstOverLevelSigns(cells))
    })
    fc.assert(property)
  })

  it('are signs that give the error', () => {
    const property = fc.property(cellsArbitrary, ({ leaves, levels, r }) => {
      const { error, leafSigns, levelSigns } = worstSigns(r, leaves, levels)
      const cells = range(leaves * levels)
      const signed = cells.map(
        cell => leafSigns[Math.floor(cell / levels)] * levelSigns[cell % levels] * r[cell],
      )
      expect(sum(signed)).toBe(error)
    })
    fc.assert(property)
  })
})
