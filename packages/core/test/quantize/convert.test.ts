// Columns and values in other forms than those a model was fitted to: converted where they say the same, else refused.

import { describe, expect, it } from 'vitest'
import {
  audit,
  fit,
  groups,
  type Model,
  readModel,
  type Table,
  tableFromRows,
  verify,
} from '../../src/index.ts'
import type { ModelData } from '../../src/model/data.ts'
import { hashModel } from '../../src/model/write.ts'
import { failureOf } from '../support/failure.ts'

const DAYS = Array.from({ length: 400 }, (_, row) => 19_700 + ((row * 37) % 300))
const isoOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** Outcomes follow the date and the flag, so that a correction has to look at both. */
function rowsOf(signup: (day: number) => unknown, flag: (yes: boolean) => unknown): Table {
  return tableFromRows(
    DAYS.map((day, row) => ({
      signup: signup(day),
      opt: flag(row % 3 === 0),
      score: 0.2 + 0.6 * ((row % 17) / 17),
      y: Number(day > 19_850 && row % 3 === 0 ? row % 5 > 0 : row % 4 === 0),
    })) as never,
  )
}

const OPTIONS = {
  label: 'y',
  prediction: 'score',
  method: 'rounds',
  stop: 'certificate',
  roundLimit: 6,
} as const

/** Files before version 3 have none. */
const withoutOptions = ({ options: _, ...data }: ModelData): ModelData => data

const words = (yes: boolean) => (yes ? 'Yes' : 'No')

async function fitted(table: Table): Promise<Model> {
  return await fit(table, OPTIONS)
}

