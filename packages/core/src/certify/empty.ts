// The certificate of a model that was never held against rows: it says so, and nothing else.

import type { Certificate } from './facts.ts'

/** Does it speak of rows at all? */
export const isCertified = ({ rows }: Pick<Certificate, 'rows'>): boolean => rows.rowCount > 0

export function certifiesNothing(updateCount: number, caveats: readonly string[]): Certificate {
  const unknown = { error: 0, atMost: 1, worst: '' }
  const summary = {
    loss: 0,
    meanResidual: 0,
    calibration: 0,
    multiaccuracy: unknown,
    multicalibration: unknown,
  }
  return {
    claim: {
      guarantee: 'multicalibration',
      epsilon: 1,
      tolerance: 1,
      bins: 20,
      budget: 1,
      confidence: 0.95,
      candidates: 1,
    },
    holds: false,
    rows: { rowCount: 0, fitWeight: 0, fingerprint: '0000000000000000' },
    auditors: '',
    factors: 'table',
    oracle: 'exhaustive',
    rounds: updateCount,
    tolerances: [],
    rungs: [],
    before: summary,
    after: summary,
    proven: [],
    measured: [],
    caveats,
  }
}
