// Where forests start from: the clip against brute force, and slope and intercept where a score is off as a whole.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logLossUnits } from '../../src/common/logistic.ts'
import { makeRandom } from '../../src/common/random.ts'
import { ONE } from '../../src/common/units.ts'
import { type ForestRows, weighParts } from '../../src/forest/forestRows.ts'
import { countInformativeRows, growForest, rulesFor } from '../../src/forest/growForest.ts'
import { chooseClip, chooseStart, judgeLine } from '../../src/forest/start.ts'
import { applyUpdates } from '../../src/update/move.ts'

const PARTS = 6

/** Labels drawn with the chance whose logit is slope * logit + intercept; one feature that says nothing. */
function drawRows(rowCount: number, seed: number, slope = 1, intercept = 0): ForestRows {
  const random = makeRandom(seed)
  const [label, start] = [new Int32Array(rowCount), new Int32Array(rowCount)]
  const [bins, part] = [new Uint8Array(rowCount), new Uint8Array(rowCount)]
  for (let row = 0; row < rowCount; row++) {
    const score = 0.02 + 0.96 * random.next()
    const logit = slope * Math.log(score / (1 - score)) + intercept
    start[row] = Math.round(score * ONE)
    label[row] = random.next() < 1 / (1 + Math.exp(-logit)) ? ONE : 0
    bins[row] = random.integer(4)
    part[row] = random.integer(PARTS)
  }
  return { rowCount, bins: [bins], features: [{ bins: 5, ordered: true }], label, start, part }
}

const judge = (rows: ForestRows) => judgeLine(rows, weighParts(rows), 1.5)
const startOf = (rows: ForestRows) => chooseStart(rows, weighParts(rows), 1.5)

describe('the clip of a score', () => {
  it('is the power of two with the least log loss, or one unit where the best is no better than luck', () => {
    const units = fc.oneof(
      fc.constantFrom(0, 1, ONE - 1, ONE),
      fc.integer({ min: 0, max: 2000 }),
      fc.nat(ONE),
    )
    const row = fc.record({
      start: units,
      label: fc.constantFrom(0, ONE, ONE / 4),
      weight: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), rows => {
        const column = (of: (one: (typeof rows)[number]) => number) => Int32Array.from(rows, of)
        const [start, label, weight] = [column(r => r.start), column(r => r.label), column(r => r.weight)]
        const lossAt = (clip: number) =>
          rows.reduce((sum, one) => {
            const inside = Math.max(clip, Math.min(ONE - clip, one.start))
            return sum + one.weight * logLossUnits(one.label, inside)
          }, 0)
        const clips = Array.from({ length: 23 }, (_, power) => 2 ** power)
        const best = Math.min(...clips.map(lossAt))
        const clip = chooseClip({ rowCount: rows.length, start, label, weight })
        // Losses are rounded to 2^-20 in every row.
        const rounding = 32 * weight.reduce((sum, one) => sum + one, 0)
        const luck = Math.log(23) * ONE
        if (clip === 1) expect(best).toBeGreaterThan(lossAt(1) - luck - rounding)
        else {
          expect(lossAt(clip)).toBeLessThanOrEqual(best + rounding)
          expect(lossAt(clip)).toBeLessThan(lossAt(1) - luck + rounding)
        }
      }),
    )
  })

  it('is one unit where scores are right, and the error rate where they are hard', () => {
    const label = Int32Array.from({ length: 800 }, (_, row) => (row % 8 === 0 ? 0 : ONE))
    const [hard, soft] = [ONE, Math.round(0.875 * ONE)].map(score => new Int32Array(800).fill(score))
    expect(chooseClip({ rowCount: 800, label, start: hard }) / ONE).toBeCloseTo(1 / 8, 6)
    expect(chooseClip({ rowCount: 800, label, start: soft })).toBe(1)
  })
})

