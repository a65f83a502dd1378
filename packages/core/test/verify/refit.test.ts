// A model file records the call of its fit: repeated with the rows, it gives the same bytes.

import { describe, expect, it } from 'vitest'
import {
  type FitOptions,
  fit,
  linear,
  METHODS,
  readModel,
  type Table,
  tableFromRows,
  trees,
  verify,
} from '../../src/index.ts'
import { hashModel } from '../../src/model/write.ts'
import { OPTIONS, type OptionName } from '../../src/options/options.ts'
import { RECORDED_NAMES, recordOptions, WHERE_RECORDED } from '../../src/options/recorded.ts'
import { recordedFit } from '../../src/verify/recordedFit.ts'
import { surveyRows } from '../baselines/rows.ts'
import { rejectionOf } from '../data/rejection.ts'
import { fitFixed, fixedTable } from '../model/models.ts'
import { editModel } from '../model/mutate.ts'
import { failureOf } from '../support/failure.ts'
import { BASES, fitBase, ROWS } from './bases.ts'

const table = tableFromRows(surveyRows(160))
const SHORT = { label: 'y', auditors: trees({ depth: 1 }), epsilon: 0.3, holdout: 0.2 } as const

async function expectRefit(rows: Table, options: FitOptions): Promise<void> {
  const model = await fit(rows, options)
  const { matches, refit } = await verify(readModel(model.toText()), rows, { refit: true })
  expect(refit).toEqual({ matches: true, differences: [], hash: model.hash })
  expect(matches).toBe(true)
}

describe('a repeated fit gives the same file', () => {
  it.each(METHODS)('with method %s, with a score and without', async method => {
    await expectRefit(table, { ...SHORT, method, prediction: 'score', except: ['weight'] })
    await expectRefit(table, { ...SHORT, method, except: ['weight', 'score'] })
  })

  const rounds = {
    ...SHORT,
    prediction: 'score',
    except: ['weight'],
    method: 'rounds',
    roundLimit: 3,
  } as const
  const ids = tableFromRows(
    surveyRows(300).map((row, index) => ({ ...row, id: index % 60, part: index % 4 ? 'fit' : 'holdout' })),
  )
  it.each<[string, Table, FitOptions]>([
    [
      'a tolerance, a slack and bins that were set',
      table,
      { ...rounds, tolerance: 0.01, slack: 0.001, bins: 7 },
    ],
    ['the stop rule of the paper', table, { ...rounds, stop: 'certificate', holdout: 0 }],
    ['patience, a rate and a seed', table, { ...rounds, patience: 2, learningRate: 0.5, seed: 9 }],
    ['cuts of their own', table, { ...rounds, featureBins: 20, coarseBins: 5, rare: 0.2 }],
    ['a greedy search of deep trees', table, { ...rounds, auditors: trees({ depth: 3 }), search: 'greedy' }],
    ['few cells', table, { ...rounds, auditors: trees({ depth: 2 }), cellBudget: 50 }],
    [
      'linear auditors',
      table,
      { ...rounds, auditors: linear(), factors: 'signed', guarantee: 'multicalibration' },
    ],
    ['weights', table, { ...rounds, except: [], weight: 'weight' }],
    ['rows that are held out by id', ids, { ...rounds, except: ['weight', 'part'], groupBy: 'id' }],
    [
      'rows that a column holds out',
      ids,
      { ...SHORT, holdout: 0, prediction: 'score', fold: 'part', except: ['weight', 'id'] },
    ],
    ['numbers that are names', ids, { ...rounds, except: ['weight', 'part'], categorical: ['id'] }],
    [
      'columns in another order',
      table,
      { ...rounds, except: [], features: [...featuresOf(table)].reverse() },
    ],
    [
      'rules of a forest',
      table,
      {
        ...SHORT,
        prediction: 'score',
        leaves: 4,
        ridge: 3,
        parts: 3,
        roundLimit: 9,
        learningRate: 0.2,
        sampleRows: 1000,
      },
    ],
    ['a share held out of none', table, { ...SHORT, prediction: 'score', holdout: 0 }],
  ])('with %s', async (_, rows, options) => {
    await expectRefit(rows, options)
  })

  it('from rows in chunks, and from truth values that came as words', async () => {
    const { options, rows } = BASES.rounds
    const model = await fit(rows, options)
    const half = ROWS.length / 2
    const chunks = () => [ROWS.slice(0, half), ROWS.slice(half)].map(each => tableFromRows(each))
    expect((await verify(model, { chunks }, { refit: true })).matches).toBe(true)
    const worded = tableFromRows(ROWS.map(row => ({ ...row, member: row.member ? 'yes' : 'no' })))
    expect((await verify(model, worded, { refit: true })).matches).toBe(true)
  })

  it('from dates that another file writes otherwise', async () => {
    const { options, rows } = BASES.all
    const values = Float64Array.from({ length: rows.rowCount }, (_, row) => 19_700 + ((row * 37) % 300))
    const signup = { name: 'signup', kind: 'numeric', time: 'date', values } as const
    const iso = { ...rows, columns: [...rows.columns, signup] }
    const american = { ...rows, columns: [...rows.columns, { ...signup, format: '%m/%d/%Y' }] }
    const [first, second] = [await fit(iso, options), await fit(american, options)]
    expect(first.hash).not.toBe(second.hash)
    expect((await verify(first, american, { refit: true })).matches).toBe(true)
    expect((await verify(second, iso, { refit: true })).matches).toBe(true)
  })

  it('and says what it stands behind: the word of the file, or the repeated fit', async () => {
    const model = readModel(await fitBase('rounds'))
    const { rows } = BASES.rounds
    expect((await verify(model, rows)).newRows).toBe('claimed')
    expect((await verify(model, rows, { refit: true })).newRows).toBe('refitted')
    const none = await fit(BASES.all.rows, {
      ...BASES.all.options,
      method: 'platt',
      roundLimit: undefined as never,
    })
    expect(await verify(none, BASES.all.rows)).not.toHaveProperty('newRows')
  })
})

