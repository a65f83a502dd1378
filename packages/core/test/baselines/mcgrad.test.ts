// MCGrad: what cross-validation and rescaling promise, worlds that it repairs or leaves alone, and that its model is where
// the method itself stands.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestScale, type LogitRows, slopeOf } from '../../src/baselines/mcgrad/rescale.ts'
import { MCGRAD_FOREST, McgradGrower, NOBODY } from '../../src/baselines/mcgrad/round.ts'
import { runMcgrad } from '../../src/baselines/mcgrad.ts'
import { logitUnits, logLossUnits, scaleLogit } from '../../src/common/logistic.ts'
import { ONE } from '../../src/common/units.ts'
import { loadKernels } from '../../src/kernels/load.ts'
import { Scratch } from '../../src/kernels/scratch.ts'
import { leafCount } from '../../src/update/update.ts'
import { findLeaf, flattenTree } from '../../src/update/walk.ts'
import { predictionsOf, shuffled } from './rows.ts'
import { drawWorld, gapOf, interaction, isOff, pickRows, repeatRows } from './worlds.ts'

const SETTINGS = { seed: 1, threads: 1 }

const meanLoss = (label: Int32Array, prediction: Int32Array): number =>
  label.reduce((sum, one, row) => sum + logLossUnits(one, prediction[row]) / ONE, 0) / label.length

describe('MCGrad', () => {
  it('repairs an interaction, on rows that it has not seen', async () => {
    const { updates } = await runMcgrad(drawWorld(4000, 1, { truth: interaction }), SETTINGS)
    const fresh = drawWorld(8000, 2, { truth: interaction })
    const moved = predictionsOf(fresh, updates)
    expect(gapOf(fresh, fresh.start, row => isOff(fresh, row))).toBeLessThan(-0.3)
    expect(Math.abs(gapOf(fresh, moved, row => isOff(fresh, row)))).toBeLessThan(0.06)
    expect(Math.abs(gapOf(fresh, moved, row => !isOff(fresh, row)))).toBeLessThan(0.02)
  })

  it('stands where its model stands, unit for unit', async () => {
    for (const weighted of [false, true]) {
      const rows = drawWorld(1500, 3, { truth: interaction, weighted })
      const { prediction, updates } = await runMcgrad(rows, SETTINGS)
      expect(updates.length).toBeGreaterThan(0)
      expect(predictionsOf(rows, updates)).toEqual(prediction)
    }
  })

  it('keeps the rounds whose cross-validated loss is lowest, and tries one more', async () => {
    for (const seed of [4, 5]) {
      const told: number[] = []
      const rows = drawWorld(2000, seed, { truth: interaction })
      const { losses, updates } = await runMcgrad(rows, { ...SETTINGS, onRound: round => told.push(round) })
      expect(losses).toHaveLength(updates.length + 2)
      expect(losses[updates.length]).toBe(Math.min(...losses))
      expect(told).toEqual(losses.slice(1).map((_, index) => index + 1))
    }
  })

  it('leaves scores alone that are right', async () => {
    let left = 0
    for (let seed = 10; seed < 18; seed++) {
      const rows = drawWorld(1200, seed)
      const { prediction, updates } = await runMcgrad(rows, SETTINGS)
      if (updates.length === 0) {
        left++
        expect(prediction).toBe(rows.start)
      }
    }
    expect(left).toBeGreaterThan(5)
  })

  it('grows at most 94 trees of at most 5 leaves a round', async () => {
    const { updates } = await runMcgrad(drawWorld(3000, 7, { truth: interaction }), SETTINGS)
    for (const { clip, scale, trees } of updates) {
      expect(trees.length).toBeGreaterThan(10)
      expect(trees.length).toBeLessThanOrEqual(94)
      expect(clip).toBe(1)
      expect(scale! / ONE).toBeGreaterThan(0.7)
      expect(scale! / ONE).toBeLessThan(1.5)
      for (const { tree } of trees) expect(leafCount(tree)).toBeLessThanOrEqual(5)
    }
  })

  it('ends at the limit of rounds, and takes the rate that is asked for', async () => {
    const rows = drawWorld(2000, 8, { truth: interaction })
    const { losses, updates } = await runMcgrad(rows, { ...SETTINGS, roundLimit: 1 })
    expect(updates).toHaveLength(1)
    expect(losses).toHaveLength(2)
    const asked = await runMcgrad(rows, { ...SETTINGS, roundLimit: 1, learningRate: MCGRAD_FOREST.rate })
    expect(asked.updates).toEqual(updates)
    const faster = await runMcgrad(rows, { ...SETTINGS, roundLimit: 1, learningRate: 0.1 })
    expect(faster.updates).not.toEqual(updates)
  })

  it('corrects scores of exactly 0 and 1', async () => {
    const rows = drawWorld(2500, 9, { shown: score => (score < 0.5 ? 0 : 1) })
    const { prediction, updates } = await runMcgrad(rows, SETTINGS)
    expect(updates[0].clip / ONE).toBeGreaterThan(0.1)
    expect(predictionsOf(rows, updates)).toEqual(prediction)
    expect(meanLoss(rows.label, prediction)).toBeLessThan(0.63)
    expect(meanLoss(rows.label, rows.start)).toBeGreaterThan(3)
  })

  it('is the same in any order of rows, and in any number of threads', async () => {
    const rows = drawWorld(5200, 11, { truth: interaction })
    const limited = { ...SETTINGS, roundLimit: 1 }
    const { losses, updates } = await runMcgrad(rows, limited)
    const order = shuffled(Array.from({ length: rows.rowCount }, (_, row) => row))
    const again = await runMcgrad(pickRows(rows, order), { ...limited, threads: 3 })
    expect(again.updates).toEqual(updates)
    expect(again.losses).toEqual(losses)
  })

  it('counts a row of weight 3 as three rows', async () => {
    const rows = drawWorld(900, 12, { truth: interaction, weighted: true })
    const { losses, updates } = await runMcgrad(rows, { ...SETTINGS, roundLimit: 2 })
    const repeated = await runMcgrad(repeatRows(rows), { ...SETTINGS, roundLimit: 2 })
    expect(updates.length).toBeGreaterThan(0)
    expect(repeated.updates).toEqual(updates)
    expect(repeated.losses).toEqual(losses)
  })

  it('does nothing where all rows are in one fold, and can be cancelled', async () => {
    const rows = drawWorld(300, 13)
    const together = { ...rows, part: new Uint8Array(300).fill(5) }
    expect((await runMcgrad(together, SETTINGS)).updates).toEqual([])
    for (const threads of [1, 2]) {
      const many = drawWorld(threads === 1 ? 300 : 5000, 13)
      const cancelled = runMcgrad(many, { ...SETTINGS, threads, signal: { aborted: true } })
      await expect(cancelled).rejects.toMatchObject({ code: 'FB_ABORTED' })
    }
  })
})

