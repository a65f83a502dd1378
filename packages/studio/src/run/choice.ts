// What a person chose, as plain data: which columns, which options. The same choice becomes the options of the library
// (here) and the flags of the command line (command.ts), so both do the same.

import {
  AUDIT_OPTIONS,
  type AuditOptions,
  type Auditors,
  type CompareOptions,
  type FitOptions,
  groups,
  OPTIONS,
  type OptionSpec,
  type Table,
  trees,
} from '@featureboost/core'
import { namesOf, type RoleMap } from '../data/roles.ts'

/** Options of a fit that the form asks for first. */
export const FIRST_OPTIONS = ['guarantee', 'epsilon'] as const

/** The rest, folded away. */
export const MORE_OPTIONS = [
  ...(['method', 'stop', 'holdout', 'factors', 'tolerance', 'bins', 'learningRate', 'patience'] as const),
  ...(['roundLimit', 'search', 'featureBins', 'coarseBins', 'rare', 'confidence', 'seed'] as const),
]

export type FormOption = (typeof FIRST_OPTIONS)[number] | (typeof MORE_OPTIONS)[number]

/** Only what was set: the library knows the defaults of the others. */
export type FormValues = Readonly<Partial<Record<FormOption, number | string>>>

export interface Choice {
  readonly roles: RoleMap
  /** Columns of the file that could not be read. */
  readonly unread: readonly string[]
  /** Trees of this depth over all features, or the groups of the columns that are groups. */
  readonly groups: { readonly kind: 'trees'; readonly depth: number } | { readonly kind: 'columns' }
  readonly values: FormValues
}

const DEFAULT_DEPTH = 2

/** What is read: all columns but those that are left out. */
export function tableFor(table: Table, { roles }: Choice): Table {
  return { ...table, columns: table.columns.filter(({ name }) => roles.get(name) !== 'out') }
}

export function fitOptionsFor(choice: Choice): FitOptions {
  const { roles, values } = choice
  const [prediction] = namesOf(roles, 'score')
  const [weight] = namesOf(roles, 'weight')
  const [fold] = namesOf(roles, 'fold')
  const [groupBy] = namesOf(roles, 'ids')
  const auditors = auditorsFor(choice)
  return {
    ...(values as Partial<FitOptions>),
    label: namesOf(roles, 'label')[0],
    ...(prediction !== undefined && { prediction }),
    ...(weight !== undefined && { weight }),
    ...(fold !== undefined && { fold }),
    ...(groupBy !== undefined && { groupBy }),
    ...(auditors !== undefined && { auditors }),
  }
}

/** Undefined: the default of the library. */
function auditorsFor({ groups: chosen, roles }: Choice): Auditors | undefined {
  if (chosen.kind === 'columns') return groups(namesOf(roles, 'group'))
  return chosen.depth === DEFAULT_DEPTH ? undefined : trees({ depth: chosen.depth })
}

/** An audit makes its groups of features; columns with another role are none. */
export function auditOptionsFor(choice: Choice): AuditOptions {
  const { roles } = choice
  const [weight] = namesOf(roles, 'weight')
  const declared = choice.groups.kind === 'columns'
  return {
    label: namesOf(roles, 'label')[0],
    prediction: namesOf(roles, 'score')[0],
    ...(weight !== undefined && { weight }),
    features: namesOf(roles, 'feature', 'group'),
    ...(declared && { auditors: groups(namesOf(roles, 'group')) }),
  }
}

/** The methods are compared on what an audit looks at. */
export function compareOptionsFor(choice: Choice): CompareOptions {
  const [groupBy] = namesOf(choice.roles, 'ids')
  return { ...auditOptionsFor(choice), ...(groupBy !== undefined && { groupBy }) }
}

export const isDefaultDepth = (depth: number): boolean => depth === DEFAULT_DEPTH

export const specOf = (name: FormOption): OptionSpec => OPTIONS[name]

export const SIGNIFICANCE = AUDIT_OPTIONS.significance.default

/** Whether the fit takes rounds, as the library would decide. */
export function takesRounds({ groups: chosen, values }: Choice): boolean {
  if (values.method !== undefined) return values.method === 'rounds'
  return chosen.kind === 'columns' || ROUND_OPTIONS.some(name => values[name] !== undefined)
}

const ROUND_OPTIONS = [
  ...(['stop', 'factors', 'tolerance', 'patience', 'learningRate', 'roundLimit', 'search'] as const),
]
