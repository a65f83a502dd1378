// Engines in the middle of a run: rows, updates of every kind, and the predictions that these lead to.

import fc from 'fast-check'
import { ONE } from '../../src/common/units.ts'
import type { EngineRows } from '../../src/engine/engine.ts'
import { leafCount, type Update } from '../../src/update/update.ts'
import { naiveMoved } from './naive.ts'
import { rowsArbitrary, treeArbitrary } from './rows.ts'

export const anyRows = fc.oneof(
  rowsArbitrary({ maxRows: 40, maxFeatures: 3, signals: 2, folds: true, weights: true }),
  rowsArbitrary({ maxRows: 40, maxFeatures: 3, signals: 2, folds: false, weights: false }),
)
export const anyLevels = fc.integer({ min: 1, max: 7 })

export const levelValuesArbitrary = (levels: number) =>
  fc.option(
    fc
      .array(fc.integer({ min: 0, max: ONE }), { minLength: levels, maxLength: levels })
      .map(values => Int32Array.from(values)),
    { nil: undefined },
  )

function tableUpdate(rows: EngineRows): fc.Arbitrary<Update> {
  return fc.tuple(treeArbitrary(rows, 2), anyLevels).chain(([tree, levels]) => {
    const size = leafCount(tree) * levels
    return fc
      .array(fc.integer({ min: -ONE, max: ONE }), { minLength: size, maxLength: size })
      .map(values => ({ kind: 'table', tree, levels, values }))
  })
}

const linearUpdate: fc.Arbitrary<Update> = anyLevels.chain(levels =>
  fc
    .array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 2 * levels, maxLength: 2 * levels })
    .map(coefficients => ({ kind: 'linear', signals: [0, 1], levels, coefficients })),
)

const forestUpdate = (rows: EngineRows): fc.Arbitrary<Update> =>
  fc
    .oneof(
      fc.constant({}),
      fc.constant({ link: 'identity' as const }),
      fc.record({ scale: fc.integer({ min: -4 * ONE, max: 60 * ONE }) }),
    )
    .chain(rest => plainForest(rows).map(forest => ({ ...forest, ...rest })))

const plainForest = (rows: EngineRows) =>
  fc.record({
    kind: fc.constant('forest' as const),
    clip: fc.integer({ min: 1, max: ONE / 4 }),
    trees: fc.array(
      treeArbitrary(rows, 2).chain(tree =>
        fc.record({
          tree: fc.constant(tree),
          steps: fc.array(fc.integer({ min: -20 * ONE, max: 20 * ONE }), {
            minLength: leafCount(tree),
            maxLength: leafCount(tree),
          }),
        }),
      ),
      { maxLength: 3 },
    ),
  })

const units = fc.integer({ min: 0, max: ONE })

/** Close neighbours among the places: a jump is two of them one unit apart. */
const curveUpdate: fc.Arbitrary<Update> = fc
  .array(fc.oneof(units, fc.integer({ min: 1, max: 3 })), { maxLength: 6 })
  .map(places => [...new Set([0, ...places, ONE])].sort((a, b) => a - b))
  .chain(from =>
    fc
      .array(units, { minLength: from.length, maxLength: from.length })
      .map(to => ({ kind: 'curve', from, to })),
  )

const polynomialUpdate = (rows: EngineRows): fc.Arbitrary<Update> =>
  fc.tuple(treeArbitrary(rows, 2), fc.integer({ min: 1, max: 4 })).chain(([tree, degree]) => {
    const size = leafCount(tree) * (degree + 1)
    return fc
      .array(fc.integer({ min: -4 * ONE, max: 4 * ONE }), { minLength: size, maxLength: size })
      .map(values => ({ kind: 'polynomial', tree, degree, values }))
  })

export const anyUpdate = (rows: EngineRows) =>
  fc.oneof(tableUpdate(rows), linearUpdate, forestUpdate(rows), curveUpdate, polynomialUpdate(rows))

/** Rows, and the predictions after a few updates: questions are asked in the middle of a run, not at its start. */
export const anyRun = anyRows.chain(rows =>
  fc.array(anyUpdate(rows), { maxLength: 2 }).map(updates => ({
    rows,
    updates,
    predictions: Array.from(rows.start, (start, row) =>
      updates.reduce((prediction, update) => naiveMoved(update, rows, row, prediction), start),
    ),
  })),
)
