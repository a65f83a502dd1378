// The worlds behind docs/truth.md: what they draw, what is true in them, and what chance allows.

import { describe, expect, it } from 'vitest'
import { kolmogorov, mostByChance, SELDOM } from '../../../../../bench/worlds/named/chance.ts'
import { figuresOf, missedPromises } from '../../../../../bench/worlds/named/figures.ts'
import { makePopulation } from '../../../../../bench/worlds/named/population.ts'
import { AUDITED, drawTable, rolesOf, runNamed } from '../../../../../bench/worlds/named/run.ts'
import { searchTable } from '../../../../../bench/worlds/named/search.ts'
import { trueErrors, trueGap } from '../../../../../bench/worlds/named/truth.ts'
import { NAMED } from '../../../../../bench/worlds/named/worlds.ts'
import { audit } from '../../../src/index.ts'

const named = (name: string) => NAMED.find(world => world.name === name)!

describe('named worlds', () => {
  it('draw labels and weights that have the means which are called true', () => {
    for (const world of NAMED) {
      const population = makePopulation(world, 3)
      let [labels, truths, weights, squares] = [0, 0, 0, 0]
      for (let seed = 1; seed <= 20; seed++) {
        const { columns, rowCount } = drawTable({ ...world, copies: 1 }, population, seed)
        const values = (name: string) => {
          const column = columns.find(each => each.name === name)
          return column?.kind === 'numeric' ? column.values : new Float64Array(rowCount).fill(1)
        }
        const [label, score, weight] = ['label', 'score', 'weight'].map(values)
        for (let row = 0; row < rowCount; row++) {
          labels += weight[row] * label[row]
          truths += weight[row] * (world.truth?.(score[row]) ?? score[row])
          weights += weight[row]
          squares += weight[row] ** 2
        }
      }
      // Five standard errors of what labels of 0 and 1 vary by at most.
      const most = 5 * Math.sqrt(squares) * 0.5
      expect(Math.abs(labels - truths)).toBeLessThan(most)
      expect(weights).toBeGreaterThan(0)
    }
  })

  it('are searched as an audit searches', async () => {
    for (const name of ['plain', 'hard scores with errors']) {
      const world = { ...named(name), rows: 300 }
      const table = drawTable(world, makePopulation(world, 5), 6)
      const options = { ...rolesOf(world, table), ...AUDITED }
      const { notEnoughEvidence, patterns, significance, tooHigh, tooLow, worst } = await audit(
        table,
        options,
      )
      expect(await searchTable(table, options)).toEqual({
        ...{ notEnoughEvidence, patterns, significance, tooHigh, tooLow, worst },
      })
    }
  })

  it('have a truth that a count over points gives', () => {
    const population = makePopulation(named('plain'), 7)
    const { members, score, truth } = population
    expect(trueGap(population, [{ column: 'member', is: true }], { from: 0, to: 0.5 })).toBe(0)
    // Off by 0.1 for members in the east, and only there: the worst tree has them in a leaf of their own, or not.
    const inside = members({ column: 'member', is: true }).map(
      (is, point) => is & members({ column: 'region', is: 'east' })[point],
    )
    const values = score.map((_, point) => truth[point] - 0.1 * inside[point])
    const share = inside.reduce((sum, is) => sum + is, 0) / score.length
    const found = trueErrors(population, values)
    expect(found.levelSet).toBeCloseTo(0.1 * share, 12)
    expect(found.multicalibration).toBeCloseTo(0.1 * share, 12)
  }, 20_000)

  it('give figures of every draw, the same for the same seed', async () => {
    const world = { ...named('plain'), rows: 300 }
    const results = await runNamed(named('plain'), 2, 1)
    expect(await runNamed(named('plain'), 2, 1)).toEqual(results)
    const figures = figuresOf(world, results)
    expect(figures).toMatchObject({ world: 'plain', draws: 2, pValues: { promised: true } })
    const wrong = results.map(result => ({ ...result, p: 0, worstHeld: false, allHeld: false }))
    const many = figuresOf(
      world,
      Array.from({ length: 20 }, () => wrong[0]),
    )
    expect(missedPromises([many])).toEqual([
      'plain: p <= 0.05',
      'plain: p <= 0.2',
      'plain: p-values, Kolmogorov',
      'plain: interval of the worst group',
      'plain: intervals of listed groups',
    ])
  })
})

describe('what chance allows', () => {
  it('is exceeded as seldom as said, and no less', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)
    for (const [draws, rate] of [
      [10, 0.05],
      [40, 0.2],
      [300, 0.05],
    ]) {
      const above = (most: number) =>
        Array.from({ length: draws - most }, (_, more) => most + 1 + more).reduce(
          (sum, count) => sum + choose(draws, count) * rate ** count * (1 - rate) ** (draws - count),
          0,
        )
      const most = mostByChance(draws, rate)
      expect(above(most)).toBeLessThanOrEqual(SELDOM)
      expect(above(most - 1)).toBeGreaterThan(SELDOM)
    }
  })

  it('of p-values is how far more of them are small', () => {
    expect(kolmogorov([0.25, 0.5, 0.75, 1]).distance).toBe(0)
    expect(kolmogorov([0.1, 0.5, 0.75, 1]).distance).toBeCloseTo(0.15, 12)
    expect(kolmogorov([0.9, 1]).distance).toBeCloseTo(0, 12)
  })
})
