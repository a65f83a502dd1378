// Every row is predicted by a fit that has not seen it; a method that fails is told apart.

import { describe, expect, it } from 'vitest'
import { predictOutOfFold } from '../../src/compare/outOfFold.ts'
import { Trials } from '../../src/compare/trials.ts'
import { valueAt } from '../../src/data/column.ts'
import { findColumn, type Table } from '../../src/data/table.ts'
import { FeatureBoostError, fit, METHODS, type Method, makeTable, type Predictor } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { makePopulation } from '../fit/population.ts'

const ROWS = 60
const FOLDS = 4
const random = makeRandom(2)
const fold = Uint8Array.from({ length: ROWS }, () => random.integer(FOLDS))
const table = makeTable({
  id: Array.from({ length: ROWS }, (_, row) => `row ${row}`),
  y: Array.from({ length: ROWS }, () => random.integer(2)),
})
const labels = Array.from({ length: ROWS }, (_, row) => Number(valueAt(findColumn(table, 'y'), row)))

const idsOf = (rows: Table) => {
  const column = findColumn(rows, 'id')
  return Array.from({ length: rows.rowCount }, (_, row) => String(valueAt(column, row)))
}

const predictorOf = (predict: (rows: Table) => Float64Array): Predictor => ({
  kernels: 'twin',
  predict,
  predictRow: () => 0,
  predictRows: rows => new Float64Array(rows.length),
})

/** Knows the label of every row that it was fitted to, and nothing of others. */
async function memorize(rows: Table): Promise<Predictor> {
  const column = findColumn(rows, 'y')
  const known = new Map(idsOf(rows).map((id, row) => [id, Number(valueAt(column, row))]))
  return predictorOf(asked => Float64Array.from(idsOf(asked), id => known.get(id) ?? 0.5))
}

const run = <Method extends string>(
  methods: readonly Method[],
  fitted: (method: Method, rows: Table) => Promise<Predictor>,
  onFit: (method: Method, index: number) => void = () => {},
) => {
  const open = (rows: Table) => ({
    load: async () => {},
    fit: (method: Method) => fitted(method, rows),
    close: async () => {},
  })
  return predictOutOfFold(table, { methods, fold, foldCount: FOLDS, open, onFit })
}

describe('predictions out of fold', () => {
  it('are no better than a guess where a method learns labels by heart', async () => {
    const { predictions } = (await run(['heart'], (_, rows) => memorize(rows))).get('heart') as {
      predictions: Float64Array
    }
    expect([...predictions]).toEqual(labels.map(() => 0.5))
    // The same method, asked about what it has seen, knows it all.
    expect([...(await memorize(table)).predict(table)]).toEqual(labels)
  })

  it('come from fits to all other folds, each row in its place', async () => {
    const seen: string[][] = []
    const found = await run(['ids'], async (_, rows) => {
      seen.push(idsOf(rows))
      return predictorOf(asked => Float64Array.from(idsOf(asked), id => Number(id.slice(4)) / 100))
    })
    expect(seen).toEqual(
      Array.from({ length: FOLDS }, (_, index) => idsOf(table).filter((_id, row) => fold[row] !== index)),
    )
    expect([...(found.get('ids') as { predictions: Float64Array }).predictions]).toEqual(
      labels.map((_, row) => row / 100),
    )
  })

  it('stop where a method fails, with the code and the fold; the others go on', async () => {
    const asked: string[] = []
    const found = await run(
      ['good', 'bad'],
      async (method, rows) => {
        if (method === 'bad' && asked.length > 3) throw new FeatureBoostError('FB_MEMORY', 'too much.')
        return memorize(rows)
      },
      (method, index) => asked.push(`${method} ${index}`),
    )
    expect(asked).toEqual(['good 0', 'bad 0', 'good 1', 'bad 1', 'good 2', 'good 3'])
    expect(found.get('bad')).toEqual({ fold: 2, code: 'FB_MEMORY', message: 'FB_MEMORY: too much.' })
    expect(found.get('good')).toHaveProperty('predictions')
  })

  it('come two at a time from methods of one thread; others are alone', async () => {
    const underWay = new Set<string>()
    const beside: string[] = []
    const methods = ['a', 'b', 'WIDE', 'c', 'd', 'e'] as const
    await predictOutOfFold(table, {
      methods,
      fold,
      foldCount: FOLDS,
      atOnce: 2,
      usesOneThread: method => method !== 'WIDE',
      onFit: () => {},
      open: rows => ({
        load: async () => {},
        fit: async method => {
          underWay.add(method)
          beside.push([...underWay].join(' '))
          // The first of two takes longer.
          for (let turn = 0; turn < (method === 'c' ? 40 : 20); turn++) await Promise.resolve()
          underWay.delete(method)
          return memorize(rows)
        },
        close: async () => expect([...underWay]).toEqual([]),
      }),
    })
    expect(beside.slice(0, 6)).toEqual(['a', 'a b', 'WIDE', 'c', 'c d', 'c e'])
    expect(beside).toHaveLength(6 * FOLDS)
  })

  it('wait for what is under way when one of two throws', async () => {
    let ended = false
    const failing = predictOutOfFold(table, {
      methods: ['slow', 'bug'] as const,
      fold,
      foldCount: FOLDS,
      atOnce: 2,
      onFit: () => {},
      open: rows => ({
        load: async () => {},
        fit: async method => {
          if (method === 'bug') throw new TypeError('ours')
          await new Promise(resolve => setTimeout(resolve, 20))
          ended = true
          return memorize(rows)
        },
        close: async () => expect(ended).toBe(true),
      }),
    })
    await expect(failing).rejects.toThrow(TypeError)
  })

  it('do not hide a bug, nor that the work was cancelled', async () => {
    const throwing = (error: Error) => run(['a'], () => Promise.reject(error))
    await expect(throwing(new TypeError('ours'))).rejects.toThrow(TypeError)
    await expect(throwing(new FeatureBoostError('FB_ABORTED', 'enough.'))).rejects.toMatchObject({
      code: 'FB_ABORTED',
    })
  })
})

describe('fits to shared rows', () => {
  const population = makePopulation({ rows: 400, seed: 4 })
  const options = { label: 'y', prediction: 'score', except: ['fold'] } as const
  const optionsOf = (method: Method) => ({ ...options, method, ...(method !== 'rounds' && { holdout: 0 }) })

  it('predict what each method predicts by itself, one after the other', async () => {
    const shared = new Trials(population, optionsOf)
    for (const method of METHODS) {
      const alone = new Trials(population, optionsOf)
      const [together, apart] = [await shared.fit(method), await alone.fit(method)]
      await alone.close()
      expect(together.predict(population), method).toEqual(apart.predict(population))
    }
    await shared.close()
  })

  it.each(['forest', 'rounds', 'platt'] as const)('predict what the model of %s predicts', async method => {
    const trials = new Trials(population, optionsOf)
    const predictor = await trials.fit(method)
    await trials.close()
    const model = await fit(population, optionsOf(method))
    expect(model.data.updates.length).toBeGreaterThan(0)
    expect(predictor.predict(population)).toEqual(model.predict(population))
  })
})
