// Prediction levels of HKRR and HJZ, and patches of them put together to updates.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curveOfLevels, Levels, treeOfLevels } from '../../src/baselines/groups/levels.ts'
import { PatchLog } from '../../src/baselines/groups/patchLog.ts'
import { alongCurve, makeMover } from '../../src/update/move.ts'
import { ROOT, type Tree } from '../../src/update/update.ts'
import { naiveLeaf } from '../support/naive.ts'
import { ONE } from './populations.ts'

const count = fc.integer({ min: 1, max: 40 })
const units = fc.integer({ min: 0, max: ONE })
const edge = (level: number, levels: number) => Math.round((level / levels) * ONE)
const near = (levels: number) =>
  fc.tuple(fc.integer({ min: 0, max: levels }), fc.integer({ min: -2, max: 2 })).map(([level, off]) => {
    return Math.max(0, Math.min(ONE, edge(level, levels) + off))
  })

describe('levels', () => {
  it('closed below hold k/K <= u < (k+1)/K, and 1 is in the last', () => {
    fc.assert(
      fc.property(
        count.chain(levels => fc.tuple(fc.constant(levels), fc.oneof(units, near(levels)))),
        ([levels, u]) => {
          const level = new Levels(levels, 'below').of(u)
          expect(level).toBe(Math.min(levels - 1, Number((BigInt(u) * BigInt(levels)) / BigInt(ONE))))
        },
      ),
    )
  })

  it('closed above hold k/K < u <= (k+1)/K with K-ths rounded to units, and 0 is in the first', () => {
    fc.assert(
      fc.property(
        count.chain(levels => fc.tuple(fc.constant(levels), fc.oneof(units, near(levels)))),
        ([levels, u]) => {
          const level = new Levels(levels, 'above').of(u)
          if (level > 0) expect(u).toBeGreaterThan(edge(level, levels))
          if (level < levels - 1) expect(u).toBeLessThanOrEqual(edge(level + 1, levels))
        },
      ),
    )
  })

  it('are told apart by trees: chosen ones in their order, all others in one leaf', () => {
    const group: Tree = { split: { kind: 'missing', feature: 0 }, yes: { leaf: 1 }, no: { leaf: 0 } }
    fc.assert(
      fc.property(
        fc.constantFrom('above' as const, 'below' as const),
        fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1 }),
        fc.array(fc.oneof(units, near(10))),
        (closed, chosen, predictions) => {
          const levels = new Levels(10, closed)
          const tree = treeOfLevels(group, levels, chosen)
          const bins = { bins: [[0, 1]], binCounts: [2] } as never
          for (const prediction of predictions) {
            const place = chosen.indexOf(levels.of(prediction))
            expect(naiveLeaf(tree, bins, 0, prediction)).toBe(place < 0 ? chosen.length : place)
            expect(naiveLeaf(tree, bins, 1, prediction)).toBe(chosen.length)
          }
        },
      ),
    )
  })

  it('are flat on a curve, and stay where they have no value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('above' as const, 'below' as const),
        fc.array(fc.option(units, { nil: undefined }), { minLength: 1, maxLength: 20 }),
        fc.array(units),
        (closed, values, predictions) => {
          const levels = new Levels(values.length, closed)
          const curve = curveOfLevels(levels, values)
          expect([curve.from[0], curve.from.at(-1)]).toEqual([0, ONE])
          expect(curve.from.every((from, index) => index === 0 || curve.from[index - 1] < from)).toBe(true)
          for (const u of [...predictions, ...curve.from]) {
            expect(alongCurve(curve, u)).toBe(values[levels.of(u)] ?? u)
          }
        },
      ),
    )
  })
})

describe('a log of patches', () => {
  const levels = new Levels(6, 'above')
  const level = fc.integer({ min: 0, max: 5 })
  /** From one end of a level to an end of another, or a unit beside it. */
  const toAnEnd = fc
    .tuple(level, level, fc.boolean(), fc.integer({ min: -1, max: 1 }))
    .map(
      ([from, to, up, off]) =>
        (up ? levels.first(to) - levels.last(from) : levels.last(to) - levels.first(from)) + off,
    )
  const patch = fc.record({
    group: fc.integer({ min: 0, max: 2 }),
    level,
    move: fc.oneof(toAnEnd, fc.integer({ min: -ONE / 2, max: ONE / 2 })).filter(move => move !== 0),
  })
  const prediction = fc.oneof(
    units,
    level.map(one => levels.first(one)),
    level.map(one => levels.last(one)),
  )
  const trees: Tree[] = [
    ROOT,
    { split: { kind: 'in', feature: 0, bins: [0] }, yes: { leaf: 0 }, no: { leaf: 1 } },
    { split: { kind: 'in', feature: 0, bins: [0, 1] }, yes: { leaf: 0 }, no: { leaf: 1 } },
  ]
  const isIn = [() => true, (bin: number) => bin === 0, (bin: number) => bin <= 1]

  it('moves predictions as its patches do, one after the other', () => {
    const levels = new Levels(6, 'above')
    fc.assert(
      fc.property(
        fc.array(patch),
        fc.array(fc.tuple(prediction, fc.integer({ min: 0, max: 2 }))),
        (patches, rows) => {
          const log = new PatchLog(levels)
          for (const { group, level, move } of patches) log.add(trees[group], level, move)
          const movers = log.updates().map(update => makeMover(update, [3]))
          for (const [start, bin] of rows) {
            let one = start
            for (const { group, level, move } of patches) {
              if (isIn[group](bin) && levels.of(one) === level) one = Math.max(0, Math.min(ONE, one + move))
            }
            expect(movers.reduce((at, move) => move([[bin]], [], 0, at), start)).toBe(one)
          }
        },
      ),
    )
  })

  it('holds patches of one group in one update where none reaches a later one', () => {
    const log = new PatchLog(levels)
    // Less than a level up: into the next one, which was patched before.
    for (const level of [3, 2, 0]) log.add(trees[1], level, 1000)
    expect(log.updates()).toHaveLength(1)
    // Level 0 may hold moved predictions no longer; level 1 may, of level 0.
    log.add(trees[1], 1, 1000)
    expect(log.updates()).toHaveLength(2)
    log.add(trees[2], 5, 1000)
    expect(log.updates()).toHaveLength(3)
  })
})
