// An engine that has some of the columns of another answers as if it had no others.

import { describe, expect, it } from 'vitest'
import { divideColumns } from '../../src/engine/columns.ts'
import type { EngineRows } from '../../src/engine/engine.ts'
import { memoryEngine } from '../../src/engine/memory/memory.ts'
import { referenceEngine } from '../../src/engine/reference/reference.ts'
import { describeEngine } from './conformance.ts'

/** The same rows with a feature and a signal on either side. */
function surround(rows: EngineRows): EngineRows {
  const { bins, binCounts, coarseCounts, coarseOf, rowCount, signals } = rows
  const around = <T>(columns: readonly T[], more: T): T[] => [more, ...columns, more]
  return {
    ...rows,
    bins: around(
      bins,
      Uint8Array.from({ length: rowCount }, (_, row) => row % 3),
    ),
    binCounts: around(binCounts, 3),
    coarseCounts: around(coarseCounts, 3),
    coarseOf: around(coarseOf, Uint8Array.of(0, 1, 2)),
    signals: around(
      signals,
      Int32Array.from({ length: rowCount }, (_, row) => row),
    ),
  }
}

const countsOf = ({ bins, signals }: EngineRows) => [
  { features: 1, signals: 1 },
  { features: bins.length, signals: signals.length },
  { features: 1, signals: 1 },
]

/** Closing the part would close nothing: the suite closes what it made. */
async function partOf(rows: EngineRows, make: typeof whole) {
  const engine = await make(surround(rows))
  const [, part] = divideColumns(engine, countsOf(rows))
  return { ...part, close: () => engine.close() }
}

const whole = memoryEngine({ threads: 1 })

describeEngine('some columns of an engine in memory', rows => partOf(rows, whole))
describeEngine('some columns of the reference engine', rows =>
  partOf(rows, async given => referenceEngine(given as EngineRows)),
)

describe('some columns of an engine', () => {
  const rows: EngineRows = {
    rowCount: 4,
    bins: [Uint8Array.of(0, 1, 0, 2), Uint8Array.of(1, 0, 0, 1)],
    binCounts: [3, 2],
    coarseCounts: [3, 2],
    coarseOf: [Uint8Array.of(0, 1, 2), Uint8Array.of(0, 1)],
    signals: [],
    label: Int32Array.of(0, 2 ** 24, 0, 2 ** 24),
    start: Int32Array.of(1, 2, 3, 4),
    key: Int32Array.of(5, 6, 7, 8),
  }

  it('have the checksum and the sample that they would have alone', async () => {
    const alone = referenceEngine(rows)
    const part = await partOf(rows, whole)
    expect(await part.fingerprint()).toBe(await alone.fingerprint())
    const second = { features: [1, 2], signals: [0, 0] } as const
    expect(await part.fingerprint(second)).toBe(await alone.fingerprint(second))
    expect(await alone.fingerprint(second)).not.toBe(await alone.fingerprint())
    const request = { rowLimit: 4, parts: 2 }
    expect(await part.sample!(request)).toEqual(await alone.sample(request))
    await part.close()
  })

  it('move for all parts at once, and stay open when one part is closed', async () => {
    const engine = referenceEngine(surround(rows))
    const [one, two] = divideColumns(engine, countsOf(rows))
    const tree = { split: { kind: 'in', feature: 0, bins: [0] }, yes: { leaf: 0 }, no: { leaf: 1 } } as const
    await two.apply({ kind: 'table', tree, levels: 1, values: [100, 0] })
    expect(Array.from(await one.snapshot!())).toEqual([101, 2, 103, 4])
    await one.close()
    expect(await two.losses()).toHaveLength(1)
  })
})
