// What a person chose, as plain data: which columns, which options. The same choice becomes the options of the library
// (here) and the flags of the command line (command.ts), so both do the same.

import {
  type AuditOptions,
  type Auditors,
  type CompareOptions,
  type FitOptions,
  groups,
  type Method,
  type Table,
  trees,
} from '@featureboost/core'
import { OPTIONS, type OptionName, type OptionSpec, QUICKER_AUDIT } from '@featureboost/core/internal'
import { namesOf, type RoleMap, type Words } from '../data/roles.ts'

/** Options that a field can hold. */
export type FormOption = {
  [Name in OptionName]: (typeof OPTIONS)[Name]['type'] extends 'number' | 'integer' | 'choice' ? Name : never
}[OptionName]

/** Options of a fit that the form asks for first. */
export const FIRST_OPTIONS: readonly FormOption[] = ['guarantee', 'epsilon']

/** A browser knows its cores, and the scale of a score is asked for beside its column. */
const NOT_ASKED: readonly string[] = ['threads', 'scoreScale']

/** The rest that the method reads, folded away. */
export function moreOptions(choice: Pick<Choice, 'groups' | 'values'>): FormOption[] {
  const method = methodOf(choice)
  return (Object.keys(OPTIONS) as FormOption[]).filter(name => {
    const { methods, type }: OptionSpec = OPTIONS[name]
    const fits = type === 'number' || type === 'integer' || type === 'choice'
    const isAsked = !FIRST_OPTIONS.includes(name) && !NOT_ASKED.includes(name)
    return fits && isAsked && methods?.includes(method) !== false
  })
}

/** Groups that are declared are there to be learned from; else the library's default. */
const methodOf = ({ groups: chosen, values }: Pick<Choice, 'groups' | 'values'>): Method =>
  (values.method as Method | undefined) ?? (chosen.kind === 'columns' ? 'rounds' : OPTIONS.method.default)

/** Only what was set: the library knows the defaults of the others. */
export type FormValues = Readonly<Partial<Record<FormOption, number | string>>>

export interface Choice {
  readonly roles: RoleMap
  /** Columns of the file that could not be read. */
  readonly unread: readonly string[]
  /** Trees of this depth over all features, or the groups of the columns that are groups. */
  readonly groups: { readonly kind: 'trees'; readonly depth: number } | { readonly kind: 'columns' }
  readonly values: FormValues
  readonly words?: Words
  /** An audit with the smaller budget; a fit does not ask. */
  readonly quicker?: boolean
}

const DEFAULT_DEPTH = 2

/** Only what was said, of columns that have the role. */
export function wordsFor({ roles, words = {} }: Choice): Words {
  const { categorical = [], dropMissingLabels, positive, scoreScale } = words
  const named = categorical.filter(name => ['feature', 'group'].includes(roles.get(name) ?? 'out'))
  const isScored = namesOf(roles, 'score').length > 0
  return {
    ...(positive !== undefined && { positive }),
    ...(isScored && scoreScale !== undefined && { scoreScale }),
    ...(named.length > 0 && { categorical: named }),
    ...(dropMissingLabels && { dropMissingLabels }),
  }
}

/** What is read: all columns but those that are left out. */
export function tableFor(table: Table, { roles }: Choice): Table {
  return { ...table, columns: table.columns.filter(({ name }) => roles.get(name) !== 'out') }
}

/** What was set, as far as the method reads it. */
export function valuesFor(choice: Choice): FormValues {
  const read: readonly string[] = [...FIRST_OPTIONS, ...moreOptions(choice)]
  const set = Object.entries(choice.values).filter(([name]) => read.includes(name))
  return { ...(choice.groups.kind === 'columns' && { method: methodOf(choice) }), ...Object.fromEntries(set) }
}

export function fitOptionsFor(choice: Choice): FitOptions {
  const { roles } = choice
  const [prediction] = namesOf(roles, 'score')
  const [weight] = namesOf(roles, 'weight')
  const [fold] = namesOf(roles, 'fold')
  const [groupBy] = namesOf(roles, 'ids')
  const auditors = auditorsFor(choice)
  return {
    ...(valuesFor(choice) as Partial<FitOptions>),
    label: namesOf(roles, 'label')[0],
    ...wordsFor(choice),
    ...(prediction !== undefined && { prediction }),
    ...(weight !== undefined && { weight }),
    ...(fold !== undefined && { fold }),
    ...(groupBy !== undefined && { groupBy }),
    ...(auditors !== undefined && { auditors }),
    ...protectFor(choice),
  }
}

/** Columns that are groups are told of by name, unless they are all that is learned from. */
export const protectedNames = ({ groups: chosen, roles }: Choice): string[] =>
  chosen.kind === 'columns' ? [] : namesOf(roles, 'group')

function protectFor(choice: Choice): { protect?: readonly string[] } {
  const protect = protectedNames(choice)
  return protect.length === 0 ? {} : { protect }
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
    ...wordsFor(choice),
    ...(weight !== undefined && { weight }),
    features: namesOf(roles, 'feature', 'group'),
    ...(declared && { auditors: groups(namesOf(roles, 'group')) }),
    ...protectFor(choice),
  }
}

/** What an audit may spend, where that is less than usual. */
export const limitsFor = ({ quicker }: Choice): Pick<AuditOptions, 'budget' | 'cellBudget'> =>
  quicker === true ? QUICKER_AUDIT : {}

/** The methods are compared on what an audit looks at. */
export function compareOptionsFor(choice: Choice): CompareOptions {
  const [groupBy] = namesOf(choice.roles, 'ids')
  const { protect: _, ...options } = auditOptionsFor(choice)
  return { ...options, ...(groupBy !== undefined && { groupBy }) }
}

export const isDefaultDepth = (depth: number): boolean => depth === DEFAULT_DEPTH

export const specOf = (name: FormOption): OptionSpec => OPTIONS[name]

export const takesRounds = (choice: Choice): boolean => methodOf(choice) === 'rounds'
