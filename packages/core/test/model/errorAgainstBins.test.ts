// Error against K: one fit, every rounding, intervals from rows that the fit did not see, and the K they support.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evidenceOf, limitAbove, limitBelow } from '../../src/certify/rowEvidence.ts'
import {
  type ErrorAgainstBins,
  errorAgainstBins,
  type FitOptions,
  fit,
  groups,
  linear,
  makeTable,
  readModel,
  type Table,
} from '../../src/index.ts'
import { type CurvePoint, isFittedTo, makeRandom, modelRowRoles } from '../../src/internal.ts'
import { openingOf, openModelRows, wordingOf } from '../../src/model/modelRows.ts'

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

  it('has the intervals of the evidence at every K, paid for every rounding and every candidate', async () => {
    const model = await fit(table, { ...base, holdout: 0.4, auditors: groups(['group']), chosenFrom: 3 })
    const { certificate, roundings, updates } = model.data
    expect(certificate.claim.candidates).toBe(3)
    const wanted = [2, 10]
    const curve = await errorAgainstBins(model, table, { bins: wanted })
    expect(curve.points.map(({ bins }) => bins)).toEqual(wanted)
    const engine = await openModelRows(model, table)
    for (const update of updates) await engine.apply(update)
    // Everyone and three groups.
    const failure = 0.05 / 3 / roundings.length
    for (const { bins, error, high, low, slack } of curve.points) {
      const evidence = await evidenceOf(engine, 1, roundings.find(each => each.bins === bins)!)
      const logMeans = Math.log(4) + bins * Math.log(2)
      const below = limitBelow(evidence, error, failure / 2, logMeans)
      expect(low).toBeCloseTo(Math.max(0, below), 12)
      expect(slack).toBeCloseTo(error - below, 12)
      expect(high).toBeCloseTo(limitAbove(evidence, error, failure / 2), 12)
    }
    const supported = curve.points.filter(({ bins, slack }) => slack! <= 1 / bins).map(({ bins }) => bins)
    expect(supported.length).toBeGreaterThan(0)
    expect(curve.supportedBins).toBe(Math.max(...supported))
    await engine.close()
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

describe('the rows of a model', () => {
  it('are those that it was fitted to, and no others', async () => {
    const model = await fit(table, { ...base, holdout: 0.3, auditors: groups(['group']), roundLimit: 1 })
    expect(await isFittedTo(model, table)).toBe(true)
    const others = makeTable({ age: [1, 2], group: ['a', 'b'], score: [0.5, 0.5], y: [0, 1] })
    expect(await isFittedTo(model, others)).toBe(false)
    // Rows of other columns are others.
    expect(await isFittedTo(model, makeTable({ score: [0.5], y: [1] }))).toBe(false)
  })

  it('are read as the model read its own', async () => {
    const numbers = makeTable({
      code: score.map((_, row) => row % 3),
      word: score.map((_, row) => 'ab'[row % 2]),
      percent: score.map(value => 100 * value),
      w: score.map((_, row) => 1 + (row % 2)),
      y: score.map((_, row) => (row % 3 === 0 ? 'yes' : 'no')),
    })
    const options: FitOptions = {
      ...{ label: 'y', positive: 'yes', weight: 'w', categorical: ['code'], holdout: 0.3, seed: 5 },
      ...{ method: 'rounds', stop: 'certificate', epsilon: 0.4, roundLimit: 1 },
    }
    const scored = await fit(numbers, { ...options, prediction: 'percent', scoreScale: 'percent' })
    expect(wordingOf(scored)).toEqual({
      ...{ label: 'y', positive: 'yes', dropMissingLabels: undefined },
      ...{ scores: ['percent'], scoreScale: 'percent', categorical: ['code'] },
    })
    expect(modelRowRoles(scored)).toMatchObject({
      ...{ label: 'y', weight: 'w', prediction: 'percent', features: ['code', 'word'], copies: 'one' },
      holdout: { fraction: 0.3, seed: 5 },
    })
    expect(openingOf(scored)).toEqual({ functions: {} })
    const plain = await fit(numbers, { ...options, except: ['percent'] })
    expect(wordingOf(plain)).not.toHaveProperty('scores')
    expect(modelRowRoles(plain)).not.toHaveProperty('prediction')
    const { start } = plain.data
    expect(openingOf(plain)).toEqual({ functions: {}, start: start.kind === 'constant' && start.units })
  })
})
