// HKRR: what it promises of cells, and the same from a plain version that looks at every row for every cell.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { hkrr, patchCells } from '../../src/baselines/hkrr.ts'
import type { TableUpdate } from '../../src/update/update.ts'
import {
  drawPopulation,
  everyRow,
  groupSides,
  ONE,
  populationArbitrary,
  repeatRows,
  squaredError,
  statesOf,
  takeRows,
  weigh,
} from './populations.ts'
import { predictionsOf, shuffled } from './rows.ts'

/** Far more passes than any of these populations needs. */
const TO_THE_END = { seed: 1, roundLimit: 5000 }

const groupsOf = (rows: BaselineRows): number[][] => [
  everyRow(rows),
  ...groupSides(rows).filter((_, index) => index % 2 === 0),
]

const binOf = (units: number, bins: number): number => {
  const edges = Array.from({ length: bins - 1 }, (_, index) => Math.round(((index + 1) / bins) * ONE))
  return edges.filter(edge => units > edge).length
}

/** Algorithm 1 as the package has it: every cell is looked for among all rows of its group. */
function plainPatching(rows: BaselineRows, bins: number, passes: number) {
  const p = Array.from(rows.start)
  let passed = 0
  for (let moved = true; moved && passed < passes; passed++) {
    moved = false
    for (const group of groupsOf(rows)) {
      for (let bin = 0; bin < bins; bin++) {
        const cell = group.filter(row => binOf(p[row], bins) === bin)
        const weight = weigh(rows, cell, () => 1)
        if (cell.length === 0 || weight < 0.1 * (1 / bins) * weigh(rows, group, () => 1)) continue
        const move = Math.floor(weigh(rows, cell, row => rows.label[row] - p[row]) / weight + 0.5)
        if (Math.abs(move) < ONE / bins / 10) continue
        for (const row of cell) p[row] = Math.max(0, Math.min(ONE, p[row] + move))
        moved = true
      }
    }
  }
  const predictions = p.map(units => {
    const bin = everyRow(rows).filter(row => binOf(p[row], bins) === binOf(units, bins))
    return Math.floor(weigh(rows, bin, row => p[row]) / weigh(rows, bin, () => 1) + 0.5)
  })
  return { predictions, passed }
}

describe('HKRR', () => {
  it('predicts what the plain version predicts, unit for unit, as does its model', () => {
    fc.assert(
      fc.property(
        populationArbitrary(80),
        fc.constantFrom(1, 4, 10, 13),
        fc.constantFrom(0, 1, 3, 100),
        (kind, bins, roundLimit) => {
          const rows = drawPopulation(kind)
          const told: number[] = []
          const settings = { seed: 1, bins, roundLimit, onRound: (pass: number) => told.push(pass) }
          const { predictions, updates } = patchCells(rows, settings)
          const plain = plainPatching(rows, bins, roundLimit)
          expect(Array.from(predictions)).toEqual(plain.predictions)
          expect(told).toEqual(Array.from({ length: plain.passed }, (_, index) => index + 1))
          expect(predictionsOf(rows, updates)).toEqual(predictions)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('ends with every heavy cell within a tenth of a bin of its labels, before bins are flattened', () => {
    let cells = 0
    fc.assert(
      fc.property(populationArbitrary(300), kind => {
        const rows = drawPopulation(kind)
        const { updates } = patchCells(rows, TO_THE_END)
        const p = predictionsOf(rows, updates.slice(0, -1))
        for (const group of groupsOf(rows)) {
          for (let bin = 0; bin < 10; bin++) {
            const cell = group.filter(row => binOf(p[row], 10) === bin)
            const weight = weigh(rows, cell, () => 1)
            if (weight < 0.011 * weigh(rows, group, () => 1) || weight === 0) continue
            const gap = weigh(rows, cell, row => rows.label[row] - p[row]) / weight / ONE
            expect(Math.abs(gap)).toBeLessThan(0.01 + 1 / ONE)
            cells++
          }
        }
      }),
      { numRuns: 30 },
    )
    expect(cells).toBeGreaterThan(500)
  })

  it('lowers the squared error by the square of every move, for every row that is moved', () => {
    fc.assert(
      fc.property(populationArbitrary(150), kind => {
        const rows = drawPopulation(kind)
        const patches = patchCells(rows, TO_THE_END).updates.slice(0, -1) as TableUpdate[]
        const states = statesOf(rows, patches)
        patches.forEach((patch, index) => {
          const [before, after] = [states[index], states[index + 1]]
          // A clipped row moves less; what counts for it is at least that.
          const least = weigh(rows, everyRow(rows), row => ((after[row] - before[row]) / ONE) ** 2)
          const drop = squaredError(rows, before) - squaredError(rows, after)
          expect(drop).toBeGreaterThanOrEqual(least - 1e-6)
          expect(patch.values.filter(value => value !== 0).every(value => Math.abs(value) >= ONE / 100)).toBe(
            true,
          )
        })
      }),
      { numRuns: 20 },
    )
  })

  it('predicts one value per bin, the mean prediction of the bin', () => {
    const rows = drawPopulation({ rowCount: 500, seed: 4, weighted: true, steps: 0 })
    const { predictions } = patchCells(rows, { seed: 1, bins: 5 })
    expect(new Set(predictions).size).toBeLessThanOrEqual(5)
    expect(new Set(Array.from(predictions, units => binOf(units, 5))).size).toBe(new Set(predictions).size)
  })

  it('repairs a group that is scored too high', () => {
    const rows = drawPopulation({ rowCount: 2000, seed: 9, weighted: false, steps: 0 })
    const low = everyRow(rows).filter(row => rows.bins[1][row] === 2)
    const gap = (p: Int32Array) => weigh(rows, low, row => rows.label[row] - p[row]) / low.length / ONE
    expect(Math.abs(gap(rows.start))).toBeGreaterThan(0.1)
    expect(Math.abs(gap(predictionsOf(rows, hkrr.run(rows, { seed: 1 }) as TableUpdate[])))).toBeLessThan(
      0.03,
    )
  })

  it('depends neither on the order of rows nor on whether copies are weights', () => {
    fc.assert(
      fc.property(populationArbitrary(120), kind => {
        const rows = drawPopulation(kind)
        const { updates } = patchCells(rows, { seed: 1 })
        const turned = takeRows(rows, shuffled(everyRow(rows)))
        expect(patchCells(turned, { seed: 2 }).updates).toEqual(updates)
        expect(patchCells(repeatRows(rows), { seed: 1 }).updates).toEqual(updates)
      }),
      { numRuns: 20 },
    )
  })
})