describe('a round of MCGrad', () => {
  const world = drawWorld(1500, 20, { truth: interaction })
  const rows = { ...world, part: world.part.map(part => part % 5) }

  it('has the factor that is best for its logits, on the rows that it learns from', () => {
    for (const apart of [NOBODY, 3]) {
      const { update } = new McgradGrower(rows, MCGRAD_FOREST).grow(rows.start, apart, 1)
      const binCounts = rows.features.map(({ bins }) => bins)
      const walks = update.trees.map(({ steps, tree }) => ({ steps, tree: flattenTree(tree, binCounts) }))
      const logits = rows.start.map((score, row) => {
        let moved = logitUnits(score)
        for (const { steps, tree } of walks) moved += steps[findLeaf(tree, rows.bins, row, score)]
        return Math.max(-10 * ONE, Math.min(10 * ONE, moved))
      })
      const learns = (_value: number, row: number) => rows.part[row] !== apart
      const [logit, label] = [logits.filter(learns), rows.label.filter(learns)]
      expect(update.scale).toBe(bestScale({ rowCount: logit.length, logit, label }))
      expect(update.scale).not.toBe(ONE)
    }
  })

  it('learns nothing from the rows held apart, but moves them', () => {
    const flipped = rows.label.map((label, row) => (rows.part[row] === 2 ? ONE - label : label))
    const grown = new McgradGrower(rows, MCGRAD_FOREST).grow(rows.start, 2, 1)
    const other = new McgradGrower({ ...rows, label: flipped }, MCGRAD_FOREST).grow(rows.start, 2, 1)
    expect(other).toEqual(grown)
    expect(predictionsOf(rows, [grown.update])).toEqual(grown.prediction)
  })

  it('has the same trees where weights, which came with fractions, are larger by a scale', () => {
    const weighed = (weight: number, weightScale: number) =>
      new McgradGrower({ ...rows, weight: new Int32Array(1500).fill(weight), weightScale }, MCGRAD_FOREST)
    const { update } = weighed(1, 1).grow(rows.start, NOBODY, 1)
    expect(weighed(64, 64).grow(rows.start, NOBODY, 1).update).toEqual(update)
    expect(weighed(64, 1).grow(rows.start, NOBODY, 1).update).not.toEqual(update)
  })

  it('goes on from the scores of the round before', () => {
    const grower = new McgradGrower(rows, MCGRAD_FOREST)
    const first = grower.grow(rows.start, NOBODY, 1)
    const second = grower.grow(first.prediction, NOBODY, 1)
    expect(second).toEqual(new McgradGrower(rows, MCGRAD_FOREST).grow(first.prediction, NOBODY, 1))
    expect(predictionsOf(rows, [first.update, second.update])).toEqual(second.prediction)
  })
})

