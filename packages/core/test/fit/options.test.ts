// Options: each is checked by the one table that declares it, and every contradiction is refused.

import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/fit/settings.ts'
import {
  type Auditors,
  type FitOptions,
  fit,
  fitWithTrace,
  functions,
  groups,
  linear,
  METHODS,
  makeTable,
  trees,
} from '../../src/index.ts'
import { describeRange, makeRandom, OPTIONS, type OptionSpec } from '../../src/internal.ts'
import { checkOptions } from '../../src/options/check.ts'
import { coarseCount } from '../../src/quantize/schema.ts'
import { rejectionOf } from '../data/rejection.ts'

const read = (options: Record<string, unknown>) => readSettings({ label: 'y', ...options } as FitOptions)

describe('an option', () => {
  it('that does not exist is refused with the nearest name', () => {
    const error = rejectionOf(() => read({ epsilom: 0.1 }))
    expect(error.code).toBe('FB_OPTION_UNKNOWN')
    expect(error.message).toContain('there is no option "epsilom". Did you mean "epsilon"?')
    expect(rejectionOf(() => read({ toString: 1 })).code).toBe('FB_OPTION_UNKNOWN')
  })

  it('that is needed is asked for', () => {
    const error = rejectionOf(() => checkOptions({}))
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain('the option "label" is needed')
    expect(rejectionOf(() => readSettings(undefined as unknown as FitOptions)).code).toBe('FB_OPTION_VALUE')
  })

  it.each([
    ['epsilon', 0, '0'],
    ['epsilon', 1, '1'],
    ['epsilon', Number.NaN, 'NaN'],
    ['epsilon', '0.1', '"0.1"'],
    ['epsilon', 1n, '1n'],
    ['epsilon', null, 'null'],
    ['bins', 0, '0'],
    ['bins', 1001, '1001'],
    ['bins', 2.5, '2.5'],
    ['slack', -0.1, '-0.1'],
    ['holdout', 0.95, '0.95'],
    ['guarantee', 'fairness', '"fairness"'],
    ['stop', 1, '1'],
    ['label', 3, '3'],
    ['features', 'age', '"age"'],
    ['except', ['id', 1], 'an array'],
    ['auditors', 'trees', '"trees"'],
    ['auditors', null, 'null'],
    ['signal', true, 'true'],
    ['onRound', {}, 'an object'],
    ['onWarning', 'log', '"log"'],
    ['engine', {}, 'an object'],
  ])('%s of %s is refused with what was expected', (name, value, shown) => {
    const error = rejectionOf(() => read({ [name]: value }))
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain(`option "${name}" is ${shown}. Expected `)
    const spec: OptionSpec = OPTIONS[name as keyof typeof OPTIONS]
    expect(error.details.expected).toBe(describeRange(spec))
  })

  it('may be undefined, which is as good as absent', () => {
    const options = Object.fromEntries(Object.keys(OPTIONS).map(name => [name, undefined]))
    expect(JSON.stringify(read({ ...options, label: 'y' }))).toBe(JSON.stringify(read({})))
  })

  it('may lie at the ends of its range where these are not excluded', () => {
    for (const [name, spec] of Object.entries<OptionSpec>(OPTIONS)) {
      if (spec.type !== 'number' && spec.type !== 'integer') continue
      for (const end of [spec.min, spec.max]) {
        const check = () => checkOptions({ label: 'y', [name]: end })
        if (spec.open) expect(rejectionOf(check).code).toBe('FB_OPTION_VALUE')
        else expect(check).not.toThrow()
      }
    }
  })
})

describe('the range of an option in words', () => {
  it.each([
    ['epsilon', 'a number between 0 and 1, both excluded'],
    ['slack', 'a number from 0 to 1'],
    ['bins', 'a whole number from 1 to 1000'],
    ['stop', 'one of certificate, validation'],
    ['label', 'a column name'],
    ['features', 'a list of column names'],
    ['auditors', 'an object'],
    ['engine', 'a function'],
  ] as const)('%s: %s', (name, words) => {
    expect(describeRange(OPTIONS[name])).toBe(words)
  })
})

