// How far an update moves predictions, as SQL: what update/move.ts does to one row. Layers of columns, the last of which has `q`, the
// next prediction. A forest is added up a few trees at a time: one expression of all of them takes databases minutes to plan.

import { MAX_STEP } from '../../common/logistic.ts'
import { ONE } from '../../common/units.ts'
import type { Update } from '../../update/update.ts'
import { visitUpdate } from '../../update/visit.ts'
import type { Arithmetic } from './arithmetic.ts'
import { moveOddsSql, scaleOddsSql } from './logistic.ts'
import {
  addColumns,
  type Columns,
  cast,
  doubleSql,
  levelSql,
  ONE_SQL,
  roundSql,
  treeSql,
  within,
} from './select.ts'

type Forest = Extract<Update, { kind: 'forest' }>
type Linear = Extract<Update, { kind: 'linear' }>
type Curve = Extract<Update, { kind: 'curve' }>
type Polynomial = Extract<Update, { kind: 'polynomial' }>
type TableMove = Extract<Update, { kind: 'table' }>

/** More at once only where there would be more columns than databases take. */
const TREES_AT_ONCE = 4
const MOST_SUMS = 400

/** `source` with the column `q`. */
export const movedSql = (
  dialect: Arithmetic,
  source: string,
  update: Update,
  binCounts: readonly number[],
): string => addColumns(source, ...layersOf(dialect, update, binCounts))

/**
 * For forests of more trees than one statement can hold: rows with the column `mo_steps`, the sum of the steps of some trees, and of
 * earlier ones, where rows have that column already. `columns`: what else is kept.
 */
export function treeStepsSql(
  dialect: Arithmetic,
  source: string,
  trees: Forest['trees'],
  binCounts: readonly number[],
  { columns, goesOn }: { readonly columns: readonly string[]; readonly goesOn: boolean },
): string {
  const sums = sumsOfTrees(dialect, trees, binCounts)
  const all = [...(goesOn ? ['mo_steps'] : []), ...Object.keys(sums)]
  const rows = addColumns(source, sums)
  return `SELECT ${[...columns, `${all.join(' + ')} AS mo_steps`].join(', ')} FROM (${rows})`
}

/** `source` with the column `q`, moved by a forest whose steps are in the column `mo_steps`. */
export const movedByStepsSql = (dialect: Arithmetic, source: string, update: Forest): string =>
  addColumns(source, ...stepLayers(dialect, update, 'mo_steps', {}))

/** The layers of columns from `p`, bins f0, f1 ... and signals s0, s1 ... to `q`. */
export const layersOf = (dialect: Arithmetic, update: Update, binCounts: readonly number[]): Columns[] =>
  visitUpdate<Columns[]>(update, {
    table: table => tableLayers(dialect, table, binCounts),
    linear: linear => linearLayers(dialect, linear),
    polynomial: polynomial => polynomialLayers(dialect, polynomial, binCounts),
    curve: curve => curveLayers(dialect, curve),
    forest: forest => forestLayers(dialect, forest, binCounts),
  })

const landed = (dialect: Arithmetic, moved: string): Columns => ({
  q: cast(within(moved, 0, ONE), dialect.wordType),
})

function tableLayers(
  dialect: Arithmetic,
  { levels, tree, values }: TableMove,
  binCounts: readonly number[],
): Columns[] {
  const index = `(${treeSql(tree, binCounts)}) * ${levels} + ${levelSql(dialect, levels)}`
  return [landed(dialect, `p + ${dialect.lookUp(values, index)}`)]
}

/** Doubles, added in the order of the signals. */
function linearLayers(dialect: Arithmetic, { coefficients, levels, signals }: Linear): Columns[] {
  const coefficient = (k: number): string => {
    const values = Array.from({ length: levels }, (_, level) =>
      doubleSql(coefficients[level * signals.length + k]),
    )
    const cases = values.map((value, level) => `WHEN ${level} THEN ${value}`)
    return levels === 1 ? values[0] : `CASE mo_level ${cases.join(' ')} END`
  }
  const sum = signals.reduce(
    (before, signal, k) => `(${before} + (${coefficient(k)}) * ${cast(`s${signal}`, dialect.doubleType)})`,
    '0E0',
  )
  return [
    { mo_level: levelSql(dialect, levels) },
    // Beyond these it lands at 0 or 1 all the same, and a whole number may not hold it.
    { mo_by: `GREATEST(-33554432E0, LEAST(33554432E0, ${sum}))` },
    landed(dialect, `p + ${roundSql(dialect, 'mo_by')}`),
  ]
}

