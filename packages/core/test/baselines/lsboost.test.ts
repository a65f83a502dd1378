// LSBoost: predictions on the grid after every rounded round, an error that rounding alone can raise, calibrated level sets
// after the last round, and an end.

import { describe, expect, it } from 'vitest'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { makeGrid, roundToGrid, runLsboost } from '../../src/baselines/lsboost.ts'
import { meanSquare } from '../../src/baselines/rows/scores.ts'
import { ONE } from '../../src/common/units.ts'
import { alongCurve } from '../../src/update/move.ts'
import { type ForestUpdate, leafPaths, treeDepth } from '../../src/update/update.ts'
import { handRows, predictionsOf, shuffled } from './rows.ts'
import { drawWorld, gapOf, interaction, isOff, pickRows } from './worlds.ts'

const SETTINGS = { seed: 1 }

const gridOf = (bins: number): number[] =>
  Array.from({ length: bins + 1 }, (_, point) => Math.round((point * ONE) / bins))

/** Every prediction after each rounding. */
function roundedStates(rows: BaselineRows, updates: ReturnType<typeof runLsboost>['updates']): Int32Array[] {
  return updates.flatMap(({ kind }, index) =>
    kind === 'curve' ? [predictionsOf(rows, updates.slice(0, index + 1))] : [],
  )
}

