// A model as a JavaScript module: the same bytes as predictRow, the same refusals, and small.

import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { exportModel, FeatureBoostError, fit, type Model, readModel } from '../../src/index.ts'
import type { Row } from '../../src/quantize/signals.ts'
import { ZOO, ZOO_ROWS, zooTable } from '../model/zoo.ts'
import { type ExportCase, exportCases, generateModel, hostileRows } from './generate.ts'

interface Scorer {
  readonly modelHash: string
  predict(row: Row): number
  predictAll(rows: Iterable<Row>): Float64Array
}

const open = async (model: Model, rounded?: number): Promise<Scorer> => {
  const { content } = exportModel(model, { to: 'js', ...(rounded !== undefined && { rounded }) })
  return await import(`data:text/javascript;base64,${Buffer.from(content as string).toString('base64')}`)
}

let cases: ExportCase[] = []
let base: Model
beforeAll(async () => {
  base = await fit(zooTable(), ZOO.table)
  cases = await exportCases(12)
})

describe('an exported module', () => {
  it('predicts what predictRow predicts, to the bit, on hostile rows', async () => {
    for (const { model, name, rounded } of cases) {
      const rows = hostileRows(model, 300, 1)
      const predictor = rounded === undefined ? model : model.round(rounded)
      const scorer = await open(model, rounded)
      expect([...scorer.predictAll(rows)], name).toEqual(rows.map(row => predictor.predictRow(row)))
    }
  })

  it('is made from files of every version', async () => {
    for (const version of [1, 2, 3]) {
      const folder = new URL(`../model/zoo/${version}/`, import.meta.url)
      for (const file of readdirSync(folder)) {
        const model = readModel(readFileSync(new URL(file, folder), 'utf8'))
        const rows = ZOO_ROWS.map(({ since, ...row }) => (version === 1 ? row : { ...row, since }))
        const { modelHash, predict } = await open(model)
        expect(rows.map(predict)).toEqual(rows.map(row => model.predictRow(row)))
        expect(modelHash).toBe(model.hash)
      }
    }
  })

  it('refuses what predictRow refuses, with the same words', async () => {
    const { model } = cases[0]
    const scorer = await open(model)
    const good = hostileRows(model, 1, 5)[0]
    const bad: unknown[] = [
      { ...good, score: 1.5 },
      { ...good, score: null },
      { ...good, score: 'high' },
      { ...good, age: 'old' },
      { ...good, age: Number.POSITIVE_INFINITY },
      { ...good, region: 7 },
      null,
      'row',
    ]
    for (const row of bad) {
      const [ours, theirs] = [model, scorer].map(each =>
        errorOf(() => ('predictRow' in each ? each.predictRow(row as Row) : each.predict(row as Row))),
      )
      expect(theirs).toMatchObject({ name: 'FeatureBoostError', code: ours!.code, message: ours!.message })
      expect(ours).toBeInstanceOf(FeatureBoostError)
    }
  })

  it('has at most 20 kB of code, imports nothing, and asks for nothing that only Node has', () => {
    for (const { model } of cases) {
      const text = exportModel(model, { to: 'js' }).content as string
      const code = text.replace(/JSON\.parse\(.*\)/, '')
      expect(Buffer.byteLength(code)).toBeLessThan(20_000)
      expect(code).not.toMatch(
        /\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b|\beval\b|new Function|WebAssembly/,
      )
    }
  })

  it('holds no tag that ends a script of a page, and no separator of lines', () => {
    const { model } = generateModel(base, 1)
    const { encoding } = model.data
    const features = encoding.features.map((feature, index) =>
      index === 0 ? { ...feature, name: '</script>\u2028' } : feature,
    )
    const Class = model.constructor as new (data: Model['data']) => Model
    const { content } = exportModel(new Class({ ...model.data, encoding: { ...encoding, features } }), {
      to: 'js',
    })
    expect(content).not.toMatch(/<\/script|\u2028/)
  })

  it('declares its columns', () => {
    const types = exportModel(cases[0].model, { to: 'js' }).types!
    expect(types).toContain('readonly "score": number | boolean')
    expect(types).toContain('readonly "region"?: string | boolean | null | undefined')
    expect(types).toContain('export declare const predict: (row: Row) => number')
  })
})

function errorOf(run: () => unknown): FeatureBoostError | undefined {
  try {
    run()
  } catch (error) {
    return error as FeatureBoostError
  }
  return undefined
}
