// The text of a SELECT in every dialect. DuckDB runs it in duckdb.test.ts; PostgreSQL and Spark in scripts/check-export.ts; of
// BigQuery and Snowflake only the text is looked at.

import { beforeAll, describe, expect, it } from 'vitest'
import { DIALECT_NAMES, type DialectName } from '../../src/export/sql/dialects.ts'
import { type ExportOptions, exportModel, fit, Model } from '../../src/index.ts'
import { fitSmall } from '../model/models.ts'
import { ZOO, zooTable } from '../model/zoo.ts'
import { type ExportCase, generateModel } from './generate.ts'

let cases: ExportCase[] = []
let model: Model
beforeAll(async () => {
  model = await fit(zooTable(), ZOO.default)
  cases = [
    { name: 'default', model },
    ...Array.from({ length: 30 }, (_, index) => generateModel(model, 1000 + index)),
  ]
})

const sql = (of: Model, dialect: DialectName, options: Partial<ExportOptions> = {}): string =>
  exportModel(of, { to: 'sql', dialect, key: ['id'], ...options }).content as string

/** Texts and quoted names are taken out: what is left is what we wrote. */
const bare = (text: string): string =>
  text.replace(/^--.*\n/, '').replace(/'(?:\\.|''|[^'\\])*'|"(?:""|[^"])*"|`(?:``|\\`|[^`])*`/g, 'QUOTED')

