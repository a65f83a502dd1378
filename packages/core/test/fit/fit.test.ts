// fit, end to end, through the public API.

import { describe, expect, it } from 'vitest'
import { findColumn, valueAt } from '../../src/data/table.ts'
import {
  type Engine,
  type FitOptions,
  fit,
  fitWithTrace,
  functions,
  groups,
  linear,
  type MakeEngine,
  makeTable,
  memoryEngine,
  readModel,
  referenceEngine,
  tableFromRows,
  trees,
  verify,
} from '../../src/index.ts'
import { makeRandom, type Round } from '../../src/internal.ts'
import { failureOf } from './failure.ts'
import { TO_CERTIFICATE as base, makePopulation } from './population.ts'
import { watchEngines } from './watch.ts'

const table = makePopulation()

describe('a fit with stop "certificate"', () => {
  it.each(['multiaccuracy', 'multicalibration', 'level-set'] as const)(
    'reaches %s within epsilon',
    async guarantee => {
      const { model, trace } = await fitWithTrace(table, { ...base, guarantee })
      const { certificate } = model
      expect(trace.stopReason).toBe('tolerance')
      expect(certificate.holds).toBe(true)
      const rung = certificate.rungs.find(each => each.guarantee === guarantee)!
      expect(rung.bound).toBeLessThanOrEqual(0.1)
      expect(rung.measured.error).toBeLessThanOrEqual(rung.bound)
      expect(certificate.after.loss).toBeLessThan(certificate.before.loss)
    },
  )

  it.each([
    ['groups', groups(['region', { column: 'age', below: 22 }])],
    ['linear', linear()],
    ['functions', functions({ young: row => (row.age !== null && Number(row.age) < 22 ? 1 : 0) })],
  ])('reaches multicalibration of %s', async (_, auditors) => {
    const model = await fit(table, { ...base, auditors })
    expect(model.certificate.holds).toBe(true)
    expect(model.certificate.rounds).toBeGreaterThan(0)
  })

  it.each(['multiaccuracy', 'multicalibration', 'level-set'] as const)(
    'plans level sets for level-sets factors, whether %s or more is asked for',
    async guarantee => {
      const options = { ...base, epsilon: 0.5, factors: 'level-sets', guarantee, roundLimit: 1 } as const
      const { model, plan } = await fitWithTrace(table, options)
      expect(plan.guarantee).toBe('level-set')
      expect(model.certificate.claim.guarantee).toBe(guarantee)
    },
  )

  it('claims nothing that it did not reach', async () => {
    const { model, trace } = await fitWithTrace(table, { ...base, method: 'rounds', roundLimit: 0 })
    expect(trace.stopReason).toBe('round limit')
    expect(model.certificate.holds).toBe(false)
    expect(model.data.updates).toEqual([])
  })

  it('accepts every round but the last, and each gains at least the tolerance', async () => {
    const { plan, trace } = await fitWithTrace(table, base)
    const accepted = trace.rounds.filter(round => round.accepted)
    expect(accepted.length).toBe(trace.rounds.length - 1)
    expect(trace.keptCount).toBe(accepted.length)
    for (const round of accepted) expect(round.drop).toBeGreaterThanOrEqual(plan.tolerance)
    expect(trace.rounds.at(-1)!.drop).toBeLessThan(plan.tolerance)
    expect(accepted.length).toBeLessThanOrEqual(plan.roundLimit)
  })
})

