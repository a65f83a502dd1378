// From the error a user asks for to the parameters of a run: tolerance, bins and the limit on rounds (THEORY section 3).
// The choices are the corrected ones of THEORY section 8; the paper's Remarks 1 and 2 do not reach epsilon.

import { FACTOR_KINDS, type FactorKind, type Guarantee } from '../classes/factors.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount, formatPlain } from '../common/text.ts'
import { checkArgument, checkNumbers } from '../data/given.ts'
import {
  intervalBound,
  levelSetBound,
  multiaccuracyBound,
  signedBound,
  tableBound,
  tableLevelSetBound,
} from './bounds.ts'

export type { FactorKind, Guarantee }

export interface PlanOptions {
  /** The error to stay within, in (0,1). */
  readonly epsilon: number
  readonly guarantee: Guarantee
  readonly factors: FactorKind
  /** M: a bound on E[b(x)^2]; 1 when auditors lie in [-1,1]. Level sets do not depend on it. */
  readonly budget?: number
  /** |S'|: bins of auditor values, needed by 'level-sets' factors. */
  readonly valueBins?: number
  /** tau: how far from the best update the oracle may stay. */
  readonly slack?: number
  /** L(f_0): the mean squared error that the run starts from; 1 is always safe. */
  readonly startLoss?: number
}

/** The parameters of a run that reaches epsilon. */
export interface Plan {
  readonly epsilon: number
  readonly guarantee: Guarantee
  readonly factors: FactorKind
  readonly budget: number
  /** alpha */
  readonly tolerance: number
  /** K; 1 for multiaccuracy, which needs no rounding. */
  readonly bins: number
  readonly slack: number
  /** The most updates that can be accepted (Theorem 3.5). */
  readonly roundLimit: number
  /** One more than roundLimit: the last call finds nothing worth taking. */
  readonly oracleCalls: number
  /** The bound that these parameters reach: at most epsilon. */
  readonly bound: number
  /** The plan in plain words. */
  readonly sentences: readonly string[]
}

type Need = Required<PlanOptions>

interface Recipe {
  readonly bins: number
  readonly tolerance: number
  readonly bound: (tolerance: number) => number
}

/** What each guarantee takes from each class, if that can give it. One bin makes every factor class contain the constant 1. */
const RECIPES: Record<Guarantee, Record<FactorKind, ((need: Need) => Recipe) | undefined>> = {
  multiaccuracy: {
    constant: planAccuracy,
    intervals: planAccuracy,
    signed: planAccuracy,
    weighted: planAccuracy,
    'level-sets': undefined,
    table: planAccuracy,
  },
  multicalibration: {
    constant: undefined,
    intervals: planIntervals,
    signed: need => planSigned(need, signedBound),
    weighted: need => planSigned(need, signedBound),
    'level-sets': undefined,
    table: need => planSigned(need, tableBound),
  },
  'level-set': {
    constant: undefined,
    intervals: undefined,
    signed: undefined,
    weighted: undefined,
    'level-sets': planLevelSets,
    table: planTableLevelSets,
  },
}

/** What an error of epsilon asks for: tolerance, bins and the limit on rounds. */
export function planParameters(options: PlanOptions): Plan {
  checkNumbers(options, 'guarantee', 'factors')
  const { epsilon, guarantee, factors, budget = 1, valueBins = 0, slack = 0, startLoss = 1 } = options
  const need: Need = { epsilon, guarantee, factors, budget, valueBins, slack, startLoss }
  requireNumbers(need)
  const recipe = findRecipe(need)(need)
  const tolerance = fitTolerance(recipe, epsilon)
  requireRoom(need, tolerance)
  const roundLimit = Math.floor(startLoss / (tolerance - slack))
  const numbers = { tolerance, bins: recipe.bins, slack, roundLimit, oracleCalls: roundLimit + 1 }
  const bound = recipe.bound(tolerance)
  return { epsilon, guarantee, factors, budget, ...numbers, bound, sentences: explain(need, numbers) }
}

/*
 * Half of epsilon goes to rounding and half to the tolerance. Each tolerance is written as one over an expression in
 * 2/epsilon, which is exact for the epsilon that people type: 0.05 gives 1/1600, not 0.0006250000000000001.
 */

function planAccuracy({ epsilon, budget }: Need): Recipe {
  return {
    bins: 1,
    tolerance: 1 / (budget * (1 / epsilon) ** 2),
    bound: tolerance => multiaccuracyBound(tolerance, budget),
  }
}

function planIntervals({ epsilon, budget }: Need): Recipe {
  const bins = Math.ceil((2 * Math.sqrt(budget)) / epsilon)
  return {
    bins,
    tolerance: 1 / (budget * (bins * (2 / epsilon)) ** 2),
    bound: tolerance => intervalBound(tolerance, budget, bins),
  }
}

function planSigned({ epsilon, budget }: Need, bound: typeof signedBound): Recipe {
  const bins = Math.ceil((2 * Math.sqrt(budget)) / epsilon)
  return {
    bins,
    tolerance: 1 / (budget * (2 / epsilon) ** 2),
    bound: tolerance => bound(tolerance, budget, bins),
  }
}

