// Which column plays which role, by name.

import { FeatureBoostError } from '../common/errors.ts'
import type { Column } from './column.ts'
import type { CopyRule } from './copies.ts'
import { findColumn, type Table } from './table.ts'

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
  /** What rows are taken for that agree in all of these. Default: "one". */
  readonly copies?: CopyRule
}

export interface RoleColumns {
  readonly label: Column
  readonly prediction: Column | undefined
  readonly weight: Column | undefined
  readonly fold: Column | undefined
  /** The ids to split by. */
  readonly group: Column | undefined
  readonly features: readonly Column[]
}

/** `groupBy` names a column of ids; it is no feature unless it is listed as one. */
export function resolveRoles(table: Table, roles: Roles, groupBy?: string): RoleColumns {
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
  const group = groupBy === undefined ? undefined : findNamed(table, groupBy, 'groupBy')
  const excepted = new Set((roles.except ?? []).map(name => findNamed(table, name, 'except').name))
  for (const name of roles.features ?? []) if (excepted.has(name)) throw twoRoles(name, 'except', 'feature')
  const features =
    roles.features?.map(name => take(name, 'feature')) ??
    table.columns.filter(({ name }) => !taken.has(name) && !excepted.has(name) && name !== groupBy)
  if (features.length === 0) throw noFeatures(table)
  return { label, prediction, weight, fold, group, features }
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
