// What comes after a forest: rows apart from the forests that saw them, groups after it, or groups instead of it.

import { describe, expect, it } from 'vitest'
import { finishForest, mayStillGain } from '../../../src/boost/groups/finish.ts'
import { apartUpdate, openSample, searchedSchemas } from '../../../src/boost/groups/sampleEngine.ts'
import { ONE } from '../../../src/common/units.ts'
import type { ForestRows } from '../../../src/forest/forestRows.ts'
import { type Grown, growForest } from '../../../src/forest/growForest.ts'
import { chooseClip } from '../../../src/forest/start.ts'
import { binCount } from '../../../src/quantize/schema.ts'
import { applyUpdates } from '../../../src/update/move.ts'
import { drawForestRows, FEATURES, PARTS, type Person, PLANTED, SCHEMAS } from '../../support/groupRows.ts'

const OPTIONS = { schemas: SCHEMAS, features: FEATURES, cellBudget: 2 ** 26, threads: 1 }

/** Wrong everywhere, a little: too many small errors to be mended one by one. */
const WAVY = ({ bins, score }: Person): number =>
  Math.max(
    0.02,
    Math.min(0.98, score + 0.12 * Math.sin(bins[0] * bins[3]) + 0.1 * Math.cos(bins[0] + 2 * bins[3])),
  )

