// Rows with groups that are off, for tests of what finds and mends them.

import { makeRandom } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import type { EngineRows } from '../../src/engine/engine.ts'
import type { ForestRows } from '../../src/forest/forestRows.ts'
import { binCount, coarseCount, coarseMap, type FeatureSchema } from '../../src/quantize/schema.ts'

const NUMBERS = Array.from({ length: 19 }, (_, index) => index + 1)

/** A number with twenty bins of which the search sees five, a category and a truth value. */
export const SCHEMAS: readonly FeatureSchema[] = [
  { name: 'x', kind: 'numeric', missing: false, cuts: NUMBERS, coarse: [3, 7, 11, 15] },
  {
    name: 'c',
    kind: 'categorical',
    missing: false,
    categories: ['p', 'q', 'r'],
    pooled: [],
    coarse: [0, 1, 2],
  },
  { name: 'b', kind: 'boolean', missing: true },
  { name: 'z', kind: 'numeric', missing: false, cuts: NUMBERS, coarse: [3, 7, 11, 15] },
]

export const FEATURES = SCHEMAS.map((_, feature) => feature)

export interface Person {
  readonly bins: readonly number[]
  readonly score: number
}

/** `truth`: the chance of each label; by default the score. */
export function drawGroupRows(
  rowCount: number,
  seed: number,
  truth: (person: Person) => number = ({ score }) => score,
): EngineRows {
  const random = makeRandom(seed)
  const bins = SCHEMAS.map(() => new Uint8Array(rowCount))
  const [label, start] = [new Int32Array(rowCount), new Int32Array(rowCount)]
  for (let row = 0; row < rowCount; row++) {
    const missing = random.next() < 0.1
    const values = [
      random.integer(20),
      random.integer(3),
      missing ? 2 : random.integer(2),
      random.integer(20),
    ]
    values.forEach((bin, feature) => {
      bins[feature][row] = bin
    })
    const score = 0.1 + 0.7 * random.next()
    start[row] = Math.round(score * ONE)
    label[row] = random.next() < truth({ bins: values, score }) ? ONE : 0
  }
  return {
    rowCount,
    bins,
    binCounts: SCHEMAS.map(binCount),
    coarseOf: SCHEMAS.map(coarseMap),
    coarseCounts: SCHEMAS.map(coarseCount),
    signals: [],
    label,
    start,
  }
}

/** Parts of a cross-fit. */
export const PARTS = 6

/** The same as forests learn from them. */
export function drawForestRows(
  rowCount: number,
  seed: number,
  truth?: (person: Person) => number,
  parts = PARTS,
): ForestRows {
  const { bins, label, start } = drawGroupRows(rowCount, seed, truth)
  const random = makeRandom(seed + 1)
  const features = SCHEMAS.map(schema => ({ bins: binCount(schema), ordered: schema.kind === 'numeric' }))
  const part = Uint8Array.from({ length: rowCount }, () => random.integer(parts))
  return { rowCount, bins: bins as Uint8Array[], features, label, start, part }
}

/** Too low by 0.15 where x <= 9 (between two coarse cuts) and c = q. */
export const PLANTED = ({ bins, score }: Person): number =>
  bins[0] <= 8 && bins[1] === 1 ? score + 0.15 : score
