// The model as its user meets it: immutable, rounding on demand, clear about rows it cannot take.

import { describe, expect, it } from 'vitest'
import { levelOf, ONE, toUnits } from '../../src/common/units.ts'
import { Model, makeTable, readModel, type Table } from '../../src/index.ts'
import type { Row } from '../../src/quantize/signals.ts'
import { CURVE_BINS } from '../../src/round/curve.ts'
import { rejectionOf } from '../data/rejection.ts'
import { ROW_FUNCTIONS } from '../fit/tables.ts'
import { FIXED_ROWS, fitFixed, fixedTable } from './models.ts'

const withScores = (scores: readonly unknown[]): Table => {
  const rows = FIXED_ROWS.slice(0, scores.length)
  return makeTable({
    score: scores as number[],
    age: rows.map(row => row.age),
    region: rows.map(row => row.region),
    member: rows.map(row => row.member),
  })
}

describe('rounded predictions', () => {
  it('are the stored value of their bin, and within 1/K of the prediction', async () => {
    const model = await fitFixed('trees')
    const plain = model.predict(fixedTable)
    for (const bins of CURVE_BINS) {
      const { values } = model.data.roundings.find(rounding => rounding.bins === bins)!
      const rounded = model.round(bins).predict(fixedTable)
      plain.forEach((prediction, row) => {
        expect(rounded[row]).toBe(values[levelOf(toUnits(prediction), bins)] / ONE)
        expect(Math.abs(rounded[row] - prediction)).toBeLessThanOrEqual(1 / bins)
      })
    }
  })

  it('are the mean prediction of the bin on the fitting rows', async () => {
    const model = await fitFixed('groups')
    const plain = Array.from(model.predict(fixedTable), toUnits)
    const rounded = model.round(4).predict(fixedTable)
    plain.forEach((units, row) => {
      const same = plain.filter(other => levelOf(other, 4) === levelOf(units, 4))
      expect(rounded[row]).toBe(Math.round(same.reduce((sum, other) => sum + other, 0) / same.length) / ONE)
    })
  })

  it('go to the bins of the certificate when none are named', async () => {
    const model = await fitFixed('groups', { bins: 7 })
    expect(model.certificate.claim.bins).toBe(7)
    expect(model.round().predict(fixedTable)).toEqual(model.round(7).predict(fixedTable))
    expect(model.round().predict(fixedTable)).not.toEqual(model.round(8).predict(fixedTable))
  })

  it('are refused for a number of bins that the model has no rounding for', async () => {
    const model = await fitFixed('groups')
    const error = rejectionOf(() => model.round(11))
    expect(error.code).toBe('FB_ROUNDING')
    expect(error.message).toContain('no rounding to 11 bins')
    expect(error.message).toContain('Expected one of 1, 2, 3,')
    expect(error.message).toContain('Fit with bins set to this number')
  })
})

describe('a model', () => {
  const frozenThroughout = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(frozenThroughout))

  it('is frozen, and so is all of its data, fitted or read', async () => {
    const model = await fitFixed('trees')
    for (const each of [model, readModel(model.toText())]) {
      expect(Object.isFrozen(each)).toBe(true)
      expect(frozenThroughout(each.data)).toBe(true)
      expect(() => {
        ;(each.data.updates as unknown[]).push(0)
      }).toThrow(TypeError)
    }
  })

  it('freezes what hides below a frozen surface', async () => {
    const { data } = await fitFixed('groups')
    const thawed = Object.freeze(structuredClone(data))
    expect(frozenThroughout(thawed)).toBe(false)
    expect(frozenThroughout(new Model(thawed).data)).toBe(true)
  })

  it('does not change when the declared auditors are changed afterwards', async () => {
    const columns = ['age', 'region']
    const model = await fitFixed('trees', { auditors: { kind: 'trees', depth: 2, columns } })
    const text = model.toText()
    columns.length = 0
    expect(model.toText()).toBe(text)
  })
})

