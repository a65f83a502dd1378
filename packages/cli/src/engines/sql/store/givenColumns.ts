// The columns of a table or a query that have a role, as they are given: kinds from types, refused where no column can hold them.

import { FeatureBoostError, type Table } from '@featureboost/core'
import {
  formatCount,
  missingColumn,
  type RoleColumns,
  type Roles,
  resolveRoles,
} from '@featureboost/core/internal'
import type { GivenType, NamedType, StoreDialect } from './storeDialect.ts'

/** What a column turned out to be. */
export type Kind = GivenType['kind']

export interface GivenColumn extends NamedType {
  readonly given: GivenType
}

/** Names of the columns of a table of given rows, by role. */
export interface GivenRoles {
  readonly features: readonly GivenColumn[]
  readonly label: GivenColumn
  readonly prediction: GivenColumn | undefined
  readonly weight: GivenColumn | undefined
  readonly fold: GivenColumn | undefined
  readonly group: GivenColumn | undefined
}

/** Roles are given as to any table; what nobody named may be of any type. */
export function givenRoles(
  dialect: StoreDialect,
  columns: readonly NamedType[],
  roles: Roles,
  groupBy: string | undefined,
): GivenRoles {
  const names = new Set<string>()
  for (const { name } of columns) {
    if (names.has(name))
      throw new FeatureBoostError('FB_COLUMN_NAME', 'two columns have this name.', { column: name })
    names.add(name)
  }
  const table: Table = {
    rowCount: 0,
    columns: columns.map(({ name, type }) =>
      missingColumn(name, dialect.given(type)?.kind ?? 'categorical', 0),
    ),
  }
  const found = resolveRoles(table, roles, groupBy)
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const take = ({ name }: RoleColumns['label']): GivenColumn => {
    const type = types.get(name)!
    const given = dialect.given(type)
    if (given === undefined) throw notRead(name, type)
    return { name, type, given }
  }
  const takeOptional = (column: RoleColumns['prediction']) =>
    column === undefined ? undefined : take(column)
  return {
    features: found.features.map(take),
    label: take(found.label),
    prediction: takeOptional(found.prediction),
    weight: takeOptional(found.weight),
    fold: takeOptional(found.fold),
    group: takeOptional(found.group),
  }
}

const notRead = (column: string, type: string): FeatureBoostError =>
  new FeatureBoostError('FB_COLUMN_KIND', `the column is of type ${type}.`, {
    column,
    found: type,
    expected: 'a number, text, a date, a moment or a truth value',
    hint: 'Leave it out with --except, or take it apart with --sql.',
  })

/** Whole numbers that a double cannot tell apart are names. */
export const tooWide = (column: string, count: number): FeatureBoostError =>
  new FeatureBoostError('FB_COLUMN_KIND', `${formatCount(count)} rows hold whole numbers beyond 2^53.`, {
    column,
    expected: 'numbers that a double can tell apart, or text',
    hint: 'Such numbers are ids: leave the column out with --except, or make it text with --sql (CAST(... AS STRING)).',
  })