const featuresOf = ({ columns }: Table): string[] =>
  columns.map(({ name }) => name).filter(name => !['y', 'score', 'weight'].includes(name))

describe('a file that cannot be refitted', () => {
  it('is of an older version: said so before anything is counted', async () => {
    const { options: _, ...rest } = (await fitFixed('trees')).data
    const old = { ...rest, version: 2 as const }
    const model = readModel(JSON.stringify({ ...old, hash: hashModel(old) }))
    for (const refit of [false, true]) {
      const failure = await failureOf(verify(model, fixedTable, { refit }))
      expect(failure.code).toBe('FB_MODEL_VERSION')
      expect(failure.message).toContain('the options of the fit are not recorded')
    }
  })
})

describe('recorded options', () => {
  it.each<[string, (options: Record<string, unknown>) => void, string]>([
    ['without a method', options => delete options.method, '"method" is absent'],
    ['with an unknown method', options => (options.method = 'magic'), 'option "method" is "magic"'],
    ['with an unknown name', options => (options.luck = 1), 'unknown key "luck"'],
    ['with a value out of range', options => (options.rare = 2), 'option "rare" is 2'],
    ['with an object', options => (options.seed = {}), 'expected a number or a text'],
    ['that the method does not read', options => (options.leaves = 4), 'does not read the option "leaves"'],
  ])('%s are refused', async (_, edit, reason) => {
    const text = editModel((await fitFixed('trees')).toText(), ({ options }) => edit(options))
    const error = rejectionOf(() => readModel(text))
    expect([error.code, error.message]).toEqual(['FB_MODEL_FORMAT', expect.stringContaining(reason)])
  })

  it('are there from version 3 on, and not before', async () => {
    const text = (await fitFixed('trees')).toText()
    const absent = rejectionOf(() => readModel(editModel(text, contents => delete contents.options)))
    expect(absent.message).toContain('"options" is absent')
    const early = rejectionOf(() => readModel(editModel(text, contents => (contents.version = 2))))
    expect(early.message).toContain('version 2 has no options')
  })

  it('are the same whether a default was given or not', () => {
    const defaults = Object.fromEntries(
      RECORDED_NAMES.flatMap(name =>
        'default' in OPTIONS[name] && name !== 'ridge' ? [[name, OPTIONS[name].default]] : [],
      ),
    )
    for (const method of METHODS) expect(recordOptions(defaults, method)).toEqual(recordOptions({}, method))
  })

  it('and the other parts of the file name every option that can change a model', async () => {
    const model = readModel(await fitBase('rounds'))
    const given = recordedFit(model)
    const silent = (Object.keys(OPTIONS) as OptionName[]).filter(
      name => WHERE_RECORDED[name] !== 'nowhere' && !Object.hasOwn(given, name),
    )
    // Not asked for in this fit, or said by its columns.
    expect(silent.sort()).toEqual([
      'bins',
      'categorical',
      'coarseBins',
      'except',
      'fold',
      'groupBy',
      'learningRate',
      'leaves',
      'parts',
      'ridge',
      'sampleRows',
      'tolerance',
      'weight',
    ])
  })
})