describe('the factor of all logits', () => {
  const rowsArbitrary = fc
    .array(
      fc.record({
        logit: fc.integer({ min: -10 * ONE, max: 10 * ONE }),
        label: fc.oneof(fc.constantFrom(0, ONE), fc.integer({ min: 0, max: ONE })),
        weight: fc.integer({ min: 1, max: 3 }),
      }),
      { minLength: 1, maxLength: 30 },
    )
    .map(rows => ({
      rowCount: rows.length,
      logit: Int32Array.from(rows, row => row.logit),
      label: Int32Array.from(rows, row => row.label),
      weight: Int32Array.from(rows, row => row.weight),
    }))

  it('is where the slope of the log loss changes sign', () => {
    fc.assert(
      fc.property(rowsArbitrary, rows => {
        const scale = bestScale(rows)
        expect(scale).toBeGreaterThanOrEqual(1)
        expect(scale).toBeLessThanOrEqual(50 * ONE)
        if (scale > 1) expect(slopeOf(rows)(scale - 1)).toBeGreaterThanOrEqual(0)
        if (scale < 50 * ONE) expect(slopeOf(rows)(scale)).toBeLessThanOrEqual(0)
        if (rows.logit.every(logit => logit === 0)) expect(scale).toBe(ONE)
      }),
    )
  })

  it('has the same slopes from both kernels, with weights and without', () => {
    const slope = (choice: 'wasm' | 'twin', rows: LogitRows, scale: number) => {
      const { kernels, memory } = loadKernels(choice)
      const scratch = new Scratch(memory, 1024)
      const [logit, label] = [scratch.write(rows.logit), scratch.write(rows.label)]
      const weight = rows.weight === undefined ? 0 : scratch.write(rows.weight)
      return kernels.logitSlope(rows.rowCount, logit, label, weight, scale)
    }
    fc.assert(
      fc.property(
        rowsArbitrary,
        fc.integer({ min: 1, max: 50 * ONE }),
        fc.boolean(),
        (rows, scale, weighted) => {
          const asked = weighted ? rows : { ...rows, weight: undefined }
          let meant = 0
          for (const [row, logit] of rows.logit.entries()) {
            const residual = rows.label[row] - scaleLogit(logit, scale)
            meant += (weighted ? rows.weight[row] : 1) * Math.floor((residual * logit) / 2 ** 27 + 0.5)
          }
          expect(slope('wasm', asked, scale)).toBe(meant)
          expect(slope('twin', asked, scale)).toBe(meant)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('has no larger log loss than any on a grid', () => {
    fc.assert(
      fc.property(rowsArbitrary, ({ label, logit, rowCount, weight }) => {
        const loss = (factor: number) => {
          let sum = 0
          for (let row = 0; row < rowCount; row++) {
            const z = (factor * logit[row]) / ONE
            const [y, softplus] = [label[row] / ONE, Math.max(0, z) + Math.log1p(Math.exp(-Math.abs(z)))]
            sum += weight[row] * (softplus - y * z)
          }
          return sum
        }
        const best = loss(bestScale({ rowCount, logit, label, weight }) / ONE)
        for (let factor = 0.01; factor < 50; factor *= 1.2) {
          expect(best).toBeLessThanOrEqual(loss(factor) + 1e-4)
        }
      }),
      { numRuns: 50 },
    )
  })
})