describe('a score to correct', () => {
  const row = (score: unknown) => ({ score, age: 20, region: 'north', member: true }) as Row

  it.each([
    ['above 1', 1.5, 'FB_PREDICTION_RANGE', '1.5 is not a probability'],
    ['below 0', -0.1, 'FB_PREDICTION_RANGE', '-0.1 is not a probability'],
    ['missing', null, 'FB_MISSING_VALUE', 'missing'],
    ['not a number', Number.NaN, 'FB_MISSING_VALUE', 'missing'],
  ])('that is %s is refused in tables and rows', async (_, score, code, words) => {
    const model = await fitFixed('trees')
    const inTable = rejectionOf(() => model.predict(withScores([0.5, score])))
    expect([inTable.code, inTable.details.column, inTable.details.row]).toEqual([code, 'score', 2])
    const inRow = rejectionOf(() => model.predictRow(row(score)))
    expect([inRow.code, inRow.details.column]).toEqual([code, 'score'])
    expect(inTable.message).toContain(words)
    expect(inRow.message).toContain(words)
  })

  it('that is absent is named', async () => {
    const model = await fitFixed('trees')
    const { score: _, ...scoreless } = row(0)
    const table = makeTable({ scores: [0.5], age: [20], region: ['north'], member: [true] })
    const inTable = rejectionOf(() => model.predict(table))
    expect(inTable.code).toBe('FB_COLUMN_UNKNOWN')
    expect(inTable.message).toContain('Did you mean "scores"?')
    expect(rejectionOf(() => model.predictRow(scoreless)).code).toBe('FB_MISSING_VALUE')
    expect(rejectionOf(() => model.predictRow(row(undefined))).code).toBe('FB_MISSING_VALUE')
  })

  it('that is text is refused', async () => {
    const model = await fitFixed('trees')
    expect(rejectionOf(() => model.predict(withScores(['high']))).code).toBe('FB_COLUMN_KIND')
    const inRow = rejectionOf(() => model.predictRow(row('high')))
    expect(inRow.code).toBe('FB_PREDICTION_RANGE')
    expect(inRow.message).toContain('high is not a probability. Expected a number from 0 to 1.')
  })

  it('may be a boolean, in tables and rows alike, and -0 is 0', async () => {
    const model = await fitFixed('trees')
    const { age, region, member } = FIXED_ROWS[0]
    const alone = (score: number | boolean) => model.predictRow({ score, age, region, member })
    expect(alone(true)).toBe(model.predict(withScores([true]))[0])
    expect(alone(false)).toBe(model.predict(withScores([false]))[0])
    expect(alone(true)).toBe(alone(1))
    const untouched = new Model({ ...model.data, updates: [] })
    expect(untouched.predictRow({ score: -0 })).toBe(0)
  })

  it('is not needed by a model that starts from the base rate', async () => {
    const { prediction: _, ...withoutScore } = { prediction: 'score' }
    const model = await fitFixed('groups', {
      ...withoutScore,
      prediction: undefined as unknown as string,
      except: ['score'],
    })
    const table = makeTable({ age: [20, null], region: ['south', 'west'], member: [true, null] })
    expect(model.data.start.kind).toBe('constant')
    expect(Array.from(model.predict(table)).every(value => value >= 0 && value <= 1)).toBe(true)
    expect(model.predictRow({})).toBe(
      model.predict(makeTable({ age: [null], region: [null], member: [null] }))[0],
    )
  })
})

describe('rows that a model cannot take', () => {
  it('are refused for a feature of the wrong kind, with column and row', async () => {
    const model = await fitFixed('trees')
    const table = makeTable({ score: [0.5, 0.5], age: [20, 21], region: [null, true], member: [true, true] })
    const error = rejectionOf(() => model.predict(table))
    expect([error.code, error.details.column, error.details.row]).toEqual(['FB_COLUMN_KIND', 'region', 2])
    const alone = rejectionOf(() => model.predictRow({ score: 0.5, region: true }))
    expect([alone.code, alone.details.column]).toEqual(['FB_COLUMN_KIND', 'region'])
  })

  it('need the auditor functions again after reading', async () => {
    const model = await fitFixed('functions')
    const read = readModel(model.toText())
    const error = rejectionOf(() => read.predict(fixedTable))
    expect(error.code).toBe('FB_FUNCTION')
    expect(error.message).toContain('pass it again')
    expect(rejectionOf(() => read.predictRow(FIXED_ROWS[0])).code).toBe('FB_FUNCTION')
    const complete = readModel(model.toText(), { functions: ROW_FUNCTIONS })
    expect(complete.predict(fixedTable)).toEqual(model.predict(fixedTable))
  })
})

