// What a reader expects of a model's claim. A file that is consistent may still claim less than was agreed on: a larger epsilon, a
// smaller class, less held out. Each expectation is one named fact of the file and a rule for what is enough.

import { inWordsOfNow } from '../certify/statements.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { didYouMean } from '../common/nearest.ts'
import { joinWords } from '../common/text.ts'
import { showValue } from '../data/column.ts'
import type { Model } from '../model/model.ts'
import { type ClassSize, classSize, readClassWords } from './classSize.ts'

export type ExpectedValue = string | number | boolean | readonly string[]

export interface Shortfall {
  /** Which expectation; of a class, its part: "class.depth". */
  readonly key: string
  readonly expected: ExpectedValue
  /** Undefined where the file says nothing of it. */
  readonly stated: ExpectedValue | undefined
  readonly sentence: string
}

type Rule = 'same' | 'at most' | 'at least' | 'all of'

interface Expectation {
  readonly rule: Rule
  readonly type: 'number' | 'text' | 'flag' | 'names'
  readonly help: string
  /** What the file says. */
  readonly read: (model: Model) => ExpectedValue | undefined
}

const number = (rule: Rule, help: string, read: (model: Model) => number | undefined): Expectation => ({
  ...{ rule, type: 'number', help, read },
})
const text = (help: string, read: (model: Model) => string | undefined): Expectation => ({
  ...{ rule: 'same', type: 'text', help, read },
})
const flag = (help: string, read: (model: Model) => boolean): Expectation => ({
  ...{ rule: 'same', type: 'flag', help, read },
})
const names = (help: string, read: (model: Model) => readonly string[]): Expectation => ({
  ...{ rule: 'all of', type: 'names', help, read },
})

const rolesOf = ({ data }: Model) => data.roles
const claimOf = ({ certificate }: Model) => certificate.claim

/** Everything that can be expected. */
export const EXPECTATIONS = {
  guarantee: text('the claimed guarantee', model => claimOf(model).guarantee),
  epsilon: number('at most', 'the error that was asked for', model => claimOf(model).epsilon),
  holds: flag('is the claimed error proven on the fitting rows?', ({ certificate }) => certificate.holds),
  class: text(
    'the certified class in words; a smaller one is not enough',
    model => model.certificate.auditors,
  ),
  auditors: text(
    'the kind of auditors: trees, groups, linear or functions',
    ({ data }) => data.auditors.kind,
  ),
  depth: number('at least', 'the depth of certified trees', model => classSize(model).depth),
  columns: number('at least', 'columns that the certified class looks at', model => classSize(model).columns),
  splits: number('at least', 'splits of certified trees', model => classSize(model).splits),
  groups: number('at least', 'certified groups, everyone included', model => classSize(model).groups),
  features: names('columns that the model looks at', ({ data }) =>
    data.encoding.features.map(({ name }) => name),
  ),
  factors: text('the factors that were boosted', ({ data }) => data.factors),
  method: text('how the score was corrected', ({ data }) => data.options?.method),
  tolerance: number('at most', 'the planned tolerance alpha', model => claimOf(model).tolerance),
  bins: number('at least', 'prediction bins K', model => claimOf(model).bins),
  budget: number('at least', 'the budget M of the auditors', model => claimOf(model).budget),
  candidates: number('at least', 'predictors that are paid for', model => claimOf(model).candidates),
  cellBudget: number('at least', 'cells of an exhaustive search', ({ data }) => data.cellBudget),
  confidence: number(
    'at least',
    'confidence of the held-out certificate',
    model => claimOf(model).confidence,
  ),
  holdout: number('at least', 'the share of rows held out', heldOutShare),
  seed: number('same', 'the seed of the split', model => rolesOf(model).holdout?.seed),
  fold: text('the column that says which rows are held out', model => rolesOf(model).fold),
  groupBy: text('the ids that are held out together', model => rolesOf(model).holdout?.groupBy),
  label: text('the column of the outcome', model => rolesOf(model).label),
  positive: text('the value of the label that counts as 1', model => rolesOf(model).positive),
  dropMissingLabels: flag(
    'were rows without a label left out?',
    model => rolesOf(model).dropMissingLabels === true,
  ),
  copies: text('what exact copies of a row are taken for', model => rolesOf(model).copies),
  weight: text('the column of the weights', model => rolesOf(model).weight),
  protect: names('protected columns', model => rolesOf(model).protect ?? []),
  prediction: text('the column of the score', ({ data: { start } }) =>
    start.kind === 'column' ? start.column : undefined,
  ),
  scoreScale: text('how the score is written', ({ data: { start } }) =>
    start.kind === 'column' ? (start.scale ?? 'probability') : undefined,
  ),
  rows: number(
    'same',
    'rows of the fit, held-out ones included',
    ({ certificate }) => certificate.rows.rowCount,
  ),
  fingerprint: text('the checksum of the rows', ({ certificate }) => certificate.rows.fingerprint),
  updates: number('same', 'updates of the model', ({ data }) => data.updates.length),
  version: number('at least', 'the version of the file format', ({ data }) => data.version),
  hash: text('the hash of the file', model => model.hash),
} as const satisfies Record<string, Expectation>

