// Multiaccuracy Boost: steps against what is left, tried on rows held apart.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { boostAccuracy, multiaccuracyBoost } from '../../src/baselines/multiaccuracyBoost.ts'
import { targetGrower } from '../../src/baselines/trees/targetTree.ts'
import type { ForestUpdate } from '../../src/update/update.ts'
import { naiveLeaf } from '../support/naive.ts'
import {
  drawPopulation,
  everyRow,
  ONE,
  populationArbitrary,
  repeatRows,
  takeRows,
  weigh,
} from './populations.ts'
import { predictionsOf, shuffled } from './rows.ts'

const HELD = 18

/** The update after its first trees only. */
const firstTrees = (update: ForestUpdate, count: number): ForestUpdate => ({
  ...update,
  trees: update.trees.slice(0, count),
})

const binned = (rows: BaselineRows) =>
  ({ ...rows, binCounts: rows.features.map(({ bins }) => bins) }) as never

function logLoss(rows: BaselineRows, members: readonly number[], p: Int32Array): number {
  return weigh(rows, members, row => {
    const inside = Math.max(1, Math.min(ONE - 1, p[row])) / ONE
    return rows.label[row] === ONE ? -Math.log(inside) : -Math.log(1 - inside)
  })
}

/** The best correlation that a tree of depth 2, fitted on one of the three sets, has with the rows held apart. */
function bestCorrelation(rows: BaselineRows, p: Int32Array): number {
  const residuals = rows.label.map((label, row) => label - p[row])
  const held = everyRow(rows).filter(row => rows.part[row] < HELD)
  const sets = [
    () => true,
    (row: number) => rows.start[row] > ONE / 2,
    (row: number) => rows.start[row] <= ONE / 2,
  ]
  const correlations = sets.map(inSet => {
    const fitted = everyRow(rows).filter(row => inSet(row) && rows.part[row] >= HELD)
    const { leaves, tree } = targetGrower(rows, 'squares')(Int32Array.from(fitted), residuals)
    const auditor = (row: number) => {
      const { count, sum } = leaves[naiveLeaf(tree, binned(rows), row, 0)]
      return count === 0 || !inSet(row) ? 0 : sum / count / ONE
    }
    return (
      weigh(rows, held, row => auditor(row) * (residuals[row] / ONE)) /
      Math.max(
        1,
        weigh(rows, held, () => 1),
      )
    )
  })
  return Math.max(...correlations)
}

describe('multiaccuracy boost', () => {
  it('ends where no auditor of any set agrees with the rows held apart, or after its rounds', () => {
    let early = 0
    fc.assert(
      fc.property(populationArbitrary(120), kind => {
        const rows = drawPopulation(kind)
        const { predictions, update } = boostAccuracy(rows, { seed: 1 })
        if (update.trees.length === 100) return
        early++
        expect(bestCorrelation(rows, predictions)).toBeLessThanOrEqual(1e-4 + 1e-9)
      }),
      { numRuns: 40 },
    )
    expect(early).toBeGreaterThan(5)
  })

  it('lowers the log loss of the rows it fits by at least 0.09 times the mean square of its tree', () => {
    fc.assert(
      fc.property(populationArbitrary(150), kind => {
        const drawn = drawPopulation(kind)
        // At a score of 0 or 1 a step is less than a unit.
        const start = Int32Array.from(drawn.start, units => 0.01 * ONE + 0.98 * units)
        const rows = { ...drawn, start }
        const { update } = boostAccuracy(rows, { seed: 1, roundLimit: 12 })
        const fitted = everyRow(rows).filter(row => rows.part[row] >= HELD)
        let before: Int32Array = start
        update.trees.forEach(({ steps, tree }, index) => {
          const after = predictionsOf(rows, [firstTrees(update, index + 1)])
          // A step is a tenth of the tree: log loss is 1/4-smooth in the logit.
          const square = weigh(rows, fitted, row => {
            return ((10 * steps[naiveLeaf(tree, binned(rows), row, rows.start[row])]) / ONE) ** 2
          })
          const drop = logLoss(rows, fitted, before) - logLoss(rows, fitted, after)
          expect(drop).toBeGreaterThanOrEqual(0.09 * square - 1e-4)
          before = after
        })
      }),
      { numRuns: 30 },
    )
  })

  it('has a model that predicts its own state, unit for unit', () => {
    fc.assert(
      fc.property(populationArbitrary(150), fc.constantFrom(0.1, 1), (kind, learningRate) => {
        const rows = drawPopulation(kind)
        const { predictions, update } = boostAccuracy(rows, { seed: 1, learningRate, roundLimit: 30 })
        const updates = multiaccuracyBoost.run(rows, {
          seed: 1,
          learningRate,
          roundLimit: 30,
        }) as ForestUpdate[]
        expect(updates).toEqual(update.trees.length === 0 ? [] : [update])
        expect(predictionsOf(rows, updates)).toEqual(predictions)
      }),
      { numRuns: 30 },
    )
  })

  it('moves only one side of a score of 1/2 where only that side is wrong', () => {
    const rows = drawPopulation({ rowCount: 3000, seed: 5, weighted: false, steps: 0 })
    // Above 1/2 labels are as the score says, by turns; below, there are none.
    const label = rows.start.map((start, row) => (start > ONE / 2 && (row * 7919) % 3000 < 2250 ? ONE : 0))
    const start = rows.start.map(units => (units > ONE / 2 ? 0.75 * ONE : 0.25 * ONE))
    const { predictions, update } = boostAccuracy({ ...rows, start, label }, { seed: 1, roundLimit: 20 })
    expect(update.trees.length).toBeGreaterThan(5)
    for (const [row, units] of predictions.entries()) {
      if (start[row] < ONE / 2) expect(units).toBeLessThan(start[row])
      else expect(Math.abs(units - start[row])).toBeLessThan(0.02 * ONE)
    }
  })

  it('does nothing where the rows held apart contradict', () => {
    const rows = drawPopulation({ rowCount: 600, seed: 6, weighted: false, steps: 0 })
    const start = new Int32Array(600).fill(ONE / 2)
    const label = rows.part.map(part => Number(part >= HELD))
    const against = { ...rows, start, label: Int32Array.from(label, one => one * ONE) }
    expect(multiaccuracyBoost.run(against, { seed: 1 })).toEqual([])
    expect(boostAccuracy(against, { seed: 1 }).predictions).toEqual(start)
  })

  it('depends neither on the order of rows nor on whether copies, in one part, are weights', () => {
    fc.assert(
      fc.property(populationArbitrary(120), kind => {
        const rows = drawPopulation(kind)
        const rounds: number[] = []
        const settings = { seed: 1, roundLimit: 10, onRound: (round: number) => rounds.push(round) }
        const { update } = boostAccuracy(rows, settings)
        expect(rounds).toHaveLength(update.trees.length)
        expect(boostAccuracy(takeRows(rows, shuffled(everyRow(rows))), settings).update).toEqual(update)
        expect(boostAccuracy(repeatRows(rows), settings).update).toEqual(update)
      }),
      { numRuns: 20 },
    )
  })
})
