// Made-up rows with every role, in chunks of any size, and what was read of them as plain objects.

import { expect } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { valueAt } from '../../src/data/column.ts'
import type { RoleRows } from '../../src/data/roleRows.ts'
import type { Dataset, Holdout, Roles } from '../../src/data/roles.ts'
import type { TableSource } from '../../src/data/source.ts'
import { tableFromRows, type Value } from '../../src/data/table.ts'

export type Row = Record<string, Value>

/** Chunks with their own columns and dictionaries, as a reader of files would make them. */
export const inChunks = (rows: readonly Row[], sizes: readonly number[]): TableSource => ({
  *chunks() {
    for (let from = 0, turn = 0; from < rows.length; turn++) {
      const to = from + sizes[turn % sizes.length]
      yield tableFromRows(rows.slice(from, to))
      from = to
    }
  },
})

export async function readAll(rows: Pick<RoleRows, 'chunks'>, rowsPerChunk: number): Promise<Row[]> {
  const read: Row[] = []
  for await (const chunk of rows.chunks(rowsPerChunk)) {
    expect(chunk.rowCount).toBeLessThanOrEqual(rowsPerChunk)
    for (let row = 0; row < chunk.rowCount; row++) read.push(rowOf(chunk, row))
  }
  return read
}

const rowOf = ({ features, fold, label, start, weight }: Dataset, row: number): Row => ({
  ...Object.fromEntries(features.map(column => [column.name, valueAt(column, row)])),
  label: label[row],
  start: start[row],
  weight: weight?.[row] ?? 1,
  fold: fold?.[row] ?? 0,
})

/** The rows of a sample, sorted: equal for two samples that only differ in the order of rows. */
export const sampleOf = ({ learnable }: Pick<RoleRows, 'learnable'>): string[] => {
  const { features, fold, weight } = learnable
  const length = features[0].kind === 'categorical' ? features[0].codes.length : features[0].values.length
  return Array.from({ length }, (_, row) => row)
    .filter(row => (fold?.[row] ?? 0) === 0 && (weight?.[row] ?? 1) > 0)
    .map(row => JSON.stringify([features.map(column => valueAt(column, row)), weight?.[row] ?? 1]))
    .sort()
}

export function makeRows(count: number, seed: number): Row[] {
  const random = makeRandom(seed)
  return Array.from({ length: count }, (_, index) => ({
    n: random.next() < 0.2 ? null : random.integer(5) / 4,
    c: random.next() < 0.2 ? null : 'abc'[random.integer(3)],
    f: random.next() < 0.2 ? null : random.next() < 0.5,
    person: `p${random.integer(6)}`,
    y: index < 2 ? index : random.integer(2),
    p: random.integer(4) / 4,
    w: random.integer(3) / 2 + (index < 2 ? 1 : 0),
    side: index % 3 === 0 ? 'holdout' : 'fit',
  }))
}

export const ROLES: Roles = { label: 'y', features: ['n', 'c', 'f'] }
export const CASES: [string, Roles, Holdout | undefined][] = [
  ['roles alone', ROLES, undefined],
  ['a prediction', { ...ROLES, prediction: 'p' }, undefined],
  ['weights', { ...ROLES, weight: 'w' }, undefined],
  ['a fold column', { ...ROLES, prediction: 'p', fold: 'side' }, undefined],
  ['a random split', { ...ROLES, weight: 'w' }, { fraction: 0.4, seed: 3 }],
  ['a split by id', { ...ROLES, prediction: 'p' }, { fraction: 0.5, seed: 1, groupBy: 'person' }],
]
