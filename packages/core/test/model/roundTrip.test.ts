// A model and its file are the same model: the same bytes, the same hash, the same prediction for every row.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromUnits } from '../../src/common/units.ts'
import { type FitOptions, fit, groups, readModel, tableFromRows } from '../../src/index.ts'
import {
  newRowsArbitrary,
  ROW_FUNCTIONS,
  type RoleChoice,
  roleArbitrary,
  sampleArbitrary,
  type UpdateClass,
  updateClassArbitrary,
} from '../fit/tables.ts'
import { watchEngines } from '../fit/watch.ts'

const optionsOf = (roles: RoleChoice, updateClass: UpdateClass): FitOptions => ({
  label: 'y',
  ...roles,
  ...updateClass,
  method: 'rounds',
  stop: 'certificate',
  epsilon: 0.4,
  roundLimit: 3,
})

describe('a model read from its own text', () => {
  it('has the same hash and predicts the same bytes, for every class and every row', async () => {
    await fc.assert(
      fc.asyncProperty(
        sampleArbitrary(40),
        newRowsArbitrary,
        roleArbitrary,
        updateClassArbitrary,
        async (fitted, fresh, roles, updateClass) => {
          const model = await fit(fitted.table, optionsOf(roles, updateClass))
          const again = readModel(model.toText(), { functions: ROW_FUNCTIONS })
          expect(again.hash).toBe(model.hash)
          expect(again.toText()).toBe(model.toText())
          for (const { table } of [fitted, fresh]) {
            expect(again.predict(table)).toEqual(model.predict(table))
            expect(again.round().predict(table)).toEqual(model.round().predict(table))
          }
        },
      ),
      { numRuns: 80 },
    )
  })
})

describe('groups between dates', () => {
  const rows = Array.from({ length: 60 }, (_, row) => ({
    y: row % 3 === 0 ? 1 : 0,
    joined: `2021-${row % 2 === 0 ? '03' : '09'}-1${row % 10}`,
    from: `${8 + (row % 5)}:30`,
  }))
  const fitTo = (atLeast: string) =>
    fit(tableFromRows(rows), {
      label: 'y',
      method: 'rounds',
      stop: 'certificate',
      epsilon: 0.4,
      auditors: groups([
        { column: 'joined', atLeast },
        { column: 'from', below: '10:00' },
      ]),
    })

  it('are read as they were declared', async () => {
    const model = await fitTo('2021-06-01')
    const again = readModel(model.toText())
    expect(again.hash).toBe(model.hash)
    expect(again.data.auditors).toEqual(model.data.auditors)
  })

  it('are refused where the text is no date', async () => {
    const text = (await fitTo('2021-06-01')).toText().replaceAll('2021-06-01', '2021-06-99')
    expect(() => readModel(text)).toThrow(/no date and no time/)
  })
})

describe('a prediction', () => {
  it('is the same for a row alone and in its table', async () => {
    await fc.assert(
      fc.asyncProperty(
        sampleArbitrary(30),
        newRowsArbitrary,
        roleArbitrary,
        updateClassArbitrary,
        async (fitted, fresh, roles, updateClass) => {
          const model = await fit(fitted.table, optionsOf(roles, updateClass))
          const [plain, rounded] = [model.predict(fresh.table), model.round(10).predict(fresh.table)]
          fresh.rows.forEach((row, index) => {
            expect(model.predictRow(row)).toBe(plain[index])
            expect(model.round(10).predictRow(row)).toBe(rounded[index])
          })
        },
      ),
      { numRuns: 50 },
    )
  })

  it('of a fitting row is exactly what the engine held at the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        sampleArbitrary(40),
        roleArbitrary,
        updateClassArbitrary,
        async (fitted, roles, updateClass) => {
          const { engine, watch } = watchEngines()
          const model = await fit(fitted.table, { ...optionsOf(roles, updateClass), engine })
          expect(Array.from(model.predict(fitted.table))).toEqual(Array.from(watch.predictions, fromUnits))
        },
      ),
      { numRuns: 50 },
    )
  })
})
