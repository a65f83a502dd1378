import { describe, expect, it } from 'vitest'
import { audit, compareScores, makeTable } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'

function drawPair(count: number, seed: number) {
  const random = makeRandom(seed)
  const truth = Float64Array.from({ length: count }, () => 0.2 + 0.6 * random.next())
  const group = Array.from({ length: count }, () => 'abcd'[random.integer(4)])
  return makeTable({
    group,
    before: truth.map((p, row) => (group[row] === 'a' ? p - 0.15 : p)),
    after: truth,
    y: truth.map(p => Number(random.next() < p)),
  })
}

describe('two scores on the same rows', () => {
  it('are compared in every measure, with intervals that show which is better', async () => {
    const table = drawPair(6000, 1)
    const options = { label: 'y', bins: 5, coarseBins: 8, draws: 19 }
    const compared = await compareScores(table, { ...options, prediction: 'before', other: 'after' })
    for (const name of ['brier', 'logLoss', 'eceWidth', 'ecce'] as const) {
      const { a, b, difference } = compared.measures[name]!
      expect(difference.value).toBeCloseTo(a.value - b.value, 12)
      expect(difference.value).toBeGreaterThan(0)
      expect(difference.low).toBeLessThan(difference.value)
    }
    expect(compared.measures.brier!.difference.low).toBeGreaterThan(0)
    for (const { a, b, difference } of Object.values(compared.worst)) {
      expect(difference).toEqual({ value: a.value - b.value, low: a.low - b.high, high: a.high - b.low })
    }
    expect(compared.worst.multicalibration.difference.value).toBeGreaterThan(0.02)
    expect(compared.a.worst[0].group).toContain('group = a')
    expect(compared.b.significance.beyondNoise).toBe(false)
    // Neither score is a feature of the other's audit.
    expect(JSON.stringify(compared.a.worst)).not.toContain('"column":"after"')
    const alone = await audit(table, {
      ...options,
      prediction: 'after',
      except: ['before'],
      confidence: 0.975,
    })
    expect(JSON.stringify(compared.b)).toBe(JSON.stringify(alone))
    expect(compared.mce).toBeUndefined()
  })

  it('that are one score do not differ, in any measure, nor do their intervals', async () => {
    const table = drawPair(800, 2)
    const [group, before, , y] = table.columns
    const twice = { ...table, columns: [group, before, { ...before, name: 'after' }, y] }
    const roles = { label: 'y', prediction: 'before', other: 'after' }
    const { mce, measures, worst } = await compareScores(twice, {
      ...roles,
      ...{ bins: 5, draws: 0, segmentDepth: 1 },
    })
    const compared = [...Object.values(measures), ...Object.values(worst), ...Object.values(mce!)]
    for (const each of compared) expect(each!.difference).toEqual({ value: 0, low: 0, high: 0 })
  })

  it('are compared in MCE and its sigma where segments are asked for', async () => {
    const options = { label: 'y', bins: 5, coarseBins: 8, draws: 0, segmentDepth: 1 }
    const { a, b, mce } = await compareScores(drawPair(6000, 2), {
      ...options,
      prediction: 'before',
      other: 'after',
    })
    for (const name of ['value', 'sigma'] as const) {
      const [before, after] = [a.mce![name], b.mce![name]]
      const difference = { low: before.low - after.high, high: before.high - after.low }
      expect(mce![name]).toMatchObject({ a: before, b: after, difference })
      expect(mce![name].difference.low).toBeGreaterThan(0)
    }
  })
})
