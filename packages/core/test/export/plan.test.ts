// A plan holds what predictions need, and says the same with less.

import { beforeAll, describe, expect, it } from 'vitest'
import { planScoring } from '../../src/export/plan.ts'
import { fit, Model } from '../../src/index.ts'
import { makeRowPredictor } from '../../src/model/predictRow.ts'
import { ZOO, zooTable } from '../model/zoo.ts'
import { generateModel, hostileRows } from './generate.ts'

let base: Model
beforeAll(async () => {
  base = await fit(zooTable(), ZOO.table)
})

describe('a plan', () => {
  it('predicts what its model predicts', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { model } = generateModel(base, seed)
      const { features, signals, start, updates } = planScoring(model)
      const predict = makeRowPredictor({ start, updates, encoding: { features, signals, functions: [] } }, {})
      const rows = hostileRows(model, 100, seed)
      expect(rows.map(predict)).toEqual(rows.map(row => model.predictRow(row)))
    }
  })

  it('has no column, no cut and no signal that makes no difference', () => {
    const { data } = base
    const tree = {
      split: { kind: 'atMost', feature: 1, bin: 2, missing: false },
      yes: { leaf: 0 },
      no: { leaf: 1 },
    } as const
    const model = new Model({ ...data, updates: [{ kind: 'table', tree, levels: 1, values: [5, 7] }] })
    const [, kept] = data.encoding.features
    if (kept.kind !== 'numeric') throw new Error('a numeric column was expected')
    const { features, signals, updates } = planScoring(model)
    expect(features).toEqual([{ ...kept, cuts: [kept.cuts[2]], coarse: [] }])
    expect(signals).toEqual([])
    expect(updates[0]).toMatchObject({ tree: { split: { kind: 'atMost', feature: 0, bin: 0 } } })
  })

  it('has the rounding that was asked for', () => {
    const { claim } = base.certificate
    expect(planScoring(base).rounding).toBeUndefined()
    expect(planScoring(base, { rounded: true }).rounding?.bins).toBe(claim.bins)
  })
})
