// What a decision costs: the loss of every action where the outcome is 0 and where it is 1. At a probability p an action costs
// (1 - p) times the one and p times the other, a line in p; the best actions are the lower envelope of these lines, and thresholds
// are where one gives way to the next.

import { FeatureBoostError } from '../common/errors.ts'
import { didYouMean } from '../common/nearest.ts'
import { formatNumber } from '../common/text.ts'
import { levelAmong, ONE, toUnits } from '../common/units.ts'
import { showValue } from '../data/column.ts'

/** Where the outcome is 0, and where it is 1. */
export type OutcomeLosses = readonly [number, number]

/** A loss as it is asked for; each may have a name. */
export type LossSpec = { readonly name?: string } & (
  | { readonly falsePositive: number; readonly falseNegative: number }
  | { readonly threshold: number }
  | { readonly losses: Readonly<Record<string, OutcomeLosses>> }
  | { readonly utilities: Readonly<Record<string, OutcomeLosses>> }
  | { readonly named: NamedLoss }
)

export interface Action {
  readonly name: string
  readonly losses: OutcomeLosses
}

export interface DecisionLoss {
  readonly name: string
  /** Those that are best at some probability, from low probabilities to high ones. */
  readonly actions: readonly Action[]
  /** The action at place i + 1 is taken from the probability at place i on; one less than actions. */
  readonly thresholds: readonly number[]
  /** How fast the next action gains on the one before it as the probability rises: B_j of THEORY section 9. */
  readonly weights: readonly number[]
  /** The sum of the weights: how much the actions differ in what they make of an outcome. B of THEORY section 9. */
  readonly spread: number
  /** Actions that are best at no probability, and so never taken. */
  readonly neverBest: readonly string[]
}

export const NAMED_LOSSES = ['accuracy', 'squared', 'log'] as const
export type NamedLoss = (typeof NAMED_LOSSES)[number]

/** Probabilities that can be reported where a loss is about reporting one: a grid, because deviations are searched for each. */
const REPORTED = 20

/** Refuses what is no loss; `path` says where it stands. */
export function readLoss(spec: LossSpec, path = 'losses'): DecisionLoss {
  const { actions, name } = listActions(spec, path)
  checkName(spec.name, path)
  const best = lowerEnvelope(actions)
  if (best.length < 2) {
    throw refuse(`"${best[0].name}" is best whatever the score is, so there is nothing to decide.`, {
      path,
      expected: 'losses by which one action is best at low scores and another at high ones',
    })
  }
  const weights = best.slice(1).map((action, index) => slopeOf(best[index]) - slopeOf(action))
  return {
    name: spec.name ?? name,
    actions: best,
    thresholds: best.slice(1).map((action, index) => crossing(best[index], action)),
    weights,
    spread: weights.reduce((sum, weight) => sum + weight, 0),
    neverBest: actions.filter(action => !best.includes(action)).map(action => action.name),
  }
}

/** All of a list; names are to tell them apart. */
export function readLosses(specs: unknown): DecisionLoss[] {
  if (!Array.isArray(specs) || specs.length === 0) {
    throw refuse('there is no loss to decide by.', {
      found: specs,
      expected: 'a list such as [{"falsePositive": 1, "falseNegative": 5}]',
    })
  }
  const losses = specs.map((spec, index) => readLoss(spec as LossSpec, `losses[${index}]`))
  const twice = losses.findIndex(({ name }, index) => losses.findIndex(other => other.name === name) < index)
  if (twice >= 0) {
    throw refuse(`two losses are called "${losses[twice].name}".`, {
      path: `losses[${twice}]`,
      hint: 'Give each its own "name".',
    })
  }
  return losses
}

/** Thresholds as scores are counted, in units: a score at a threshold lies above it. */
export const thresholdUnits = ({ thresholds }: DecisionLoss): Int32Array =>
  Int32Array.from(thresholds, threshold => Math.ceil(threshold * ONE))

/** The place of the best action for every score. */
export function chooseActions(loss: DecisionLoss, scores: ArrayLike<number>): Uint8Array {
  const cuts = thresholdUnits(loss)
  return Uint8Array.from({ length: scores.length }, (_, row) => levelAmong(toUnits(scores[row]), cuts))
}

/** How much more an action costs where the outcome is 1 than where it is 0. */
export const slopeOf = ({ losses: [zero, one] }: Action): number => one - zero

function listActions(spec: LossSpec, path: string): { name: string; actions: Action[] } {
  if (typeof spec !== 'object' || spec === null) throw unknownLoss(spec, path)
  checkKeys(spec, path)
  if ('falsePositive' in spec) {
    const { falseNegative, falsePositive } = spec
    const name = `false positive ${formatNumber(cost(falsePositive, path, 'falsePositive'))}, false negative ${formatNumber(cost(falseNegative, path, 'falseNegative'))}`
    return { name, actions: yesOrNo(falsePositive, falseNegative) }
  }
  if ('threshold' in spec) {
    const { threshold } = spec
    if (typeof threshold !== 'number' || !(threshold > 0 && threshold < 1)) {
      throw refuse(`the threshold is ${showValue(threshold)}.`, {
        path,
        found: threshold,
        expected: 'a number between 0 and 1, both excluded',
      })
    }
    return { name: `threshold ${formatNumber(threshold)}`, actions: yesOrNo(threshold, 1 - threshold) }
  }
  if ('losses' in spec) return { name: 'losses', actions: matrixOf(spec.losses, 1, path) }
  if ('utilities' in spec) return { name: 'utilities', actions: matrixOf(spec.utilities, -1, path) }
  return { name: spec.named, actions: namedActions(spec.named, path) }
}

