// Evidence of a model: before and after on the same rows, equal to what the library says of them elsewhere.

import { beforeAll, describe, expect, it } from 'vitest'
import {
  collectEvidence,
  compareBeforeAfter,
  type Evidence,
  errorAgainstBins,
  fit,
  type Model,
  trees,
} from '../../src/index.ts'
import { changesOf } from '../../src/internal.ts'
import { inChunks, makePopulation, reordered } from './population.ts'

const FIT = {
  label: 'y',
  prediction: 'score',
  fold: 'fold',
  epsilon: 0.2,
  auditors: trees({ depth: 2 }),
} as const
const AUDIT = { bins: 5, coarseBins: 8, draws: 0 } as const

describe('evidence of a model', () => {
  const table = makePopulation({ rows: 1800 })
  let model: Model
  let evidence: Evidence
  beforeAll(async () => {
    model = await fit(table, { ...FIT, method: 'rounds', roundLimit: 4 })
    evidence = await collectEvidence(table, { ...AUDIT, model })
  })

  it('has the changes of before and after on the held-out rows', async () => {
    const { compared, groups, rowCount } = await compareBeforeAfter(model, table, AUDIT)
    expect(evidence.about).toMatchObject({ rows: 'held-out', rowCount: 1800, auditedCount: rowCount })
    expect(evidence.changes!.map(({ change, judged, key }) => [key, change, judged])).toEqual(
      changesOf(compared).map(({ change, judged, key }) => [key, change, judged]),
    )
    expect(evidence.after!.name).toBe('corrected')
    groups.forEach(({ after, before }, index) => {
      expect(evidence.worst[index].words).toBe(before.group)
      expect(evidence.worst[index].after!.gap).toBeCloseTo(after.gap, 5)
    })
    expect(evidence.worstAfter!.map(({ words }) => words)).toContain(compared.b.worst[0].group)
  })

  it('has every protected group, as before and after have it; of small ones only how many rows', async () => {
    const protect = ['region']
    const { protected: groups } = await compareBeforeAfter(model, table, { ...AUDIT, protect })
    const found = (await collectEvidence(table, { ...AUDIT, model, protect })).protected!
    expect(found.map(({ words }) => words)).toEqual(groups!.map(({ group }) => group))
    found.forEach(({ after, before, meanLabel, weight }, index) => {
      const group = groups![index]
      expect(weight).toBe(group.weight)
      expect(before?.gap).toEqual(group.before.interval && expect.closeTo(group.before.gap, 5))
      expect(after?.high).toEqual(group.after!.interval && expect.closeTo(group.after!.interval.high, 5))
      expect(meanLabel === undefined).toBe(group.before.interval === undefined)
    })
    expect(evidence).not.toHaveProperty('protected')
  })

  it('has the error against K that errorAgainstBins has', async () => {
    const { curve } = evidence.after!
    const bins = curve.points.map(point => point.bins)
    const { points, supportedBins } = await errorAgainstBins(model, table, { bins })
    expect(bins).toContain(model.certificate.claim.bins)
    expect(curve.points.map(({ levels: _, ...point }) => point)).toEqual(points)
    expect(curve.supportedBins).toBe(supportedBins)
    expect(curve.points.map(({ bins }) => bins)).toEqual(evidence.before.curve.points.map(({ bins }) => bins))
  })

  it('follows every segment: same rows, other scores', () => {
    const east = evidence.segments.segments.find(
      ({ parts }) => parts.length === 1 && evidence.segments.parts[parts[0]].words === 'region = east',
    )!
    expect(east.before.gap).toBeGreaterThan(0.1)
    expect(Math.abs(east.after!.gap)).toBeLessThan(east.before.gap / 2)
    for (const { after, before, meanLabel } of evidence.segments.segments) {
      expect(before.meanScore + before.gap).toBeCloseTo(meanLabel, 4)
      expect(after!.meanScore + after!.gap).toBeCloseTo(meanLabel, 4)
    }
  })

  it('counts every audited row in the density, and holds no row', () => {
    const { moved } = evidence
    expect(moved!.density.reduce((sum, [, , count]) => sum + count, 0)).toBe(evidence.about.auditedCount)
    expect(moved!.meanMove).toBeGreaterThan(0)
    expect(moved!.meanAbsoluteMove).toBeGreaterThanOrEqual(moved!.meanMove)
    expect(moved).not.toHaveProperty('rows')
  })

  it('has the rows that moved most where they are asked for', async () => {
    const { moved } = await collectEvidence(inChunks(table), { ...AUDIT, model, includeRows: true })
    const sizes = moved!.rows!.map(({ after, before }) => Math.abs(after - before))
    expect(sizes).toHaveLength(20)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(sizes[0]).toBeCloseTo(Math.abs(moved!.largestMove), 5)
    expect(moved!.rows![0].values.map(([name]) => name)).toEqual(['region', 'age', 'member'])
  })

  it('has updates in words and the certificate', () => {
    expect(evidence.updates!.total).toBe(model.data.updates.length)
    expect(evidence.updates!.words[0]).toMatch(/region|age|member|everyone/)
    expect(evidence.certificate).toMatchObject({
      holds: model.certificate.holds,
      modelHash: model.hash,
      proven: model.certificate.proven,
    })
  })

  it('speaks of all rows where they are not those of the fit', async () => {
    const others = makePopulation({ seed: 12, rows: 500 })
    const found = await collectEvidence(others, { ...AUDIT, model })
    expect(found.about).toMatchObject({ rows: 'all', rowCount: 500, auditedCount: 500 })
    const without = { ...others, columns: others.columns.filter(({ name }) => name !== 'fold') }
    expect(await collectEvidence(without, { ...AUDIT, model })).toEqual(found)
  })

  it('is the same in another order of rows', async () => {
    expect(await collectEvidence(reordered(table), { ...AUDIT, model })).toEqual(evidence)
  })

  it('speaks of the fitting rows where none were held out, and of the base rate where there was no score', async () => {
    const { columns, rowCount } = makePopulation({ rows: 600, weighted: true })
    const small = { rowCount, columns: columns.filter(({ name }) => name !== 'score' && name !== 'fold') }
    const own = await fit(small, {
      label: 'y',
      weight: 'w',
      epsilon: 0.3,
      method: 'rounds',
      auditors: trees({ depth: 1 }),
      stop: 'certificate',
    })
    const found = await collectEvidence(small, { ...AUDIT, model: own })
    expect(found.about).toMatchObject({ rows: 'fitting', score: 'base rate', weightColumn: 'w' })
    expect(found.verdict.sentence).toContain('none were held out')
  })

  it('can be cancelled', async () => {
    await expect(collectEvidence(table, { ...AUDIT, model, signal: { aborted: true } })).rejects.toThrow(
      'FB_ABORTED',
    )
  })
})