function planLevelSets({ epsilon, valueBins }: Need): Recipe {
  if (!(Number.isInteger(valueBins) && valueBins >= 1)) {
    throw new FeatureBoostError(
      'FB_PLAN',
      'level-sets factors need valueBins, the number of bins of auditor values.',
      {
        found: valueBins,
        expected: 'a whole number from 1',
        hint: 'The table class needs none.',
      },
    )
  }
  const bins = Math.ceil(2 / epsilon)
  return {
    bins,
    tolerance: 1 / (bins * valueBins * (2 / epsilon)) ** 2,
    bound: tolerance => levelSetBound(tolerance, bins, valueBins),
  }
}

function planTableLevelSets({ epsilon }: Need): Recipe {
  const bins = Math.ceil(2 / epsilon)
  return {
    bins,
    tolerance: 1 / (2 / epsilon) ** 2,
    bound: tolerance => tableLevelSetBound(tolerance, bins),
  }
}

/** In doubles the bound can land a last digit above epsilon; a millionth of a millionth of tolerance takes it back. */
function fitTolerance({ tolerance, bound }: Recipe, epsilon: number): number {
  return bound(tolerance) > epsilon ? tolerance * (1 - 1e-12) : tolerance
}

function findRecipe({ guarantee, factors }: Need): (need: Need) => Recipe {
  checkArgument(
    'guarantee',
    guarantee,
    Object.keys(RECIPES).includes(guarantee),
    Object.keys(RECIPES).join(' or '),
  )
  checkArgument('factors', factors, FACTOR_KINDS.includes(factors), FACTOR_KINDS.join(' or '))
  const recipe = RECIPES[guarantee][factors]
  if (recipe !== undefined) return recipe
  throw new FeatureBoostError('FB_PLAN', `${factors} factors cannot give the ${guarantee} guarantee.`, {
    found: factors,
    hint: `These can: ${FACTOR_KINDS.filter(kind => RECIPES[guarantee][kind] !== undefined).join(', ')}.`,
  })
}

function requireNumbers({ epsilon, budget, slack, startLoss }: Need): void {
  const refuse = (name: string, found: number, expected: string) => {
    throw new FeatureBoostError('FB_PLAN', `${name} is ${found}.`, { found, expected })
  }
  if (!(epsilon > 0 && epsilon < 1)) refuse('epsilon', epsilon, 'a number between 0 and 1, both excluded')
  if (!(budget > 0 && budget < Infinity)) refuse('budget', budget, 'a number above 0')
  if (!(slack >= 0)) refuse('slack', slack, 'a number from 0')
  if (!(startLoss >= 0 && startLoss <= 1)) refuse('startLoss', startLoss, 'a number from 0 to 1')
}

/** THEORY section 1: 0 <= tau < alpha < 1. */
function requireRoom({ epsilon, budget, slack }: Need, tolerance: number): void {
  if (tolerance >= 1) {
    throw new FeatureBoostError(
      'FB_PLAN',
      `With budget ${budget} every predictor is within epsilon ${epsilon}.`,
      {
        found: epsilon,
        hint: 'There is nothing to gain by boosting: ask for a smaller epsilon.',
      },
    )
  }
  if (slack >= tolerance) {
    throw new FeatureBoostError('FB_PLAN', `slack ${slack} is not below the tolerance ${tolerance}.`, {
      found: slack,
      expected: `less than ${tolerance}`,
      hint: 'Ask for a larger epsilon, or use an oracle that comes closer to the best update.',
    })
  }
}

type Numbers = Pick<Plan, 'tolerance' | 'bins' | 'slack' | 'roundLimit' | 'oracleCalls'>

function explain(need: Need, { tolerance, bins, slack, roundLimit, oracleCalls }: Numbers): string[] {
  const sentences = [
    `Boost until no update in the class lowers the mean squared error by ${show(tolerance)} or more.`,
  ]
  if (slack > 0) {
    sentences.push(
      `The oracle may miss the best update by ${show(slack)}, so stop at the first round that gains less than ${show(tolerance - slack)}.`,
    )
  }
  const promise = `the ${describeError(need)} is at most ${need.epsilon} for every ${describeAuditor(need)}.`
  sentences.push(
    need.guarantee === 'multiaccuracy'
      ? `No rounding is needed: ${promise}`
      : `Then round to ${formatCount(bins)} bins: ${promise}`,
    `Accepted updates: at most ${formatCount(roundLimit)}; calls of the oracle: at most ${formatCount(oracleCalls)}.`,
  )
  return sentences
}

function describeError({ guarantee, factors, valueBins }: Need): string {
  if (guarantee !== 'level-set') return `${guarantee} error`
  const values = factors === 'level-sets' ? ` (bins of auditor values: ${formatCount(valueBins)})` : ''
  return `level-set multicalibration error${values}`
}

function describeAuditor({ guarantee, factors, budget }: Need): string {
  const leaves = factors === 'table' ? ' that is constant on the leaves' : ''
  const square = guarantee === 'level-set' ? '' : ` with mean square at most ${show(budget)}`
  return `auditor${leaves}${square}`
}

const show = (value: number): string => formatPlain(value, 6)
