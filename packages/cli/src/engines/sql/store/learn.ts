// What cuts and categories are learned from: at most 2^17 of the fitting rows, chosen by their keys, and what is present in all of them.

import {
  type Column,
  cast,
  hasClock,
  type LearnableRows,
  type Presence,
  SAMPLE_ROWS,
  type StartKind,
} from '@featureboost/core/internal'
import { countWhere, readRow, sampleBound } from '../survey.ts'
import type { Kind } from './givenColumns.ts'
import type { Cell, StoreDriver } from './storeDialect.ts'

export interface FeatureColumn {
  readonly name: string
  readonly kind: Kind
  readonly time?: 'date' | 'timestamp'
  /** Has it no value in any row? */
  readonly isEmpty: boolean
}

export interface LearnedRows {
  readonly learnable: LearnableRows
  /** Of the rows in the sample. */
  readonly keys: Int32Array
}

/** `used`: SQL of the fitting rows that weigh something, with v0.., y, start, w, key. */
export async function readLearnable(
  driver: StoreDriver,
  used: string,
  features: readonly FeatureColumn[],
  { startKind, weighted }: { readonly startKind: StartKind; readonly weighted: boolean },
): Promise<LearnedRows> {
  const { dialect } = driver
  const bound = await sampleBound(driver, used, 'key', SAMPLE_ROWS)
  const hasStart = startKind.kind === 'column'
  const columns = [
    ...features.map((_, index) => `v${index}`),
    'y',
    'key',
    ...(hasStart ? ['start'] : []),
    ...(weighted ? ['w'] : []),
  ]
  const found = await driver.values(
    `SELECT ${columns.join(', ')} FROM (${used}) WHERE ${cast(dialect.unsigned('key'), dialect.longType)} < ${bound}`,
  )
  const words = (name: string) => Int32Array.from(found[columns.indexOf(name)] as ArrayLike<number>)
  return {
    keys: words('key'),
    learnable: {
      features: features.map((feature, index) => columnOf(feature, found[index])),
      label: words('y'),
      ...(hasStart && { start: words('start') }),
      ...(weighted && { weight: words('w') }),
      presence: await readPresence(driver, used, features),
    },
  }
}

function columnOf({ kind, name, time }: FeatureColumn, cells: ArrayLike<Cell>): Column {
  if (kind === 'numeric')
    return {
      ...{
        name,
        kind,
        values: Float64Array.from(cells, cell => (cell === null ? Number.NaN : Number(cell))),
      },
      ...(time !== undefined && { time }),
    }
  if (kind === 'boolean')
    return { name, kind, values: Int8Array.from(cells, cell => (cell === null ? -1 : Number(cell))) }
  const codes = new Map<string, number>()
  const values = Int32Array.from(cells, cell => {
    if (cell === null) return -1
    const text = String(cell)
    const known = codes.get(text)
    if (known !== undefined) return known
    codes.set(text, codes.size)
    return codes.size - 1
  })
  return { name, kind, codes: values, categories: [...codes.keys()] }
}

/** What a sample could miss, of all rows. */
async function readPresence(
  driver: StoreDriver,
  used: string,
  features: readonly FeatureColumn[],
): Promise<Presence[]> {
  const facts = features.flatMap(({ kind }, index) => {
    const value = `v${index}`
    const numbers = [
      `MIN(${value})`,
      `MAX(${value})`,
      countWhere(`floor(${value}) <> ${value} OR abs(${value}) > 9007199254740991E0`),
    ]
    return [
      countWhere(`${value} IS NULL`),
      `COUNT(${value})`,
      ...(kind === 'numeric' ? numbers : ['0', '0', '0']),
    ]
  })
  const found = await readRow(driver, facts, `(${used})`)
  const categories = await readCategories(driver, used, features)
  return features.map(({ kind, time }, index) => {
    const [missing, present, low, high, parts] = found.slice(5 * index, 5 * index + 5)
    return {
      missing: missing > 0,
      categories: categories.get(index) ?? [],
      // What is no whole number of days has a time of day.
      ...(kind === 'numeric' && time !== undefined && { clock: parts > 0 || [low, high].some(hasClock) }),
      ...(kind === 'numeric' &&
        present > 0 && {
          numbers: { range: [low + 0, high + 0] as const, whole: time === undefined && parts === 0 },
        }),
    }
  })
}

async function readCategories(
  driver: StoreDriver,
  used: string,
  features: readonly FeatureColumn[],
): Promise<Map<number, string[]>> {
  const parts = features.flatMap(({ kind }, index) =>
    kind === 'categorical'
      ? [
          `SELECT DISTINCT ${cast(index, driver.dialect.wordType)} AS c, v${index} AS v FROM (${used}) WHERE v${index} IS NOT NULL`,
        ]
      : [],
  )
  const categories = new Map<number, string[]>()
  if (parts.length === 0) return categories
  const [columns = [], values = []] = await driver.values(parts.join(' UNION ALL '))
  for (let row = 0; row < columns.length; row++) {
    const index = Number(columns[row])
    const list = categories.get(index) ?? []
    list.push(String(values[row]))
    categories.set(index, list)
  }
  for (const list of categories.values()) list.sort()
  return categories
}