describe('defaults', () => {
  it('are those of the table of options', () => {
    const settings = read({})
    expect(settings).toMatchObject({
      roles: { label: 'y' },
      holdout: { fraction: 0.1, seed: 1 },
      guarantee: 'multicalibration',
      epsilon: 0.05,
      auditors: { kind: 'trees', depth: 2 },
      factors: 'table',
      slack: 0,
      stop: 'validation',
      patience: 10,
      learningRate: 1,
      roundLimit: 10_000,
      search: 'auto',
      cellBudget: 2 ** 27,
      method: 'forest-rounds',
      quantize: { bins: 255, rare: 0.0005 },
      confidence: 0.95,
    })
    expect([settings.tolerance, settings.bins, settings.signal]).toEqual([undefined, undefined, undefined])
    expect(settings.onRound(undefined as never)).toBeUndefined()
    expect(settings.onWarning('a sentence')).toBeUndefined()
  })

  it('take small steps where updates are chosen by what they gain on the rows they are fitted to', () => {
    const rates = [
      { auditors: groups(['x']) },
      { auditors: trees({ depth: 3 }) },
      { factors: 'intervals' },
      { search: 'greedy' },
    ].map(options => read({ method: 'rounds', ...options }).learningRate)
    expect(rates).toEqual([0.3, 0.3, 0.3, 0.3])
  })

  it('hold no rows out and take whole steps when stopping by certificate', () => {
    expect(read({ method: 'rounds', stop: 'certificate' })).toMatchObject({
      holdout: undefined,
      learningRate: 1,
    })
    const chosen = { method: 'rounds', stop: 'certificate', holdout: 0.3, seed: 9, learningRate: 0.5 }
    expect(read(chosen)).toMatchObject({ holdout: { fraction: 0.3, seed: 9 }, learningRate: 0.5 })
  })

  it('hold no rows out by chance where a fold column says which', () => {
    expect(read({ fold: 'part' })).toMatchObject({ holdout: undefined, roles: { label: 'y', fold: 'part' } })
  })

  it('keep coarse bins within the feature bins, and have fewer of them for few rows', async () => {
    const x = Float64Array.from({ length: 400 }, (_, row) => row)
    const table = makeTable({ x, p: x.map(() => 0.5), y: x.map(value => value % 2) })
    const coarse = async (options: Partial<FitOptions>) => {
      const model = await fit(table, {
        label: 'y',
        prediction: 'p',
        method: 'rounds',
        ...options,
      })
      return coarseCount(model.data.encoding.features[0]) - 1
    }
    expect(await coarse({})).toBe(16)
    expect(await coarse({ method: 'forest' })).toBe(8)
    expect(await coarse({ method: 'histogram' })).toBe(16)
    expect(await coarse({ featureBins: 8 })).toBe(8)
    expect(await coarse({ featureBins: 16, coarseBins: 8 })).toBe(8)
    expect(await coarse({ coarseBins: 64 })).toBe(64)
  })

  it('are of one method, whatever else is asked for', () => {
    expect(read({}).method).toBe('forest-rounds')
    expect(read({ auditors: trees({ depth: 1 }), epsilon: 0.1, learningRate: 0.2 }).method).toBe(
      'forest-rounds',
    )
    expect(read({ method: 'rounds', stop: 'certificate' }).method).toBe('rounds')
  })

  it.each<[Auditors, string, string]>([
    [trees(), 'multiaccuracy', 'constant'],
    [trees(), 'level-set', 'table'],
    [linear(), 'multicalibration', 'table'],
    [functions({ f: () => 0 }), 'multicalibration', 'weighted'],
    [functions({ f: () => 0 }, { valueBins: 3 }), 'multicalibration', 'table'],
  ])('choose the richest factors for %j and %s', (auditors, guarantee, factors) => {
    expect(read({ method: 'rounds', auditors, guarantee }).factors).toBe(factors)
  })

  it.each([
    ['constant', 'multiaccuracy'],
    ['intervals', 'multicalibration'],
    ['level-sets', 'level-set'],
    ['table', 'multicalibration'],
  ])('take from %s factors the guarantee of %s', (factors, guarantee) => {
    expect(read({ method: 'rounds', factors }).guarantee).toBe(guarantee)
  })
})

