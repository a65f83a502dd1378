// Factors C: functions c(u) of the current prediction. Together with the auditors they make the update class A,
// and their expressiveness decides what is guaranteed (THEORY section 3).

import { FeatureBoostError } from '../common/errors.ts'
import type { Auditors } from './auditors.ts'

export const FACTOR_KINDS = ['constant', 'intervals', 'signed', 'weighted', 'level-sets', 'table'] as const

/**
 * constant    u + v b(x)                             multiaccuracy (Lemma 5.1)
 * intervals   u + v b(x) 1(u in S)                   multicalibration (Lemma 5.2)
 * signed      u + v b(x) sum_S +-1(u in S)           multicalibration, without the factor K (Lemma 5.4)
 * weighted    u + b(x) sum_S t_S 1(u in S)           contains intervals and signed
 * level-sets  u + v 1(b(x) in S') 1(u in S)          level-set multicalibration (Lemma 5.8)
 * table       u + g(leaf(x), bin(u)), any g          all of the above at once, for auditors constant on leaves
 */
export type FactorKind = (typeof FACTOR_KINDS)[number]

export type Guarantee = 'multiaccuracy' | 'multicalibration' | 'level-set'

/** What a class guarantees at best; every weaker guarantee comes with it. */
export function guaranteeOf(auditors: Auditors, factors: FactorKind): Guarantee {
  if (factors === 'constant') return 'multiaccuracy'
  if (factors === 'level-sets') return 'level-set'
  return factors === 'table' && auditors.kind !== 'linear' ? 'level-set' : 'multicalibration'
}

/** The factors a guarantee calls for when the user names none. */
export function factorsFor(auditors: Auditors, guarantee: Guarantee): FactorKind {
  if (guarantee === 'multiaccuracy') return 'constant'
  if (auditors.kind === 'functions' && auditors.valueBins === undefined) return 'weighted'
  return 'table'
}

export function checkCombination(auditors: Auditors, factors: FactorKind): void {
  if (auditors.kind === 'linear' && factors === 'level-sets') {
    throw refusal(
      'linear auditors have a continuum of values, so their level sets are no finite partition.',
      'Use trees or groups for level sets, or linear auditors with "table" or "weighted" factors.',
    )
  }
  const needsValueBins = factors === 'level-sets' || factors === 'table'
  if (auditors.kind === 'functions' && needsValueBins && auditors.valueBins === undefined) {
    throw refusal(
      `"${factors}" factors condition on the auditor's value, and these functions have no value bins.`,
      'Pass functions(..., { valueBins: 10 }), or use "weighted" factors.',
    )
  }
}

export function checkGuarantee(auditors: Auditors, factors: FactorKind, guarantee: Guarantee): void {
  const order: Guarantee[] = ['multiaccuracy', 'multicalibration', 'level-set']
  const reached = guaranteeOf(auditors, factors)
  if (order.indexOf(guarantee) > order.indexOf(reached)) {
    throw refusal(
      `${auditors.kind} with "${factors}" factors give ${reached}, not ${guarantee}.`,
      `Ask for ${reached}, or use ${auditors.kind === 'linear' ? 'trees or groups with ' : ''}"table" factors.`,
    )
  }
}

const refusal = (message: string, hint: string) => new FeatureBoostError('FB_COMBINATION', message, { hint })

/** |S'|: the most values an auditor has, where they are finitely many. */
export function valueBinsOf(auditors: Auditors): number {
  if (auditors.kind === 'trees') return 2 ** auditors.depth
  return auditors.kind === 'functions' ? (auditors.valueBins ?? 1) : 2
}
