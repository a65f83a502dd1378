// A small run of bench/worlds.ts: worlds whose truth is known, a few draws each. The script prints the figures of a large one.

import { describe, expect, it } from 'vitest'
import { makeClasses } from '../../../../bench/worlds/classes.ts'
import { auditDraw, coverDraw, makeTruth } from '../../../../bench/worlds/coverage.ts'
import { drawRows, populationTable, ROLES } from '../../../../bench/worlds/draw.ts'
import { certificateFigures } from '../../../../bench/worlds/figures.ts'
import { emptyTallies, runWorlds } from '../../../../bench/worlds/run.ts'
import { scoreTruth } from '../../../../bench/worlds/scoreTruth.ts'
import { shareOf, Tally, totalOf } from '../../../../bench/worlds/tally.ts'
import { KINDS, makeWorld } from '../../../../bench/worlds/world.ts'
import { scoreMeasures } from '../../src/audit/measures/scoreMeasures.ts'
import { worstErrors } from '../../src/certify/worstErrors.ts'
import { openRows } from '../../src/data/rows.ts'
import { encodedSource } from '../../src/encode.ts'
import { FIT } from '../../src/engine/engine.ts'
import { referenceEngine } from '../../src/engine/reference/reference.ts'

const ROWS = { least: 200, most: 400 }
const run = { seed: 1, from: 0, compareEvery: 2, rows: ROWS }
const worlds = Array.from({ length: KINDS.length }, (_, index) => makeWorld(index + KINDS.length))

describe('the truth of a world', () => {
  it.each(worlds)('is what the measures say of its whole population ($kind)', ({ chance, score }) => {
    const both = (of: (p: number) => number) => Array.from(chance, of)
    const measured = scoreMeasures(
      {
        predictions: [...score, ...score],
        labels: [...both(() => 1), ...both(() => 0)],
        weights: [...both(p => p), ...both(p => 1 - p)],
      },
      { draws: 100 },
    )
    for (const [name, value] of Object.entries(scoreTruth(score, chance))) {
      const digits = name === 'smoothEce' ? 4 : 9
      expect(measured[name as 'brier'].value, name).toBeCloseTo(value, digits)
    }
  })

  it.each(worlds)('is what the search finds in its whole population ($kind)', async world => {
    const { classes, encoding } = await makeClasses(world)
    const opened = await openRows(populationTable(world), ROLES)
    const engine = await referenceEngine(encodedSource(opened, encoding, {}))
    const scope = { fold: FIT, cellBudget: 2 ** 27, confidence: 0.95, candidates: 1 }
    for (const { compiled, errors, rounding, truth } of classes.slice(0, 2)) {
      const found = await worstErrors(engine, compiled, rounding, scope)
      expect(found.multiaccuracy.value).toBeCloseTo(truth.multiaccuracy, 9)
      expect(found.swapRegret.value).toBeCloseTo(truth.swapRegret, 9)
      expect(found.levelSet.value).toBeCloseTo(errors.levelSet, 9)
      // The worst tree is searched for by climbing, so what is found may be less.
      expect(found.multicalibration.value).toBeLessThanOrEqual(errors.multicalibration + 1e-9)
      expect(errors.multicalibration).toBeLessThanOrEqual(found.levelSet.value + 1e-9)
    }
  })

  it('has calibrated worlds among most kinds', () => {
    const right = Array.from({ length: 12 }, (_, index) => makeWorld(index)).filter(world => world.calibrated)
    expect([...new Set(right.map(world => world.kind))]).toEqual(['calibrated', 'rare', 'ties', 'extreme'])
  })
})

describe('over worlds and draws', () => {
  it('certificates are false no oftener than delta, and would be without their slack', async () => {
    const { certificates } = await runWorlds({ ...run, worlds: 12, draws: 8, parts: ['certificates'] })
    const figures = certificateFigures(certificates, 0.05).filter(figure => figure.kind === 'all')
    expect(figures.map(figure => figure.draws)).toEqual(new Array(5).fill(96))
    for (const { draws, falseOnes, name } of figures)
      expect(falseOnes / draws, name).toBeLessThanOrEqual(0.05)
    const [everyone] = figures.filter(({ name }) => name.startsWith('everyone'))
    expect(everyone.withoutSlack).toBeGreaterThan(0.05)
    expect(everyone.slackUsed).toBeGreaterThan(0.05)
  })

  it('intervals hold the truth, and p-values of calibrated worlds are seldom small', async () => {
    const { coverage, uniform } = await runWorlds({
      ...run,
      worlds: 12,
      draws: 2,
      parts: ['coverage', 'uniform'],
    })
    const all = coverage.sum(() => true)
    expect(totalOf(all)).toBeGreaterThan(500)
    // 24 draws of 95 % vary by 4.4 %; those of one draw go together, so the mean of all varies by about 2 %.
    expect(shareOf(all)).toBeGreaterThan(0.92)
    for (const name of coverage.names()) {
      const cell = coverage.sum(key => key.name === name)
      expect(shareOf(cell), name).toBeGreaterThanOrEqual(0.75)
    }
    const small = uniform.sum(key => key.name.startsWith('search') && key.name.endsWith('@0.05'))
    expect(totalOf(small)).toBeGreaterThan(8)
    expect(small.below / totalOf(small)).toBeLessThan(0.3)
  })

  it('and would not hold the truth of another world', async () => {
    const tallies = emptyTallies()
    for (const index of [1, 2, 7, 8]) {
      const [world, other] = [makeWorld(index), makeWorld(index + 3)]
      const classes = await makeClasses(other)
      await coverDraw(tallies, drawRows(world, 1, { least: 800, most: 900 }), classes, makeTruth(other))
    }
    for (const name of ['brier', 'logLoss', 'auc', 'prAuc']) {
      expect(shareOf(tallies.coverage.sum(key => key.name === name)), name).toBeLessThanOrEqual(0.5)
    }
  })

  it('counts do not depend on how worlds are shared out', async () => {
    const count = (from: number, count: number) =>
      runWorlds({ ...run, from, worlds: count, draws: 1, parts: ['certificates'] })
    const [whole, first, second] = [await count(0, 3), await count(0, 1), await count(1, 2)]
    const merged = new Tally()
    merged.merge(first.certificates)
    merged.merge(second.certificates)
    expect(merged.cells).toEqual(whole.certificates.cells)
  })

  it('the class that an audit learns from a draw is the one that was declared before it', async () => {
    const world = makeWorld(1)
    const draw = drawRows(world, 2, ROWS)
    const { encoding } = await makeClasses(world)
    const { groupsTested, groupsTooSmall } = (await auditDraw(draw, 'groups')).significance
    expect(groupsTested + groupsTooSmall).toBe(9)
    expect(encoding.features.map(feature => feature.name)).toEqual(['step', 'age', 'region', 'member'])
  })
})