describe('a fit with stop "validation"', () => {
  it('keeps the rounds up to the lowest held-out loss, and says how many it chose between', async () => {
    const { model, trace } = await fitWithTrace(table, {
      ...base,
      method: 'rounds',
      stop: 'validation',
      holdout: 0.3,
      patience: 3,
      search: 'greedy',
    })
    const losses = [trace.startLosses[1], ...trace.rounds.map(round => round.losses[1])]
    expect(trace.keptCount).toBe(losses.indexOf(Math.min(...losses.slice(0, -1))))
    expect(model.data.updates.length).toBe(trace.keptCount)
    const price = (trace.keptCount + 1) * (trace.keptCount + 2)
    expect(model.certificate.claim.candidates).toBe(price)
    expect(model.certificate.heldOut!.candidates).toBe(price)
    expect(trace.stopReason).toBe('validation')
  })

  it.each(['greedy', 'exhaustive'] as const)(
    'gives held-out rows no say but when to stop: %s',
    async search => {
      const rows = Array.from({ length: table.rowCount }, (_, row) => ({
        ...Object.fromEntries(table.columns.map(column => [column.name, valueAt(column, row)])),
        [base.label]: Number(valueAt(findColumn(table, base.label), row)),
        fold: row % 3 === 0 ? 'holdout' : 'fit',
      }))
      const flipped = rows.map(row =>
        row.fold === 'fit' ? row : { ...row, [base.label]: 1 - Number(row[base.label]) },
      )
      const roundsOf = async (given: typeof rows) => {
        const options = { method: 'rounds', stop: 'validation', patience: 6, search, fold: 'fold' } as const
        const { trace } = await fitWithTrace(tableFromRows(given), { ...base, ...options })
        return trace.rounds.map(({ words }) => words)
      }
      const [one, two] = [await roundsOf(rows), await roundsOf(flipped)]
      const shared = Math.min(one.length, two.length)
      expect(shared).toBeGreaterThan(0)
      expect(one.slice(0, shared)).toEqual(two.slice(0, shared))
    },
  )

  it('takes groups that are surely off, and ends where none is', async () => {
    const random = makeRandom(5)
    const rows = Array.from({ length: 6000 }, () => {
      const [score, kind] = [0.1 + 0.7 * random.next(), 'abc'[random.integer(3)]]
      return { score, kind, y: random.next() < score + (kind === 'b' ? 0.15 : 0) ? 1 : 0 }
    })
    const options = { label: 'y', prediction: 'score', epsilon: 0.1, method: 'rounds' } as const
    const { model, trace } = await fitWithTrace(tableFromRows(rows), options)
    expect(trace.rounds[0].words).toMatch(/^kind = b/)
    expect(trace.stopReason).toBe('nothing to gain')
    expect(trace.rounds.at(-1)!.drop).toBe(0)
    expect(trace.rounds.length).toBeLessThan(10)
    expect(trace.keptCount).toBeGreaterThan(0)
    expect(model.data.updates.every(({ kind }) => kind === 'table')).toBe(true)
  })

  it('needs held-out rows', async () => {
    const error = await failureOf(fit(table, { ...base, method: 'rounds', stop: 'validation', holdout: 0 }))
    expect(error.code).toBe('FB_NO_ROWS')
    expect(error.message).toContain('stop "validation" needs held-out rows')
    expect(error.message).toContain('Set holdout to a share such as 0.2')
    const allFit = makeTable([...table.columns.filter(({ name }) => name !== 'fold'), everyRow('fit')])
    const byColumn = await failureOf(
      fit(allFit, { label: 'y', prediction: 'score', fold: 'fold', method: 'rounds', stop: 'validation' }),
    )
    expect(byColumn.code).toBe('FB_NO_ROWS')
  })
})

const everyRow = (value: string) =>
  ({ name: 'fold', kind: 'categorical', codes: new Int32Array(table.rowCount), categories: [value] }) as const

function heldOutRows(): Set<number> {
  const fold = table.columns.find(({ name }) => name === 'fold')!
  const rows = Array.from({ length: table.rowCount }, (_, row) => row)
  return new Set(
    rows.filter(row => fold.kind === 'categorical' && fold.categories[fold.codes[row]] === 'holdout'),
  )
}

