// What follows from options and rows before anything is learned: bins of columns, tolerance and bins of predictions, and the price of
// a choice by held-out rows. A fit claims it; verification finds it again.

import { type Plan, planParameters } from '../certify/plan.ts'
import { kindOf } from '../classes/kinds/kinds.ts'
import { FeatureBoostError } from '../common/errors.ts'
import { formatCount } from '../common/text.ts'
import { type Engine, FIT, meanLoss } from '../engine/engine.ts'
import { MAX_LEVELS } from '../model/data.ts'
import { growsForests } from '../options/options.ts'
import type { QuantizeOptions } from '../quantize/quantize.ts'
import type { Settings } from './settings.ts'

/** Multiaccuracy needs no rounding; its certificate measures the other rungs at this many bins. */
const MULTIACCURACY_BINS = 20

export interface UsedParameters {
  readonly tolerance: number
  readonly slack: number
  readonly bins: number
}

/** Where columns are cut; coarse bins that were not asked for are as many as the rows are good for. */
export function quantizeFor(observations: number, settings: Settings): Omit<QuantizeOptions, 'sort'> {
  const { quantize } = settings
  const coarseBins = Math.min(quantize.coarseBins ?? coarseBinsFor(observations, settings), quantize.bins)
  return { ...quantize, coarseBins }
}

/**
 * So many that a pair of columns has some rows in every cell, about 128: finer groups could not be told from noise. Forests
 * split between fine bins and only their certificate is about these. Rounds and methods of groups learn with them, and groups
 * that are declared by column have to stay apart.
 */
function coarseBinsFor(rowCount: number, { auditors, method }: Settings): number {
  if (!growsForests(method) || auditors.kind !== 'trees')
    return rowCount < 2 ** 15 ? 16 : rowCount < 2 ** 18 ? 32 : 64
  return Math.max(8, Math.min(64, Math.round(Math.sqrt(rowCount / 128))))
}

/** Tolerance and bins from epsilon. */
export async function makePlan(engine: Engine, settings: Settings): Promise<Plan> {
  const { auditors, epsilon, factors } = settings
  // Level-set factors bound the level-set error, and that bounds the weaker errors.
  const guarantee = factors === 'level-sets' ? 'level-set' : settings.guarantee
  const startLoss = meanLoss((await engine.losses())[FIT])
  const kind = kindOf(auditors)
  const [valueBins, budget] = [kind.valueBins(auditors), kind.budget(auditors)]
  return planParameters({ epsilon, guarantee, factors, budget, valueBins, startLoss })
}

export function useParameters(plan: Plan, settings: Settings): UsedParameters {
  const { slack } = settings
  const tolerance = settings.tolerance ?? plan.tolerance
  if (slack >= tolerance) {
    throw new FeatureBoostError('FB_PLAN', `slack ${slack} is not below the tolerance ${tolerance}.`, {
      found: slack,
      expected: `less than ${tolerance}`,
    })
  }
  return { tolerance, slack, bins: settings.bins ?? plannedBins(plan) }
}

function plannedBins({ bins, epsilon }: Plan): number {
  if (bins <= MAX_LEVELS) return bins > 1 ? bins : MULTIACCURACY_BINS
  throw new FeatureBoostError('FB_PLAN', `epsilon ${epsilon} needs ${formatCount(bins)} prediction bins.`, {
    found: bins,
    expected: `at most ${formatCount(MAX_LEVELS)}`,
    hint: 'Ask for a larger epsilon, or set bins.',
  })
}

/** Held-out rows have a say in which round is kept; of a forest they see nothing. */
export const candidatesFor = (updateCount: number, { chosenFrom, method, stop }: Settings): number =>
  chosenFrom * (method === 'rounds' && stop === 'validation' ? priceOfRound(updateCount) : 1)

/**
 * Held-out rows chose the round, and any could have been chosen. Round k, from 0, takes the share 1 / ((k + 1)(k + 2)) of what may go
 * wrong; the shares of all rounds add up to 1, so none has to be known beforehand but its own.
 */
const priceOfRound = (round: number): number => (round + 1) * (round + 2)