const yesOrNo = (falsePositive: number, falseNegative: number): Action[] => [
  { name: 'no', losses: [0, falseNegative] },
  { name: 'yes', losses: [falsePositive, 0] },
]

function matrixOf(given: unknown, sign: 1 | -1, path: string): Action[] {
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const isPair = (pair: unknown) =>
    Array.isArray(pair) && pair.length === 2 && pair.every(each => Number.isFinite(each))
  if (entries.length < 2 || entries.length > MAX_ACTIONS || !entries.every(([, pair]) => isPair(pair))) {
    throw refuse('this is no table of actions.', {
      path,
      found: given,
      expected: `2 to ${MAX_ACTIONS} actions with two numbers each, for the outcomes 0 and 1, such as {"refuse": [1, 0], "accept": [0, 5]}`,
    })
  }
  return entries.map(([name, [zero, one]]) => ({ name, losses: [sign * zero + 0, sign * one + 0] }))
}

/** Each threshold takes a search of its own. */
const MAX_ACTIONS = 32

function namedActions(name: NamedLoss, path: string): Action[] {
  if (!NAMED_LOSSES.includes(name)) {
    throw refuse(`there is no loss called ${showValue(name)}.`, {
      path,
      found: name,
      expected: `one of ${NAMED_LOSSES.join(', ')}`,
      ...(typeof name === 'string' && { hint: didYouMean(name, NAMED_LOSSES) }),
    })
  }
  if (name === 'accuracy') return yesOrNo(1, 1)
  const lossesOf: (p: number) => OutcomeLosses =
    name === 'squared' ? p => [p ** 2, (1 - p) ** 2] : p => [-Math.log1p(-p), -Math.log(p)]
  const reports = Array.from({ length: REPORTED + 1 }, (_, index) => index / REPORTED)
  // A report of 0 or 1 may cost any amount of log loss.
  const offered = name === 'squared' ? reports : reports.slice(1, -1)
  return offered.map(p => ({ name: formatNumber(p), losses: lossesOf(p) }))
}

/** Walks from p = 0 to p = 1, from one best action to the next. */
function lowerEnvelope(actions: readonly Action[]): Action[] {
  const better = (a: Action, b: Action) =>
    b.losses[0] < a.losses[0] || (b.losses[0] === a.losses[0] && slopeOf(b) < slopeOf(a)) ? b : a
  const best = [actions.reduce(better)]
  for (;;) {
    const last = best[best.length - 1]
    const steeper = actions.filter(action => slopeOf(action) < slopeOf(last) && crossing(last, action) < 1)
    if (steeper.length === 0) return best
    const at = Math.min(...steeper.map(action => crossing(last, action)))
    const next = steeper.filter(action => crossing(last, action) === at)
    best.push(next.reduce((a, b) => (slopeOf(b) < slopeOf(a) ? b : a)))
  }
}

/** Where the second costs as much as the first. */
const crossing = (a: Action, b: Action): number => (b.losses[0] - a.losses[0]) / (slopeOf(a) - slopeOf(b))

function cost(value: unknown, path: string, key: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw refuse(`the cost "${key}" is ${showValue(value)}.`, {
    path,
    found: value,
    expected: 'a finite number from 0 on',
  })
}

function checkName(name: unknown, path: string): void {
  if (name === undefined || (typeof name === 'string' && name.trim() !== '')) return
  throw refuse(`the name is ${showValue(name)}.`, { path, found: name, expected: 'a text that is not empty' })
}

const FORMS = [['falsePositive', 'falseNegative'], ['threshold'], ['losses'], ['utilities'], ['named']]

function checkKeys(spec: object, path: string): void {
  const keys = Object.keys(spec).filter(key => key !== 'name')
  const form = FORMS.find(([first]) => keys.includes(first))
  if (form === undefined || keys.some(key => !form.includes(key))) throw unknownLoss(spec, path)
}

const unknownLoss = (found: unknown, path: string) =>
  refuse('this is no loss.', {
    path,
    found,
    expected:
      'one of {"falsePositive": 1, "falseNegative": 5}, {"threshold": 0.2}, {"losses": {action: [at 0, at 1]}}, {"utilities": ...} or {"named": "squared"}, each with a "name" if you like',
  })

const refuse = (message: string, details: ConstructorParameters<typeof FeatureBoostError>[2]) =>
  new FeatureBoostError('FB_LOSS', message, details)
