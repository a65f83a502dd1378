import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { functions, groups } from '../../src/classes/auditors.ts'
import { FACTOR_KINDS, type FactorKind } from '../../src/classes/factors.ts'
import { type CountedRow, countedRows, levelOfRow, range, sum, totalWeight } from '../support/bruteForce.ts'
import { expectClose } from '../support/close.ts'
import { FUNCTIONS } from '../support/functions.ts'
import { groupArbitrary, isMember } from '../support/predicates.ts'
import { expectAttained, oracleFor, proposeFor } from '../support/propose.ts'
import { MANY_BINS, prepare, tablesArbitrary } from '../support/tables.ts'

const anyLevels = fc.integer({ min: 1, max: 5 })

/** One auditor, row by row: its value, and which of its level sets the row is in. */
interface Auditor {
  readonly value: (row: CountedRow) => number
  readonly set: (row: CountedRow) => number
  readonly sets: number
}

/** E[b^2 1_S] and E[b (y - f) 1_S], without the division by the weight. */
function levelPart(
  rows: readonly CountedRow[],
  level: number,
  levels: number,
  b: (row: CountedRow) => number,
) {
  const within = rows.filter(row => levelOfRow(row, levels) === level)
  return {
    square: sum(within.map(row => row.weight * b(row) ** 2)),
    cross: sum(within.map(row => row.weight * b(row) * (row.label - row.prediction))),
  }
}

const ratio = ({ cross, square }: { cross: number; square: number }) => (square > 0 ? cross ** 2 / square : 0)

/** The best gain rho^2 / E[w^2] of one auditor with each kind of factors. */
function gainOf(
  rows: readonly CountedRow[],
  { set, sets, value }: Auditor,
  factors: FactorKind,
  levels: number,
) {
  const parts = range(levels).map(level => levelPart(rows, level, levels, value))
  const cells = range(sets).flatMap(index =>
    range(levels).map(level => levelPart(rows, level, levels, row => (set(row) === index ? 1 : 0))),
  )
  const square = sum(parts.map(part => part.square))
  switch (factors) {
    case 'constant':
      return ratio({ square, cross: sum(parts.map(part => part.cross)) })
    case 'intervals':
      return Math.max(...parts.map(ratio))
    case 'signed':
      return ratio({ square, cross: sum(parts.map(part => Math.abs(part.cross))) })
    case 'weighted':
      return sum(parts.map(ratio))
    case 'level-sets':
      return Math.max(...cells.map(ratio))
    case 'table':
      return sum(cells.map(ratio))
  }
}

describe('the oracle for groups', () => {
  const declared = tablesArbitrary().chain(table =>
    fc.record({
      table: fc.constant(table),
      groups: fc.array(groupArbitrary(table), { minLength: 1, maxLength: 4 }),
    }),
  )

  it.each(FACTOR_KINDS)(
    'with %s factors finds the best declared group, everyone among them',
    async factors => {
      const property = fc.asyncProperty(declared, anyLevels, async (given, levels) => {
        const specs = given.groups.map(group => group.spec)
        const prepared = prepare(given.table, groups(specs), factors, MANY_BINS)
        const rows = await countedRows(prepared)
        const memberships = [
          () => true,
          ...given.groups.map(group => (row: CountedRow) => isMember(group, row.values)),
        ]
        const gains = memberships.map(member => {
          const auditor = {
            value: (row: CountedRow) => Number(member(row)),
            set: (row: CountedRow) => Number(member(row)),
          }
          return gainOf(rows, { ...auditor, sets: 2 }, factors, levels)
        })
        const proposal = await proposeFor(prepared, levels)
        expect(oracleFor(prepared, levels).kind).toBe('closed form')
        expect(proposal.slack).toBe(0)
        expectClose(proposal.gain, Math.max(...gains) / totalWeight(rows))
        await expectAttained(prepared, proposal)
      })
      await fc.assert(property)
    },
  )

  it('moves nobody outside the group, unless the factors see the other value of the auditor', async () => {
    const property = fc.asyncProperty(declared, anyLevels, async (given, levels) => {
      const specs = given.groups.map(group => group.spec)
      for (const factors of ['constant', 'intervals', 'signed', 'weighted'] as const) {
        const { update } = await proposeFor(prepare(given.table, groups(specs), factors, MANY_BINS), levels)
        if (update.kind !== 'table') throw new Error('not a table')
        expect(update.values.slice(update.levels).every(value => value === 0)).toBe(true)
      }
    })
    await fc.assert(property, { numRuns: 30 })
  })
})

const VALUES = Object.values(FUNCTIONS)

/** The equal-width bin of [-1,1] that holds a value, upper ends included. */
function valueBin(value: number, valueBins: number): number {
  return range(valueBins).find(bin => value <= -1 + (2 * (bin + 1)) / valueBins) ?? valueBins - 1
}

describe('the oracle for functions', () => {
  it.each(['constant', 'intervals', 'signed', 'weighted'] as const)(
    'with %s factors finds the best function, with or without value bins',
    async factors => {
      const valueBins = fc.option(fc.constant(4), { nil: undefined })
      const property = fc.asyncProperty(
        tablesArbitrary(),
        anyLevels,
        valueBins,
        async (table, levels, bins) => {
          const auditors = functions(FUNCTIONS, bins === undefined ? {} : { valueBins: bins })
          const prepared = prepare(table, auditors, factors)
          const rows = await countedRows(prepared)
          const gains = VALUES.map(f => {
            return gainOf(
              rows,
              { value: row => f({ ...row.values }), set: () => 0, sets: 1 },
              factors,
              levels,
            )
          })
          const proposal = await proposeFor(prepared, levels)
          expect(oracleFor(prepared, levels).kind).toBe('closed form')
          expect(proposal.slack).toBe(0)
          expectClose(proposal.gain, Math.max(...gains) / totalWeight(rows))
          await expectAttained(prepared, proposal)
        },
      )
      await fc.assert(property)
    },
  )

  it.each(['level-sets', 'table'] as const)(
    'with %s factors searches the value bins of every function',
    async factors => {
      const valueBins = fc.integer({ min: 2, max: 6 })
      const property = fc.asyncProperty(
        tablesArbitrary(),
        anyLevels,
        valueBins,
        async (table, levels, bins) => {
          const prepared = prepare(table, functions(FUNCTIONS, { valueBins: bins }), factors)
          const rows = await countedRows(prepared)
          const gains = VALUES.map(f => {
            const set = (row: CountedRow) => valueBin(f({ ...row.values }), bins)
            return gainOf(rows, { value: () => 0, set, sets: bins }, factors, levels)
          })
          const proposal = await proposeFor(prepared, levels)
          expect(proposal.slack).toBe(0)
          expectClose(proposal.gain, Math.max(...gains) / totalWeight(rows))
          await expectAttained(prepared, proposal)
        },
      )
      await fc.assert(property)
    },
  )
})
