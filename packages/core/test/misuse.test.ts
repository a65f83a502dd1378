// Misuse of the library: every function of the public face, with every argument in turn replaced by something that it cannot be. Whatever is
// refused is refused with a code, never with a raw error of the language.

import { beforeAll, describe, expect, it } from 'vitest'
import * as library from '../src/index.ts'
import { FeatureBoostError, type FitOptions, type Model, type Monitor, type Table } from '../src/index.ts'
import { makePopulation } from './fit/population.ts'

const population = makePopulation({ rows: 60 })
const table = library.makeTable([
  ...population.columns,
  { name: 'other', kind: 'numeric', values: Float64Array.from({ length: 60 }, (_, row) => (row % 7) / 7) },
])
const roles = { label: 'y', prediction: 'score', except: ['fold', 'other'] }
const fitting: FitOptions = { ...roles, epsilon: 0.3, method: 'rounds', roundLimit: 2, stop: 'certificate' }
const auditing = { ...roles, budget: 1 }
const scored = { predictions: Float64Array.from([0.2, 0.8, 0.5]), labels: Float64Array.from([0, 1, 1]) }

const TEMPLATE = '<script type="application/json" id="evidence">"EVIDENCE"</script>'

let model: Model
let monitor: Monitor
beforeAll(async () => {
  model = await library.fit(table, fitting)
  monitor = await library.startMonitor(model, table)
})

/** Calls that succeed: a name, the function, its arguments. */
const CALLS: readonly [string, (...args: never[]) => unknown, () => readonly unknown[]][] = [
  ['fit', library.fit, () => [table, fitting]],
  ['fitWithTrace', library.fitWithTrace, () => [table, fitting]],
  ['audit', library.audit, () => [table, auditing]],
  ['compareScores', library.compareScores, () => [table, { ...auditing, other: 'other' }]],
  ['compareMethods', library.compareMethods, () => [table, { ...roles, methods: ['forest'], folds: 2 }]],
  ['compareBeforeAfter', library.compareBeforeAfter, () => [model, table, {}]],
  [
    'decide',
    library.decide,
    () => [model, table, { losses: [{ name: 'l', falsePositive: 1, falseNegative: 2 }] }],
  ],
  ['startMonitor', library.startMonitor, () => [model, table, { delta: 0.1 }]],
  ['readMonitor', library.readMonitor as never, () => [monitor.toText(), model]],
  ['monitor.add', ((...args: [Table]) => monitor.add(...args)) as never, () => [table, { name: 'one' }]],
  ['verify', library.verify, () => [model, table]],
  ['collectEvidence', library.collectEvidence, () => [table, auditing]],
  ['collectChange', library.collectChange, () => [table, { model }]],
  ['errorAgainstBins', library.errorAgainstBins, () => [model, table]],
  ['model.predict', ((rows: Table) => model.predict(rows)) as never, () => [table]],
  ['model.predictRow', ((row: never) => model.predictRow(row)) as never, () => [{ score: 0.5 }]],
  ['model.round', ((bins: number) => model.round(bins)) as never, () => [model.certificate.claim.bins]],
  ['readModel', library.readModel as never, () => [model.toText(), {}]],
  ['makeTable', library.makeTable as never, () => [{ a: [1, 2] }]],
  ['tableFromRows', library.tableFromRows as never, () => [[{ a: 1 }]]],
  ['trees', library.trees as never, () => [{ depth: 2 }]],
  ['groups', library.groups as never, () => [['region']]],
  ['linear', library.linear as never, () => [{}]],
  ['functions', library.functions as never, () => [{ young: () => 1 }]],
  [
    'planParameters',
    library.planParameters as never,
    () => [{ epsilon: 0.1, guarantee: 'multicalibration', factors: 'table' }],
  ],
  [
    'paperSampleSize',
    library.paperSampleSize as never,
    () => [
      {
        depth: 2,
        features: 5,
        bins: 10,
        rounds: 5,
        tolerance: 0.01,
        confidence: 0.95,
        deviation: 0.1,
        factors: 'table',
      },
    ],
  ],
  [
    'heldOutSlack',
    library.heldOutSlack as never,
    () => [{ rows: 1000, logAuditors: 5, bins: 10, confidence: 0.95 }],
  ],
  ['logTreeAuditors', library.logTreeAuditors as never, () => [100, 2]],
  [
    'rowsForSlack',
    library.rowsForSlack as never,
    () => [{ slack: 0.1, logAuditors: 5, bins: 10, confidence: 0.95 }],
  ],
  ['oneMeanSlack', library.oneMeanSlack as never, () => [{ confidence: 0.95, meanSquare: 0.2, rows: 1000 }]],
  ['scoreMeasures', library.scoreMeasures as never, () => [scored, {}]],
  ['compareMeasures', library.compareMeasures as never, () => [scored, scored]],
  ['reportHtml', library.reportHtml as never, () => [TEMPLATE, {}]],
  ['memoryEngine', library.memoryEngine as never, () => [{}]],
]