describe('rows apart from their forests', () => {
  it('move by the forest of their own part, in one update', async () => {
    const rows = drawForestRows(5000, 1, WAVY)
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

  it('weigh what they weigh, on either side', async () => {
    const rows = drawForestRows(300, 4)
    const weight = Int32Array.from({ length: rows.rowCount }, (_, row) => 1 + (row % 3))
    const start = new Int32Array(rows.rowCount)
    const engine = await openSample({ ...rows, weight }, start, OPTIONS, [0])
    const sums = [0, 1].map(side =>
      weight.reduce((sum, each, row) => sum + (Number(rows.part[row] === 0) === side ? each : 0), 0),
    )
    expect(engine.shape.units.map(units => units.weight)).toEqual(sums)
    expect(engine.shape.observationWeight).toBeUndefined()
    await engine.close()
    const counted = await openSample({ ...rows, weight, observationWeight: 3 }, start, OPTIONS)
    expect(counted.shape.observationWeight).toBe(3)
    await counted.close()
  })

  it('move by the forest of their own part, in whatever order the parts come', () => {
    const forest = (step: number) => ({
      kind: 'forest' as const,
      clip: 1,
      trees: [{ tree: { leaf: 0 }, steps: [step] }],
    })
    const apart = [0, 2, 3, 5].map(part => [part, forest((part * ONE) / 16)] as const)
    const update = apartUpdate(new Map(apart), 1, 0)
    expect(apartUpdate(new Map([...apart.slice(2), ...apart.slice(0, 2)]), 1, 0)).toEqual(update)
    const partBins = { bins: [[0, 2, 3, 5]], binCounts: [7] }
    const moved = applyUpdates([update], partBins, new Int32Array(4).fill(ONE / 2))
    expect(moved).toEqual(moved.toSorted())
    expect(new Set(moved).size).toBe(4)
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

describe('forests that have no trees', () => {
  it('make an update that has none', () => {
    const empty = { kind: 'forest' as const, clip: 1, trees: [] }
    expect(apartUpdate(new Map([[0, empty]]), 3, 0)).toEqual({ kind: 'forest', clip: 3, trees: [] })
    expect(apartUpdate(new Map(), 3, 0)).toEqual({ kind: 'forest', clip: 3, trees: [] })
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
      expect(finished).toEqual({ updates: [], groups: [], forest: 'unsure', rounds: 0, share: 0 })
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

describe('groups that overlap', () => {
  const isLow = ({ bins }: Person) => bins[0] <= 8 && bins[1] === 1
  const isRight = ({ bins }: Person) => bins[3] >= 14 && bins[2] === 0
  /** Too low by 0.15 in either group, and no more than that in both. */
  const once = (person: Person) => person.score + (isLow(person) || isRight(person) ? 0.15 : 0)

  it('do not move twice what is to move once', async () => {
    const rows = drawForestRows(30_000, 8, once)
    const { groups, updates } = await finishForest(rows, await growForest(rows, { threads: 1 }), OPTIONS)
    expect(groups.some(({ path }) => path.length === 4)).toBe(true)
    const moved = applyUpdates(updates, { bins: rows.bins, binCounts: SCHEMAS.map(binCount) }, rows.start)
    const shared = Array.from(moved.keys()).filter(row => {
      const person = { bins: rows.bins.map(column => column[row]), score: rows.start[row] / ONE }
      return isLow(person) && isRight(person)
    })
    const step = shared.reduce((sum, row) => sum + (moved[row] - rows.start[row]) / ONE, 0) / shared.length
    expect(step).toBeGreaterThan(0.13)
    expect(step).toBeLessThan(0.18)
  })
})

describe('scores that groups start from', () => {
  const none: Omit<Grown, 'start'> = {
    ...{ updates: [], clip: 1, apart: new Map(), proven: false, rounds: 0, losses: [] as never },
  }
  const clipsOf = async (rows: ForestRows) => {
    const { updates } = await finishForest(rows, { ...none, start: rows.start }, OPTIONS)
    return [...new Set(updates.map(({ clip }) => clip))]
  }
  const planted = drawForestRows(6000, 12, PLANTED)

  it('are as they were given, but for scores of 0 and 1', async () => {
    const withScores = (...scores: number[]) => ({
      ...planted,
      start: planted.start.map((units, row) => scores[row] ?? units),
    })
    expect(await clipsOf(planted)).toEqual([1])
    expect(await clipsOf(withScores(1, ONE - 1))).toEqual([1])
    for (const end of [0, ONE]) {
      const hard = withScores(...new Array<number>(300).fill(end))
      expect(chooseClip(hard)).toBeGreaterThan(1)
      expect(await clipsOf(hard)).toEqual([chooseClip(hard)])
    }
  })
})

describe('more groups of a score', () => {
  const gains = (...each: number[]) => each.map(gain => ({ gain }))

  it('are looked for until there are a few', () => {
    expect(mayStillGain(gains(), 1e9)).toBe(true)
    expect(mayStillGain(gains(9, 9, 9, 9, 9), 1e9)).toBe(true)
    expect(mayStillGain(gains(9, 9, 9, 9, 9, 9), 1e9)).toBe(false)
  })

  it('are looked for while they and eight more like the last one may gain more than the forest', () => {
    // Less 8 each: 42 + 30 + 22 + 12 + 8 + 5, and eight times 5.
    const six = gains(50, 38, 30, 20, 16, 13)
    expect(mayStillGain(six, 158)).toBe(true)
    expect(mayStillGain(six, 159)).toBe(false)
    expect(mayStillGain(six, 159.5)).toBe(false)
  })
})

describe('the columns of a search', () => {
  it('are left alone where they have fifteen cuts, and else have every so-manyth from the middle of the first', () => {
    const numeric = (count: number) => ({
      ...{ name: 'x', kind: 'numeric' as const, missing: false },
      cuts: Array.from({ length: count }, (_, index) => index),
      coarse: Array.from({ length: count }, (_, index) => index),
    })
    const [fifteen, sixteen, thirty] = [15, 16, 30].map(numeric)
    const searched = searchedSchemas([fifteen, sixteen, thirty])
    expect(searched[0]).toBe(fifteen)
    expect(searched[1]).toMatchObject({ coarse: [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15] })
    expect(searched[2]).toMatchObject({ coarse: Array.from({ length: 15 }, (_, index) => 2 * index + 1) })
  })

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
