// Small populations for baselines that look at groups, and what is measured on them row by row: a number with missing values, a
// category, scores that are off in some of their values, and now and then scores of exactly 0 or 1.

import fc from 'fast-check'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { makeRandom } from '../../src/internal.ts'
import type { Update } from '../../src/update/update.ts'
import { handRows, predictionsOf } from './rows.ts'

export const ONE = 2 ** 24

const [NUMBER_BINS, CATEGORY_BINS] = [7, 5]

export interface PopulationKind {
  readonly rowCount: number
  readonly seed: number
  readonly weighted: boolean
  /** Scores come in this many steps; 0: all may differ. */
  readonly steps: number
}

export const populationArbitrary = (most: number): fc.Arbitrary<PopulationKind> =>
  fc.record({
    rowCount: fc.integer({ min: 1, max: most }),
    seed: fc.nat(1_000_000),
    weighted: fc.boolean(),
    steps: fc.constantFrom(0, 10, 20),
  })

export function drawPopulation({ rowCount, seed, steps, weighted }: PopulationKind): BaselineRows {
  const random = makeRandom(seed)
  const rows = Array.from({ length: rowCount }, () => {
    const [number, category] = [random.integer(NUMBER_BINS), random.integer(CATEGORY_BINS)]
    const truth = random.next()
    const bent = truth ** (category === 1 ? 2 : 1) + (number < 2 ? 0.15 : 0) - (category === 2 ? 0.2 : 0)
    const inside = Math.max(0, Math.min(1, bent))
    return {
      number,
      category,
      start: Math.round(ONE * (steps === 0 ? inside : Math.round(inside * steps) / steps)),
      label: random.next() < truth ? ONE : 0,
      weight: 1 + random.integer(3),
    }
  })
  return handRows({
    start: rows.map(row => row.start),
    label: rows.map(row => row.label),
    bins: [rows.map(row => row.number), rows.map(row => row.category)],
    binCounts: [NUMBER_BINS, CATEGORY_BINS],
    ordered: [true, false],
    ...(weighted && { weight: rows.map(row => row.weight) }),
  })
}

/** Rows in another order, or some of them more often; a copy stays in the part of its row. */
export function takeRows(rows: BaselineRows, order: readonly number[]): BaselineRows {
  const bytes = (column: Uint8Array) => Uint8Array.from(order, row => column[row])
  const words = (column: Int32Array) => Int32Array.from(order, row => column[row])
  return {
    ...rows,
    rowCount: order.length,
    bins: rows.bins.map(bytes),
    label: words(rows.label),
    start: words(rows.start),
    part: bytes(rows.part),
    groups: rows.groups.map(({ member, name, tree }) => ({ name, tree, member: bytes(member) })),
    ...(rows.weight !== undefined && { weight: words(rows.weight) }),
  }
}

/** Every row as often as it weighs, and no weights. */
export function repeatRows({ weight, ...rows }: BaselineRows): BaselineRows {
  const copies = Array.from({ length: rows.rowCount }, (_, row) =>
    new Array<number>(weight?.[row] ?? 1).fill(row),
  )
  return takeRows(rows, copies.flat())
}

export const weightAt = ({ weight }: BaselineRows, row: number): number => weight?.[row] ?? 1

export const everyRow = ({ rowCount }: BaselineRows): number[] =>
  Array.from({ length: rowCount }, (_, row) => row)

/** Sum of weight * value, over these rows. */
export const weigh = (
  rows: BaselineRows,
  members: readonly number[],
  value: (row: number) => number,
): number => members.reduce((sum, row) => sum + weightAt(rows, row) * value(row), 0)

export const totalOf = (rows: BaselineRows): number => weigh(rows, everyRow(rows), () => 1)

/** Sum of weight * (y - p)^2, with y and p from 0 to 1. */
export const squaredError = (rows: BaselineRows, predictions: ArrayLike<number>): number =>
  weigh(rows, everyRow(rows), row => ((rows.label[row] - predictions[row]) / ONE) ** 2)

type RowTest = (row: number) => boolean

/** Either side of everything in a list of tests: a side and what it leaves stand together. */
const bothSides = (rows: BaselineRows, tests: readonly RowTest[]): number[][] =>
  tests.flatMap(test => [everyRow(rows).filter(test), everyRow(rows).filter(row => !test(row))])

/** Either side of every split of one column, and of none. */
export function splitSides(rows: BaselineRows): number[][] {
  const [number, category] = rows.bins
  const thresholds = Array.from({ length: NUMBER_BINS - 1 }, (_, bin) => bin)
  const subsets = Array.from({ length: 2 ** CATEGORY_BINS }, (_, bits) => bits)
  const isMissing = (row: number) => number[row] === NUMBER_BINS - 1
  return bothSides(rows, [
    () => true,
    isMissing,
    ...thresholds.map(
      (bin): RowTest =>
        row =>
          number[row] <= bin && !isMissing(row),
    ),
    ...thresholds.map(
      (bin): RowTest =>
        row =>
          number[row] <= bin || isMissing(row),
    ),
    ...subsets.map(
      (bits): RowTest =>
        row =>
          ((bits >> category[row]) & 1) === 1,
    ),
  ])
}

/** Every group and its outside. */
export const groupSides = (rows: BaselineRows): number[][] =>
  bothSides(
    rows,
    rows.groups.map(
      ({ member }): RowTest =>
        row =>
          member[row] === 1,
    ),
  )

/** Predictions after no update, the first, the first two, and so on. */
export const statesOf = (rows: BaselineRows, updates: readonly Update[]): Int32Array[] =>
  Array.from({ length: updates.length + 1 }, (_, count) => predictionsOf(rows, updates.slice(0, count)))

/**
 * Rows that are too low in one declared group and too high outside it, and right on either side of every split of one column:
 * the group is "one of the two, but not both".
 */
export function hiddenGroup(): BaselineRows {
  const cells = [0, 1, 2, 3].flatMap(cell => new Array<number>(20).fill(cell))
  const [first, second] = [cells.map(cell => cell >> 1), cells.map(cell => cell & 1)]
  const inside = cells.map((_, row) => first[row] !== second[row])
  const rows = handRows({
    start: cells.map(() => ONE / 2),
    label: cells.map((_, row) => (row % 4 === 0 ? ONE / 2 : inside[row] ? ONE : 0)),
    bins: [first, second],
    binCounts: [3, 3],
    ordered: [true, false],
  })
  const split = (feature: number) => ({ kind: 'in', feature, bins: [1] }) as const
  const tree = {
    split: split(0),
    yes: { split: split(1), yes: { leaf: 1 }, no: { leaf: 0 } },
    no: { split: split(1), yes: { leaf: 0 }, no: { leaf: 1 } },
  }
  return { ...rows, groups: [{ name: 'one of the two', tree, member: Uint8Array.from(inside, Number) }] }
}
