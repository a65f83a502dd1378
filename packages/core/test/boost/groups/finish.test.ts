// What comes after a forest: rows apart from the forests that saw them, groups after it, or groups instead of it.

import { describe, expect, it } from 'vitest'
import { growForest } from '../../../src/boost/forest/growForest.ts'
import type { ForestRows } from '../../../src/boost/forest/rows.ts'
import { finishForest } from '../../../src/boost/groups/finish.ts'
import { lossGain } from '../../../src/boost/groups/lossGain.ts'
import { apartUpdate, openSample, searchedSchemas } from '../../../src/boost/groups/sample.ts'
import { makeRandom } from '../../../src/common/random.ts'
import { ONE } from '../../../src/common/units.ts'
import { applyUpdates } from '../../../src/engine/move.ts'
import { binCount } from '../../../src/quantize/schema.ts'
import { drawGroupRows, FEATURES, type Person, PLANTED, SCHEMAS } from '../../support/groupRows.ts'

const PARTS = 6

function drawForestRows(rowCount: number, seed: number, truth?: (person: Person) => number): ForestRows {
  const { bins, label, start } = drawGroupRows(rowCount, seed, truth)
  const random = makeRandom(seed + 1)
  const features = SCHEMAS.map(schema => ({ bins: binCount(schema), ordered: schema.kind === 'numeric' }))
  const part = Uint8Array.from({ length: rowCount }, () => random.integer(PARTS))
  return { rowCount, bins, features, label, start, part }
}

const OPTIONS = { schemas: SCHEMAS, features: FEATURES, cellBudget: 2 ** 26, threads: 1 }

/** Wrong everywhere, a little: too many small errors to be mended one by one. */
const WAVY = ({ bins, score }: Person): number =>
  Math.max(
    0.02,
    Math.min(0.98, score + 0.12 * Math.sin(bins[0] * bins[3]) + 0.1 * Math.cos(bins[0] + 2 * bins[3])),
  )

describe('rows apart from their forests', () => {
  it('move by the forest of their own part, in one update', async () => {
    const rows = drawForestRows(3000, 1, WAVY)
    const { apart, clip, start } = await growForest(rows, { threads: 1, rules: { roundLimit: 6 } })
    expect(apart.size).toBe(PARTS)
    const engine = await openSample(rows, start, OPTIONS)
    await engine.apply(apartUpdate(apart, clip, SCHEMAS.length))
    const moved = await engine.snapshot()
    await engine.close()
    const binCounts = SCHEMAS.map(binCount)
    for (const [part, forest] of apart) {
      const own = applyUpdates([forest], { bins: rows.bins, binCounts }, start)
      const members = Array.from(rows.part.keys()).filter(row => rows.part[row] === part)
      expect(members.map(row => moved[row])).toEqual(members.map(row => own[row]))
    }
  })

  it('stay where forests of some parts have ended', () => {
    const tree = { tree: { leaf: 0 }, steps: [ONE] }
    const forest = (count: number) => ({
      kind: 'forest' as const,
      clip: 1,
      trees: new Array(count).fill(tree) as (typeof tree)[],
    })
    const apart = new Map([
      [0, forest(2)],
      [3, forest(1)],
    ])
    const update = apartUpdate(apart, 1, 0)
    expect(update.trees.map(({ steps }) => steps)).toEqual([
      [ONE, ONE],
      [ONE, 0],
    ])
  })
})

describe('after a forest', () => {
  it('groups are mended that it leaves half wrong; where they say all there is to say, it is left out', async () => {
    const rows = drawForestRows(12_000, 2, PLANTED)
    const grown = await growForest(rows, { threads: 1 })
    const { forest, groups, updates } = await finishForest(rows, grown, OPTIONS)
    expect(forest).toBe('outdone')
    expect(groups[0].path).toHaveLength(2)
    expect(updates).toEqual(groups.flatMap(group => group.updates))
  })

  it('it stays where errors are everywhere', async () => {
    const rows = drawForestRows(12_000, 3, WAVY)
    const grown = await growForest(rows, { threads: 1 })
    const { forest, updates } = await finishForest(rows, grown, OPTIONS)
    expect(forest).toBe('kept')
    expect(updates.slice(0, grown.updates.length)).toEqual(grown.updates)
  })

  it('nothing changes where the score is the truth', async () => {
    for (const seed of [4, 5, 6]) {
      const rows = drawForestRows(4000, seed)
      const finished = await finishForest(rows, await growForest(rows, { threads: 1 }), OPTIONS)
      expect(finished).toEqual({ updates: [], groups: [], forest: 'unsure' })
    }
  })

  it('scores of 0 and 1 are clipped first', async () => {
    const rows = drawForestRows(4000, 7)
    const hard = { ...rows, start: rows.start.map(units => (units > ONE / 2 ? ONE : 0)) }
    const { forest, updates } = await finishForest(hard, await growForest(hard, { threads: 1 }), OPTIONS)
    expect(forest === 'kept' || updates.length > 0).toBe(true)
    const binCounts = SCHEMAS.map(binCount)
    const moved = applyUpdates(updates, { bins: hard.bins, binCounts }, hard.start)
    expect(Math.min(...moved)).toBeGreaterThan(0.05 * ONE)
  })
})

describe('the gain of one prediction over another', () => {
  it('is the difference of log losses, with its standard error', () => {
    const rows = { ...drawForestRows(500, 8), rowWeight: 1 }
    const after = rows.start.map(units => Math.round(0.9 * units + 0.05 * ONE))
    const loss = (label: number, units: number) => -Math.log(label === ONE ? units / ONE : 1 - units / ONE)
    const each = Array.from(
      after,
      (units, row) => loss(rows.label[row], rows.start[row]) - loss(rows.label[row], units),
    )
    const { gain, spread } = lossGain(rows, rows.start, after)
    expect(gain).toBeCloseTo(
      each.reduce((sum, one) => sum + one, 0),
      3,
    )
    expect(spread).toBeCloseTo(Math.sqrt(each.reduce((sum, one) => sum + one * one, 0)), 2)
    const some = lossGain(rows, rows.start, after, [1, 4])
    const others = lossGain(rows, rows.start, after, [0, 2, 3, 5])
    expect(some.gain + others.gain).toBeCloseTo(gain, 9)
    const weight = new Int32Array(500).fill(3)
    expect(lossGain({ ...rows, weight, rowWeight: 3 }, rows.start, after)).toEqual({ gain, spread })
  })
})

describe('the columns of a search', () => {
  it('have no more than fifteen cuts of a number, all of them cuts of the column', () => {
    const cuts = Array.from({ length: 200 }, (_, index) => index)
    const coarse = Array.from({ length: 60 }, (_, index) => 3 * index)
    const [searched, same] = searchedSchemas([
      { name: 'x', kind: 'numeric', missing: false, cuts, coarse },
      SCHEMAS[0],
    ])
    expect(searched.kind === 'numeric' && searched.coarse).toHaveLength(15)
    expect(searched.kind === 'numeric' && searched.coarse.every(cut => coarse.includes(cut))).toBe(true)
    expect(same).toBe(SCHEMAS[0])
  })
})
