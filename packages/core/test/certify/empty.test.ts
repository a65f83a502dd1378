// The certificate of a model that was held against no rows.

import { expect, it } from 'vitest'
import { certifiesNothing, isCertified } from '../../src/certify/empty.ts'

it('claims nothing, holds of nothing and speaks of no rows', () => {
  const certificate = certifiesNothing(3, ['imported'])
  const { after, before, claim, rows } = certificate
  expect(isCertified(certificate)).toBe(false)
  expect(certificate).toMatchObject({
    holds: false,
    rounds: 3,
    caveats: ['imported'],
    tolerances: [],
    rungs: [],
  })
  expect([certificate.proven, certificate.measured]).toEqual([[], []])
  expect(rows).toEqual({ rowCount: 0, fitWeight: 0, fingerprint: '0'.repeat(16) })
  // What any predictor keeps to.
  expect(claim).toMatchObject({ epsilon: 1, tolerance: 1, budget: 1, candidates: 1 })
  const unknown = { error: 0, atMost: 1, worst: '' }
  expect(after).toEqual({
    ...{ loss: 0, meanResidual: 0, calibration: 0 },
    ...{ multiaccuracy: unknown, multicalibration: unknown },
  })
  expect(before).toEqual(after)
})

it('is told apart from one of a single row', () => {
  const rows = { rowCount: 1, fitWeight: 1, fingerprint: '' }
  expect(isCertified({ rows })).toBe(true)
})