const WRONG: readonly unknown[] = [
  null,
  undefined,
  'text',
  0,
  -1,
  Number.NaN,
  1e300,
  true,
  [],
  [null],
  {},
  { rowCount: 3 },
  { rowCount: 2, columns: [null] },
  { columns: [{ name: 'y', kind: 'numeric', values: [1, 2] }], rowCount: 2 },
  { chunks: () => [null] },
  { chunks: () => 5 },
  { chunks: 5 },
  Symbol('wrong'),
  () => {
    throw new FeatureBoostError('FB_FUNCTION', 'asked')
  },
]

/** Undefined where it went well, or was refused with a code. */
async function rawErrorOf(work: () => unknown, coded = false): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof FeatureBoostError && !coded ? undefined : String((error as Error)?.stack ?? error)
  }
}

describe('misuse', () => {
  it('has calls that succeed to begin with', async () => {
    for (const [name, call, given] of CALLS)
      expect([name, await rawErrorOf(() => call(...(given() as never[])), true)]).toEqual([name, undefined])
  })

  it.each(CALLS)('%s: no argument of another kind ends in a raw error', async (name, call, given) => {
    const raw: string[] = []
    const usual = given()
    for (const place of usual.keys()) {
      for (const [index, wrong] of WRONG.entries()) {
        const said = await rawErrorOf(() => call(...(usual.with(place, wrong) as never[])))
        if (said !== undefined)
          raw.push(`${name}, argument ${place + 1}, wrong ${index}: ${said.slice(0, 300)}`)
      }
    }
    expect(raw).toEqual([])
  })

  it.each(CALLS)('%s: no option of another kind ends in a raw error', async (name, call, given) => {
    const raw: string[] = []
    const usual = given()
    if (!isOptions(usual.at(-1))) return
    const options = usual.at(-1) as Record<string, unknown>
    const isSlow = SLOW.includes(name)
    const names = new Set([...Object.keys(options), ...(isSlow ? FEW_OPTIONS : MORE_OPTIONS)])
    for (const option of names) {
      for (const [index, wrong] of (isSlow ? FEW_WRONG : WRONG_OPTIONS).entries()) {
        const tried = { ...options, [option]: wrong }
        const said = await rawErrorOf(() => call(...(usual.with(usual.length - 1, tried) as never[])))
        if (said !== undefined) raw.push(`${name}, ${option}, wrong ${index}: ${said.slice(0, 300)}`)
      }
    }
    expect(raw).toEqual([])
  })
})

function isOptions(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !('columns' in value) &&
    !('predictions' in value)
  )
}

/** What they accept they work on for seconds, so less is tried. */
const SLOW = ['collectChange', 'collectEvidence', 'compareBeforeAfter']
const FEW_OPTIONS = ['protect', 'onPhase', 'auditors', 'seed']
const FEW_WRONG: readonly unknown[] = [-1, [null]]