export type ExpectationName = keyof typeof EXPECTATIONS
export type Expectations = { readonly [Name in ExpectationName]?: ExpectedValue }

/** As it was asked for; of a fold column, what the rows have. */
function heldOutShare({ certificate: { rows }, data: { roles } }: Model): number {
  if (roles.holdout !== undefined) return roles.holdout.fraction
  const { fitWeight, holdoutWeight = 0 } = rows
  return holdoutWeight === 0 ? 0 : holdoutWeight / (fitWeight + holdoutWeight)
}

/** Refuses names that there are not, and values that cannot be compared. */
export function checkExpectations(expect: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(EXPECTATIONS)
  for (const [name, value] of Object.entries(expect)) {
    if (!Object.hasOwn(EXPECTATIONS, name))
      throw new FeatureBoostError('FB_OPTION_UNKNOWN', `nothing that is named "${name}" can be expected.`, {
        found: name,
        expected: `one of ${known.join(', ')}`,
        hint: didYouMean(name, known),
      })
    const { help, type }: Expectation = EXPECTATIONS[name as ExpectationName]
    if (value !== undefined && !fits(type, value))
      throw new FeatureBoostError('FB_OPTION_VALUE', `the expected ${name} is ${showValue(value)}.`, {
        found: value,
        expected: `${TYPE_WORDS[type]} (${help})`,
      })
  }
}

const TYPE_WORDS = { number: 'a number', text: 'a text', flag: 'true or false', names: 'a list of names' }

function fits(type: Expectation['type'], value: unknown): boolean {
  if (type === 'names') return Array.isArray(value) && value.every(name => typeof name === 'string')
  if (type === 'flag') return typeof value === 'boolean'
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
  // A label of 1, a column named 2024.
  return ['string', 'number', 'boolean'].includes(typeof value)
}

export function findShortfalls(model: Model, expect: Expectations): Shortfall[] {
  return (Object.entries(expect) as [ExpectationName, ExpectedValue][]).flatMap(([name, expected]) => {
    if (expected === undefined) return []
    return name === 'class' ? classShortfalls(model, String(expected)) : shortfallOf(model, name, expected)
  })
}

function shortfallOf(model: Model, name: ExpectationName, expected: ExpectedValue): Shortfall[] {
  const { read, rule }: Expectation = EXPECTATIONS[name]
  return judge(name, rule, expected, read(model))
}

function judge(
  key: string,
  rule: Rule,
  expected: ExpectedValue,
  stated: ExpectedValue | undefined,
): Shortfall[] {
  if (stated !== undefined && isEnough(rule, expected, stated)) return []
  return [{ key, expected, stated, sentence: sentenceOf(key, rule, expected, stated) }]
}

function isEnough(rule: Rule, expected: ExpectedValue, stated: ExpectedValue): boolean {
  switch (rule) {
    case 'same':
      return String(stated) === String(expected)
    case 'at most':
      return stated <= expected
    case 'at least':
      return stated >= expected
    case 'all of':
      return (expected as readonly string[]).every(name => (stated as readonly string[]).includes(name))
  }
}

function sentenceOf(
  key: string,
  rule: Rule,
  expected: ExpectedValue,
  stated: ExpectedValue | undefined,
): string {
  const says = stated === undefined ? 'the file says nothing of it' : `the file says ${inWords(stated)}`
  const wanted = rule === 'same' ? inWords(expected) : `${rule} ${inWords(expected)}`
  return `${key}: ${says}, and ${wanted} was expected.`
}

const inWords = (value: ExpectedValue): string =>
  typeof value === 'object' ? (value.length === 0 ? 'none' : joinWords(value)) : String(value)

/** Trees are compared by what makes their class smaller; any other class has to be the same in words. */
function classShortfalls(model: Model, expected: string): Shortfall[] {
  const stated = model.certificate.auditors
  const [wanted, size] = [readClassWords(expected), classSize(model)]
  if (inWordsOfNow(stated) === inWordsOfNow(expected)) return []
  if (wanted === undefined || size.depth === undefined) return judge('class', 'same', expected, stated)
  const parts: readonly (keyof ClassSize)[] = ['depth', 'columns', 'splits']
  return parts.flatMap(part => judge(`class.${part}`, 'at least', wanted[part] ?? 0, size[part]))
}