describe('held-out rows', () => {
  it('are drawn by share and seed, and the model says so', async () => {
    const model = await fit(table, { ...base, holdout: 0.25, seed: 7, method: 'rounds', roundLimit: 1 })
    expect(model.data.roles).toEqual({
      label: 'y',
      holdout: { fraction: 0.25, seed: 7 },
      copies: 'one',
    })
    const { fitWeight, holdoutWeight } = model.certificate.rows
    expect(fitWeight + holdoutWeight!).toBe(300)
    expect(Math.abs(holdoutWeight! / 300 - 0.25)).toBeLessThan(0.08)
    const other = await fit(table, { ...base, holdout: 0.25, seed: 8, method: 'rounds', roundLimit: 1 })
    expect(other.certificate.rows.fingerprint).not.toBe(model.certificate.rows.fingerprint)
  })

  it('may be named by a column instead, which is then no feature', async () => {
    const { except: _, ...options } = base
    const model = await fit(table, { ...options, fold: 'fold', method: 'rounds', roundLimit: 1 })
    expect(model.certificate.rows.holdoutWeight).toBe(heldOutRows().size)
    expect(model.data.roles).toEqual({ label: 'y', fold: 'fold', copies: 'one' })
    expect(model.data.encoding.features.map(({ name }) => name)).toEqual(['age', 'region'])
  })

  it('have no say in the encoding or the updates', async () => {
    const { except: _, ...options } = base
    const held = heldOutRows()
    const changed = makeTable(
      table.columns.map(column => {
        if (column.name === 'y' && column.kind === 'numeric') {
          return { ...column, values: column.values.map((value, row) => (held.has(row) ? 1 - value : value)) }
        }
        if (column.name !== 'age' || column.kind !== 'numeric') return column
        return { ...column, values: column.values.map((value, row) => (held.has(row) ? 1000 + row : value)) }
      }),
    )
    for (const auditors of [trees(), linear()]) {
      const model = await fit(table, { ...options, fold: 'fold', auditors })
      const other = await fit(changed, { ...options, fold: 'fold', auditors })
      expect(other.data.updates).toEqual(model.data.updates)
      expect(other.data.encoding).toEqual(model.data.encoding)
      expect(other.certificate.rows.fingerprint).not.toEqual(model.certificate.rows.fingerprint)
    }
  })

  it('come from a column or from a share, not from both', async () => {
    const error = await failureOf(fit(table, { label: 'y', fold: 'fold', holdout: 0.2 }))
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain('both given')
  })
})

describe('features', () => {
  it('are those named, in that order, and verification reads them alike', async () => {
    const { except: _, ...options } = base
    const features = ['region', 'age']
    const model = await fit(table, { ...options, features, holdout: 0.3, method: 'rounds', roundLimit: 2 })
    expect(model.data.encoding.features.map(({ name }) => name)).toEqual(features)
    expect((await verify(model, table)).matches).toBe(true)
  })
})

describe('without a prediction column', () => {
  it('a fit starts from the base rate of the fitting rows', async () => {
    const model = await fit(table, {
      label: 'y',
      except: ['score', 'fold'],
      method: 'rounds',
      stop: 'certificate',
      roundLimit: 0,
    })
    const label = table.columns[0]
    const mean =
      label.kind === 'numeric' ? label.values.reduce((sum, value) => sum + value, 0) / 300 : Number.NaN
    expect(model.data.start).toEqual({ kind: 'constant', units: Math.round(mean * 2 ** 24) })
    expect(model.predictRow({})).toBeCloseTo(mean, 7)
    expect(model.certificate.before.meanResidual).toBeCloseTo(0, 7)
  })
})

describe('a plan that cannot be', () => {
  it('is refused where the slack is not below the tolerance', async () => {
    const error = await failureOf(fit(table, { ...base, method: 'rounds', tolerance: 0.01, slack: 0.01 }))
    expect(error.code).toBe('FB_PLAN')
    expect(error.message).toContain('slack 0.01 is not below the tolerance 0.01')
    const planned = await failureOf(fit(table, { ...base, method: 'rounds', slack: 0.5 }))
    expect(planned.code).toBe('FB_PLAN')
  })

  it('is refused where epsilon would need more bins than a model holds, unless bins are set', async () => {
    const error = await failureOf(fit(table, { ...base, epsilon: 0.0001 }))
    expect(error.code).toBe('FB_PLAN')
    expect(error.message).toContain('epsilon 0.0001 needs 20,000 prediction bins. Expected at most 10,000.')
    const model = await fit(table, {
      ...base,
      epsilon: 0.0001,
      bins: 10,
      method: 'rounds',
      roundLimit: 1,
      auditors: groups(['region']),
    })
    expect(readModel(model.toText()).hash).toBe(model.hash)
  })
})