const MORE_OPTIONS = [
  'label',
  'prediction',
  'weight',
  'auditors',
  'engine',
  'signal',
  'features',
  'checkpoint',
  'functions',
  'expect',
  'protect',
  'seed',
  'bins',
  'onPhase',
]
const WRONG_OPTIONS: readonly unknown[] = [
  null,
  'text',
  -1,
  Number.NaN,
  true,
  [],
  [null],
  {},
  Symbol('wrong'),
]

describe('a table made by hand', () => {
  const numbers = (name: string, values: unknown) => ({ name, kind: 'numeric', values })
  const label = numbers(
    'y',
    Float64Array.from({ length: 60 }, (_, row) => row % 2),
  )
  const score = numbers(
    'score',
    Float64Array.from({ length: 60 }, (_, row) => (row % 10) / 10),
  )
  const codes = Int32Array.from({ length: 60 }, (_, row) => row % 3)
  const kinds = { name: 'x', kind: 'categorical', codes, categories: ['a', 'b', 'c'] }
  const of = (...columns: unknown[]) =>
    ({ rowCount: 60, columns: [label, score, ...columns] }) as unknown as Table

  const REFUSED: readonly [string, Table, string][] = [
    ['a short column', of(numbers('x', new Float64Array(59))), 'FB_COLUMN_LENGTH'],
    ['a long column', of(numbers('x', new Float64Array(61))), 'FB_COLUMN_LENGTH'],
    ['a code beyond the categories', of({ ...kinds, codes: codes.with(7, 3) }), 'FB_COLUMN_KIND'],
    ['a code below missing', of({ ...kinds, codes: codes.with(7, -2) }), 'FB_COLUMN_KIND'],
    [
      'a truth value of 2',
      of({ name: 'x', kind: 'boolean', values: new Int8Array(60).fill(2) }),
      'FB_COLUMN_KIND',
    ],
    ['numbers in a plain array', of(numbers('x', Array(60).fill(0))), 'FB_COLUMN_KIND'],
    ['numbers in another typed array', of(numbers('x', new Float32Array(60))), 'FB_COLUMN_KIND'],
    ['no categories', of({ name: 'x', kind: 'categorical', codes }), 'FB_COLUMN_KIND'],
    ['an unknown kind', of({ ...kinds, kind: 'text' }), 'FB_COLUMN_KIND'],
    ['an infinite number', of(numbers('x', new Float64Array(60).fill(Infinity))), 'FB_NOT_FINITE'],
    ['no name', of({ kind: 'numeric', values: new Float64Array(60) }), 'FB_ARGUMENT'],
    ['a name twice', of(score), 'FB_COLUMN_NAME'],
    ['no rowCount', { columns: of().columns } as Table, 'FB_ARGUMENT'],
    ['half a row', { ...of(kinds), rowCount: 59.5 }, 'FB_ARGUMENT'],
  ]

  it.each(REFUSED)('with %s is refused before anything is computed', async (_, rows, code) => {
    const options = {
      label: 'y',
      prediction: 'score',
      epsilon: 0.3,
      method: 'rounds',
      roundLimit: 1,
      stop: 'certificate',
    } as const
    const refused = { name: 'FeatureBoostError', code }
    await expect(library.fit(rows, options)).rejects.toMatchObject(refused)
    await expect(library.fit({ chunks: () => [rows] }, options)).rejects.toMatchObject(refused)
    await expect(library.audit(rows, { label: 'y', prediction: 'score' })).rejects.toMatchObject(refused)
    await expect(library.verify(model, rows)).rejects.toMatchObject(refused)
    expect(() => model.predict(rows)).toThrow(expect.objectContaining(refused))
  })

  it('that is one is taken as it is', async () => {
    const options = {
      label: 'y',
      prediction: 'score',
      epsilon: 0.3,
      method: 'rounds',
      roundLimit: 1,
      stop: 'certificate',
    } as const
    const made = library.makeTable(of(kinds).columns)
    const [byHand, built] = [await library.fit(of(kinds), options), await library.fit(made, options)]
    expect(byHand.toText()).toBe(built.toText())
  })
})
