// Factors C: functions c(u) of the current prediction. Together with the auditors they make the update class A,
// and their expressiveness decides what is guaranteed (THEORY section 3).

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
