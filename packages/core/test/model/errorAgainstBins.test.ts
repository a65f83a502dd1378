// Error against K: one fit, every rounding, intervals from rows that the fit did not see, and the K they support.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type ErrorAgainstBins,
  errorAgainstBins,
  fit,
  groups,
  linear,
  makeTable,
  readModel,
  type Table,
} from '../../src/index.ts'
import { type CurvePoint, makeRandom } from '../../src/internal.ts'

const random = makeRandom(4)
const score = Array.from({ length: 500 }, () => random.next())
const table = makeTable({
  age: score.map(() => random.integer(40)),
  group: score.map(() => 'abc'[random.integer(3)]),
  score,
  y: score.map(value => (random.next() < value ** 1.5 ? 1 : 0)),
})
const base = { label: 'y', prediction: 'score', epsilon: 0.2, method: 'rounds', stop: 'certificate' } as const
const at = ({ points }: ErrorAgainstBins, bins: number) => points.find(point => point.bins === bins)!

describe('the error against K', () => {
  it("comes from one fit, and is the certificate's where K is the planned one", async () => {
    const model = readModel((await fit(table, base)).toText())
    const curve = await errorAgainstBins(model, table)
    const { after, claim } = model.certificate
    expect(curve).toMatchObject({ rows: 'fitting', confidence: 0.95 })
    expect(curve.points.map(point => point.bins)).toEqual(model.data.roundings.map(({ bins }) => bins))
    expect(at(curve, claim.bins).error).toBe(after.multicalibration.error)
    const some = await errorAgainstBins(model, table, { bins: [5, 20] })
    expect(some.points).toEqual([at(curve, 5), at(curve, 20)])
  })

  it('is that of the held-out rows where there are any, and pays for every K that may be chosen', async () => {
    const model = await fit(table, { ...base, holdout: 0.4, method: 'rounds', auditors: groups(['group']) })
    const { claim, heldOut } = model.certificate
    const curve = await errorAgainstBins(model, table)
    expect(curve.rows).toBe('held-out')
    const point = at(curve, claim.bins)
    expect(point.slack).toBeGreaterThan(heldOut!.multicalibration.slack)
    expect(point.high!).toBeGreaterThan(heldOut!.multicalibration.bound)
    for (const { error, high, low } of curve.points) {
      expect(low).toBeGreaterThanOrEqual(0)
      expect(low).toBeLessThanOrEqual(error)
      expect(high).toBeGreaterThan(error)
    }
  })

  it('has no intervals for linear auditors, which no finite count covers', async () => {
    const curve = await errorAgainstBins(
      await fit(table, { ...base, method: 'rounds', auditors: linear() }),
      table,
    )
    expect(curve).not.toHaveProperty('supportedBins')
    for (const point of curve.points) expect(Object.keys(point)).toEqual(['bins', 'error'])
  })
})

describe('the K that the rows support', () => {
  /** The score is the truth and the group has nothing to say, so that no K is wrong and few bins tell little. */
  function truthful(rows: number): Table {
    const draw = makeRandom(rows)
    const scores = Array.from({ length: rows }, () => draw.next())
    return makeTable({
      group: scores.map(() => 'ab'[draw.integer(2)]),
      score: scores,
      y: scores.map(value => (draw.next() < value ? 1 : 0)),
      part: scores.map((_, row) => (row % 2 === 0 ? 'fit' : 'holdout')),
    })
  }

  async function measure(rows: number) {
    const population = truthful(rows)
    const options = { ...base, fold: 'part', auditors: groups(['group']), roundLimit: 0 } as const
    const model = await fit(population, options)
    return { model, curve: await errorAgainstBins(model, population) }
  }

  it('grows with the rows, while the K of the smallest bound stays small', async () => {
    const page = readFileSync(new URL('../../../../docs/sample-size.md', import.meta.url), 'utf8')
    const chosen: number[] = []
    for (const rows of [2_000, 16_000, 128_000]) {
      const { curve } = await measure(rows)
      const safest = curve.points.reduce((a, b) => (b.high! < a.high! ? b : a))
      expect(safest.bins).toBeLessThanOrEqual(6)
      chosen.push(curve.supportedBins!)
      const line = [(rows / 2).toLocaleString('en-US'), curve.supportedBins, safest.bins].join(' | ')
      expect(page).toContain(`| ${line} |`)
    }
    // Eight times the rows: twice the bins in the end, more while the logarithms of the class still matter.
    for (const [index, bins] of chosen.slice(1).entries()) {
      expect(bins / chosen[index]).toBeGreaterThan(1.6)
      expect(bins / chosen[index]).toBeLessThan(5)
    }
  })

  it('nearly minimises width and slack together', async () => {
    const { curve } = await measure(16_000)
    const cost = ({ bins, slack }: CurvePoint) => 1 / bins + slack!
    const least = Math.min(...curve.points.map(cost))
    expect(cost(at(curve, curve.supportedBins!))).toBeLessThan(1.5 * least)
    expect(cost(at(curve, 1))).toBeGreaterThan(3 * least)
    expect(cost(at(curve, 5))).toBeGreaterThan(1.5 * least)
  })

  it('comes with intervals that hold the true error, for every K at once', async () => {
    for (const rows of [500, 2_000, 16_000]) {
      const { curve, model } = await measure(rows)
      for (const { bins, values } of model.data.roundings) {
        // Uniform scores: a bin's mean label is its middle. A group has half of everyone's error.
        const middle = (bin: number) => (bin + 0.5) / bins
        const truth = values.reduce((sum, v, bin) => sum + Math.abs(middle(bin) - v / 2 ** 24) / bins, 0)
        expect(at(curve, bins).low, `${bins} bins`).toBeLessThanOrEqual(truth)
        expect(at(curve, bins).high, `${bins} bins`).toBeGreaterThanOrEqual(truth)
      }
    }
  })
})
