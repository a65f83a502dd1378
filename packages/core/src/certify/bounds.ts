// What a tolerance promises: one function for each row of the table in THEORY section 3.
// tolerance is alpha (or the realized alpha-hat), budget is M with E[b(x)^2] <= M, bins is K. Each bound holds on the
// data on which no update of the class gains more than the tolerance, whatever produced the predictor.

import type { FactorKind, Guarantee } from '../classes/factors.ts'

/** Theorem 4.2, the base fact: |E[c(f) b(x) (y - f)]| for every |c| <= 1. */
export const correlationBound = (tolerance: number, budget: number): number => Math.sqrt(tolerance * budget)

/** Lemma 5.1, the constant factor: |E[b(x) (y - f)]|, with no rounding. */
export const multiaccuracyBound = (tolerance: number, budget: number): number =>
  correlationBound(tolerance, budget)

/** Lemma 5.2, bin indicators. The base fact is paid once for each bin (the paper prints r for K: THEORY section 8.4). */
export const intervalBound = (tolerance: number, budget: number, bins: number): number =>
  bins * correlationBound(tolerance, budget) + roundingCost(budget, bins)

/** Lemma 5.4, signed bins. Weighted bins contain them. One factor carries the signs of all bins: paid once. */
export const signedBound = (tolerance: number, budget: number, bins: number): number =>
  correlationBound(tolerance, budget) + roundingCost(budget, bins)

/** Lemma 5.8, the AND of a prediction bin and one of valueBins bins of b(x): paid once for each pair. */
export const levelSetBound = (tolerance: number, bins: number, valueBins: number): number =>
  bins * valueBins * correlationBound(tolerance, 1) + roundingCost(1, bins)

/** The table class u + g(leaf, bin) contains b(x) c(u) for every signed c and every b constant on the leaves. */
export const tableBound = (tolerance: number, budget: number, bins: number): number =>
  signedBound(tolerance, budget, bins)

/** The table class on level sets: all signs of all pairs are one function of mean square at most 1 (THEORY section 3). */
export const tableLevelSetBound = (tolerance: number, bins: number): number => signedBound(tolerance, 1, bins)

/** A bound as a function of the tolerance, for auditors in [-1,1]: scale sqrt(tolerance) + rounding. */
export interface BoundTerms {
  readonly scale: number
  readonly rounding: number
}

/** The terms of a guarantee that these factors give; undefined where they do not give it. Multiaccuracy needs no rounding. */
export function boundTerms(
  guarantee: Guarantee,
  factors: FactorKind,
  bins: number,
  valueBins: number,
): BoundTerms | undefined {
  const rounding = roundingCost(1, bins)
  if (guarantee === 'multiaccuracy') return factors === 'level-sets' ? undefined : { scale: 1, rounding: 0 }
  if (guarantee === 'level-set') {
    if (factors === 'level-sets') return { scale: bins * valueBins, rounding }
    return factors === 'table' ? { scale: 1, rounding } : undefined
  }
  if (factors === 'constant' || factors === 'level-sets') return undefined
  return { scale: factors === 'intervals' ? bins : 1, rounding }
}

/** E|b| times the width of a bin, by Lemma 7.9 and E|b| <= sqrt(M). */
const roundingCost = (budget: number, bins: number): number => Math.sqrt(budget) / bins
