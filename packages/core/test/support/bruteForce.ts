// The declared class of trees by enumeration: every split as a plain question about a row's values, every tree of
// depth at most 1 or 2, every sum row by row. Shares no code with the search; for small data only.

import type { FeatureSchema } from '../../src/quantize/schema.ts'
import type { RoundUpdate } from '../../src/update/update.ts'
import { naiveLeaf, naiveLevel } from './naive.ts'
import type { Prepared, SmallRow } from './tables.ts'

const ONE = 2 ** 24

/** Only rows of the fold that weigh something. */
export interface CountedRow {
  readonly row: number
  readonly values: SmallRow
  readonly weight: number
  readonly label: number
  readonly prediction: number
}

/** Which leaf each counted row falls into. */
export interface Leaves {
  readonly count: number
  readonly of: readonly number[]
}

/** n and r of each cell at [leaf * levels + level]: weight and weighted residual. */
export interface Cells {
  readonly leaves: number
  readonly levels: number
  readonly n: readonly number[]
  readonly r: readonly number[]
}

export async function countedRows({ engine, given, rows }: Prepared, fold = 0): Promise<CountedRow[]> {
  const predictions = await engine.snapshot()
  return given.rows
    .map((values, row) => ({
      row,
      values,
      weight: given.weighted ? values.weight : 1,
      label: rows.label[row] / ONE,
      prediction: predictions[row] / ONE,
    }))
    .filter(({ row, weight }) => weight > 0 && (rows.fold?.[row] ?? 0) === fold)
}

export const totalWeight = (rows: readonly CountedRow[]): number =>
  rows.reduce((sum, row) => sum + row.weight, 0)

type Question = (value: number | string | boolean | null) => boolean

/**
 * `x <= cut` for the coarse cuts with missing on either side, `category = c` for the coarse groups, and `missing`;
 * a category that the fitting rows do not have counts as missing.
 */
export function questionsOf(schema: FeatureSchema): Question[] {
  const missing: Question = value => value === null
  if (schema.kind === 'boolean') return [value => value === true, value => value === false, missing]
  if (schema.kind === 'numeric') {
    const cuts = schema.coarse.map(index => schema.cuts[index])
    const atMost = (cut: number, withMissing: boolean): Question => {
      return value => (value === null ? withMissing : (value as number) <= cut)
    }
    return [...cuts.map(cut => atMost(cut, false)), ...cuts.map(cut => atMost(cut, true)), missing]
  }
  const alone = schema.coarse.map(index => schema.categories[index])
  const known = [...schema.categories, ...schema.pooled]
  const others = known.filter(name => !alone.includes(name))
  const groups = [...alone.map(name => [name]), ...(others.length > 0 ? [others] : [])]
  const isOneOf = (names: readonly string[]): Question => {
    return value => names.includes(value as string)
  }
  return [...groups.map(isOneOf), value => !known.includes(value as string)]
}

/** Each split as its answers on the counted rows; splits that part the rows alike appear once. */
export function declaredSplits(features: readonly FeatureSchema[], rows: readonly CountedRow[]): boolean[][] {
  const answers = features.flatMap(schema =>
    questionsOf(schema).map(question => rows.map(({ values }) => question(values[schema.name as 'age']))),
  )
  return [...new Map(answers.map(answer => [answer.join(), answer])).values()]
}

/** Every declared tree: a leaf, a split, or (depth 2) a split with a split or a leaf on either side. */
export function declaredTrees(splits: readonly boolean[][], rowCount: number, depth: number): Leaves[] {
  const root: Leaves = { count: 1, of: new Array<number>(rowCount).fill(0) }
  if (depth === 0) return [root]
  const sides: (readonly boolean[] | undefined)[] = depth === 1 ? [undefined] : [undefined, ...splits]
  return [root, ...splits.flatMap(split => sides.flatMap(yes => sides.map(no => joinSides(split, yes, no))))]
}

function joinSides(
  split: readonly boolean[],
  yes: readonly boolean[] | undefined,
  no: readonly boolean[] | undefined,
): Leaves {
  const yesCount = yes === undefined ? 1 : 2
  const side = (answers: readonly boolean[] | undefined, row: number) => (answers?.[row] ? 1 : 0)
  const of = split.map((answer, row) => (answer ? side(yes, row) : yesCount + side(no, row)))
  return { count: yesCount + (no === undefined ? 1 : 2), of }
}

export async function treesOf(
  prepared: Prepared,
  depth: number,
  fold = 0,
): Promise<{ rows: CountedRow[]; trees: Leaves[] }> {
  const rows = await countedRows(prepared, fold)
  const splits = declaredSplits(prepared.encoding.features, rows)
  return { rows, trees: declaredTrees(splits, rows.length, depth) }
}

export const levelOfRow = (row: CountedRow, levels: number): number =>
  Math.min(levels - 1, Math.floor(row.prediction * levels))

/** Residuals against the row's own prediction, or against the value its level is rounded to. */
export function cellsOf(
  rows: readonly CountedRow[],
  leaves: Leaves,
  levels: number,
  rounded?: readonly number[],
): Cells {
  const n = new Array<number>(leaves.count * levels).fill(0)
  const r = [...n]
  rows.forEach((row, index) => {
    const level = levelOfRow(row, levels)
    const cell = leaves.of[index] * levels + level
    n[cell] += row.weight
    r[cell] += row.weight * (row.label - (rounded === undefined ? row.prediction : rounded[level]))
  })
  return { leaves: leaves.count, levels, n, r }
}

const cellGains = ({ n, r }: Cells): number[] =>
  n.map((weight, cell) => (weight > 0 ? r[cell] ** 2 / weight : 0))

