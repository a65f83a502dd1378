// Groups that are mended: found where they were planted, moved by as much, and nothing else.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mendGroup, mendGroups } from '../../../src/boost/groups/mend.ts'
import { groupUpdates } from '../../../src/boost/groups/updates.ts'
import { groupTree } from '../../../src/classes/groups.ts'
import { ONE } from '../../../src/common/units.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { memoryEngine } from '../../../src/engine/memory/memory.ts'
import { referenceEngine } from '../../../src/engine/reference/reference.ts'
import { applyUpdates } from '../../../src/update/move.ts'
import { type Condition, leafCount } from '../../../src/update/update.ts'
import { drawGroupRows, FEATURES, PLANTED, SCHEMAS } from '../../support/groupRows.ts'

const OPTIONS = {
  fold: 0,
  schemas: SCHEMAS,
  features: FEATURES,
  cellBudget: 2 ** 26,
  clip: 1,
  mostGroups: 20,
}

const GROUP: Condition[] = [
  { split: { kind: 'atMost', feature: 0, bin: 8, missing: false }, yes: true },
  { split: { kind: 'in', feature: 1, bins: [1] }, yes: true },
]

describe('mending', () => {
  it('finds the group that was planted, and moves it by its error', async () => {
    const rows = drawGroupRows(20_000, 1, PLANTED)
    const engine = referenceEngine(rows)
    const [group, ...others] = await mendGroups(engine, OPTIONS)
    expect(others).toEqual([])
    expect(new Set(group.path.map(each => JSON.stringify(each)))).toEqual(
      new Set(GROUP.map(each => JSON.stringify(each))),
    )
    const moved = await engine.snapshot()
    for (let row = 0; row < 2000; row++) {
      const isInside = rows.bins[0][row] <= 8 && rows.bins[1][row] === 1
      const step = (moved[row] - rows.start[row]) / ONE
      if (isInside) expect(Math.abs(step - 0.15)).toBeLessThan(0.05)
      else expect(step).toBe(0)
    }
  })

  it('leaves a score alone that is the truth', async () => {
    const engine = referenceEngine(drawGroupRows(20_000, 2))
    expect(await mendGroups(engine, OPTIONS)).toEqual([])
  })

  it('finds a group that is off one way at low scores and the other at high ones', async () => {
    const flip = ({ bins, score }: { bins: readonly number[]; score: number }) =>
      bins[1] === 2 ? score + (score < 0.45 ? 0.12 : -0.12) : score
    const engine = referenceEngine(drawGroupRows(20_000, 3, flip))
    const [group] = await mendGroups(engine, OPTIONS)
    expect(group.path).toEqual([{ split: { kind: 'in', feature: 1, bins: [2] }, yes: true }])
    const [low, high] = [0.2, 0.7].map(score => {
      const rows = { bins: [[0], [2], [0], [0]], binCounts: [21, 4, 3, 21] }
      return applyUpdates(group.updates, rows, Int32Array.of(score * ONE))[0] / ONE - score
    })
    expect(low).toBeGreaterThan(0.08)
    expect(high).toBeLessThan(-0.08)
  })

  it('makes the same updates on every engine, with any number of threads and in any order of rows', async () => {
    const rows = drawGroupRows(6000, 4, PLANTED)
    const expected = await mendGroups(referenceEngine(rows), OPTIONS)
    expect(expected.length).toBeGreaterThan(0)
    const order = Array.from({ length: 6000 }, (_, row) => (row * 7 + 11) % 6000)
    const turned = {
      ...rows,
      bins: rows.bins.map(column => Uint8Array.from(order, row => column[row])),
      label: Int32Array.from(order, row => rows.label[row]),
      start: Int32Array.from(order, row => rows.start[row]),
    }
    const twin = memoryEngine({ kernels: 'twin', threads: 1 })
    for (const make of [memoryEngine({ threads: 1 }), memoryEngine({ threads: 3 }), twin]) {
      const engine: Engine = await make(turned)
      expect(await mendGroups(engine, OPTIONS)).toEqual(expected)
      await engine.close()
    }
  })

  it('counts a row of weight two as the row twice, but for how sure it is', async () => {
    const rows = drawGroupRows(5000, 5, PLANTED)
    const twice = { ...rows, weight: new Int32Array(5000).fill(2) }
    const [plain, weighted] = [referenceEngine(rows), referenceEngine(twice)]
    expect(await mendGroups(weighted, OPTIONS)).toEqual(await mendGroups(plain, OPTIONS))
  })

  it('stops when it is told to', async () => {
    const off = ({ bins, score }: { bins: readonly number[]; score: number }) =>
      Math.min(0.98, score + 0.12 * bins[1])
    const told: number[] = []
    const engine = referenceEngine(drawGroupRows(8000, 6, off))
    const goesOn = (mended: readonly unknown[]) => mended.length < 2
    const onGroup = ({ gain }: { gain: number }) => told.push(gain)
    expect(await mendGroups(engine, { ...OPTIONS, goesOn, onGroup })).toHaveLength(2)
    expect(told).toHaveLength(2)
    const most = await mendGroups(referenceEngine(drawGroupRows(8000, 6, off)), { ...OPTIONS, mostGroups: 1 })
    expect(most).toHaveLength(1)
    const signal = { aborted: true }
    const cancelled = mendGroups(referenceEngine(drawGroupRows(8000, 6, off)), { ...OPTIONS, signal })
    await expect(cancelled).rejects.toMatchObject({ code: 'FB_ABORTED' })
  })

  it('of a named group needs evidence of its own', async () => {
    const rows = drawGroupRows(20_000, 7, PLANTED)
    const engine = referenceEngine(rows)
    expect(await mendGroup(engine, GROUP, OPTIONS, undefined, 5)).toBeDefined()
    expect(await mendGroup(engine, GROUP, OPTIONS, undefined, 5)).toBeUndefined()
    const nobody = [{ split: { kind: 'missing', feature: 0 }, yes: true }] as const
    expect(await mendGroup(engine, nobody, OPTIONS, undefined, 5)).toBeUndefined()
  })
})

