// Worlds for methods that grow trees: a number in 9 bins, a category in 6 and a yes or no, some values missing, and a score
// that is wrong where the caller says.

import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { makeRandom } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import { handRows } from './rows.ts'

export interface Case {
  readonly score: number
  readonly number: number
  readonly category: number
  readonly flag: number
}

export interface World {
  /** The chance of a one; the score itself if left out. */
  readonly truth?: (row: Case) => number
  /** What the method is given in place of the score. */
  readonly shown?: (score: number) => number
  readonly weighted?: boolean
}

/** Too high in one category where the number is large; a tenth of the rows, and no column alone shows all of it. */
export const interaction = ({ category, number, score }: Case): number =>
  category === 2 && number >= 4 ? score / 3 : score

export const isOff = (rows: BaselineRows, row: number): boolean =>
  rows.bins[1][row] === 2 && rows.bins[0][row] >= 4 && rows.bins[0][row] < 9

export function drawWorld(count: number, seed: number, world: World = {}): BaselineRows {
  const { shown = score => score, truth = row => row.score, weighted = false } = world
  const random = makeRandom(seed)
  const rows = Array.from({ length: count }, () => {
    const row = {
      score: 0.1 + 0.8 * random.next(),
      number: random.integer(10),
      category: random.integer(7),
      flag: random.integer(3),
    }
    return {
      ...row,
      label: random.next() < truth(row) ? ONE : 0,
      weight: 1 + random.integer(3),
      part: random.integer(60),
    }
  })
  const made = handRows({
    start: rows.map(({ score }) => Math.round(shown(score) * ONE)),
    label: rows.map(({ label }) => label),
    bins: [rows.map(row => row.number), rows.map(row => row.category), rows.map(row => row.flag)],
    binCounts: [10, 7, 3],
    ordered: [true, false, false],
    ...(weighted && { weight: rows.map(({ weight }) => weight) }),
  })
  return { ...made, part: Uint8Array.from(rows, ({ part }) => part) }
}

/** The same rows in another order, or some of them more than once; groups keep their trees. */
export function pickRows(rows: BaselineRows, order: readonly number[]): BaselineRows {
  const words = (column: Int32Array) => Int32Array.from(order, row => column[row])
  const bytes = (column: Uint8Array) => Uint8Array.from(order, row => column[row])
  return {
    rowCount: order.length,
    features: rows.features,
    bins: rows.bins.map(bytes),
    label: words(rows.label),
    start: words(rows.start),
    part: bytes(rows.part),
    groups: rows.groups.map(({ member, name, tree }) => ({ name, tree, member: bytes(member) })),
    ...(rows.weight !== undefined && { weight: words(rows.weight) }),
  }
}

/** Every row as often as it weighs. */
export function repeatRows(rows: BaselineRows): BaselineRows {
  const order = Array.from(rows.weight!).flatMap((weight, row) => Array<number>(weight).fill(row))
  const { weight: _, ...repeated } = pickRows(rows, order)
  return repeated
}

/** Label minus prediction, the mean over some rows. */
export function gapOf(
  rows: BaselineRows,
  prediction: Int32Array,
  counts: (row: number) => boolean = () => true,
): number {
  let [sum, count] = [0, 0]
  for (let row = 0; row < rows.rowCount; row++) {
    if (!counts(row)) continue
    sum += (rows.label[row] - prediction[row]) / ONE
    count++
  }
  return sum / count
}
