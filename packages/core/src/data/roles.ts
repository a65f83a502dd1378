// Roles: which column is the label, the prediction, the weight, the fold and a feature. The result is what
// boosting needs to know of the rows; every rejection names its column and row, nothing is dropped in silence.

import { FeatureBoostError } from '../common/errors.ts'
import { MAX_TOTAL_WEIGHT } from '../common/units.ts'
import type { Column } from './column.ts'
import { checkFolds, readFold } from './fold.ts'
import { readLabel, readPrediction } from './probabilities.ts'
import { type Holdout, splitRows } from './split.ts'
import { findColumn, type Table } from './table.ts'
import { readWeights } from './weights.ts'

export type { Holdout } from './split.ts'

export interface Roles {
  readonly label: string
  /** Without it, boosting starts from the base rate. */
  readonly prediction?: string
  readonly weight?: string
  /** A column of "fit" and "holdout". */
  readonly fold?: string
  /** Default: every column that has no other role and is not in `except`. */
  readonly features?: readonly string[]
  /** Columns that are no features; they may have another role. */
  readonly except?: readonly string[]
}

export interface Dataset {
  readonly rowCount: number
  readonly features: readonly Column[]
  /** In units of 2^-24. */
  readonly label: Int32Array
  /** Start predictions, in units. */
  readonly start: Int32Array
  readonly startKind: StartKind
  /** Absent when every row weighs 1. */
  readonly weight?: Int32Array
  /** Whole weight = round(given weight * weightScale), at least 1 if positive. */
  readonly weightScale: number
  /** 0 = fit, 1 = holdout; absent when every row is for fitting. */
  readonly fold?: Uint8Array
}

export type StartKind =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'constant'; readonly units: number }

interface RoleColumns {
  readonly label: Column
  readonly prediction: Column | undefined
  readonly weight: Column | undefined
  readonly fold: Column | undefined
  readonly features: readonly Column[]
}

export function assignRoles(table: Table, roles: Roles, holdout?: Holdout): Dataset {
  checkRowCount(table.rowCount)
  if (roles.fold !== undefined && holdout !== undefined) throw twoSplits(roles.fold)
  const columns = resolveRoles(table, roles)
  const label = readLabel(columns.label)
  const weights = columns.weight === undefined ? { scale: 1 } : readWeights(columns.weight)
  const fold = assignFolds(table.rowCount, columns, weights.weight, holdout)
  return {
    rowCount: table.rowCount,
    features: columns.features,
    label,
    ...startPredictions(columns.prediction, label, weights.weight, fold),
    ...(weights.weight === undefined ? {} : { weight: weights.weight }),
    weightScale: weights.scale,
    ...(fold === undefined ? {} : { fold }),
  }
}

function checkRowCount(rowCount: number): void {
  if (rowCount === 0) throw new FeatureBoostError('FB_NO_ROWS', 'the table has no rows.')
  if (rowCount <= MAX_TOTAL_WEIGHT) return
  const message = `the table has ${rowCount.toLocaleString('en-US')} rows, and each weighs at least 1.`
  throw new FeatureBoostError('FB_WEIGHT_RANGE', message, {
    found: rowCount,
    expected: `at most ${MAX_TOTAL_WEIGHT.toLocaleString('en-US')} rows, so that sums stay exact`,
  })
}

function twoSplits(fold: string): FeatureBoostError {
  const message = `a fold column ("${fold}") and a holdout fraction were both given.`
  return new FeatureBoostError('FB_OPTION_VALUE', message, { expected: 'one of the two' })
}

function resolveRoles(table: Table, roles: Roles): RoleColumns {
  const taken = new Map<string, string>()
  const take = (name: string, role: string): Column => {
    const column = findNamed(table, name, role)
    const other = taken.get(name)
    if (other !== undefined) throw twoRoles(name, other, role)
    taken.set(name, role)
    return column
  }
  const takeOptional = (name: string | undefined, role: string) =>
    name === undefined ? undefined : take(name, role)
  const label = take(roles.label, 'label')
  const prediction = takeOptional(roles.prediction, 'prediction')
  const weight = takeOptional(roles.weight, 'weight')
  const fold = takeOptional(roles.fold, 'fold')
  const excepted = new Set((roles.except ?? []).map(name => findNamed(table, name, 'except').name))
  for (const name of roles.features ?? []) if (excepted.has(name)) throw twoRoles(name, 'except', 'feature')
  const features =
    roles.features?.map(name => take(name, 'feature')) ??
    table.columns.filter(({ name }) => !taken.has(name) && !excepted.has(name))
  if (features.length === 0) throw noFeatures(table)
  return { label, prediction, weight, fold, features }
}

function findNamed(table: Table, name: unknown, role: string): Column {
  if (typeof name === 'string') return findColumn(table, name, role)
  throw new FeatureBoostError('FB_OPTION_VALUE', `the role "${role}" names no column.`, {
    found: name,
    expected: 'the name of a column, as a string',
  })
}

function twoRoles(column: string, first: string, second: string): FeatureBoostError {
  const message = first === second ? `is listed twice as ${first}.` : `is named as ${first} and as ${second}.`
  return new FeatureBoostError('FB_COLUMN_TWICE', message, { column, expected: 'one role per column' })
}

function noFeatures(table: Table): FeatureBoostError {
  const count = table.columns.length
  const message = `none of the ${count} columns is left to be a feature.`
  return new FeatureBoostError('FB_NO_FEATURES', message, {
    hint: 'Add a column, or take one out of its other role or out of "except".',
  })
}

/** Undefined when every row is for fitting. */
function assignFolds(
  rowCount: number,
  columns: RoleColumns,
  weight: Int32Array | undefined,
  holdout: Holdout | undefined,
): Uint8Array | undefined {
  if (columns.fold !== undefined) {
    const fold = readFold(columns.fold)
    if (!fold.includes(1)) return undefined
    checkFolds(fold, weight, `Check column "${columns.fold.name}".`)
    return fold
  }
  if (holdout === undefined) return undefined
  const content = [...columns.features, columns.label, columns.prediction, columns.weight]
  const given = content.filter(column => column !== undefined)
  const fold = splitRows(given, rowCount, holdout)
  checkFolds(fold, weight, 'Use more rows, another fraction or another seed, or name a fold column.')
  return fold
}

/** Without a prediction: the weighted mean label of the rows for fitting. */
function startPredictions(
  prediction: Column | undefined,
  label: Int32Array,
  weight: Int32Array | undefined,
  fold: Uint8Array | undefined,
): { start: Int32Array; startKind: StartKind } {
  if (prediction !== undefined) {
    return { start: readPrediction(prediction), startKind: { kind: 'column', column: prediction.name } }
  }
  let sum = 0
  let total = 0
  for (let row = 0; row < label.length; row++) {
    if (fold !== undefined && fold[row] !== 0) continue
    const counted = weight === undefined ? 1 : weight[row]
    sum += counted * label[row]
    total += counted
  }
  const units = Math.round(sum / total)
  return { start: new Int32Array(label.length).fill(units), startKind: { kind: 'constant', units } }
}