describe('a contradiction', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['linear level sets', { auditors: linear(), factors: 'level-sets' }, 'continuum'],
    [
      'value tables without value bins',
      { auditors: functions({ f: () => 0 }), factors: 'table' },
      'value bins',
    ],
    [
      'a constant for multicalibration',
      { factors: 'constant', guarantee: 'multicalibration' },
      'not multicalibration',
    ],
    ['intervals for level sets', { factors: 'intervals', guarantee: 'level-set' }, 'not level-set'],
    [
      'linear tables for level sets',
      { auditors: linear(), factors: 'table', guarantee: 'level-set' },
      'trees or groups',
    ],
  ])('(%s) is refused', (_, options, words) => {
    const error = rejectionOf(() => read(options))
    expect(error.code).toBe('FB_COMBINATION')
    expect(error.message).toContain(words)
  })

  it('of a learning rate of 0 is refused', () => {
    const error = rejectionOf(() => read({ method: 'rounds', learningRate: 0 }))
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain('a number from 0.001 to 1')
  })
})

describe('an option of other methods', () => {
  it('is refused by name, with what to do', () => {
    const error = rejectionOf(() => read({ stop: 'certificate' }))
    expect(error.code).toBe('FB_OPTION_METHOD')
    expect(error.message).toContain('method "forest-rounds" does not read the option "stop".')
    expect(error.message).toContain('Say method "rounds", or leave stop out.')
    const chosen = rejectionOf(() => read({ method: 'platt', roundLimit: 3 }))
    expect(chosen.message).toContain('Leave roundLimit out, or take another method.')
    expect(rejectionOf(() => read({ method: 'rounds', leaves: 8 })).code).toBe('FB_OPTION_METHOD')
  })

  it('is read by every method that it names, and by no other', () => {
    const samples: Record<string, unknown> = {
      factors: 'table',
      stop: 'validation',
      tolerance: 0.01,
      slack: 0,
    }
    for (const [name, spec] of Object.entries<OptionSpec>(OPTIONS)) {
      const { methods } = spec
      if (methods === undefined) continue
      const value = samples[name] ?? ('max' in spec ? Math.min(spec.max, Math.max(spec.min, 5)) : undefined)
      for (const method of METHODS) {
        const options = { method, [name]: value }
        if (methods.includes(method)) expect(read(options).method).toBe(method)
        else expect(rejectionOf(() => read(options)).code).toBe('FB_OPTION_METHOD')
      }
    }
  })

  it('is not even a default: whoever declares auditors that no forest learns from names a method', () => {
    const auditors = groups(['x'])
    const error = rejectionOf(() => read({ auditors }))
    expect(error.code).toBe('FB_OPTION_METHOD')
    expect(error.message).toContain('Say method "rounds" to learn from them')
    for (const method of ['rounds', 'forest-rounds', 'hkrr'])
      expect(read({ auditors, method }).method).toBe(method)
  })
})

