// Generated rows for engines: a few features with few bins, so that every cell is met, with weights, folds and signals.

import fc from 'fast-check'
import { ONE } from '../../src/common/units.ts'
import type { EngineRows } from '../../src/engine/engine.ts'

export interface RowsShape {
  readonly minRows?: number
  readonly maxRows: number
  readonly maxFeatures: number
  readonly signals: number
  readonly folds: boolean
  readonly weights: boolean
}

const units = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: ONE }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, ONE / 2, ONE - 1, ONE) },
)

/** Every coarse bin is a run of fine bins; the missing bin is the last of both. */
const coarseMapArbitrary = (valueBins: number): fc.Arbitrary<number[]> =>
  fc.array(fc.boolean(), { minLength: valueBins, maxLength: valueBins }).map(starts => {
    let coarse = 0
    const map = starts.map((start, bin) => {
      if (bin > 0 && start) coarse++
      return coarse
    })
    return [...map, coarse + 1]
  })

export function rowsArbitrary(shape: RowsShape): fc.Arbitrary<EngineRows> {
  const column = (rows: number, value: fc.Arbitrary<number>) =>
    fc.array(value, { minLength: rows, maxLength: rows })
  const structure = fc.record({
    rows: fc.integer({ min: shape.minRows ?? 1, max: shape.maxRows }),
    coarse: fc.array(fc.integer({ min: 1, max: 5 }).chain(coarseMapArbitrary), {
      minLength: 1,
      maxLength: shape.maxFeatures,
    }),
  })
  return structure.chain(({ rows, coarse }) =>
    fc
      .record({
        bins: fc.tuple(...coarse.map(map => column(rows, fc.integer({ min: 0, max: map.length - 1 })))),
        signals: fc.tuple(
          ...Array.from({ length: shape.signals }, () => column(rows, fc.integer({ min: -ONE, max: ONE }))),
        ),
        label: column(rows, fc.oneof(fc.constantFrom(0, ONE), units)),
        start: column(rows, units),
        weight: column(rows, fc.integer({ min: 0, max: 3 })),
        fold: column(rows, fc.integer({ min: 0, max: 1 })),
      })
      .map(
        (drawn): EngineRows => ({
          rowCount: rows,
          bins: drawn.bins.map(bins => Uint8Array.from(bins)),
          binCounts: coarse.map(map => map.length),
          coarseOf: coarse.map(map => Uint8Array.from(map)),
          coarseCounts: coarse.map(map => map[map.length - 1] + 1),
          signals: drawn.signals.map(signal => Int32Array.from(signal)),
          label: Int32Array.from(drawn.label),
          start: Int32Array.from(drawn.start),
          ...(shape.weights && { weight: Int32Array.from(drawn.weight) }),
          ...(shape.folds && { fold: Uint8Array.from(drawn.fold) }),
        }),
      ),
  )
}
