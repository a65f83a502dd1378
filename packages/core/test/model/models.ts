// Small fitted models for the tests of the model file.

import {
  type Auditors,
  type FitOptions,
  fit,
  functions,
  groups,
  linear,
  Model,
  type Table,
  tableFromRows,
  trees,
} from '../../src/index.ts'
import type { Row } from '../../src/quantize/signals.ts'
import { leafCount, ROOT, type Update } from '../../src/update/update.ts'
import { ROW_FUNCTIONS } from '../fit/tables.ts'

const REGIONS = ['east', 'north', 'south', null] as const

/** Rows without chance: scores that are too low in the south and too high for the young. */
export const FIXED_ROWS: readonly Row[] = Array.from({ length: 48 }, (_, index) => ({
  y: (index * 29) % 48 < 20 + (index % 4 === 2 ? 12 : 0) - (index % 3 === 0 ? 9 : 0) ? 1 : 0,
  score: ((index * 7) % 24) / 24,
  age: index % 11 === 5 ? null : 18 + ((index * 5) % 13),
  region: REGIONS[index % 4],
  member: index % 7 === 6 ? null : index % 3 === 0,
}))

export const fixedTable: Table = tableFromRows(FIXED_ROWS)

export const fixedOptions: FitOptions = {
  label: 'y',
  prediction: 'score',
  method: 'rounds',
  stop: 'certificate',
  epsilon: 0.4,
  roundLimit: 3,
}

export const FIXED_AUDITORS: Readonly<Record<string, Auditors>> = {
  groups: groups([
    'region',
    { column: 'age', below: 21 },
    [
      { column: 'member', is: true },
      { column: 'age', missing: false },
    ],
    {
      name: 'old members',
      where: [
        { column: 'member', in: [true] },
        { column: 'age', above: 25 },
      ],
    },
  ]),
  trees: trees({ depth: 2 }),
  linear: linear({ columns: ['age', 'region', 'member'] }),
  functions: functions(ROW_FUNCTIONS, { valueBins: 3 }),
}

export function fitFixed(kind: string, options: Partial<FitOptions> = {}): Promise<Model> {
  return fit(fixedTable, { ...fixedOptions, auditors: FIXED_AUDITORS[kind], ...options })
}

/** The kinds of models that `fitSmall` makes. */
export const SMALL_KINDS: readonly string[] = [...Object.keys(FIXED_AUDITORS), 'forest', 'baselines']

/** With two roundings only: the file of a model that is quick to read thousands of times. */
export async function fitSmall(kind: string): Promise<Model> {
  if (kind === 'forest') return plantForest(await fitSmall('trees'))
  if (kind === 'baselines') return plantBaselines(await fitSmall('trees'))
  const { data } = await fitFixed(kind, { roundLimit: 2 })
  const roundings = data.roundings.filter(({ bins }) => bins === 2 || bins === data.certificate.claim.bins)
  return new Model({ ...data, roundings }, ROW_FUNCTIONS)
}

/** Too few rows to grow one: the trees of the rounds, with steps of their own. */
function plantForest({ data }: Model): Model {
  const trees = data.updates.flatMap(update =>
    update.kind === 'table'
      ? [
          {
            tree: update.tree,
            steps: Array.from({ length: leafCount(update.tree) }, (_, leaf) => 2 ** 20 * (leaf - 1)),
          },
        ]
      : [],
  )
  const score = { split: { kind: 'below', units: 2 ** 23 }, yes: { leaf: 0 }, no: { leaf: 1 } } as const
  return withUpdates(data, [
    { kind: 'forest', clip: 1024, trees: [...trees, { tree: score, steps: [5, -5] }] },
  ])
}

const withUpdates = (data: Model['data'], updates: readonly Update[]): Model =>
  new Model({ ...data, updates, certificate: { ...data.certificate, rounds: updates.length } }, {})

/** One of every update that only baselines make. */
const plantBaselines = ({ data }: Model): Model =>
  withUpdates(data, [
    { kind: 'forest', clip: 1, trees: [{ tree: ROOT, steps: [2 ** 20] }], scale: 12_000_000 },
    { kind: 'curve', from: [0, 2 ** 22, 2 ** 22 + 1, 2 ** 24], to: [2 ** 18, 2 ** 21, 2 ** 22, 2 ** 24] },
    {
      kind: 'forest',
      clip: 0,
      link: 'identity',
      trees: [{ tree: REGION, steps: [2 ** 19, -(2 ** 19)] }],
    },
    { kind: 'polynomial', tree: REGION, degree: 2, values: [5, 2 ** 20, -(2 ** 21), 0, -(2 ** 19), 7] },
  ])

const REGION = {
  split: { kind: 'in', feature: 1, bins: [1] },
  yes: { leaf: 0 },
  no: { leaf: 1 },
} as const