export const tableDrop = (cells: Cells): number => sum(cellGains(cells))

export const levelSetDrop = (cells: Cells): number => Math.max(...cellGains(cells))

export function intervalDrop(cells: Cells): number {
  const gains = cellGains(cells)
  return Math.max(
    ...range(cells.levels).map(level => sum(gains.filter((_, cell) => cell % cells.levels === level))),
  )
}

/** v_l * s_S with signs s: for given signs the best leaf values are known, so all signs are tried. */
export function signedDrop(cells: Cells): number {
  return Math.max(...signPatterns(cells.levels).map(signs => tableDrop(merged(cells, signs))))
}

/** v_l * t_S on two levels: t = (cos, sin) on a grid of angles, for each the best leaf values. */
export function weightedDropOnTwoLevels({ leaves, n, r }: Cells): number {
  let best = 0
  for (let step = 0; step < ANGLES; step++) {
    const [cos, sin] = [Math.cos((Math.PI * step) / ANGLES), Math.sin((Math.PI * step) / ANGLES)]
    let drop = 0
    for (let leaf = 0; leaf < leaves; leaf++) {
      const weight = cos * cos * n[2 * leaf] + sin * sin * n[2 * leaf + 1]
      if (weight > 0) drop += (cos * r[2 * leaf] + sin * r[2 * leaf + 1]) ** 2 / weight
    }
    best = Math.max(best, drop)
  }
  return best
}

const ANGLES = 360

/** One level with N' = sum t^2 N and R' = sum t R. */
export function merged({ leaves, levels, n, r }: Cells, factors: readonly number[]): Cells {
  const over = (leaf: number, partOf: (cell: number, factor: number) => number) =>
    sum(factors.map((factor, level) => partOf(leaf * levels + level, factor)))
  return {
    leaves,
    levels: 1,
    n: range(leaves).map(leaf => over(leaf, (cell, factor) => factor ** 2 * n[cell])),
    r: range(leaves).map(leaf => over(leaf, (cell, factor) => factor * r[cell])),
  }
}

/** sum over cells of |D|. */
export const absoluteError = ({ r }: Cells): number => sum(r.map(Math.abs))

/** K1 for every choice of leaf values +-1: sum over levels of |sum_l b_l D_lS|. */
export function signedErrors({ leaves, levels, r }: Cells): number[] {
  return signPatterns(leaves).map(signs =>
    sum(
      range(levels).map(level => Math.abs(sum(signs.map((sign, leaf) => sign * r[leaf * levels + level])))),
    ),
  )
}

/** Every row of +-1, the first always +1: the opposite row gives the same. */
export const signPatterns = (length: number): number[][] =>
  range(2 ** (length - 1)).map(pattern =>
    range(length).map(place => (place > 0 && (pattern >> (place - 1)) & 1 ? -1 : 1)),
  )

/** The drop of the mean squared loss when every row moves as the update says, neither rounded nor clipped. */
export function unclippedDrop(
  update: RoundUpdate,
  { rows: encoded }: Prepared,
  rows: readonly CountedRow[],
): number {
  const drops = rows.map(({ label, prediction, row, weight }) => {
    const level = naiveLevel(prediction * ONE, update.levels)
    const residual = label - prediction
    const move =
      update.kind === 'table'
        ? update.values[naiveLeaf(update.tree, encoded, row, prediction * ONE) * update.levels + level] / ONE
        : sum(
            update.signals.map((signal, k) => {
              return (
                (update.coefficients[level * update.signals.length + k] * encoded.signals[signal][row]) / ONE
              )
            }),
          )
    return weight * (residual ** 2 - (residual - move) ** 2)
  })
  return sum(drops) / totalWeight(rows)
}

/** The projection of the residuals on the columns: least squares by Gram-Schmidt, done twice for accuracy. */
export function projectionOnSpan(
  rows: readonly CountedRow[],
  columns: readonly (readonly number[])[],
  residuals: readonly number[] = rows.map(row => row.label - row.prediction),
): number[] {
  const inner = (a: readonly number[], b: readonly number[]) =>
    sum(rows.map(({ weight }, i) => weight * a[i] * b[i]))
  const basis: number[][] = []
  for (const column of columns) {
    let rest = [...column]
    for (const unit of [...basis, ...basis]) {
      const along = inner(unit, rest)
      rest = rest.map((value, i) => value - along * unit[i])
    }
    const length = Math.sqrt(inner(rest, rest))
    if (length > 1e-6) basis.push(rest.map(value => value / length))
  }
  const along = basis.map(unit => inner(unit, residuals))
  return rows.map((_, i) => sum(basis.map((unit, k) => along[k] * unit[i])))
}

/** What least squares gains: the mean square of the projection. */
export function gainOfSpan(
  rows: readonly CountedRow[],
  columns: readonly (readonly number[])[],
  residuals?: readonly number[],
): number {
  const projection = projectionOnSpan(rows, columns, residuals)
  return sum(rows.map(({ weight }, i) => weight * projection[i] ** 2)) / totalWeight(rows)
}

/** The encoded signals as columns over the counted rows, each row's multiplied by the factor of its level. */
export function signalColumns(
  { rows: encoded }: Prepared,
  rows: readonly CountedRow[],
  factors: readonly number[] = [1],
): number[][] {
  return encoded.signals.map(signal =>
    rows.map(row => (factors[levelOfRow(row, factors.length)] * signal[row.row]) / ONE),
  )
}

export const range = (length: number): number[] => Array.from({ length }, (_, index) => index)

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
