// Generated tables for whole fits: a number, a category and a boolean with missing values, a score, weights, labels.

import fc from 'fast-check'
import {
  type Auditors,
  functions,
  groups,
  linear,
  type Table,
  tableFromRows,
  trees,
} from '../../src/index.ts'
import type { FactorKind } from '../../src/internal.ts'
import type { Row, RowFunctions } from '../../src/quantize/signals.ts'

export interface Sample {
  readonly rows: readonly Row[]
  readonly table: Table
}

const REGIONS = ['east', 'north', 'south'] as const

const orMissing = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6, nil: null })

const rowArbitrary = (regions: readonly string[]): fc.Arbitrary<Row> =>
  fc.record({
    y: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(0, 1) },
      { weight: 1, arbitrary: fc.constantFrom(0.25, 0.7) },
    ),
    score: fc.oneof(
      fc.integer({ min: 0, max: 20 }).map(step => step / 20),
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
    age: orMissing(fc.oneof(fc.integer({ min: 18, max: 30 }), fc.double({ min: -5, max: 5, noNaN: true }))),
    region: orMissing(fc.constantFrom(...regions)),
    member: orMissing(fc.boolean()),
    weight: fc.integer({ min: 0, max: 3 }),
  })

/** Two rows that every table begins with, so that kinds are known and labels differ. */
const ANCHORS: readonly Row[] = [
  { y: 0, score: 0.5, age: 20, region: 'north', member: false, weight: 1 },
  { y: 1, score: 0.25, age: 25, region: 'south', member: true, weight: 2 },
]

const sampleOf = (rows: readonly Row[]): Sample => ({ rows, table: tableFromRows(rows) })

export function sampleArbitrary(maxRows: number, minRows = 0): fc.Arbitrary<Sample> {
  return fc
    .array(rowArbitrary(REGIONS), { minLength: minRows, maxLength: maxRows, size: 'max' })
    .map(rows => sampleOf([...ANCHORS, ...rows]))
}

/** Rows to predict: with categories and ages that the fitting rows may not have. */
export const newRowsArbitrary: fc.Arbitrary<Sample> = fc
  .array(rowArbitrary([...REGIONS, 'west', '']), { maxLength: 10 })
  .map(rows => sampleOf([...ANCHORS, ...rows]))

export const ROW_FUNCTIONS: RowFunctions = {
  youth: row => (row.age === null ? 0 : Math.max(-1, Math.min(1, (24 - Number(row.age)) / 9))),
  southern: row => (row.region === 'south' ? 1 : row.region === null ? -1 : 0),
}

export interface UpdateClass {
  readonly auditors: Auditors
  readonly factors: FactorKind
}

const ALL_FACTORS: readonly FactorKind[] = [
  'constant',
  'intervals',
  'signed',
  'weighted',
  'level-sets',
  'table',
]
const FUNCTION_FACTORS: readonly FactorKind[] = ['constant', 'intervals', 'signed', 'weighted']
const LINEAR_FACTORS: readonly FactorKind[] = [...FUNCTION_FACTORS, 'table']

const declared = groups(
  [
    'region',
    { column: 'age', below: 21 },
    {
      name: 'members in the north',
      where: [
        { column: 'member', is: true },
        { column: 'region', in: ['north'] },
      ],
    },
  ],
  { pairs: true },
)

/** Every kind of auditors with every kind of factors that goes with it. */
export const UPDATE_CLASSES: readonly UpdateClass[] = [
  ...ALL_FACTORS.map(factors => ({ auditors: declared, factors })),
  ...ALL_FACTORS.map(factors => ({ auditors: trees({ depth: 1 }), factors })),
  ...ALL_FACTORS.map(factors => ({ auditors: trees({ depth: 2, columns: ['age', 'region'] }), factors })),
  { auditors: trees({ depth: 3 }), factors: 'table' },
  ...LINEAR_FACTORS.map(factors => ({ auditors: linear(), factors })),
  ...FUNCTION_FACTORS.map(factors => ({ auditors: functions(ROW_FUNCTIONS), factors })),
  ...ALL_FACTORS.map(factors => ({ auditors: functions(ROW_FUNCTIONS, { valueBins: 4 }), factors })),
]

export const nameClass = ({ auditors, factors }: UpdateClass): string => {
  const depth = auditors.kind === 'trees' ? ` of depth ${auditors.depth}` : ''
  const binned = auditors.kind === 'functions' && auditors.valueBins !== undefined ? ' in value bins' : ''
  return `${auditors.kind}${depth}${binned} with ${factors} factors`
}

export const updateClassArbitrary: fc.Arbitrary<UpdateClass> = fc.constantFrom(...UPDATE_CLASSES)

/** Which columns play a part beside label and features. */
export interface RoleChoice {
  readonly prediction?: 'score'
  readonly weight?: 'weight'
  readonly except: readonly string[]
}

export const roleChoices: readonly RoleChoice[] = [
  { prediction: 'score', except: ['weight'] },
  { prediction: 'score', weight: 'weight', except: [] },
  { except: ['score', 'weight'] },
  { weight: 'weight', except: ['score'] },
]

export const roleArbitrary: fc.Arbitrary<RoleChoice> = fc.constantFrom(...roleChoices)
