// Theorem 7.6: what the drop of each round says of new rows.

import { describe, expect, it } from 'vitest'
import type { Round, Trace } from '../../src/boost/trace.ts'
import { pseudodimensionBound, tableUpdateSize, unrolledSize } from '../../src/certify/dimension.ts'
import { deviationAtRows, requiredRows, roundRowsUp } from '../../src/certify/sampleSize.ts'
import { trees } from '../../src/classes/auditors.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { roundsOnNewRows } from '../../src/fit/perRound.ts'
import { fitWithTrace, makeTable } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { binCount } from '../../src/quantize/schema.ts'
import { prepare, type SmallTable } from '../support/tables.ts'

const rowOf = (index: number) => ({
  ...{ age: index % 5, city: 'Bonn', member: index % 2 === 0, score: 0.5, weight: 1, fold: 'fit' as const },
  label: index % 3 === 0 ? 1 : 0,
})
const TABLE: SmallTable = {
  rows: Array.from({ length: 30 }, (_, index) => rowOf(index)),
  weighted: false,
  folded: false,
}
const prepared = prepare(TABLE, trees({ depth: 1 }), 'table')

const traceOf = (drops: readonly number[]): Trace => ({
  startLosses: [0.25],
  rounds: drops.map(
    (drop, index) => ({ round: index + 1, drop, accepted: index + 1 < drops.length }) as Round,
  ),
  stopReason: 'tolerance',
  keptCount: drops.length - 1,
})

/** An engine that says it had so many rows; `heavier` makes one of them weigh more than the others. */
const engineOf = (rows: number, heavier = 0): Pick<Engine, 'shape'> => ({
  shape: {
    ...prepared.engine.shape,
    units: [{ rows, count: rows, weight: rows, largestWeight: 1 + heavier, squaredWeight: rows }],
  },
})

describe('the drops of rounds on new rows', () => {
  const options = { bins: 20, confidence: 0.95 }
  const drops = [0.02, 0.005, 0.0001]
  // A number and whether it is missing; of other columns one for each bin.
  const inputs = prepared.encoding.features.reduce(
    (sum, schema) => sum + (schema.kind === 'numeric' ? 2 : binCount(schema)),
    0,
  )

  it('are the drops on the fitting rows less twice the deviation that these support', async () => {
    const rows = 1e12
    const found = roundsOnNewRows(engineOf(rows), prepared.compiled, traceOf(drops), options)!
    const size = unrolledSize({ parameters: 1, operations: 1 }, tableUpdateSize(1, inputs, 20), 2)
    const dimension = pseudodimensionBound(size)
    const exact = deviationAtRows({ dimension, rows, confidence: 0.95 })!
    expect(found.deviation!).toBeGreaterThanOrEqual(exact)
    expect(found.deviation!).toBeLessThan(1.05 * exact)
    // The rejected round is none.
    expect(found.rounds.map(({ drop }) => drop)).toEqual([0.02, 0.005])
    found.rounds.forEach(({ drop, dropAtLeast }) => {
      expect(dropAtLeast).toBeCloseTo(drop - 2 * found.deviation!, 12)
    })
  })

  it('say nothing at few rows, and from how many on they would; nor of rows that are not alike', async () => {
    const found = roundsOnNewRows(engineOf(10_000), prepared.compiled, traceOf(drops), options)!
    expect(found.deviation).toBeUndefined()
    expect(found.rounds[0]).toEqual({ round: 1, drop: 0.02 })
    const size = unrolledSize({ parameters: 1, operations: 1 }, tableUpdateSize(1, inputs, 20), 2)
    const dimension = pseudodimensionBound(size)
    const needed = roundRowsUp(requiredRows({ dimension, deviation: 0.0025, confidence: 0.95 }))
    expect(found.rowsNeeded! / needed).toBeCloseTo(1, 1)
    const enough = roundsOnNewRows(engineOf(found.rowsNeeded!), prepared.compiled, traceOf(drops), options)!
    expect(roundsOnNewRows(engineOf(100, 1), prepared.compiled, traceOf(drops), options)).toBeUndefined()
    expect(enough.rounds.every(({ dropAtLeast }) => dropAtLeast! > -1e-3)).toBe(true)
  })

  it('are told of Algorithm 1 as printed, and of nothing else', async () => {
    const random = makeRandom(5)
    const truth = Array.from({ length: 400 }, () => random.next())
    const table = makeTable({
      x: truth,
      score: truth.map(() => 0.5),
      y: truth.map(p => Number(random.next() < p)),
    })
    const roles = { label: 'y', prediction: 'score', epsilon: 0.3, threads: 1 } as const
    const printed = await fitWithTrace(table, { ...roles, method: 'rounds', stop: 'certificate' })
    expect(printed.newRows!.rows).toBe(400)
    expect(printed.newRows!.rounds).toHaveLength(printed.trace.keptCount)
    expect(printed.newRows!.rounds[0].drop).toBe(printed.trace.rounds[0].drop)
    for (const method of ['forest-rounds', 'platt'] as const)
      expect((await fitWithTrace(table, { ...roles, method })).newRows).toBeUndefined()
    expect((await fitWithTrace(table, { ...roles, method: 'rounds' })).newRows).toBeUndefined()
  })
})