describe('LSBoost', () => {
  it('stands on the grid after every rounded round, and where its model stands at the end', () => {
    for (const bins of [4, 10]) {
      const rows = drawWorld(1200, bins, { truth: interaction })
      const { losses, prediction, updates } = runLsboost(rows, { ...SETTINGS, bins })
      const states = roundedStates(rows, updates)
      expect(states).toHaveLength(losses.length - 1)
      for (const state of states) expect(gridOf(bins)).toEqual(expect.arrayContaining([...new Set(state)]))
      expect(predictionsOf(rows, updates)).toEqual(prediction)
      expect(updates.at(-1)!.kind).toBe('forest')
    }
  })

  it('lowers the squared error, but for what rounding adds', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const rows = drawWorld(700, seed, { truth: interaction, weighted: seed > 3 })
      const bins = 5 + seed
      const { losses, updates } = runLsboost(rows, { ...SETTINGS, bins, roundLimit: 12 })
      // A leaf's prediction is the mean of its labels: moving it by half a step adds the square of that and no more.
      const rounding = (0.5 / bins) ** 2 + 1e-6
      const [first] = roundedStates(rows, updates)
      expect(losses[0]).toBe(meanSquare(rows, rows.start))
      expect(losses[1]).toBeLessThanOrEqual(meanSquare(rows, first) + rounding)
      for (let round = 2; round < losses.length; round++) {
        expect(losses[round]).toBeLessThanOrEqual(losses[round - 1] + rounding)
      }
    }
  })

  it('runs two rounds in any case, ends when the error hardly falls, and does not round the last one', () => {
    for (const seed of [6, 7, 8]) {
      const rows = drawWorld(900, seed, { truth: interaction })
      const { losses, updates } = runLsboost(rows, SETTINGS)
      const falls = losses.slice(1).map((loss, round) => losses[round] - loss)
      expect(falls.length).toBeGreaterThan(2)
      // From the second round on; the last round is taken because the one before it fell short.
      for (const fall of falls.slice(1, -2)) expect(fall).toBeGreaterThan(0.01)
      expect(falls.at(-2)).toBeLessThanOrEqual(0.01)
      expect(updates.map(({ kind }) => kind)).toEqual([
        'curve',
        ...Array(falls.length - 1)
          .fill(['forest', 'curve'])
          .flat(),
        'forest',
      ])
    }
  })

  it('ends at the limit of rounds', () => {
    const told: number[] = []
    const rows = drawWorld(500, 9, { truth: interaction })
    const { losses } = runLsboost(rows, { ...SETTINGS, roundLimit: 1, onRound: round => told.push(round) })
    expect(losses).toHaveLength(2)
    expect(told).toEqual([1])
  })

  it('leaves each level set with the mean of its labels', () => {
    const rows = drawWorld(1500, 10, { truth: interaction })
    const { prediction, updates } = runLsboost(rows, SETTINGS)
    const before = roundedStates(rows, updates).at(-1)!
    for (const point of new Set(before)) {
      if (before.filter(units => units === point).length < 2) continue
      expect(Math.abs(gapOf(rows, prediction, row => before[row] === point))).toBeLessThan(1e-6)
    }
  })

  it('repairs an interaction, on rows that it has not seen', () => {
    const { updates } = runLsboost(drawWorld(6000, 11, { truth: interaction }), SETTINGS)
    const fresh = drawWorld(20_000, 12, { truth: interaction })
    const moved = predictionsOf(fresh, updates)
    expect(gapOf(fresh, fresh.start, row => isOff(fresh, row))).toBeLessThan(-0.3)
    expect(Math.abs(gapOf(fresh, moved, row => isOff(fresh, row)))).toBeLessThan(0.1)
  })

  it('grows stumps where it is asked for them, and each tree is for one level set', () => {
    const rows = drawWorld(900, 13, { truth: interaction })
    const [deep, flat] = [2, 1].map(depth => runLsboost(rows, SETTINGS, depth).updates)
    // Two splits more tell the level set.
    expect(Math.max(...treesOf(deep).map(({ tree }) => treeDepth(tree)))).toBe(4)
    expect(Math.max(...treesOf(flat).map(({ tree }) => treeDepth(tree)))).toBe(3)
    for (const { steps, tree } of treesOf(deep)) {
      expect(steps.at(-1)).toBe(0)
      const outside = leafPaths(tree).filter(({ leaf }) => leaf === steps.length - 1)
      expect(outside.every(({ path }) => path.every(({ split }) => split.kind === 'below'))).toBe(true)
    }
  })

  it('takes a share of the way where a rate is given', () => {
    const rows = drawWorld(400, 14, { truth: interaction })
    const whole = runLsboost(rows, { ...SETTINGS, roundLimit: 1 })
    const half = runLsboost(rows, { ...SETTINGS, roundLimit: 1, learningRate: 0.5 })
    const [start] = roundedStates(rows, half.updates)
    half.prediction.forEach((units, row) => {
      expect(Math.abs(units - (start[row] + whole.prediction[row]) / 2)).toBeLessThanOrEqual(1)
    })
  })

  it('is the same in any order of rows', () => {
    const rows = drawWorld(600, 15, { truth: interaction })
    const order = shuffled(Array.from({ length: rows.rowCount }, (_, row) => row))
    expect(runLsboost(pickRows(rows, order), SETTINGS).updates).toEqual(runLsboost(rows, SETTINGS).updates)
  })

  it('leaves a level set of one row alone, goes by the range of labels, and needs rows', () => {
    const lone = handRows({
      start: [0.02, 0.5, 0.5, 0.5].map(score => Math.round(score * ONE)),
      label: [ONE, 0, ONE, 0],
      bins: [[0, 0, 1, 0]],
      binCounts: [3],
    })
    expect(runLsboost(lone, { ...SETTINGS, roundLimit: 1 }).prediction).toEqual(
      Int32Array.from([0, 0, ONE, 0]),
    )
    expect(makeGrid(Int32Array.from([ONE / 4, ONE / 2, ONE / 4]), 2)).toEqual([
      ONE / 4,
      (3 * ONE) / 8,
      ONE / 2,
    ])
    expect(makeGrid(Int32Array.from([ONE, ONE]), 10)).toEqual([ONE])
    const same = handRows({ start: [5, ONE / 2], label: [ONE, ONE], bins: [[0, 1]], binCounts: [3] })
    expect(runLsboost(same, SETTINGS).prediction).toEqual(Int32Array.from([ONE, ONE]))
    expect(runLsboost(handRows({ start: [], label: [] }), SETTINGS).updates).toEqual([])
  })

  it('can be cancelled', () => {
    const rows = drawWorld(50, 16)
    expect(() => runLsboost(rows, { ...SETTINGS, signal: { aborted: true } })).toThrow('FB_ABORTED')
  })
})

const treesOf = (updates: ReturnType<typeof runLsboost>['updates']) =>
  updates.flatMap(update => (update.kind === 'forest' ? (update as ForestUpdate).trees : []))

describe('rounding to the grid', () => {
  it('goes to the nearest point, halves up', () => {
    const grid = [0, 10, 21, ONE]
    const round = roundToGrid(grid)
    for (const [units, point] of [
      [0, 0],
      [4, 0],
      [5, 10],
      [15, 10],
      [16, 21],
      [ONE / 2 + 10, 21],
      [ONE / 2 + 11, ONE],
      [ONE, ONE],
    ]) {
      expect(alongCurve(round, units)).toBe(point)
    }
  })
})
