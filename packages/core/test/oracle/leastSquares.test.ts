import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linear } from '../../src/classes/auditors.ts'
import type { FactorKind } from '../../src/classes/factors.ts'
import type { Proposal } from '../../src/oracle/oracle.ts'
import { fitLevels, type LevelStatistics } from '../../src/oracle/signals.ts'
import type { LinearUpdate } from '../../src/update/update.ts'
import {
  type CountedRow,
  countedRows,
  gainOfSpan,
  levelOfRow,
  range,
  signalColumns,
  signPatterns,
  sum,
  totalWeight,
} from '../support/bruteForce.ts'
import { expectAtMost, expectClose } from '../support/close.ts'
import { expectAttained, oracleFor, proposeFor } from '../support/propose.ts'
import { MANY_BINS, type Prepared, prepare, type SmallTable, tablesArbitrary } from '../support/tables.ts'

const anyLevels = fc.integer({ min: 1, max: 4 })

const signalValues = ({ rows }: Prepared, row: number): number[] =>
  rows.signals.map(signal => signal[row] / 2 ** 24)

function linearUpdate({ update }: Proposal): LinearUpdate {
  if (update.kind !== 'linear') throw new Error('not linear')
  return update
}

/** What the row is left with after the move, neither rounded nor clipped. */
function residualAfter(prepared: Prepared, update: LinearUpdate, row: CountedRow): number {
  const width = update.signals.length
  const from = levelOfRow(row, update.levels) * width
  const values = signalValues(prepared, row.row)
  return row.label - row.prediction - sum(values.map((value, k) => update.coefficients[from + k] * value))
}

const proposeLinear = (table: SmallTable, factors: FactorKind, levels: number) =>
  proposeFor(prepare(table, linear(), factors), levels)

describe('least squares on linear auditors', () => {
  it.each(['constant', 'table'] as const)(
    'with %s factors leaves residuals that no signal correlates with, in any level',
    async factors => {
      const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
        const prepared = prepare(table, linear(), factors)
        const proposal = await proposeFor(prepared, levels)
        const update = linearUpdate(proposal)
        const rows = await countedRows(prepared)
        expect(oracleFor(prepared, levels).kind).toBe('least squares')
        for (const level of range(update.levels)) {
          const within = rows.filter(row => levelOfRow(row, update.levels) === level)
          prepared.rows.signals.forEach((_, k) => {
            const parts = within.map(row => {
              return row.weight * signalValues(prepared, row.row)[k] * residualAfter(prepared, update, row)
            })
            expectClose(sum(parts) / totalWeight(rows), 0)
          })
        }
        expect(proposal.slack).toBe(0)
        await expectAttained(prepared, proposal)
      })
      await fc.assert(property)
    },
  )

  it('with intervals moves the one level that gains most, and gains exactly that', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const prepared = prepare(table, linear(), 'intervals')
      const proposal = await proposeFor(prepared, levels)
      const rows = await countedRows(prepared)
      const gains = range(levels).map(level => {
        const only = range(levels).map(other => Number(other === level))
        return gainOfSpan(rows, signalColumns(prepared, rows, only))
      })
      expectClose(proposal.gain, Math.max(...gains))
      const { coefficients, signals } = linearUpdate(proposal)
      const moving = range(levels).filter(level =>
        coefficients.slice(level * signals.length, (level + 1) * signals.length).some(value => value !== 0),
      )
      expect(moving.length).toBeLessThanOrEqual(1)
      await expectAttained(prepared, proposal)
    })
    await fc.assert(property)
  })

  it('with signs brackets the best of all sign patterns between its gain and its gain plus slack', async () => {
    const property = fc.asyncProperty(tablesArbitrary({ maxRows: 20 }), anyLevels, async (table, levels) => {
      const prepared = prepare(table, linear(), 'signed')
      const proposal = await proposeFor(prepared, levels)
      const rows = await countedRows(prepared)
      const gains = signPatterns(levels).map(signs => gainOfSpan(rows, signalColumns(prepared, rows, signs)))
      expectAtMost(proposal.gain, Math.max(...gains))
      expectAtMost(Math.max(...gains), proposal.gain + proposal.slack!)
      await expectAttained(prepared, proposal)
    })
    await fc.assert(property)
  })

  it.each(['signed', 'weighted'] as const)(
    'with %s factors falls short of the table by its slack',
    async factors => {
      const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
        const prepared = prepare(table, linear(), factors)
        const proposal = await proposeFor(prepared, levels)
        expect(oracleFor(prepared, levels).kind).toBe('rank one')
        expect(proposal.slack).toBeGreaterThanOrEqual(0)
        // Both are solved, and where signals almost repeat each other the solutions are good to eight digits.
        const tableGain = (await proposeLinear(table, 'table', levels)).gain
        expectClose(proposal.gain + proposal.slack!, tableGain, 1e-8)
        await expectAttained(prepared, proposal)
      })
      await fc.assert(property)
    },
  )

  it('gains more with richer factors', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const gain = async (factors: FactorKind) => (await proposeLinear(table, factors, levels)).gain
      const [weighted, signed] = [await gain('weighted'), await gain('signed')]
      expectAtMost(await gain('constant'), signed)
      expectAtMost(await gain('constant'), weighted)
      expectAtMost(await gain('intervals'), weighted)
    })
    await fc.assert(property)
  })

  it('keeps one direction: weighted coefficients of all levels are parallel, signed ones are equal up to sign', async () => {
    const property = fc.asyncProperty(tablesArbitrary(), anyLevels, async (table, levels) => {
      const vectorsOf = ({ coefficients, signals }: LinearUpdate) =>
        range(levels).map(level => coefficients.slice(level * signals.length, (level + 1) * signals.length))
      const signed = vectorsOf(linearUpdate(await proposeLinear(table, 'signed', levels)))
      for (const vector of signed) expect(vector.map(Math.abs)).toEqual(signed[0].map(Math.abs))
      const weighted = vectorsOf(linearUpdate(await proposeLinear(table, 'weighted', levels)))
      for (const a of weighted) {
        for (const b of weighted) {
          a.forEach((value, k) => {
            const scale = Math.hypot(...a) * Math.hypot(...b)
            a.forEach((other, j) => {
              expectClose((value * b[j] - other * b[k]) / (scale || 1), 0, 0)
            })
          })
        }
      }
    })
    await fc.assert(property, { numRuns: 50 })
  })
})

