// The methods that look at groups, where there is little to look at; and that they can be told to stop.

import { describe, expect, it } from 'vitest'
import type { BaselineRows } from '../../src/baselines/baseline.ts'
import { BASELINES } from '../../src/baselines/baselines.ts'
import type { Update } from '../../src/update/update.ts'
import { drawPopulation, ONE, squaredError } from './populations.ts'
import { handRows, predictionsOf } from './rows.ts'

const NAMES = ['hkrr', 'hjz', 'multiaccuracy-boost', 'calibrated-multiaccuracy', 'low-degree'] as const

describe.each(NAMES)('the baseline %s', name => {
  const run = (rows: BaselineRows, settings = {}) =>
    BASELINES[name].run(rows, { seed: 1, ...settings }) as readonly Update[]

  it('corrects everyone where there are no columns', () => {
    const rows = handRows({
      start: Array.from({ length: 200 }, (_, row) => (0.1 + 0.001 * row) * ONE),
      label: Array.from({ length: 200 }, (_, row) => (row % 5 < 3 ? ONE : 0)),
    })
    const after = predictionsOf(rows, run(rows))
    expect(squaredError(rows, after)).toBeLessThan(squaredError(rows, rows.start) - 0.1)
  })

  it('moves nothing where every row is right', () => {
    const score = Array.from({ length: 60 }, (_, row) => (row % 3) * (ONE / 2))
    const rows = handRows({
      start: score,
      label: score,
      bins: [score.map((_, row) => row % 2)],
      binCounts: [3],
    })
    expect(predictionsOf(rows, run(rows))).toEqual(rows.start)
  })

  it('takes a single row, and a thousand bins', () => {
    const one = handRows({ start: [ONE / 3], label: [ONE] })
    expect(predictionsOf(one, run(one))[0]).toBeGreaterThanOrEqual(Math.floor(ONE / 3))
    const rows = drawPopulation({ rowCount: 150, seed: 3, weighted: true, steps: 0 })
    const fine = predictionsOf(rows, run(rows, { bins: 1000 }))
    expect(squaredError(rows, fine)).toBeLessThan(squaredError(rows, rows.start))
  })

  it('ends when it is cancelled, between two rounds', () => {
    const rows = drawPopulation({ rowCount: 150, seed: 3, weighted: true, steps: 0 })
    const signal = { aborted: false }
    let rounds = 0
    const onRound = () => {
      signal.aborted = true
      rounds++
    }
    expect(() => run(rows, { signal, onRound })).toThrow(expect.objectContaining({ code: 'FB_ABORTED' }))
    expect(rounds).toBe(1)
  })
})