describe('the steps of one group', () => {
  const rows = drawGroupRows(6000, 8, PLANTED)
  const stepsOf = async (evidence?: number, least = 0) => {
    const group = await mendGroup(referenceEngine(rows), GROUP, OPTIONS, evidence, least)
    return { group, steps: group?.updates.flatMap(({ trees }) => trees.flatMap(({ steps }) => steps)) }
  }

  it('are smaller the nearer its evidence is to what luck gives, where it was searched for', async () => {
    const { group, steps } = await stepsOf()
    expect(group!.gain).toBe(group!.evidence / 2)
    expect(steps!.some(step => step !== 0)).toBe(true)
    for (const evidence of [16, 32, 8.5]) {
      const searched = await stepsOf(evidence)
      const share = 1 - (8 / evidence) ** 2
      expect(searched.group).toMatchObject({ evidence, gain: group!.gain })
      searched.steps!.forEach((step, index) => {
        expect(Math.abs(step - share * steps![index])).toBeLessThanOrEqual(1)
      })
    }
    // All of it may be luck: it stays.
    expect((await stepsOf(8)).group).toBeUndefined()
  })

  it('are taken where they have just the evidence that is asked for', async () => {
    const { evidence } = (await stepsOf()).group!
    expect((await stepsOf(undefined, evidence)).group).toBeDefined()
    expect((await stepsOf(undefined, evidence * (1 + 1e-12))).group).toBeUndefined()
  })

  it('are none where the group has no row, and some where it has a few', async () => {
    const at = (count: number) => ({
      ...rows,
      bins: [Uint8Array.from(rows.bins[0], (_, row) => (row < count ? 0 : 19)), ...rows.bins.slice(1)],
      label: rows.label.map((label, row) => (row < count ? ONE : label)),
    })
    const few = [{ split: { kind: 'atMost', feature: 0, bin: 8, missing: false }, yes: true }] as const
    const mended = (count: number) => mendGroup(referenceEngine(at(count)), few, OPTIONS, undefined, -1000)
    expect(await mended(0)).toBeUndefined()
    expect((await mended(12))!.updates.length).toBeGreaterThan(0)
  })
})

