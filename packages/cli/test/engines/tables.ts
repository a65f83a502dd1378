// Generated tables for whole fits, and the classes of updates to fit: numbers, categories and truth values with missing values.

import { type Auditors, functions, groups, linear, trees } from '@featureboost/core'
import type { FactorKind } from '@featureboost/core/internal'
import fc from 'fast-check'

export type Row = Readonly<Record<string, unknown>>

const orMissing = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6, nil: null })

const row: fc.Arbitrary<Row> = fc.record({
  y: fc.constantFrom(0, 1, 0, 1, 0.25),
  score: fc.oneof(
    fc.integer({ min: 0, max: 20 }).map(step => step / 20),
    fc.double({ min: 0, max: 1, noNaN: true }),
  ),
  age: orMissing(fc.oneof(fc.integer({ min: 18, max: 30 }), fc.double({ min: -5, max: 5, noNaN: true }))),
  region: orMissing(fc.constantFrom('east', 'north', 'south')),
  member: orMissing(fc.boolean()),
  weight: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom(0.3, 1e-9, 700.25)),
})

/** Kinds are known from the first rows, and labels differ. */
const ANCHORS: readonly Row[] = [
  { y: 0, score: 0.5, age: 20, region: 'north', member: false, weight: 1 },
  { y: 1, score: 0.25, age: 25, region: 'south', member: true, weight: 2 },
]

export const rowsArbitrary = (most: number): fc.Arbitrary<Row[]> =>
  fc.array(row, { maxLength: most, size: 'max' }).map(rows => [...ANCHORS, ...rows])

interface UpdateClass {
  readonly auditors: Auditors
  readonly factors: FactorKind
}

const FACTORS: readonly FactorKind[] = ['constant', 'intervals', 'signed', 'weighted', 'level-sets', 'table']
const OF_FUNCTIONS = FACTORS.slice(0, 4)
const youth = functions({
  youth: ({ age }) => (age === null ? 0 : Math.max(-1, Math.min(1, (24 - Number(age)) / 9))),
})

export const classArbitrary: fc.Arbitrary<UpdateClass> = fc.constantFrom(
  ...FACTORS.map(factors => ({ auditors: groups(['region', { column: 'age', below: 21 }]), factors })),
  ...FACTORS.map(factors => ({ auditors: trees({ depth: 2, columns: ['age', 'region'] }), factors })),
  ...OF_FUNCTIONS.map(factors => ({ auditors: linear(), factors })),
  ...OF_FUNCTIONS.map(factors => ({ auditors: youth, factors })),
  { auditors: trees({ depth: 3 }), factors: 'table' as const },
)

/** Which columns play a part beside label and features. */
export const roleArbitrary = fc.constantFrom<{ prediction?: 'score'; weight?: 'weight'; except: string[] }>(
  { prediction: 'score', except: ['weight'] },
  { prediction: 'score', weight: 'weight', except: [] },
  { except: ['score', 'weight'] },
  { weight: 'weight', except: ['score'] },
)
