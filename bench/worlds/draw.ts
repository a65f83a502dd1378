// A draw: rows taken from a world with replacement, each with a label of its own.

import { makeRandom } from '../../packages/core/src/common/random.ts'
import { type Column, gatherColumn } from '../../packages/core/src/data/column.ts'
import type { Table } from '../../packages/core/src/data/table.ts'
import type { ScoredRows } from '../../packages/core/src/measures/score/scoredRows.ts'
import { POPULATION, seedOf, type World } from './world.ts'

export const ROLES = { label: 'label', prediction: 'score' } as const

export interface RowRange {
  readonly least: number
  readonly most: number
}

export interface Draw {
  readonly world: World
  /** Counted from 1. */
  readonly number: number
  /** Of the population. */
  readonly rows: Int32Array
  readonly labels: Float64Array
  /** Expected number of labels that could as well have been otherwise: the sum of p (1 - p). */
  readonly events: number
}

/** Small samples are as frequent as large ones: the logarithm of the number of rows is uniform. */
export function drawRows(world: World, number: number, { least, most }: RowRange, seed = 1): Draw {
  const random = makeRandom(seedOf(seed, world.index, number))
  const count = Math.round(least * (most / least) ** random.next())
  const rows = Int32Array.from({ length: count }, () => random.integer(POPULATION))
  const labels = Float64Array.from(rows, row => Number(random.next() < world.chance[row]))
  const spread = world.chance.reduce((sum, p) => sum + p * (1 - p), 0) / POPULATION
  return { world, number, rows, labels, events: count * spread }
}

export function tableOf({ world, rows, labels }: Draw): Table {
  const score: Column = { name: ROLES.prediction, kind: 'numeric', values: world.score }
  const columns = [...world.features, score].map(column => gatherColumn(column, rows))
  return {
    rowCount: rows.length,
    columns: [...columns, { name: ROLES.label, kind: 'numeric', values: labels }],
  }
}

/** The whole population, each row labelled with its probability. */
export const populationTable = (world: World): Table => ({
  rowCount: POPULATION,
  columns: [
    ...world.features,
    { name: ROLES.prediction, kind: 'numeric', values: world.score },
    { name: ROLES.label, kind: 'numeric', values: world.chance },
  ],
})

export const scoredRows = ({ rows, labels }: Draw, score: Float64Array): ScoredRows => ({
  predictions: Float64Array.from(rows, row => score[row]),
  labels,
})
