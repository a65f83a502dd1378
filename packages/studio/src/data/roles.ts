// Which column is what: guessed from names and values, then changed by a person; and what is wrong with the choice.

import type { ColumnCard } from './describe.ts'

export const ROLES = ['label', 'score', 'weight', 'feature', 'group', 'ids', 'fold', 'out'] as const

export type Role = (typeof ROLES)[number]

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  label: 'Label',
  score: 'Score',
  weight: 'Weight',
  feature: 'Feature',
  group: 'Feature and group',
  ids: 'Ids, held out together',
  fold: 'Fit or holdout',
  out: 'Leave out',
}

/** Only one column can have it. */
const SINGLE: readonly Role[] = ['label', 'score', 'weight', 'ids', 'fold']

export type RoleMap = ReadonlyMap<string, Role>

const LABELS =
  /^(label|labels|y|target|outcome|class|default(ed)?|churn(ed)?|event|clicked|converted|died|survived|y_true)$/i
const SCORES =
  /^(score|scores|prediction|predicted|pred|preds|prob|probability|p|proba|y_?hat|y_pred|risk|.*_(score|prob|proba|pred|prediction))$/i
const WEIGHTS = /^(weight|weights|w|sample_weight|wt)$/i

export function guessRoles(columns: readonly ColumnCard[]): RoleMap {
  const label = guessLabel(columns)
  const rest = columns.filter(({ name }) => name !== label)
  const score = guessScore(rest)
  const weight = rest.find(
    ({ kind, name, shape }) => kind === 'numeric' && WEIGHTS.test(name) && 'low' in shape && shape.low >= 0,
  )
  const fold = rest.find(isFold)
  const roleOf = (column: ColumnCard): Role => {
    if (column.name === label) return 'label'
    if (column.name === score) return 'score'
    if (column === weight) return 'weight'
    if (column === fold) return 'fold'
    return column.looksLikeId || column.isConstant ? 'out' : 'feature'
  }
  return new Map(columns.map(column => [column.name, roleOf(column)]))
}

/** A binary column by that name; else the only binary one that is a number; else none. */
function guessLabel(columns: readonly ColumnCard[]): string | undefined {
  const named = columns.find(column => LABELS.test(column.name) && column.isProbability && !column.isConstant)
  if (named !== undefined) return named.name
  const binary = columns.filter(
    ({ isBinary, kind, missing }) => isBinary && missing === 0 && kind === 'numeric',
  )
  return binary.length === 1 ? binary[0].name : undefined
}

function guessScore(columns: readonly ColumnCard[]): string | undefined {
  const possible = columns.filter(
    ({ isBinary, isConstant, isProbability, kind }) =>
      kind === 'numeric' && isProbability && !isBinary && !isConstant,
  )
  return possible.find(({ name }) => SCORES.test(name))?.name
}

const isFold = ({ missing, shape }: ColumnCard): boolean =>
  missing === 0 &&
  shape.kind === 'values' &&
  shape.top.length === 2 &&
  shape.top.every(({ value }) => value === 'fit' || value === 'holdout')

/** The column takes the role; whoever had it, where only one can, becomes a feature. */
export function assignRole(roles: RoleMap, name: string, role: Role): RoleMap {
  const next = new Map(roles)
  if (SINGLE.includes(role)) {
    for (const [other, had] of roles) if (had === role && other !== name) next.set(other, 'feature')
  }
  next.set(name, role)
  return next
}

export const namesOf = (roles: RoleMap, ...wanted: readonly Role[]): string[] =>
  [...roles].flatMap(([name, role]) => (wanted.includes(role) ? [name] : []))

export interface RoleProblem {
  /** Absent: the choice as a whole. */
  readonly column?: string
  readonly words: string
  /** Nothing can be done before it is solved. */
  readonly stops: boolean
}

export function findProblems(columns: readonly ColumnCard[], roles: RoleMap): RoleProblem[] {
  const problems: RoleProblem[] = []
  const [label] = namesOf(roles, 'label')
  if (label === undefined)
    problems.push({ words: 'Choose the label: the column that says what happened, as 0 and 1.', stops: true })
  if (namesOf(roles, 'score').length === 0)
    problems.push({
      words: 'No score is chosen. There is nothing to audit; a fit starts from the base rate.',
      stops: false,
    })
  if (namesOf(roles, 'feature', 'group').length === 0)
    problems.push({ words: 'No feature is left: groups are made of features.', stops: true })
  for (const column of columns) {
    const words = problemOf(column, roles.get(column.name)!)
    if (words !== undefined) problems.push({ column: column.name, ...words })
  }
  return problems
}

type Words = Pick<RoleProblem, 'words' | 'stops'>

function problemOf(column: ColumnCard, role: Role): Words | undefined {
  const { isConstant, kind, looksLikeId, missing } = column
  if (role === 'label' || role === 'score') {
    const what = role === 'label' ? 'outcomes' : 'probabilities'
    if (kind === 'categorical')
      return { words: `This is text. A ${role} holds ${what}: numbers from 0 to 1.`, stops: true }
    if (missing > 0)
      return {
        words: `${missing.toLocaleString('en-US')} rows have no ${role}. Every row needs one.`,
        stops: true,
      }
    if (!column.isProbability)
      return { words: `Some values are outside 0 to 1. A ${role} holds ${what}.`, stops: true }
    if (role === 'label' && isConstant)
      return { words: 'All rows have the same label: there is nothing to learn.', stops: true }
  }
  if (role === 'weight') {
    if (kind !== 'numeric' || missing > 0 || ('low' in column.shape && column.shape.low < 0))
      return { words: 'A weight is a number of 0 or more in every row.', stops: true }
  }
  if (role === 'group' && /,|^@|^\s|\s$/.test(column.name))
    return {
      words: 'Names of groups have no comma, no @ and no space at their ends. Rename it.',
      stops: true,
    }
  if (role === 'fold' && !isFold(column))
    return { words: 'It must say "fit" or "holdout" in every row.', stops: true }
  if ((role === 'feature' || role === 'group') && looksLikeId)
    return { words: 'Another value in every row: it looks like an id. Leave it out.', stops: false }
  if ((role === 'feature' || role === 'group') && isConstant)
    return { words: 'The same in every row: no group can be made of it.', stops: false }
  return undefined
}