describe('columns that make the design singular', () => {
  const rows = ['Aachen', 'Bonn', 'Celle', 'Aachen', 'Bonn', 'Celle'].map((city, index) => ({
    age: 30,
    city,
    member: true,
    label: [1, 0, 1, 1, 1, 0][index],
    score: 0.5,
    weight: 1,
    fold: 'fit' as const,
  }))
  const table: SmallTable = { rows, weighted: false, folded: false }

  it('are a constant beside all categories of a column and a flag that is always true: the fit is the mean of each city', async () => {
    const prepared = prepare(table, linear(), 'constant', MANY_BINS)
    expect(prepared.encoding.signals.map(signal => signal.kind)).toEqual([
      'one',
      'indicator',
      'indicator',
      'indicator',
      'indicator',
    ])
    const { gain, update } = await proposeFor(prepared, 1)
    // City means 1, 0.5, 0.5 against 0.5: one third of the rows gains 0.25.
    expectClose(gain, 0.25 / 3)
    await prepared.engine.apply(update)
    const predictions = Array.from(await prepared.engine.snapshot(), units => units / 2 ** 24)
    expect(predictions).toEqual([1, 0.5, 0.5, 1, 0.5, 0.5])
  })
})

describe('a best direction that is only a limit', () => {
  it('is neared for a few hundred rounds and then left', () => {
    // Level 0 wants (1, 0) and pays for the second signal; level 1 sees only the second, and can make it ever smaller.
    let reads = 0
    const level = (gram: number[], cross: number[]): LevelStatistics => ({
      get gram() {
        reads++
        return Float64Array.from(gram)
      },
      cross: Float64Array.from(cross),
    })
    const { gain } = fitLevels([level([1, 0, 0, 1], [1, 0]), level([0, 0, 0, 1], [0, 1])], 'weighted')
    expect(gain).toBeGreaterThan(1.99)
    expect(gain).toBeLessThan(2)
    expect(reads).toBeLessThan(50_000)
  })
})

describe('a label that is a line in one column', () => {
  it('is met in one step from a flat score, whatever the other columns are', async () => {
    const property = fc.asyncProperty(tablesArbitrary({ missing: false }), async drawn => {
      const rows = drawn.rows.map(row => ({ ...row, label: (row.age! + 2) / 128, score: 0.5 }))
      fc.pre(new Set(rows.map(row => row.label)).size > 1)
      const prepared = prepare({ ...drawn, rows }, linear(), 'constant')
      const { update } = await proposeFor(prepared, 1)
      await prepared.engine.apply(update)
      for (const row of await countedRows(prepared)) {
        expect(Math.abs(row.label - row.prediction)).toBeLessThan(1e-6)
      }
    })
    await fc.assert(property)
  })
})