describe('where the predictions of many rows start', () => {
  const SCORES = [0, 1, -0, true, false, 0.5, 1e-9, 1 - 1e-9, 0.25, 0.75, 0.1, 0.9]
  const startingAt = async (start: object) => {
    const { data } = await fitFixed('trees')
    return new Model({ ...data, start: start as typeof data.start, updates: [] })
  }
  const rowsOf = (column: string, values: readonly unknown[]) =>
    values.map(value => ({ [column]: value })) as Row[]

  it('is at the score, as for each row alone', async () => {
    const model = await startingAt({ kind: 'column', column: 'score' })
    const rows = rowsOf('score', SCORES)
    const found = [...model.predictRows(rows)]
    expect(found).toEqual(rows.map(row => model.predictRow(row)))
    expect(found).toEqual(SCORES.map(score => toUnits(Number(score)) / ONE + 0))
    expect(Object.is(found[2], 0)).toBe(true)
  })

  it('is at a score that is a percentage or a logit, or at the base rate', async () => {
    const percent = await startingAt({ kind: 'column', column: 'score', scale: 'percent' })
    const values = [0, 100, 50, 0.5, 1, 25, 75, 99, 12, 34]
    const found = [...percent.predictRows(rowsOf('score', values))]
    expect(found).toEqual(values.map(value => toUnits(value / 100) / ONE))
    const logit = await startingAt({ kind: 'column', column: 'score', scale: 'logit' })
    const odds = [...logit.predictRows(rowsOf('score', [0, 1, -1, 0.5, 0, 0, 0, 0, 0]))]
    expect(odds.slice(0, 3).map(value => value.toFixed(4))).toEqual(['0.5000', '0.7311', '0.2689'])
    expect(odds[3]).toBeCloseTo(1 / (1 + Math.exp(-0.5)), 6)
    const constant = await startingAt({ kind: 'constant', units: ONE / 8 })
    expect([...constant.predictRows(rowsOf('score', SCORES))]).toEqual(SCORES.map(() => 1 / 8))
  })

  it('is refused for the first row whose score is none', async () => {
    const model = await startingAt({ kind: 'column', column: 'score' })
    for (const wrong of [-0.1, 1.1, 'high', Number.NaN, null, Number.POSITIVE_INFINITY]) {
      const rows = rowsOf('score', SCORES.with(9, wrong as number))
      expect(rejectionOf(() => model.predictRows(rows)).details.row).toBe(10)
      expect(rejectionOf(() => model.predictRow(rows[9])).details.column).toBe('score')
    }
  })

  it('is never taken from what every object has', async () => {
    const model = await startingAt({ kind: 'column', column: 'toString' })
    expect([...model.predictRows(rowsOf('toString', SCORES))]).toHaveLength(SCORES.length)
    const absent = rejectionOf(() => model.predictRows(rowsOf('score', SCORES)))
    expect(absent).toMatchObject({ code: 'FB_MISSING_VALUE', details: { row: 1 } })
  })
})

describe('many rows as objects', () => {
  it('are predicted as each alone, however many', async () => {
    for (const kind of ['trees', 'groups'] as const) {
      const model = await fitFixed(kind)
      const expected = FIXED_ROWS.map(row => model.predictRow(row as Row))
      for (const count of [0, 1, 7, 8, 9, FIXED_ROWS.length]) {
        const rows = FIXED_ROWS.slice(0, count) as Row[]
        expect([...model.predictRows(rows)]).toEqual(expected.slice(0, count))
        expect([...model.round(4).predictRows(rows)]).toEqual(rows.map(row => model.round(4).predictRow(row)))
      }
    }
  })

  it('are refused where one is no object, or has what its column cannot have', async () => {
    const model = await fitFixed('trees')
    const rows = FIXED_ROWS.slice(0, 20) as Row[]
    expect(rejectionOf(() => model.predictRows([...rows, null] as unknown as Row[])).code).toBe('FB_ARGUMENT')
    expect(rejectionOf(() => model.predictRows({} as unknown as Row[])).code).toBe('FB_ARGUMENT')
    const error = rejectionOf(() => model.predictRows([...rows, { ...rows[0], region: 7 }]))
    expect(error).toMatchObject({ code: 'FB_COLUMN_KIND', details: { column: 'region', row: 21 } })
    expect(error.message).toContain('FB_COLUMN_KIND column "region", row 21: found 7')
    const few = rejectionOf(() => model.predictRows([rows[0], { ...rows[1], score: 2 }]))
    expect(few).toMatchObject({ code: 'FB_PREDICTION_RANGE', details: { column: 'score', row: 2 } })
  })
})