function polynomialLayers(
  dialect: Arithmetic,
  { degree, tree, values }: Polynomial,
  binCounts: readonly number[],
): Columns[] {
  const coefficient = (power: number) =>
    cast(dialect.lookUp(values, `mo_leaf * ${degree + 1} + ${power}`), dialect.doubleType)
  let move = coefficient(degree)
  for (let power = degree - 1; power >= 0; power--) move = `(${move} * mo_u + ${coefficient(power)})`
  return [
    { mo_leaf: treeSql(tree, binCounts), mo_u: `${cast('p', dialect.doubleType)} / ${ONE_SQL}` },
    landed(dialect, `p + ${dialect.floor(`${move} + 0.5E0`)}`),
  ]
}

function curveLayers(dialect: Arithmetic, { from, to }: Curve): Columns[] {
  const place = (low: number, high: number): string => {
    if (high - low <= 1) return String(low)
    const middle = (low + high) >> 1
    return `CASE WHEN ${from[middle]} <= p THEN ${place(middle, high)} ELSE ${place(low, middle)} END`
  }
  const steps = (list: readonly number[]) => list.slice(1).map((value, index) => value - list[index])
  return [
    { mo_place: place(0, from.length - 1) },
    {
      mo_width: dialect.lookUp(steps(from), 'mo_place'),
      mo_rise: dialect.lookUp(steps(to), 'mo_place'),
      mo_from: dialect.lookUp(from, 'mo_place'),
      mo_to: dialect.lookUp(to, 'mo_place'),
    },
    // Made positive before it is divided: whole numbers are cut off towards zero.
    {
      q: cast(
        `mo_to + ${dialect.divide(`2 * mo_rise * (p - mo_from) + mo_width + 2 * mo_width * ${ONE}`, '2 * mo_width')} - ${ONE}`,
        dialect.wordType,
      ),
    },
  ]
}

function forestLayers(dialect: Arithmetic, update: Forest, binCounts: readonly number[]): Columns[] {
  const { trees } = update
  const layers = dialect.forest?.(trees, binCounts) ?? [sumsOfTrees(dialect, trees, binCounts)]
  const [before, sums] = [layers.slice(0, -1), layers[layers.length - 1]]
  const step = Object.keys(sums).join(' + ') || cast(0, dialect.longType)
  return [...before, ...stepLayers(dialect, update, step, sums)]
}

/** From the columns of `sums`, of which `step` is the whole step, to `q`. */
function stepLayers(
  dialect: Arithmetic,
  { clip, link, scale }: Forest,
  step: string,
  sums: Columns,
): Columns[] {
  const inside = within('p', clip, ONE - clip)
  const own = Object.keys(sums).length === 0 ? [] : [sums]
  if (link === 'identity') return [...own, landed(dialect, `${inside} + (${step})`)]
  const bounded = within(`(${step})`, -MAX_STEP, MAX_STEP)
  if (scale === undefined) return [{ ...sums, mo_u: inside }, { mo_step: bounded }, ...moveOddsSql(dialect)]
  return [{ ...sums, mo_v: inside }, ...scaleOddsSql(dialect, scale, bounded, MAX_STEP)]
}

function sumsOfTrees(dialect: Arithmetic, trees: Forest['trees'], binCounts: readonly number[]): Columns {
  const sums: Record<string, string> = {}
  const atOnce = Math.max(TREES_AT_ONCE, Math.ceil(trees.length / MOST_SUMS))
  for (let from = 0; from < trees.length; from += atOnce) {
    const steps = trees
      .slice(from, from + atOnce)
      .map(({ steps, tree }) => cast(`(${treeSql(tree, binCounts, leaf => steps[leaf])})`, dialect.longType))
    sums[`mo_sum${from / atOnce}`] = steps.join(' + ')
  }
  return sums
}
