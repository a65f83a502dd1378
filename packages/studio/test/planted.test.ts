// The story of the example: what was planted is told as it is, and "found" means what the page says.

import { collectEvidence, fit, makeTable, type Table } from '@featureboost/core'
import { matchRows } from '@featureboost/core/internal'
import { beforeAll, describe, expect, it } from 'vitest'
import { PLANTED_ERRORS } from '../../cli/src/demo/population.ts'
import { exampleTable, type PlantedRows, plantedRows } from '../src/worker/example.ts'
import { findPlanted, followPlanted, HALF } from '../src/worker/planted.ts'

const ROLES = { label: 'defaulted', prediction: 'score' } as const
const QUICK = { bins: 20, coarseBins: 16, draws: 0 } as const
/** Of the example, so that tests are quick. */
const ROWS = 20_000

let table: Table
let planted: PlantedRows[]
beforeAll(() => {
  const { columns } = exampleTable()
  const first = columns.map(({ name, ...column }) => {
    if (column.kind !== 'categorical')
      return [name, Array.from(column.values.slice(0, ROWS), readAs(column.kind))]
    return [name, Array.from(column.codes.slice(0, ROWS), code => column.categories[code] ?? null)]
  })
  table = makeTable(Object.fromEntries(first))
  planted = plantedRows().map(error => ({ ...error, rows: error.rows.slice(0, ROWS) }))
}, 60_000)

const readAs = (kind: string) => (value: number) => {
  if (kind === 'boolean') return value < 0 ? null : value === 1
  return Number.isNaN(value) ? null : value
}

const count = (rows: Uint8Array): number => rows.reduce((sum, one) => sum + one, 0)
const numbers = (name: string): Float64Array => {
  const column = table.columns.find(each => each.name === name)!
  if (column.kind !== 'numeric') throw new Error(name)
  return column.values
}

describe('the errors of the example', () => {
  it('are those that the population says, each with conditions that hold for its rows alone', () => {
    const scores = numbers('score')
    expect(planted.map(({ words }) => words)).toEqual(PLANTED_ERRORS.map(({ words }) => words))
    for (const { rows, scores: at, where, words } of planted) {
      const matched = matchRows(table, where).map((one, row) =>
        Number(
          one === 1 && (at === undefined || (scores[row] >= at.from && (scores[row] < at.to || at.to === 1))),
        ),
      )
      expect(matched, words).toEqual(rows)
    }
  })
})

describe('an audit of the example', () => {
  it('finds an error where groups that are surely off to its side hold at least half of its rows', async () => {
    const evidence = await collectEvidence(table, { ...QUICK, ...ROLES })
    const errors = findPlanted(evidence, table, planted)
    expect(errors.filter(({ isFound }) => isFound).length).toBeGreaterThanOrEqual(2)
    for (const [index, { before, by, isFound, rowCount, share }] of errors.entries()) {
      const { rows, side } = planted[index]
      expect(rowCount).toBe(count(rows))
      expect(before.gap > 0).toBe(side === 'too low')
      expect(isFound).toBe(share >= HALF)
      expect(by.length === 0).toBe(share === 0)
      for (const group of by) {
        expect(group.before.low > 0 || group.before.high < 0).toBe(true)
        expect(group.before.gap > 0).toBe(side === 'too low')
      }
    }
  })

  it('finds none where no group is off by more than noise', async () => {
    const evidence = await collectEvidence(table, { ...QUICK, ...ROLES })
    const significance = { ...evidence.before.significance, beyondNoise: false }
    const calm = { ...evidence, before: { ...evidence.before, significance } }
    for (const { by, isFound } of findPlanted(calm, table, planted))
      expect([by, isFound]).toEqual([[], false])
  })
})

describe('a fit to the example', () => {
  it('is followed on the rows that were held out, error by error', async () => {
    const model = await fit(table, { ...ROLES, method: 'rounds', roundLimit: 6, holdout: 0.25 })
    const evidence = await collectEvidence(table, { ...QUICK, model })
    const errors = (await followPlanted(evidence, table, planted, model))!
    expect(evidence.about.rows).toBe('held-out')
    expect(errors.map(({ words }) => words)).toEqual(planted.map(({ words }) => words))
    for (const [index, { after, before, rowCount }] of errors.entries()) {
      const all = count(planted[index].rows)
      expect(rowCount).toBeGreaterThan(0.15 * all)
      expect(rowCount).toBeLessThan(0.35 * all)
      expect(before.low).toBeLessThan(before.gap)
      expect(after!.high).toBeGreaterThan(after!.gap)
    }
    const size = (read: (error: (typeof errors)[number]) => number) =>
      errors.reduce((sum, error) => sum + Math.abs(read(error)), 0)
    expect(size(({ after }) => after!.gap)).toBeLessThan(size(({ before }) => before.gap))
  })
})
