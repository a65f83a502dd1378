// Section 7: what a sample says about the population it was drawn from. The population is finite and known, so the
// deviations that the theorems bound can be computed.

import { describe, expect, it } from 'vitest'
import { boost } from '../../src/boost/boost.ts'
import { certificateStop } from '../../src/boost/stopping.ts'
import { compileAuditors } from '../../src/classes/compile.ts'
import { assignRoles } from '../../src/data/roles.ts'
import { type Engine, FIT, meanLoss } from '../../src/engine/engine.ts'
import { referenceEngine } from '../../src/engine/reference/reference.ts'
import { makeTable, type Table, trees } from '../../src/index.ts'
import { makeRandom } from '../../src/internal.ts'
import { multicalibrationError } from '../../src/measures/class/multicalibration.ts'
import { chooseOracle } from '../../src/oracle/choose.ts'
import { discretize } from '../../src/round/discretize.ts'
import { engineRows, learnEncoding } from '../../src/store/encode.ts'

const BINS = 5
const TOLERANCE = 0.002

interface Cell {
  readonly a: number
  readonly b: string
  readonly score: number
  readonly truth: number
}

/** 6 x 4 x 3 equally likely cells; the score is wrong by an amount that depends on the cell. */
const CELLS: Cell[] = [0, 1, 2, 3, 4, 5].flatMap(a =>
  ['p', 'q', 'r', 's'].flatMap((b, index) =>
    [0.2, 0.5, 0.8].map(score => ({
      a,
      b,
      score,
      truth: Math.min(
        0.95,
        Math.max(0.05, score + (a < 2 && index === 1 ? 0.25 : 0) - (index === 3 ? 0.15 : 0)),
      ),
    })),
  ),
)

const tableOf = (cells: readonly Cell[], labels: readonly number[]): Table =>
  makeTable({
    a: cells.map(cell => cell.a),
    b: cells.map(cell => cell.b),
    score: cells.map(cell => cell.score),
    y: labels,
  })

/** Labels are the probabilities themselves: then losses differ from the population's by the mean of p(1-p). */
const POPULATION = tableOf(
  CELLS,
  CELLS.map(cell => cell.truth),
)
const IRREDUCIBLE = CELLS.reduce((sum, { truth }) => sum + truth * (1 - truth), 0) / CELLS.length

function drawSample(rows: number, seed: number): Table {
  const random = makeRandom(seed)
  const cells = Array.from({ length: rows }, () => CELLS[random.integer(CELLS.length)])
  return tableOf(
    cells,
    cells.map(cell => (random.next() < cell.truth ? 1 : 0)),
  )
}

/** Boosts on the sample, and carries the same updates over to an engine that holds the population. */
async function fitSample(rows: number, seed: number) {
  const roles = { label: 'y', prediction: 'score' }
  const dataset = assignRoles(drawSample(rows, seed), roles)
  const encoding = learnEncoding(dataset, trees(), { bins: 255, coarseBins: 64, rare: 0 })
  const compiled = compileAuditors(trees(), 'table', encoding)
  const sample = referenceEngine(engineRows(dataset, encoding, {}))
  const population = referenceEngine(engineRows(assignRoles(POPULATION, roles), encoding, {}))
  const oracle = chooseOracle(compiled, sample.shape, {
    levels: BINS,
    cellBudget: 1e9,
    search: 'exhaustive',
    warn: () => {},
  })
  const { updates } = await boost(sample, {
    oracle,
    stop: certificateStop(TOLERANCE, 0, 1),
    learningRate: 1,
    roundLimit: 1000,
    describe: () => '',
  })
  for (const update of updates) await population.apply(update)
  return { sample, population, oracle, compiled }
}

const lossOf = async (engine: Engine) => meanLoss((await engine.losses())[FIT])

describe('from the sample to the population', () => {
  it('no update gains more than alpha + deviations of the two predictors (Corollary 7.7 with the measured xi)', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { oracle, population, sample } = await fitSample(400, seed)
      const { update } = await oracle.propose(population, FIT)
      const best = meanLoss((await population.evaluate(update))[FIT]) + IRREDUCIBLE
      const own = (await lossOf(population)) + IRREDUCIBLE
      const bestOnSample = meanLoss((await sample.evaluate(update))[FIT])
      const deviation = Math.abs(own - (await lossOf(sample))) + Math.abs(best - bestOnSample)
      expect(own - best).toBeLessThan(TOLERANCE + deviation)
    }
  })

  it('K1 stays within sqrt(gamma) + 1/K, gamma = alpha + the deviations (Theorems 7.8 and 7.10)', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const { compiled, oracle, population, sample } = await fitSample(400, seed)
      const { update } = await oracle.propose(population, FIT)
      const gamma =
        TOLERANCE +
        Math.abs((await lossOf(population)) + IRREDUCIBLE - (await lossOf(sample))) +
        Math.abs(
          meanLoss((await population.evaluate(update))[FIT]) +
            IRREDUCIBLE -
            meanLoss((await sample.evaluate(update))[FIT]),
        )
      const rounding = await discretize(population, BINS)
      const { atMost } = await multicalibrationError(population, compiled, rounding, {
        fold: FIT,
        cellBudget: 1e9,
      })
      expect(atMost).toBeLessThanOrEqual(Math.sqrt(gamma) + 1 / BINS)
    }
  })

  it('the error on the population falls towards the error on the sample as rows grow', async () => {
    const gaps: number[] = []
    for (const rows of [200, 2000, 20_000]) {
      let gap = 0
      for (let seed = 1; seed <= 5; seed++) {
        const { population, sample } = await fitSample(rows, seed)
        gap += Math.abs((await lossOf(population)) + IRREDUCIBLE - (await lossOf(sample))) / 5
      }
      gaps.push(gap)
    }
    expect(gaps[1]).toBeLessThan(gaps[0] / 2)
    expect(gaps[2]).toBeLessThan(gaps[1])
  })
})