describe('dates', () => {
  it('give the same model as text, as Dates and with a time of day that is midnight', async () => {
    const model = await fitted(rowsOf(isoOf, words))
    expect(model.data.encoding.features[0]).toMatchObject({ name: 'signup', kind: 'numeric', time: 'date' })
    for (const spell of [
      (day: number) => `${isoOf(day)} 00:00:00`,
      (day: number) => new Date(day * 86_400_000),
    ])
      expect((await fitted(rowsOf(spell, words))).hash).toBe(model.hash)
  })

  it('are read as the model has them, in tables and in rows', async () => {
    const table = rowsOf(isoOf, words)
    const model = await fitted(table)
    const expected = Array.from(model.predict(table))
    expect(Array.from(model.predict(rowsOf(day => `${isoOf(day)}T00:00:00Z`, words)))).toEqual(expected)
    const [first] = DAYS
    const row = { opt: 'Yes', score: 0.2 }
    for (const signup of [isoOf(first), `${isoOf(first)} 00:00:00`, new Date(first * 86_400_000)])
      expect(model.predictRow({ ...row, signup })).toBe(expected[0])
  })

  it('are refused where they are numbers or other text, and numbers where they are dates', async () => {
    const model = await fitted(rowsOf(isoOf, words))
    const numbers = () => model.predict(rowsOf(day => day, words))
    expect(numbers).toThrow(
      /FB_COLUMN_KIND column "signup", row 1: found 19700. Expected dates such as 2024-06-14/,
    )
    const other = () => model.predict(rowsOf(day => isoOf(day).split('-').reverse().join('/'), words))
    expect(other).toThrow(/column "signup", row 1: found "\d{2,4}/)
    expect(() => model.predictRow({ signup: 3, opt: 'No', score: 0.5 })).toThrow('Expected dates')
    const plain = await fitted(rowsOf(day => day, words))
    expect(() => plain.predict(rowsOf(isoOf, words))).toThrow(/found "\d{4}-\d\d-\d\d". Expected numbers/)
    expect(() => plain.predictRow({ signup: new Date(), opt: 'No', score: 0.5 })).toThrow('Expected numbers')
  })

  it('of a file that writes them its own way are read that way', async () => {
    const american = (day: number) => {
      const [year, month, date] = isoOf(day).split('-')
      return `${month}/${date}/${year}`
    }
    const table = rowsOf(isoOf, words)
    const columns = table.columns.map(column =>
      column.name === 'signup' ? { ...column, format: '%m/%d/%Y' } : column,
    )
    const model = await fitted({ ...table, columns } as Table)
    expect(model.data.encoding.features[0]).toMatchObject({ format: '%m/%d/%Y' })
    expect(Array.from(model.predict(rowsOf(american, words)))).toEqual(Array.from(model.predict(table)))
    expect(readModel(model.toText()).hash).toBe(model.hash)
  })

  it('of models of version 1 count as they were read then: days for dates, seconds for moments', async () => {
    const seconds = rowsOf(day => 86_400 * day, words)
    const { data } = await fitted(seconds)
    const old = { ...withoutOptions(data), version: 1 as const }
    const text = JSON.stringify({ ...old, hash: hashModel(old) })
    const model = readModel(text)
    expect(model.data.version).toBe(1)
    const moments = rowsOf(day => `${isoOf(day)} 00:00:00`, words)
    const columns = moments.columns.map(column =>
      column.name === 'signup' ? { ...column, time: 'timestamp' } : column,
    )
    const table = { ...moments, columns } as Table
    expect(Array.from(model.predict(table))).toEqual(Array.from(model.predict(seconds)))
  })

  it.each([1, 2] as const)(
    'of models of version %s keep their predictions; their certificate is not verified',
    async version => {
      const table = rowsOf(day => day, words)
      const { data } = await fit(table, { label: 'y', prediction: 'score', method: 'rounds' })
      const bound = { measured: 0.1, slack: 0.2, bound: 0.3, inequality: 'Hoeffding', worst: 'everyone' }
      const heldOut = {
        ...{ weight: 9, effectiveRows: 9, weighted: false, confidence: 0.95, candidates: 1 },
        multicalibration: bound,
      } as never
      const written = { ...withoutOptions(data), version, certificate: { ...data.certificate, heldOut } }
      const model = readModel(JSON.stringify({ ...written, hash: hashModel(written) }))
      expect(model.data.certificate).toEqual(written.certificate)
      await expect(verify(model, table)).rejects.toThrow(
        `FB_MODEL_VERSION: the certificate is of format version ${version}.`,
      )
    },
  )

  it('are said as dates, in words, as predicates and as SQL', async () => {
    const { worst } = await audit(rowsOf(isoOf, words), { label: 'y', prediction: 'score', draws: 0 })
    const told = worst.find(({ group }) => group.includes('signup'))!
    expect(told.group).toMatch(/signup (<=|>) \d{4}-\d\d-\d\d/)
    expect(JSON.stringify(told.where)).toMatch(/"(atMost|above)":"\d{4}-\d\d-\d\d"/)
    expect(told.sql).toMatch(/"signup" (<=|>) DATE '\d{4}-\d\d-\d\d'/)
  })

  it('may bound declared groups', async () => {
    const auditors = groups([{ column: 'signup', below: '2024-03-01' }])
    const model = await fit(rowsOf(isoOf, words), { ...OPTIONS, auditors })
    expect(model.data.encoding.features[0]).toMatchObject({ time: 'date' })
    const failure = await failureOf(
      fit(rowsOf(isoOf, words), { ...OPTIONS, auditors: groups([{ column: 'signup', below: 'spring' }]) }),
    )
    expect(failure.message).toContain('a date or time such as 2024-06-14')
  })
})

describe('truth values', () => {
  it('that a model knows as words are taken as truth values, and the other way round', async () => {
    const table = rowsOf(isoOf, words)
    const model = await fitted(table)
    const expected = Array.from(model.predict(table))
    expect(Array.from(model.predict(rowsOf(isoOf, yes => yes)))).toEqual(expected)
    const ofFlags = await fitted(rowsOf(isoOf, yes => yes))
    const flagged = Array.from(ofFlags.predict(rowsOf(isoOf, yes => yes)))
    for (const spell of [words, (yes: boolean) => (yes ? 'T' : 'F'), (yes: boolean) => Number(yes)])
      expect(Array.from(ofFlags.predict(rowsOf(isoOf, spell)))).toEqual(flagged)
    const row = { signup: isoOf(DAYS[0]), score: 0.2 }
    for (const opt of ['Yes', 'true', 1, true]) expect(ofFlags.predictRow({ ...row, opt })).toBe(flagged[0])
  })

  it('are refused where they are something else', async () => {
    const ofFlags = await fitted(rowsOf(isoOf, yes => yes))
    expect(() => ofFlags.predict(rowsOf(isoOf, yes => (yes ? 'maybe' : 'No')))).toThrow('"opt"')
    expect(() => ofFlags.predictRow({ signup: isoOf(1), opt: 'maybe', score: 0.5 })).toThrow('"opt"')
    expect(() => ofFlags.predict(rowsOf(isoOf, yes => (yes ? 2 : 0)))).toThrow('"opt"')
  })
})