describe('the updates of a group', () => {
  it('are guarded where a step in probability would leave less than a quarter of the way', () => {
    const [guard, step] = [Math.round(Math.log(4) * ONE), 0.3]
    const reach = Math.round((ONE * step) / 0.75)
    const update = (cut: number, ...steps: number[]) => ({
      ...{ kind: 'forest', clip: 7 },
      trees: [{ tree: groupTree(GROUP, [cut]), steps: [...steps, 0] }],
    })
    const whole = (moved: number) => [{ from: 0, to: ONE, step: moved }]
    expect(groupUpdates(GROUP, 'probability', whole(-step), 7)).toEqual([
      update(reach, -guard, 0),
      { ...update(reach, 0, -Math.round(step * ONE)), link: 'identity' },
    ])
    expect(groupUpdates(GROUP, 'probability', whole(step), 7)).toEqual([
      update(ONE - reach, 0, guard),
      { ...update(ONE - reach, Math.round(step * ONE), 0), link: 'identity' },
    ])
  })

  it('are guarded within their run alone', () => {
    const [low, high] = [ONE / 8, ONE / 2]
    const runs = [
      { from: 0, to: low, step: 0 },
      { from: low, to: high, step: -0.3 },
      { from: high, to: ONE, step: 0 },
    ]
    const reach = Math.round((ONE * 0.3) / 0.75)
    const [guarded, plain] = groupUpdates(GROUP, 'probability', runs, 1)
    expect(guarded.trees[0].tree).toEqual(groupTree(GROUP, [low, reach]))
    expect(guarded.trees[0].steps).toEqual([0, -Math.round(Math.log(4) * ONE), 0, 0])
    expect(plain.trees[0].tree).toEqual(groupTree(GROUP, [reach, high]))
    expect(plain.trees[0].steps).toEqual([0, -Math.round(0.3 * ONE), 0, 0])
    // All scores are near to the end that they move to: none moves by a step in probability.
    const near = groupUpdates(GROUP, 'probability', [{ from: 0, to: ONE / 4, step: -0.3 }], 1)
    expect(near).toHaveLength(1)
    expect(near[0].link).toBeUndefined()
    const far = groupUpdates(GROUP, 'probability', [{ from: high, to: ONE, step: -0.3 }], 1)
    expect(far).toHaveLength(1)
    expect(far[0].link).toBe('identity')
  })

  const apply = (updates: ReturnType<typeof groupUpdates>, inside: boolean, score: number) => {
    const rows = { bins: [[inside ? 0 : 19], [1]], binCounts: [21, 4] }
    return applyUpdates(updates, rows, Int32Array.of(score))[0]
  }
  const runs = (step: number, other = step) => [
    { from: 0, to: ONE / 2, step },
    { from: ONE / 2, to: ONE, step: other },
  ]

  it('add a step in probability, but leave a quarter of the way to 0 and 1', () => {
    const scores = fc.integer({ min: 1, max: ONE - 1 })
    const steps = fc.double({ min: -0.4, max: 0.4, noNaN: true })
    fc.assert(
      fc.property(scores, steps, steps, (score, low, high) => {
        const updates = groupUpdates(GROUP, 'probability', runs(low, high), 1)
        const step = score < ONE / 2 ? low : high
        const [moved, wanted] = [apply(updates, true, score), score + step * ONE]
        expect(apply(updates, false, score)).toBe(score)
        expect(moved).toBeGreaterThan(0)
        expect(moved).toBeLessThan(ONE)
        if (wanted >= 0.25 * score + 1 && wanted <= ONE - 0.25 * (ONE - score) - 1) {
          expect(Math.abs(moved - wanted)).toBeLessThanOrEqual(1)
        } else {
          // Odds by a factor of four, which takes about as much off as a quarter left would.
          const odds = score / (ONE - score)
          const factor = moved / (ONE - moved) / odds
          if (score > 1000 && score < ONE - 1000) expect(factor).toBeCloseTo(step < 0 ? 0.25 : 4, 1)
        }
      }),
    )
  })

  it('multiply odds by a step on the logit scale', () => {
    const updates = groupUpdates(GROUP, 'logit', runs(Math.log(3)), 1)
    expect(updates).toHaveLength(1)
    expect(apply(updates, true, ONE / 2) / ONE).toBeCloseTo(0.75, 6)
    expect(apply(updates, false, ONE / 2)).toBe(ONE / 2)
  })

  it('have a step for every leaf, whether the group is everyone or has one condition or two', () => {
    for (const path of [[], GROUP.slice(0, 1), GROUP]) {
      for (const link of ['logit', 'probability'] as const) {
        for (const { trees } of groupUpdates(path, link, runs(0.1, 0.2), 1))
          for (const { steps, tree } of trees) expect(steps).toHaveLength(leafCount(tree))
      }
    }
    const [everyone] = groupUpdates([], 'logit', runs(0.1), 1)
    expect(everyone.trees[0].steps).toHaveLength(1)
  })

  it('are none where nothing moves', () => {
    expect(groupUpdates(GROUP, 'probability', runs(0), 1)).toEqual([])
    expect(groupUpdates([], 'logit', runs(0), 1)).toEqual([])
  })
})
