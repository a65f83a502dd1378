// HJZ: every round answers the worst cell, and predictions are the weights of Hedge.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { hjz, playGame } from '../../src/baselines/hjz.ts'
import type { ForestUpdate } from '../../src/update/update.ts'
import {
  drawPopulation,
  everyRow,
  groupSides,
  ONE,
  populationArbitrary,
  repeatRows,
  statesOf,
  takeRows,
  weigh,
} from './populations.ts'
import { handRows, predictionsOf, shuffled } from './rows.ts'

const groupsOf = (rows: BaselineRows): number[][] => [
  everyRow(rows),
  ...groupSides(rows).filter((_, index) => index % 2 === 0),
]

const levelOf = (units: number, bins: number) => Math.min(bins - 1, Math.floor((units * bins) / ONE))

/** Every cell that holds a row: its rows, and the sum of what is missing to its labels. */
function cellsOf(rows: BaselineRows, predictions: Int32Array, bins: number) {
  return groupsOf(rows).flatMap(group =>
    Array.from({ length: bins }, (_, bin) => {
      const members = group.filter(row => levelOf(predictions[row], bins) === bin)
      return { members, missing: weigh(rows, members, row => rows.label[row] - predictions[row]) }
    }),
  )
}

describe('HJZ', () => {
  it('moves a cell with the largest error in every round, and nobody else, up or down as it is wrong', () => {
    fc.assert(
      fc.property(populationArbitrary(60), fc.constantFrom(1, 3, 10), (kind, bins) => {
        const rows = drawPopulation(kind)
        const { updates } = playGame(rows, { seed: 1, bins, roundLimit: 8 })
        const states = statesOf(rows, updates)
        updates.forEach(({ trees: [{ steps }] }, round) => {
          const [before, after] = [states[round], states[round + 1]]
          const clipped = before.map(units => Math.max(1, Math.min(ONE - 1, units)))
          const cells = cellsOf(rows, clipped, bins)
          const worst = Math.max(...cells.map(({ missing }) => Math.abs(missing)))
          const moved = everyRow(rows).filter(row => after[row] !== clipped[row])
          const chosen = cells.filter(
            ({ members, missing }) =>
              Math.abs(missing) === worst &&
              Math.sign(missing) === Math.sign(steps[0]) &&
              moved.every(row => members.includes(row)),
          )
          expect(chosen.length).toBeGreaterThan(0)
        })
      }),
      { numRuns: 40 },
    )
  })

  it('predicts the weights of Hedge, played by every row against those cells', () => {
    fc.assert(
      fc.property(populationArbitrary(60), fc.constantFrom(0.8, 0.9), (kind, learningRate) => {
        const rows = drawPopulation(kind)
        const { predictions, updates } = playGame(rows, { seed: 1, learningRate })
        const states = statesOf(rows, updates)
        // Hedge would leave 0 and 1 alone; here they start one unit inside.
        const inside = rows.start.map(start => Math.max(1, Math.min(ONE - 1, start)))
        const weights = Array.from(inside, start => [1 - start / ONE, start / ONE])
        updates.forEach(({ trees: [{ steps }] }, round) => {
          const rate = learningRate ** (round + 1)
          // Loss 1/2 for both outcomes; the one that is underestimated loses nothing.
          const loss = steps[0] > 0 ? [0.5, 0] : [0.5, 1]
          const clipped = states[round].map(units => Math.max(1, Math.min(ONE - 1, units)))
          weights.forEach((pair, row) => {
            if (states[round + 1][row] === clipped[row]) return
            const next = pair.map((weight, outcome) => weight * Math.exp(-rate * loss[outcome]))
            weights[row] = next.map(weight => weight / (next[0] + next[1]))
          })
        })
        weights.forEach(([, weight], row) => {
          expect(Math.abs(predictions[row] / ONE - weight)).toBeLessThan(6e-6)
        })
      }),
      { numRuns: 40 },
    )
  })

  it('has a model that predicts its own state, unit for unit, from scores of 0 and 1 as well', () => {
    fc.assert(
      fc.property(populationArbitrary(80), fc.constantFrom(1, 2, 10, 17), (kind, bins) => {
        const rows = drawPopulation(kind)
        const { predictions, updates } = playGame(rows, { seed: 1, bins, roundLimit: 60, learningRate: 1 })
        expect(predictionsOf(rows, updates)).toEqual(predictions)
      }),
      { numRuns: 40 },
    )
  })

  it('takes steps of half of 0.9, 0.81, ... on the logit scale, 30 of them', () => {
    const rows = drawPopulation({ rowCount: 300, seed: 2, weighted: false, steps: 0 })
    const rounds: number[] = []
    const updates = hjz.run(rows, { seed: 1, onRound: round => rounds.push(round) }) as ForestUpdate[]
    expect(rounds).toHaveLength(30)
    updates.forEach(({ trees: [{ steps }] }, round) => {
      expect(Math.abs(Math.abs(steps[0]) / ONE - 0.9 ** (round + 1) / 2)).toBeLessThan(1e-7)
    })
  })

  it('ends where nothing is wrong', () => {
    const label = [0, ONE, ONE / 4]
    const right = handRows({ start: label, label })
    expect(hjz.run(right, { seed: 1 })).toEqual([])
    expect(playGame(right, { seed: 1 }).predictions).toEqual(Int32Array.from(label))
    const nearly = handRows({ start: [ONE / 4 + 2], label: [ONE / 4] })
    expect(hjz.run(nearly, { seed: 1 })).toHaveLength(30)
  })

  it('depends neither on the order of rows nor on whether copies are weights', () => {
    fc.assert(
      fc.property(populationArbitrary(120), kind => {
        const rows = drawPopulation(kind)
        const { updates } = playGame(rows, { seed: 1 })
        expect(playGame(takeRows(rows, shuffled(everyRow(rows))), { seed: 2 }).updates).toEqual(updates)
        expect(playGame(repeatRows(rows), { seed: 1 }).updates).toEqual(updates)
      }),
      { numRuns: 20 },
    )
  })
})
