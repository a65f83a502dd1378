// A model as an ONNX graph, run by a slow reader of ours; scripts/check-export.ts runs the same graphs with onnxruntime, in Node and Python.

import { beforeAll, describe, expect, it } from 'vitest'
import { exportModel, fit, Model } from '../../src/index.ts'
import { convertValue } from '../../src/quantize/convert.ts'
import type { Row } from '../../src/quantize/signals.ts'
import { ZOO, zooTable } from '../model/zoo.ts'
import { type ExportCase, generateModel, hostileRows } from './generate.ts'
import { type Graph, readGraph } from './onnxGraph.ts'

let cases: ExportCase[] = []
let model: Model
beforeAll(async () => {
  model = await fit(zooTable(), ZOO.default)
  const linear = await fit(zooTable(), ZOO.linear)
  cases = [
    { name: 'default', model },
    { name: 'linear', model: linear, rounded: linear.certificate.claim.bins },
    ...Array.from({ length: 40 }, (_, index) => generateModel(model, 2000 + index)),
  ]
})

const graphOf = (each: Model, rounded?: number): Graph =>
  readGraph(
    exportModel(each, { to: 'onnx', ...(rounded !== undefined && { rounded }) }).content as Uint8Array,
  )

function columnsOf({ data }: Model, { inputs }: Graph, rows: readonly Row[]) {
  const schemas = new Map(data.encoding.features.map(feature => [feature.name, feature]))
  return Object.fromEntries(
    inputs.map(name => {
      const schema = schemas.get(name)
      const values = rows.map(row => {
        const value = schema === undefined ? row[name] : convertValue(schema, row[name])
        if (schema?.kind === 'categorical') return (value ?? '') as string
        return value === null || value === undefined ? Number.NaN : Number(value)
      })
      return [name, values]
    }),
  )
}

describe('the graph', () => {
  it('says what predict says, to the unit, on hostile rows', () => {
    for (const { model: each, name, rounded } of cases) {
      const rows = hostileRows(each, 60, 9)
      const graph = graphOf(each, rounded)
      const predictor = rounded === undefined ? each : each.round(rounded)
      expect(graph.run(columnsOf(each, graph, rows)), name).toEqual(
        rows.map(row => predictor.predictRow(row)),
      )
    }
  })

  it('is NaN where predict refuses the row', () => {
    const graph = graphOf(model)
    const good = columnsOf(model, graph, hostileRows(model, 1, 3))
    const bad: [string, number][] = [
      ['score', Number.NaN],
      ['score', 1.5],
      ['score', -0.1],
      ['age', Number.POSITIVE_INFINITY],
      ['age', Number.NEGATIVE_INFINITY],
    ]
    expect(graph.run(good)[0]).not.toBeNaN()
    for (const [column, value] of bad) expect(graph.run({ ...good, [column]: [value] })[0]).toBeNaN()
  })

  it('has an input for each column that is looked at, of its own name, and the output that was asked for', () => {
    const { inputs, operators, opsets, outputs } = graphOf(model)
    expect(inputs).toContain('score')
    expect(outputs).toEqual(['corrected'])
    expect(opsets).toEqual({ '': 21, 'ai.onnx.ml': 5 })
    expect(operators).toContain('TreeEnsemble')
    expect(operators).toContain('LabelEncoder')
    expect(readGraph(exportModel(model, { to: 'onnx', as: 'fair' }).content as Uint8Array).outputs).toEqual([
      'fair',
    ])
  })

  it('is the same bytes every time', () => {
    const bytes = () => exportModel(model, { to: 'onnx' }).content
    expect(bytes()).toEqual(bytes())
  })

  it('gives its own values names that no column has', () => {
    const features = model.data.encoding.features.map((feature, index) => ({
      ...feature,
      name: `fb${index}`,
    }))
    const start = { kind: 'column', column: 'fb_' } as const
    const renamed = new Model({ ...model.data, start, encoding: { ...model.data.encoding, features } })
    const rows = hostileRows(renamed, 30, 4)
    const graph = graphOf(renamed)
    expect(graph.run(columnsOf(renamed, graph, rows))).toEqual(rows.map(row => renamed.predictRow(row)))
  })

  it('is refused where it would have no input, or two values of one name', () => {
    const bare = new Model({ ...model.data, start: { kind: 'constant', units: 5 }, updates: [] })
    expect(() => exportModel(bare, { to: 'onnx' })).toThrow(expect.objectContaining({ code: 'FB_EXPORT' }))
    expect(() => exportModel(model, { to: 'onnx', as: 'score' })).toThrow(
      expect.objectContaining({ code: 'FB_OPTION_VALUE' }),
    )
  })
})

describe('the Python file', () => {
  it('holds the plan in one text, whatever its names and categories are', () => {
    for (const { model: each } of cases) {
      const text = exportModel(each, { to: 'python' }).content as string
      const [, literal] = /^_PLAN = json\.loads\('(.*)'\)$/m.exec(text)!
      const plan = JSON.parse(literal.replace(/\\(.)/g, '$1'))
      expect(plan.hash).toBe(each.hash)
      expect(plan.updates).toHaveLength(each.data.updates.length)
      expect(text).not.toMatch(/__PLAN__|__HASH__/)
    }
  })
})