describe('progress', () => {
  it('is told round by round, in words', async () => {
    const heard: Round[] = []
    const { trace } = await fitWithTrace(table, { ...base, onRound: round => heard.push(round) })
    expect(heard).toEqual(trace.rounds)
    expect(heard.length).toBeGreaterThan(1)
    heard.forEach((round, index) => {
      expect(round.round).toBe(index + 1)
      expect(round.words).toMatch(/.+: [+-]\d\.\d{3}/)
    })
  })

  it('warns when the exhaustive search is too large, and goes on greedily', async () => {
    const warnings: string[] = []
    const model = await fit(table, {
      ...base,
      cellBudget: 100,
      method: 'rounds',
      roundLimit: 1,
      onWarning: text => warnings.push(text),
    })
    expect(warnings.filter(text => text.includes('grown greedily instead'))).toHaveLength(1)
    expect(model.certificate.oracle).toBe('greedy')
  })

  it('warns before it runs to a certificate that noise could decide, and only then', async () => {
    const warningsOf = async (options: Partial<FitOptions>) => {
      const warnings: string[] = []
      await fit(table, {
        label: 'y',
        method: 'rounds',
        roundLimit: 1,
        ...options,
        onWarning: text => warnings.push(text),
      })
      return warnings.filter(text => text.includes('goes on until no update gains the tolerance'))
    }
    expect(await warningsOf({ stop: 'certificate' })).toHaveLength(1)
    expect(await warningsOf({ stop: 'validation', holdout: 0.2 })).toEqual([])
    // A tolerance that noise does not reach.
    expect(await warningsOf({ stop: 'certificate', tolerance: 0.9, bins: 2 })).toEqual([])
  })
})

describe('the engine', () => {
  it('is made once and closed once', async () => {
    const { engine, watch } = watchEngines()
    await fit(table, { ...base, engine })
    expect(watch).toMatchObject({ made: 1, closed: 1 })
  })

  it('gives the same model whatever the number of threads', async () => {
    const texts = []
    for (const threads of [1, 2, 3]) {
      texts.push((await fit(table, { ...base, engine: memoryEngine({ threads }) })).toText())
    }
    expect(new Set(texts).size).toBe(1)
  })

  it('is closed when it fails', async () => {
    let closed = 0
    const broken: MakeEngine = async rows => {
      const inner = await referenceEngine(rows)
      const failing = { losses: () => Promise.reject(new RangeError('out of memory')) }
      const closing = { close: async () => void closed++ }
      return { shape: inner.shape, ...failing, ...closing } as unknown as Engine
    }
    await expect(fit(table, { ...base, engine: broken })).rejects.toThrow('out of memory')
    expect(closed).toBe(1)
  })

  it('is closed when onRound throws', async () => {
    const { engine, watch } = watchEngines()
    const onRound = () => {
      throw new RangeError('listener')
    }
    await expect(fit(table, { ...base, engine, onRound })).rejects.toThrow('listener')
    expect(watch).toMatchObject({ made: 1, closed: 1 })
  })

  it('is not even made when the data are wrong', async () => {
    const { engine, watch } = watchEngines()
    expect((await failureOf(fit(table, { ...base, label: 'region', engine }))).code).toBe('FB_COLUMN_KIND')
    const columns = trees({ columns: ['income'] })
    expect((await failureOf(fit(table, { ...base, auditors: columns, engine }))).code).toBe(
      'FB_COLUMN_UNKNOWN',
    )
    const wrong = functions({ wrong: () => 7 })
    expect((await failureOf(fit(table, { ...base, auditors: wrong, engine }))).code).toBe('FB_FUNCTION')
    expect(watch.made).toBe(0)
  })
})