describe('options of forests', () => {
  const random = makeRandom(3)
  const x = Float64Array.from({ length: 12_000 }, () => random.next())
  const p = x.map(value => 0.2 + 0.6 * value)
  const y = x.map((value, row) => Number(random.next() < (value > 0.3 && value < 0.6 ? p[row] / 2 : p[row])))
  const table = makeTable({ x, p, y })
  const grow = async (options: Partial<FitOptions>) => {
    const { model } = await fitWithTrace(table, { label: 'y', prediction: 'p', method: 'forest', ...options })
    const forest = model.data.updates.find(update => update.kind === 'forest' && update.trees.length > 1)
    return forest?.kind === 'forest' ? forest.trees : []
  }

  it('are all read', async () => {
    const usual = await grow({ leaves: 8 })
    expect(usual.length % 6).toBe(0)
    expect((await grow({ leaves: 8, parts: 5 })).length % 5).toBe(0)
    const [two, few] = [await grow({ leaves: 2 }), await grow({ leaves: 8, roundLimit: 3 })]
    expect(Math.max(...two.map(({ steps }) => steps.length))).toBe(2)
    expect(few.length).toBe(3 * 6)
    const largest = (trees: typeof usual) => Math.max(...trees[0].steps.map(Math.abs))
    expect(largest(await grow({ leaves: 8, learningRate: 0.02 }))).toBeLessThan(0.3 * largest(usual))
    expect(largest(await grow({ leaves: 8, ridge: 500 }))).toBeLessThan(0.7 * largest(usual))
    expect(await grow({ leaves: 8, sampleRows: 1000 })).not.toEqual(usual)
  })
})

describe('auditors', () => {
  const range = { column: 'age', atLeast: 20, below: 30 }
  it.each<[string, unknown, string]>([
    ['trees of depth 5', trees({ depth: 5 }), 'Expected a depth of 1, 2, 3 or 4'],
    ['trees of depth 1.5', trees({ depth: 1.5 }), 'trees of depth 1.5'],
    ['trees on no columns', trees({ columns: [] }), 'at least one column'],
    ['trees on a text', { kind: 'trees', depth: 2, columns: 'age' }, 'columns is "age"'],
    ['a budget of 0', linear({ budget: 0 }), 'a budget of 0'],
    ['a boundless budget', linear({ budget: Number.POSITIVE_INFINITY }), 'a budget of Infinity'],
    [
      'linear columns that are numbers',
      { kind: 'linear', budget: 1, columns: [3] },
      'a list of column names',
    ],
    ['no functions', functions({}), 'at least one function'],
    ['functions that are absent', { kind: 'functions' }, 'at least one function'],
    ['a function that is none', { kind: 'functions', functions: { f: 3 } }, '"f" is 3'],
    ['one value bin', functions({ f: () => 0 }, { valueBins: 1 }), 'valueBins is 1'],
    ['too many value bins', functions({ f: () => 0 }, { valueBins: 65 }), 'from 2 to 64'],
    ['no groups', groups([]), 'no groups are declared'],
    ['groups that are absent', { kind: 'groups', pairs: false }, 'no groups are declared'],
    ['two tests in one condition', groups([range as never]), '{ column, atLeast, below }'],
    ['two tests within a list', groups([[range as never]]), 'two conditions in a list'],
    [
      'two tests within a name',
      groups([{ name: 'young', where: [range as never] }]),
      'two conditions in a list',
    ],
    ['no test', groups([{ column: 'age' } as never]), '{ column }'],
    ['an unknown test', groups([{ column: 'age', under: 3 } as never]), '{ column, under }'],
    ['no column', groups([{ atMost: 3 } as never]), '{ atMost }'],
    ['a group that is null', groups([null as never]), 'null'],
    ['a name without a list', groups([{ name: 'all', where: {} } as never]), '{ name, where }'],
    ['an unknown kind', { kind: 'forests' }, 'auditors of an unknown kind'],
    ['an empty object', {}, 'auditors of an unknown kind'],
  ])('with %s are refused', (_, auditors, words) => {
    const error = rejectionOf(() => read({ auditors }))
    expect(error.code).toBe('FB_OPTION_VALUE')
    expect(error.message).toContain(words)
    expect(error.details.found).toBe(auditors)
  })

  it.each<[string, Auditors]>([
    ['trees', trees({ depth: 4, columns: ['age'] })],
    ['linear', linear({ columns: ['age'], budget: 0.25 })],
    ['functions', functions({ f: () => 0 }, { valueBins: 64 })],
    ['groups', groups(['age', { column: 'age', above: 3 }, [], { name: 'all', where: [] }])],
  ])('of the kind %s are taken as they are', (_, auditors) => {
    expect(read({ method: 'rounds', auditors }).auditors).toBe(auditors)
  })
})