describe.each(DIALECT_NAMES)('for %s', dialect => {
  it('is one statement whose brackets and CASEs are closed, and that names every SELECT before it reads it', () => {
    for (const { model: each, name } of cases) {
      const text = bare(sql(each, dialect))
      expect(text.match(/;/g), name).toHaveLength(1)
      expect(text.match(/\(/g)?.length, name).toBe(text.match(/\)/g)?.length)
      expect(text.match(/\bCASE\b/g)?.length, name).toBe(text.match(/\bEND\b/g)?.length)
      expect(text, name).not.toMatch(/undefined|NaN|Infinity|\[object/)
      const named = [...text.matchAll(/^(?:WITH )?(fb_\d+) AS \(/gm)].map(match => match[1])
      for (const [index, match] of [...text.matchAll(/FROM (fb_\d+)/g)].entries())
        expect(match[1]).toBe(named[index])
    }
  })

  it('asks for the columns that the model looks at, and for no others', () => {
    const text = sql(model, dialect)
    for (const { name } of model.data.encoding.features) {
      const isAsked = new RegExp(`fb_source\\.["\`]${name}["\`]`, 'i').test(text)
      expect(isAsked).toBe(JSON.stringify(model.data.updates).includes(`"feature":${indexOf(model, name)},`))
    }
  })

  it('makes a view, of a table and with a name of your choice', () => {
    const text = sql(model, dialect, { view: 'bank.corrected', table: 'bank."Loans"', as: 'fair score' })
    expect(text).toContain('CREATE OR REPLACE VIEW bank.corrected AS')
    expect(text).toContain('FROM bank."Loans" AS fb_source')
    expect(text).toMatch(/AS ["`]fair score["`]/)
  })
})

const indexOf = ({ data }: Model, name: string): number =>
  data.encoding.features.findIndex(feature => feature.name === name)

describe('the dialects', () => {
  it('write texts so that nothing of them is obeyed', () => {
    const hostile = cases.filter(({ model: each }) => sql(each, 'duckdb').includes('brien'))
    expect(hostile.length).toBeGreaterThan(0)
    for (const { model: each } of hostile) {
      for (const dialect of ['duckdb', 'postgres'] as const)
        expect(sql(each, dialect)).toContain("'o''brien'")
      for (const dialect of ['spark', 'bigquery', 'snowflake'] as const) {
        expect(sql(each, dialect)).toContain("'o\\'brien'")
        expect(sql(each, dialect)).toContain("'two\\u000alines'")
        expect(sql(each, dialect)).toContain("'back\\\\slash'")
      }
    }
  })

  it('leave out categories that no database can hold', () => {
    const each = cases.find(({ model: one }) => sql(one, 'duckdb').includes('brien'))!.model
    const features = each.data.encoding.features.map(feature =>
      feature.kind === 'categorical' ? { ...feature, pooled: ['\ud800', 'nul\0'] } : feature,
    )
    const text = sql(new Model({ ...each.data, encoding: { ...each.data.encoding, features } }), 'postgres')
    expect(text).not.toMatch(/\0|\p{Cs}/u)
  })

  it('know the names of Snowflake as it keeps them', () => {
    expect(sql(model, 'snowflake')).toContain('fb_source."ID"')
    expect(sql(model, 'snowflake', { key: ['My id'] })).toContain('k0 AS "My id"')
  })

  it('say what they read dates and arithmetic by', () => {
    const text = (dialect: DialectName) => cases.map(({ model: each }) => sql(each, dialect)).join('\n')
    expect(text('bigquery')).toMatch(/UNIX_MICROS\(CAST\(.*TIME_DIFF\(|TIME_DIFF\(.*UNIX_MICROS\(/s)
    expect(text('bigquery')).toMatch(/\[OFFSET\(/)
    expect(text('bigquery')).toContain('FLOAT64')
    expect(text('bigquery')).toMatch(/DIV\(/)
    expect(text('snowflake')).toContain('DATE_PART(EPOCH_MICROSECOND')
    expect(text('snowflake')).toContain('DATEDIFF(MICROSECOND')
    expect(text('snowflake')).toMatch(/GET\(ARRAY_CONSTRUCT\(/)
    expect(text('snowflake')).toMatch(/MOD\(/)
    expect(text('postgres')).toContain('OFFSET 0')
    expect(text('spark')).toContain('unix_date(')
  })
})

describe('what is refused', () => {
  it.each<[Partial<ExportOptions>, string, string]>([
    [{ table: 'loans; DROP TABLE loans' }, 'FB_OPTION_VALUE', 'option "table"'],
    [{ view: 'a b' }, 'FB_OPTION_VALUE', 'option "view"'],
    [{ key: [''] }, 'FB_OPTION_VALUE', 'option "key"'],
    [{ as: ' ' }, 'FB_OPTION_VALUE', 'option "as"'],
    [{ dialect: 'oracle' as never }, 'FB_OPTION_VALUE', 'duckdb, postgres, spark, bigquery, snowflake'],
    [{ dialect: undefined as never }, 'FB_OPTION_VALUE', 'option "dialect" is undefined'],
    [{ to: 'cobol' as never }, 'FB_OPTION_VALUE', 'sql, js, python, onnx'],
    [{ to: 'js' }, 'FB_OPTION_UNKNOWN', 'an export to js takes no option "dialect"'],
    [{ dialect: 'snowflake', key: undefined as never }, 'FB_COMBINATION', '--key id'],
    [{ rounded: 1234 }, 'FB_ROUNDING', '1234 bins'],
  ])('%j', (options, code, words) => {
    const refused = () => exportModel(model, { to: 'sql', dialect: 'duckdb', key: ['id'], ...options })
    expect(refused).toThrow(expect.objectContaining({ code, message: expect.stringContaining(words) }))
  })

  it('a model with more updates than Spark plans, and for Spark alone', () => {
    const [update] = model.data.updates
    const long = new Model({ ...model.data, updates: Array.from({ length: 100 }, () => update) })
    expect(() => sql(long, 'spark')).toThrow(expect.objectContaining({ code: 'FB_EXPORT' }))
    expect(sql(long, 'postgres')).toContain('fb_100 AS')
  })

  it('a model with functions, whose code no file holds', async () => {
    const withFunctions = await fitSmall('functions')
    expect(() => exportModel(withFunctions, { to: 'js' })).toThrow(
      expect.objectContaining({ code: 'FB_EXPORT' }),
    )
  })
})
