// Which auditors go with which factors, and what they then guarantee.

import { FeatureBoostError } from '../common/errors.ts'
import type { Auditors } from './auditors.ts'
import type { FactorKind, Guarantee } from './factors.ts'
import { kindOf } from './kinds/kinds.ts'

/** What a class guarantees at best; every weaker guarantee comes with it. */
export function guaranteeOf(auditors: Auditors, factors: FactorKind): Guarantee {
  if (factors === 'constant') return 'multiaccuracy'
  if (factors === 'level-sets') return 'level-set'
  return factors === 'table' && kindOf(auditors).hasLevelSets ? 'level-set' : 'multicalibration'
}

/** The factors a guarantee calls for when the user names none. */
export const factorsFor = (auditors: Auditors, guarantee: Guarantee): FactorKind =>
  guarantee === 'multiaccuracy' ? 'constant' : kindOf(auditors).factors(auditors)

export function checkCombination(auditors: Auditors, factors: FactorKind): void {
  const refused = kindOf(auditors).refusal(auditors, factors)
  if (refused !== undefined) throw refusal(refused.message, refused.hint)
}

export function checkGuarantee(auditors: Auditors, factors: FactorKind, guarantee: Guarantee): void {
  const order: Guarantee[] = ['multiaccuracy', 'multicalibration', 'level-set']
  const reached = guaranteeOf(auditors, factors)
  if (order.indexOf(guarantee) > order.indexOf(reached)) {
    throw refusal(
      `${auditors.kind} with "${factors}" factors give ${reached}, not ${guarantee}.`,
      `Ask for ${reached}, or use ${kindOf(auditors).hasLevelSets ? '' : 'trees or groups with '}"table" factors.`,
    )
  }
}

const refusal = (message: string, hint: string) => new FeatureBoostError('FB_COMBINATION', message, { hint })
