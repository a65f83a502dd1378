// Which column is what: guessed from names and values, then changed by a person; and what is wrong with the choice.

import { likelyScale, type ScoreScale, writtenNumbersSentence } from '@featureboost/core/internal'
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

/** How label, score and features are written, where that is not as numbers from 0 to 1 and plain numbers. */
export interface Words {
  /** The value of the label that counts as 1. */
  readonly positive?: string
  readonly scoreScale?: ScoreScale
  readonly dropMissingLabels?: boolean
  /** Columns whose numbers are names. */
  readonly categorical?: readonly string[]
}

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
    // Numbers that are text for how they are written look like ids, and are none.
    const isId = column.looksLikeId && column.numbers === undefined
    return isId || column.isConstant ? 'out' : 'feature'
  }
  return new Map(columns.map(column => [column.name, roleOf(column)]))
}

/** The values of a column that has exactly two, as they are written. */
export function twoValues({ few, kind, shape }: ColumnCard): readonly string[] | undefined {
  const values =
    kind === 'numeric' ? few?.map(String) : shape.kind === 'values' ? shape.top.map(({ value }) => value) : []
  return values?.length === 2 && (shape.kind === 'numbers' || shape.others === 0) ? values : undefined
}

/** The scale that numbers outside 0 to 1 speak for. */
export const scaleOf = ({ kind, shape, time }: ColumnCard): ScoreScale | undefined =>
  kind === 'numeric' && time === undefined && 'low' in shape ? likelyScale(shape.low, shape.high) : undefined

/** A binary column by that name, of numbers or of two words; else the only binary one that is a number; else none. */
function guessLabel(columns: readonly ColumnCard[]): string | undefined {
  const named = columns.find(column => LABELS.test(column.name) && column.isProbability && !column.isConstant)
  if (named !== undefined) return named.name
  const worded = columns.find(column => LABELS.test(column.name) && twoValues(column) !== undefined)
  if (worded !== undefined) return worded.name
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
  const named = possible.find(({ name }) => SCORES.test(name))
  // Percentages and log odds are known by name and range together; the scale is for a person to confirm.
  return (named ?? columns.find(column => SCORES.test(column.name) && isScaled(column)))?.name
}

const isScaled = (column: ColumnCard): boolean =>
  !column.isConstant && !column.isBinary && ['percent', 'logit'].includes(scaleOf(column) ?? '')

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

export function findProblems(
  columns: readonly ColumnCard[],
  roles: RoleMap,
  words: Words = {},
): RoleProblem[] {
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
    const problem = problemOf(column, roles.get(column.name)!, words)
    if (problem !== undefined) problems.push({ column: column.name, ...problem })
  }
  return problems
}

type Problem = Pick<RoleProblem, 'words' | 'stops'>

/** Is every number within these? */
const isWithin = ({ kind, shape }: ColumnCard, low: number, high: number): boolean =>
  kind === 'boolean' || ('low' in shape && shape.low >= low && shape.high <= high)

const countOf = (count: number): string => count.toLocaleString('en-US')

function labelProblem(column: ColumnCard, { dropMissingLabels, positive }: Words): Problem | undefined {
  const two = positive === undefined && column.kind !== 'boolean' ? twoValues(column) : undefined
  if (two !== undefined && !isWithin(column, 0, 1))
    return { words: `Two values, ${two[0]} and ${two[1]}. Which of them counts as 1?`, stops: true }
  if (positive === undefined && column.kind === 'categorical')
    return { words: 'This is text. Choose which value counts as 1.', stops: true }
  if (positive === undefined && !isWithin(column, 0, 1))
    return { words: 'Some values are outside 0 to 1. Say which value counts as 1.', stops: true }
  if (column.missing > 0 && !dropMissingLabels)
    return {
      words: `${countOf(column.missing)} rows have no label. Leave them out, or fill them in.`,
      stops: true,
    }
  return column.isConstant
    ? { words: 'All rows have the same label: there is nothing to learn.', stops: true }
    : undefined
}

const SCALE_GUESS: Readonly<Record<ScoreScale, string>> = {
  percent: 'these look like percentages.',
  logit: 'these look like log odds.',
  probability: 'these are no probabilities. Choose the scale, if it is percent or log odds.',
}

function scoreProblem(column: ColumnCard, { scoreScale = 'probability' }: Words): Problem | undefined {
  if (column.kind === 'categorical')
    return {
      words: 'This is text. A score is a number: a probability, a percentage or log odds.',
      stops: true,
    }
  if (column.missing > 0)
    return { words: `${countOf(column.missing)} rows have no score. Every row needs one.`, stops: true }
  const isScaled = scoreScale !== 'probability' && column.kind === 'boolean'
  if (isScaled || (scoreScale === 'percent' && !isWithin(column, 0, 100)))
    return { words: 'These are no percentages or log odds. Choose another scale.', stops: true }
  if (scoreScale !== 'probability' || column.isProbability) return undefined
  const range = 'low' in column.shape ? `From ${column.shape.low} to ${column.shape.high}: ` : ''
  return { words: `${range}${SCALE_GUESS[scaleOf(column) ?? 'probability']}`, stops: true }
}

/** As on the command line: many are surely no categories, unless it is said that they are. */
function numbersProblem(column: ColumnCard, role: Role, { categorical = [] }: Words): Problem | undefined {
  const { name, numbers } = column
  const isMeant = categorical.includes(name) || role === 'ids' || role === 'fold' || role === 'out'
  if (numbers === undefined || isMeant) return undefined
  const { byComma, comma, isMany } = numbers
  const choose = 'choose the decimal comma under "How the file is written"'
  const way = !byComma
    ? 'write them as plain numbers first'
    : comma === 'unclear'
      ? `${choose}, if the comma begins the decimals`
      : choose
  const keep = role === 'feature' || role === 'group' ? ', or say that its numbers are names' : ''
  return {
    words: `${writtenNumbersSentence(name, numbers)} To have numbers, ${way}; else leave it out${keep}.`,
    stops: isMany,
  }
}

function problemOf(column: ColumnCard, role: Role, words: Words): Problem | undefined {
  const { isConstant, kind, looksLikeId, missing } = column
  const unread = numbersProblem(column, role, words)
  if (unread !== undefined) return unread
  if (role === 'label') return labelProblem(column, words)
  if (role === 'score') return scoreProblem(column, words)
  if (role === 'weight') {
    if (kind !== 'numeric' || missing > 0 || ('low' in column.shape && column.shape.low < 0))
      return { words: 'A weight is a number of 0 or more in every row.', stops: true }
  }
  if (role === 'fold' && !isFold(column))
    return { words: 'It must say "fit" or "holdout" in every row.', stops: true }
  if ((role === 'feature' || role === 'group') && looksLikeId)
    return { words: 'Nearly as many values as rows: it looks like an id. Leave it out.', stops: false }
  if ((role === 'feature' || role === 'group') && isConstant)
    return { words: 'The same in every row: no group can be made of it.', stops: false }
  return undefined
}
