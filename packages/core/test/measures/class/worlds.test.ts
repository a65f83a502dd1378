// A small run of bench/worlds.ts: worlds whose truth is known, a few draws each. The script prints the figures of a large one.

import { describe, expect, it } from 'vitest'
import { openEngine, SCOPE } from '../../../../../bench/worlds/certificates.ts'
import { makeClasses, roundScores } from '../../../../../bench/worlds/classes.ts'
import { auditDraw, coverDraw, makeTruth } from '../../../../../bench/worlds/coverage.ts'
import { drawRows, populationTable, ROLES } from '../../../../../bench/worlds/draw.ts'
import { certificateFigures, coverageFigures } from '../../../../../bench/worlds/figures.ts'
import { emptyTallies, runWorlds } from '../../../../../bench/worlds/run.ts'
import { scoreTruth } from '../../../../../bench/worlds/scoreTruth.ts'
import { FEW_EVENTS, shareOf, Tally, totalOf } from '../../../../../bench/worlds/tally.ts'
import { KINDS, makeWorld } from '../../../../../bench/worlds/world.ts'
import { type WorstErrors, worstErrors } from '../../../src/certify/worstErrors.ts'
import { openRows } from '../../../src/data/openRows.ts'
import { referenceEngine } from '../../../src/engine/reference/reference.ts'
import type { Estimate } from '../../../src/measures/score/scoredRows.ts'
import { scoreMeasures } from '../../../src/measures/score/scoreMeasures.ts'
import { encodedSource } from '../../../src/store/encode.ts'

const ROWS = { least: 200, most: 400 }
const run = { seed: 1, from: 0, compareEvery: 2, simulated: 100, rows: ROWS }
const worlds = Array.from({ length: KINDS.length }, (_, index) => makeWorld(index))

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
    for (const { compiled, errors, rounding, truth } of classes.slice(0, 2)) {
      const found = await worstErrors(engine, compiled, rounding, SCOPE)
      expect(found.multiaccuracy.value).toBeCloseTo(truth.multiaccuracy, 9)
      expect(found.swapRegret.value).toBeCloseTo(truth.swapRegret, 9)
      expect(found.levelSet.value).toBeCloseTo(errors.levelSet, 9)
      // The worst tree is searched for by climbing, so what is found may be less.
      expect(found.multicalibration.value).toBeLessThanOrEqual(errors.multicalibration + 1e-9)
      expect(errors.multicalibration).toBeLessThanOrEqual(found.levelSet.value + 1e-9)
    }
  })

  it('is the score itself in four of nine kinds', () => {
    const right = worlds.filter(world => world.calibrated)
    expect(right.map(world => world.kind)).toEqual(['calibrated', 'rare', 'ties', 'extreme'])
  })
})

describe('over worlds and draws', () => {
  it('certificates are false no oftener than delta, and would be without their slack', async () => {
    const { certificates } = await runWorlds({ ...run, worlds: 18, draws: 5, parts: ['certificates'] })
    const figures = certificateFigures(certificates, 0.05).filter(figure => figure.kind === 'all')
    expect(figures.map(figure => figure.draws)).toEqual(new Array(5).fill(90))
    for (const { draws, falseOnes, name } of figures)
      expect(falseOnes / draws, name).toBeLessThanOrEqual(0.05)
    const [everyone] = figures.filter(({ name }) => name.startsWith('everyone'))
    expect(everyone.withoutSlack).toBeGreaterThan(0.05)
    expect(everyone.slackUsed).toBeGreaterThan(0.05)
  })

  it('intervals hold the truth', async () => {
    const { coverage } = await runWorlds({
      ...run,
      worlds: 9,
      draws: 2,
      parts: ['coverage'],
    })
    const all = coverage.sum(key => key.events >= FEW_EVENTS)
    expect(totalOf(all)).toBeGreaterThan(250)
    // 14 draws of 95 % vary by 6 %; those of one draw go together, so the mean of all varies by about 2 %.
    expect(shareOf(all)).toBeGreaterThan(0.92)
    for (const { enough, name } of coverageFigures(coverage, 0.95)) {
      expect(enough.share, name).toBeGreaterThanOrEqual(0.7)
    }
  })

  it('and would not hold the truth of another world', async () => {
    const tallies = emptyTallies()
    for (const index of [1, 2, 10, 11]) {
      const [world, other] = [makeWorld(index), makeWorld(index + 3)]
      const classes = await makeClasses(other)
      await coverDraw(tallies, drawRows(world, 1, { least: 500, most: 500 }), classes, makeTruth(other))
    }
    for (const name of ['brier', 'logLoss', 'auc', 'prAuc']) {
      expect(shareOf(tallies.coverage.sum(key => key.name === name)), name).toBeLessThanOrEqual(0.5)
    }
  })

  it('p-values of the search are spread over 0 to 1 in a calibrated world', async () => {
    const world = makeWorld(0)
    const found: number[] = []
    for (let number = 1; number <= 12; number++) {
      found.push((await auditDraw(drawRows(world, number, ROWS), 'trees')).significance.p)
    }
    // The mean of twelve uniform numbers varies by 0.083.
    const mean = found.reduce((sum, p) => sum + p, 0) / found.length
    expect(mean).toBeGreaterThan(0.25)
    expect(mean).toBeLessThan(0.75)
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
    const { classes, encoding } = await makeClasses(world)
    const engine = await openEngine(draw, encoding)
    const rounding = roundScores(
      Float64Array.from(draw.rows, row => world.score[row]),
      world.bins,
    )
    for (const name of ['trees', 'groups'] as const) {
      const { compiled } = classes.find(each => each.name === name)!
      const audited = await auditDraw(draw, name)
      expect(audited).toMatchObject(await withoutWords(worstErrors(engine, compiled, rounding, SCOPE)))
    }
  })
})

/** Cuts may be written otherwise, and part the rows alike. */
async function withoutWords(found: Promise<WorstErrors>) {
  const bare = ({ high, low, value }: Estimate) => ({ high, low, value })
  return Object.fromEntries(Object.entries(await found).map(([name, each]) => [name, bare(each)]))
}
