// The conformance suite: every engine answers every question exactly as the row-by-row definitions do. It needs no test runner.

import { makeRandom } from '../common/random.ts'
import { countUnits, sumUnits } from '../data/foldUnits.ts'
import type { Engine, EngineRows } from '../engine/engine.ts'
import { MOVES } from './cases/moves.ts'
import { OUTCOMES } from './cases/outcomes.ts'
import { ROWS } from './cases/rows.ts'
import { SUMS } from './cases/sums.ts'
import { expectList, expectSame } from './compare.ts'
import type { Property, Round } from './property.ts'

export type MakeTestedEngine = (rows: EngineRows) => Engine | Promise<Engine>

export interface ConformanceCase {
  /** A sentence about engines. */
  readonly title: string
  /** Throws a ConformanceError where the sentence is not true of this engine. */
  check(make: MakeTestedEngine, rounds?: Rounds): Promise<void>
}

/** Which random rows a case is tried with; one round of the seed of a failure repeats it. */
export interface Rounds {
  /** Of the first round; every round has the seed after that of the one before. Default: one that no other case has. */
  readonly seed?: number
  readonly count?: number
}

export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
  readonly seed: number

  constructor(title: string, seed: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`an engine ${title}. ${reason} (to repeat it: check(make, { seed: ${seed}, count: 1 }))`, { cause })
    this.seed = seed
  }
}

const ROUND_COUNT = 60

export const CONFORMANCE: readonly ConformanceCase[] = [...SUMS, ...OUTCOMES, ...MOVES, ...ROWS].map(
  (property, index) => ({
    title: property.title,
    async check(make, { count = property.rounds ?? ROUND_COUNT, seed = index * ROUND_COUNT } = {}) {
      for (let round = 0; round < count; round++) await tryRound(property, make, seed + round)
    },
  }),
)

/** Rows are few in the first rounds, so that a failure is found where it can be understood. */
const rowLimitOf = (seed: number): number => 12 + ((seed % ROUND_COUNT) >> 1)

async function tryRound(property: Property, make: MakeTestedEngine, seed: number): Promise<void> {
  const opened: Engine[] = []
  const open: Round['open'] = async (rows, updates = []) => {
    const engine = await make(rows)
    opened.push(engine)
    expectShape(engine, rows)
    for (const update of updates) await engine.apply(update)
    return engine
  }
  try {
    await property.check({ random: makeRandom(seed), rowLimit: rowLimitOf(seed), open })
    for (const engine of opened) await engine.close()
  } catch (error) {
    await Promise.allSettled(opened.map(async engine => engine.close()))
    throw new ConformanceError(property.title, seed, error)
  }
}

function expectShape({ shape }: Engine, rows: EngineRows): void {
  const nameOf = (feature: number) => `feature ${feature}`
  expectSame('shape.rowCount', shape.rowCount, rows.rowCount)
  const units = sumUnits(rows.rowCount, rows.weight, rows.fold)
  expectSame('shape.countedRows', shape.countedRows, countUnits(units))
  expectSame('shape.units', JSON.stringify(shape.units), JSON.stringify(rows.units ?? units))
  expectList('shape.binCounts', shape.binCounts, rows.binCounts, nameOf)
  expectList('shape.coarseCounts', shape.coarseCounts, rows.coarseCounts, nameOf)
  expectSame('shape.signalCount', shape.signalCount, rows.signals.length)
  expectSame('shape.foldCount', shape.foldCount, rows.fold === undefined ? 1 : 2)
}
