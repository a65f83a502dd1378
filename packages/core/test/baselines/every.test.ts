// What holds of every baseline, whatever it does: its model is a model like any other.

import { describe, expect, it } from 'vitest'
import { BASELINE_NAMES, BASELINES } from '../../src/baselines/baselines.ts'
import {
  type FitOptions,
  fit,
  fitWithTrace,
  readModel,
  referenceEngine,
  tableFromRows,
  trees,
  verify,
} from '../../src/index.ts'
import { shuffled, surveyRows } from './rows.ts'

const OPTIONS: FitOptions = {
  label: 'y',
  prediction: 'score',
  except: ['weight'],
  // A certificate that is soon made: here it is about the method.
  auditors: trees({ depth: 1 }),
  epsilon: 0.3,
  threads: 1,
}

/** They hold rows apart, and copies of a row need not be on one side; their own tests give copies the same part. */
const HOLD_ROWS_APART: readonly string[] = ['jin', 'mcgrad', 'multiaccuracy-boost']

describe.each(BASELINE_NAMES)('the baseline %s', name => {
  const options: FitOptions = { ...OPTIONS, method: name }

  it('has its own name, a title and a sentence', () => {
    const baseline = BASELINES[name]
    expect(baseline.name).toBe(name)
    expect(baseline.title).toMatch(/^[A-Z]/)
    expect(baseline.help).toMatch(/^[A-Z].*\.$/)
  })

  it('makes a model that is read back, scores the same and can be verified', async () => {
    const table = tableFromRows(surveyRows(600))
    const { model, trace } = await fitWithTrace(table, options)
    expect(trace.stopReason).toBe('baseline')
    expect(trace.keptCount).toBe(model.data.updates.length)
    const read = readModel(model.toText())
    expect(read.hash).toBe(model.hash)
    expect(read.predict(table)).toEqual(model.predict(table))
    expect(model.predict(table)).not.toEqual(Float64Array.from(surveyRows(600), row => row.score as number))
    expect((await verify(read, table)).differences).toEqual([])
  })

  it('has the bytes of the reference engine, in any order of rows', async () => {
    const rows = surveyRows(400, 2)
    const text = (await fit(tableFromRows(rows), { ...options, threads: 2 })).toText()
    const other = await fit(tableFromRows(shuffled(rows)), { ...options, engine: referenceEngine })
    expect(other.toText()).toBe(text)
  })

  it.skipIf(HOLD_ROWS_APART.includes(name))('counts a weight like the row so many times', async () => {
    const rows = surveyRows(300, 3)
    const copies = rows.flatMap(row => Array.from({ length: row.weight }, () => row))
    const weighted = await fit(tableFromRows(rows), {
      ...options,
      except: [],
      weight: 'weight',
      holdout: 0,
    })
    const repeated = await fit(tableFromRows(copies), { ...options, holdout: 0 })
    expect(weighted.data.updates).toEqual(repeated.data.updates)
  })
})

describe('a fit with a baseline', () => {
  it('keeps no checkpoint', async () => {
    const store = { load: async () => [], save: async () => {} }
    const fitting = fit(tableFromRows(surveyRows(50)), { ...OPTIONS, method: 'isotonic', checkpoint: store })
    await expect(fitting).rejects.toThrow('FB_OPTION_VALUE: method "isotonic" keeps no checkpoint.')
  })

  it('can be cancelled', async () => {
    const fitting = fit(tableFromRows(surveyRows(50)), {
      ...OPTIONS,
      method: 'isotonic',
      signal: { aborted: true },
    })
    await expect(fitting).rejects.toMatchObject({ code: 'FB_ABORTED' })
  })
})
