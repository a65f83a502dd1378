// Draws of one named world: each is searched as an audit does, and a model is fitted to it, whose certificate is held against the truth. Only what
// everybody can read is read: the findings of the audit and the facts of the certificate.

import type { WorstGroups } from '../../../packages/core/src/audit/worst/worstGroups.ts'
import { trees } from '../../../packages/core/src/classes/auditors.ts'
import { makeRandom } from '../../../packages/core/src/common/random.ts'
import { type Column, gatherColumn } from '../../../packages/core/src/data/column.ts'
import type { Table } from '../../../packages/core/src/data/table.ts'
import { fit } from '../../../packages/core/src/fit/fit.ts'
import { seedOf } from '../world.ts'
import { makePopulation, type Population } from './population.ts'
import { searchTable } from './search.ts'
import { trueErrors, trueGap } from './truth.ts'
import { NAMED, type NamedWorld } from './worlds.ts'

export const CONFIDENCE = 0.95
export const AUDITED = { bins: 2, coarseBins: 8, draws: 99 } as const
export const FITTED = { bins: 4, holdout: 0.5, roundLimit: 2 } as const

/** A bound for new rows beside the truth. */
export interface Bounded {
  readonly measured: number
  readonly slack: number
  readonly bound: number
  readonly truth: number
}

export interface DrawResult {
  readonly p: number
  /** Does the interval of the worst group hold its true gap, and do those of all listed groups? Nothing where none is listed. */
  readonly worstHeld?: boolean
  readonly allHeld?: boolean
  readonly multicalibration: Bounded
  readonly levelSet: Bounded
}

export async function runNamed(
  world: NamedWorld,
  draws: number,
  seed: number,
  onDraw: (done: number) => void = () => {},
): Promise<DrawResult[]> {
  const index = NAMED.indexOf(world)
  const population = makePopulation(world, seedOf(seed, index, 0))
  const results: DrawResult[] = []
  for (let number = 1; number <= draws; number++) {
    results.push(
      await judge(world, population, drawTable(world, population, seedOf(seed, index, number)), number),
    )
    onDraw(number)
  }
  return results
}

/** Points with replacement; copies stand next to each other. */
export function drawTable(
  { copies = 1, draw, ids = false, rows }: NamedWorld,
  population: Population,
  seed: number,
): Table {
  const random = makeRandom(seed)
  const points = Int32Array.from({ length: rows }, () => random.integer(population.score.length))
  const drawn = Array.from(points, (point, row) => draw(population.score[point], random, row))
  const rowCount = rows * copies
  const source = Int32Array.from({ length: rowCount }, (_, row) => Math.floor(row / copies))
  const numbers = (name: string, valueAt: (row: number) => number): Column => ({
    name,
    kind: 'numeric',
    values: Float64Array.from(source, valueAt),
  })
  const weighted = drawn[0].weight !== undefined
  return {
    rowCount,
    columns: [
      ...population.features.map(column =>
        gatherColumn(
          column,
          source.map(row => points[row]),
        ),
      ),
      numbers('score', row => population.score[points[row]]),
      numbers('label', row => drawn[row].label),
      ...(weighted ? [numbers('weight', row => drawn[row].weight!)] : []),
      ...(ids ? [numbers('id', row => row)] : []),
    ],
  }
}

export const rolesOf = ({ copies }: NamedWorld, table: Table) => ({
  ...{ label: 'label', prediction: 'score', confidence: CONFIDENCE, threads: 1 },
  auditors: trees({ depth: 2 }),
  // Only where a world says so are rows that are alike one and the same.
  copies: copies === undefined ? ('independent' as const) : ('one' as const),
  ...(table.columns.some(({ name }) => name === 'weight') && { weight: 'weight' }),
})

async function judge(
  world: NamedWorld,
  population: Population,
  table: Table,
  number: number,
): Promise<DrawResult> {
  const roles = rolesOf(world, table)
  const audited = await searchTable(table, {
    ...roles,
    ...AUDITED,
    ...(world.ids && { except: ['id'] }),
    seed: number,
  })
  const model = await fit(table, {
    ...{ ...roles, ...FITTED, ...(world.ids && { groupBy: 'id' }), seed: number },
    ...{ method: 'rounds', stop: 'certificate', coarseBins: AUDITED.coarseBins },
  })
  const { features, score } = population
  const points: Table = {
    rowCount: score.length,
    columns: [...features, { name: 'score', kind: 'numeric', values: score }],
  }
  const truth = trueErrors(population, model.round().predict(points))
  const { levelSet, multicalibration } = model.certificate.heldOut!
  return {
    p: audited.significance.p,
    ...coverage(population, audited),
    multicalibration: { ...factsOf(multicalibration), truth: truth.multicalibration },
    levelSet: { ...factsOf(levelSet!), truth: truth.levelSet },
  }
}

const factsOf = ({ bound, measured, slack }: Omit<Bounded, 'truth'>) => ({ bound, measured, slack })

function coverage(
  population: Population,
  { tooHigh, tooLow, worst }: WorstGroups,
): Pick<DrawResult, 'worstHeld' | 'allHeld'> {
  const held = [...worst, ...tooLow, ...tooHigh].map(({ interval, scores, where }) => {
    const gap = trueGap(population, where, scores)
    return gap >= interval.low - ROUNDING && gap <= interval.high + ROUNDING
  })
  return held.length === 0 ? {} : { worstHeld: held[0], allHeld: held.every(each => each) }
}

/** Sums of some thousand doubles. */
const ROUNDING = 1e-9
