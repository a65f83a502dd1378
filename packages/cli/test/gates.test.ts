import type { Audit } from '@featureboost/core'
import { describe, expect, it } from 'vitest'
import { boundWords } from '../src/commands/auditReport.ts'
import { gatesOf } from '../src/commands/gates.ts'

/** What gates look at. */
function auditWith(value: number, atMost: number): Audit {
  const multicalibration = { value, low: 0, high: 1, atMost, worst: '+ everyone' }
  const significance = { beyondNoise: false }
  return { multicalibration, significance, worst: [], tooLow: [], tooHigh: [] } as unknown as Audit
}

describe('--fail-over', () => {
  it('lets an exact error pass that is within the limit', () => {
    expect(gatesOf(auditWith(0.0391, 0.0391), { failOver: 0.042 })).toEqual([
      {
        measure: 'multicalibration',
        limit: 0.042,
        value: 0.0391,
        passed: true,
        sentence: 'The multicalibration error 0.0391, exact on these rows, is within 0.042.',
      },
    ])
    expect(boundWords(auditWith(0.0391, 0.0391))).toEqual([])
  })

  it('fails where the worst error that was found is within the limit, but a worse one is not excluded', () => {
    const found = auditWith(0.0391, 0.04421)
    expect(gatesOf(found, { failOver: 0.042 })).toEqual([
      {
        measure: 'multicalibration',
        limit: 0.042,
        value: 0.04421,
        passed: false,
        sentence:
          'The multicalibration error is at least 0.0391 and at most 0.04421 on these rows; what it can be at most is over 0.042.',
      },
    ])
    expect(boundWords(found)).toEqual([
      'Not every tree was measured: the worst multicalibration error on these rows is at least 0.0391 and at most 0.04421.',
    ])
  })
})
