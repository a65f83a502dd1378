import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { type Claim, refuse } from '../../src/monitor/alarms.ts'
import { LOG_ONE } from '../../src/monitor/bets.ts'

/** Refused where every set that holds the claim is, one set after the other. */
function bySets(claims: readonly Claim[], delta: number): boolean[] {
  const values = claims.map(({ evidence }) => Math.exp(evidence / LOG_ONE))
  const sets = Array.from({ length: 2 ** claims.length - 1 }, (_, index) => index + 1)
  const isRefused = (set: number) => {
    const members = claims.map((_, at) => at).filter(at => ((set >> at) & 1) === 1)
    const weight = members.reduce((sum, at) => sum + claims[at].weight, 0)
    return members.reduce((sum, at) => sum + claims[at].weight * values[at], 0) / weight >= 1 / delta
  }
  return claims.map((_, at) => sets.filter(set => ((set >> at) & 1) === 1).every(isRefused))
}

describe('alarms', () => {
  it('are those of closed testing by weighted averages', () => {
    const random = makeRandom(8)
    let [refused, kept] = [0, 0]
    for (let trial = 0; trial < 300; trial++) {
      const weights = Array.from({ length: 5 }, () => 0.1 + random.next())
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      const claims = weights.map(weight => ({
        weight: weight / total,
        evidence: Math.floor((random.next() * 9 - 2) * LOG_ONE),
      }))
      const found = refuse(claims, 0.05)
      expect(found.each).toEqual(bySets(claims, 0.05))
      if (found.each.some(Boolean)) expect(found.any).toBe(true)
      refused += found.each.filter(Boolean).length
      kept += found.each.filter(each => !each).length
    }
    expect(Math.min(refused, kept)).toBeGreaterThan(200)
  })

  it('may be sure of some group and of none alone', () => {
    const claimAt = (value: number) => ({ weight: 1 / 3, evidence: Math.floor(Math.log(value) * LOG_ONE) })
    const found = refuse([0.05, 31, 31].map(claimAt), 0.05)
    expect(found).toEqual({ any: true, each: [false, false, false] })
    expect(refuse([0.05, 31, 61].map(claimAt), 0.05).each).toEqual([false, false, true])
  })
})
