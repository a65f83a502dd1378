// A zoo of model files: one of every kind of update, written by every version of the format, and what each of them predicted then. It
// only grows: files of a version are written once, by the program of that version (scripts/write-zoo.ts).

import { type FitOptions, groups, linear, type Table, tableFromRows, trees } from '../../src/index.ts'

export interface ZooRow {
  readonly score: number
  readonly age: number | null
  readonly income: number | null
  readonly region: string | null
  readonly member: boolean | null
  readonly since: Date | null
}

/** Numbers in [0,1) without chance. */
function spread(seed: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

const REGIONS = ['east', 'north', 'south', null]

/** Scores are too low in the south and too high for the young. */
export function zooTable(): Table {
  return tableFromRows(
    Array.from({ length: 600 }, (_, row) => {
      const draw = (column: number) => spread(row * 8 + column)
      const rarely = <T>(column: number, value: (drawn: number) => T) =>
        draw(column) < 0.05 ? null : value(draw(column))
      const region = REGIONS[Math.floor(draw(0) * 4)]
      const age = rarely(2, drawn => 18 + Math.floor(drawn * 60))
      const score = Math.round((0.05 + 0.9 * draw(4)) * 1e4) / 1e4
      const truth = score + (region === 'south' ? 0.3 : 0) - (age !== null && age < 30 ? 0.3 : 0)
      return {
        y: draw(5) < Math.min(0.98, Math.max(0.02, truth)) ? 1 : 0,
        score,
        age,
        income: rarely(3, drawn => Math.round(drawn * 1e5) / 100),
        region,
        member: draw(1) < 0.1 ? null : draw(1) < 0.5,
        since: rarely(6, drawn => new Date(Date.UTC(2020, 0, 1 + Math.floor(drawn * 1500)))),
      }
    }),
  )
}

const BASE = { label: 'y', prediction: 'score', threads: 1 } as const
const ROUNDS = { ...BASE, method: 'rounds', stop: 'certificate', epsilon: 0.25, roundLimit: 4 } as const
const NEAR = { ...ROUNDS, epsilon: 0.05 } as const

export const ZOO: Readonly<Record<string, FitOptions>> = {
  default: { ...BASE, roundLimit: 4 },
  table: { ...ROUNDS, auditors: trees({ depth: 2 }) },
  deep: { ...ROUNDS, auditors: trees({ depth: 3 }) },
  constant: { ...NEAR, factors: 'constant' },
  intervals: { ...ROUNDS, factors: 'intervals' },
  signed: { ...NEAR, factors: 'signed' },
  weighted: { ...NEAR, factors: 'weighted' },
  'level-sets': { ...ROUNDS, factors: 'level-sets' },
  groups: {
    ...NEAR,
    auditors: groups([
      'region',
      { column: 'age', below: 30 },
      [
        { column: 'member', is: true },
        { column: 'age', missing: false },
      ],
    ]),
  },
  linear: { ...NEAR, auditors: linear({ columns: ['age', 'region', 'member'] }) },
  platt: { ...BASE, method: 'platt' },
  temperature: { ...BASE, method: 'temperature' },
  isotonic: { ...BASE, method: 'isotonic' },
  histogram: { ...BASE, method: 'histogram' },
  polynomial: { ...BASE, method: 'low-degree', roundLimit: 3 },
  lsboost: { ...BASE, method: 'lsboost', roundLimit: 3 },
}

/** Rows to predict: ends of the score, missing values, categories and numbers that no table had. */
export const ZOO_ROWS: readonly ZooRow[] = Array.from({ length: 64 }, (_, index) => {
  const pick = <T>(values: readonly T[], place = index): T => values[place % values.length]
  const since = pick([null, '2020-01-01', '2021-06-15', '2024-02-29', '1969-12-31', '2100-01-01'])
  return {
    score: pick([0, 1, 0.5, 1e-9, 0.999999999, 0.3, 0.7, 0.0001, 0.27, 0.61]),
    age: pick([null, 18, 29, 30, 77, 200, -5, 29.5, 45, 60, 22]),
    income: pick([null, 0, 999.99, 1e300, -1e300, 500.5, 123.45], index * 3 + 1),
    region: pick(['south', 'north', 'east', null, 'west', ''], index * 5 + 2),
    member: pick([true, false, null], index * 7),
    since: since === null ? null : new Date(since),
  }
})

/** Every place of a model file where a value stands, with the kind of value: what a reader has to know. */
export function shapeOf(value: unknown, place = ''): string[] {
  if (Array.isArray(value)) return value.flatMap(each => shapeOf(each, `${place}[]`))
  if (value === null || typeof value !== 'object')
    return [`${place}: ${value === null ? 'null' : typeof value}`]
  return Object.entries(value).flatMap(([key, each]) => shapeOf(each, `${place}.${key}`))
}