describe('a score that is off as a whole', () => {
  it.each([
    [0.5, 0],
    [0.6, -0.8],
    [1.7, 0.4],
    [-0.7, 0],
  ])('gets slope %s and intercept %s', (slope, intercept) => {
    const found = judge(drawRows(8000, 4, slope, intercept))
    // The standard errors of 8,000 rows are below 0.05.
    expect(Math.abs(found.slope - slope)).toBeLessThan(0.125)
    expect(Math.abs(found.intercept - intercept)).toBeLessThan(0.125)
    expect(found.after).toBeLessThan(found.before)
    expect(found.helps).toBe(true)
  })

  it('starts where slope and intercept lead, which the updates do to any score', () => {
    const rows = drawRows(3000, 5, 0.5, 0.3)
    const { clip, recalibration, start, updates } = startOf(rows)
    expect([clip, updates.length]).toEqual([1, 1])
    expect(start).toEqual(applyUpdates(updates, { bins: [], binCounts: [] }, rows.start))
    const { intercept, slope } = recalibration!
    for (const row of [0, 17, 400]) {
      const score = rows.start[row] / ONE
      const chance = 1 / (1 + Math.exp(-slope * Math.log(score / (1 - score)) - intercept))
      expect(start[row] / ONE).toBeCloseTo(chance, 5)
    }
  })

  it('is put right by few rows, better than by trees alone', async () => {
    const [few, many] = [drawRows(1500, 6, 0.4), drawRows(20_000, 7, 0.4)]
    const meanLoss = (updates: Parameters<typeof applyUpdates>[0]) => {
      const moved = applyUpdates(updates, { bins: many.bins, binCounts: [5] }, many.start)
      return moved.reduce((sum, units, row) => sum + logLossUnits(many.label[row], units), 0) / 20_000 / ONE
    }
    const { recalibration, updates } = await growForest(few)
    expect(recalibration?.slope).toBeCloseTo(0.4, 1)
    // Of the mean log loss, what the true chances have.
    const truth = drawRows(20_000, 7, 0.4).start.map(score =>
      Math.round(ONE / (1 + ((ONE - score) / score) ** 0.4)),
    )
    const least =
      truth.reduce((sum, units, row) => sum + logLossUnits(many.label[row], units), 0) / 20_000 / ONE
    expect(meanLoss([])).toBeGreaterThan(least + 0.05)
    expect(meanLoss(updates)).toBeLessThan(least + 0.005)
  })

  it('is moved to the mean of the labels where it is the same for all rows', () => {
    const rows = drawRows(600, 3)
    const flat = { ...rows, start: rows.start.map(() => Math.round(0.3 * ONE)) }
    const mean = flat.label.reduce((sum, units) => sum + units / ONE, 0) / 600
    expect(mean).toBeGreaterThan(0.4)
    for (const units of startOf(flat).start) expect(units / ONE).toBeCloseTo(mean, 4)
    const right = { ...rows, start: rows.start.map(() => Math.round(mean * ONE)) }
    expect(startOf(right)).toMatchObject({ updates: [], clip: 1 })
  })

  it('is the same in any order of rows, and a weight of two is the row twice', () => {
    const rows = drawRows(500, 8, 0.5)
    const order = Array.from({ length: 500 }, (_, row) => (row * 7 + 3) % 500)
    const taken = (of: readonly number[]): ForestRows => ({
      ...rows,
      rowCount: of.length,
      label: Int32Array.from(of, row => rows.label[row]),
      start: Int32Array.from(of, row => rows.start[row]),
      part: Uint8Array.from(of, row => rows.part[row]),
    })
    expect(judge(taken(order))).toEqual(judge(rows))
    const weight = Int32Array.from({ length: 500 }, (_, row) => 1 + (row % 2))
    const repeated = taken(order.flatMap(row => (row % 2 === 1 ? [row, row] : [row])))
    expect(judge({ ...rows, weight })).toEqual(judge(repeated))
  })
})

describe('a score that is right', () => {
  it('is left alone in nearly all worlds, however many rows there are', () => {
    let changed = 0
    for (let world = 0; world < 40; world++) {
      const rows = drawRows(world % 2 === 0 ? 300 : 3000, 50 + world)
      const { start, updates } = startOf(rows)
      if (updates.length > 0) changed++
      else expect(start).toEqual(rows.start)
    }
    expect(changed).toBeLessThanOrEqual(3)
  })
})

describe('labels that are all alike', () => {
  it.each([0, ONE])('get no line: the best would be infinite (%s units)', units => {
    const rows = drawRows(60, 9)
    expect(startOf({ ...rows, label: rows.label.map(() => units) }).updates).toEqual([])
  })
})

describe('leaves', () => {
  it('are fewer where outcomes are rare: rows tell less', () => {
    const rows = drawRows(1000, 1)
    const rare = { ...rows, label: rows.label.map((_, row) => (row % 100 === 0 ? ONE : 0)) }
    const even = { ...rows, label: rows.label.map((_, row) => (row % 2 === 0 ? ONE : 0)) }
    expect(countInformativeRows(rare)).toBeCloseTo(1000 * 4 * 0.01 * 0.99, 9)
    expect(countInformativeRows(even)).toBe(1000)
    expect([60_000, 2400].map(informativeRows => rulesFor(60_000, informativeRows).leaves)).toEqual([35, 8])
  })
})
