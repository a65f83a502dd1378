// The worlds of bench/planted.ts are what their page says, and its figures are what they are called.

import { describe, expect, it } from 'vitest'
import { measure } from '../../../bench/planted/case.ts'
import { writePage } from '../../../bench/planted/page.ts'
import { type MethodFigures, summarize } from '../../../bench/planted/summary.ts'
import { makeWorld, type Sample } from '../../../bench/planted/world.ts'

const ROWS = 20_000

/** Truth less score of every row of a group. */
const gapsOf = ({ group, score, truth }: Sample, wanted: number): { score: number; gap: number }[] =>
  Array.from(score.keys())
    .filter(row => group[row] === wanted)
    .map(row => ({ score: score[row], gap: truth[row] - score[row] }))

describe('a world', () => {
  it.each([
    ['pair', 0.01, 0.09],
    ['triple', 0.01, 0.09],
    ['flip', 0.025, 0.13],
  ] as const)('of kind %s has six groups, each off by 0.06 to 0.11', (kind, least, most) => {
    const sample = makeWorld(kind, 101).draw(ROWS, 5)
    for (let group = 0; group < 6; group++) {
      const gaps = gapsOf(sample, group)
      expect(gaps.length / ROWS).toBeGreaterThan(least)
      expect(gaps.length / ROWS).toBeLessThan(most)
      // Near 0 and 1 there is less room.
      const free = gaps.filter(({ score }) => score > 0.13 && score < 0.87)
      for (const { gap } of free) {
        expect(Math.abs(gap)).toBeGreaterThan(0.0599)
        expect(Math.abs(gap)).toBeLessThan(0.1101)
      }
      const signs = new Set(free.map(({ gap, score }) => Math.sign(gap) * (score > 0.27 ? 1 : -1)))
      const plain = new Set(free.map(({ gap }) => Math.sign(gap)))
      expect((kind === 'flip' ? signs : plain).size).toBe(1)
    }
  })

  it('is right everywhere else, and everywhere if it is null', () => {
    const { group, score, truth } = makeWorld('pair', 102).draw(ROWS, 5)
    const others = Array.from(group.keys()).filter(row => group[row] < 0)
    expect(others.length).toBeGreaterThan(ROWS / 2)
    expect(others.every(row => truth[row] === score[row])).toBe(true)
    const plain = makeWorld('null', 102).draw(ROWS, 5)
    expect(plain.truth).toEqual(plain.score)
  })

  it('is the same for the same seeds; labels have the chances they should', () => {
    const [one, two] = [1, 2].map(() => makeWorld('flip', 103).draw(ROWS, 9))
    expect(one).toEqual(two)
    const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
    const spread = Math.sqrt(one.truth.reduce((total, chance) => total + chance * (1 - chance), 0))
    expect(Math.abs(sum(one.label) - sum(one.truth))).toBeLessThan(4 * spread)
    expect(makeWorld('flip', 104).draw(ROWS, 9).score).not.toEqual(one.score)
  })
})

describe('the figures', () => {
  it('of the truth are 0, and those of the score are its errors', async () => {
    const sample = makeWorld('pair', 101).draw(ROWS, 6)
    expect(await measure(sample, sample.truth, { audits: true, threads: 1 })).toEqual({
      gap: 0,
      worst: 0,
      off: 0,
      distance: 0,
    })
    const { distance, gap, off, worst } = await measure(sample, sample.score, { audits: true, threads: 1 })
    const means = Array.from({ length: 6 }, (_, group) => {
      const gaps = gapsOf(sample, group)
      return gaps.reduce((sum, each) => sum + Math.abs(each.gap), 0) / gaps.length
    })
    expect(gap).toBeCloseTo(means.reduce((sum, mean) => sum + mean, 0) / 6, 12)
    expect(worst).toBeCloseTo(Math.max(...means), 12)
    expect(distance).toBeGreaterThan(0)
    expect(off).toBeGreaterThan(0)
  })

  it('are means over seeds, and the page sets ours against MCGrad', () => {
    const figures = (method: string, seed: number, gap: number): MethodFigures => ({
      ...{ method, kind: 'pair', rows: 5000, seed, gap, worst: gap, off: 1, distance: gap * gap, seconds: 1 },
    })
    const found = [
      figures('featureboost, defaults', 1, 0.02),
      figures('MCGrad, defaults', 1, 0.06),
      figures('featureboost, defaults', 2, 0.04),
      figures('MCGrad, defaults', 2, 0.06),
    ]
    expect(summarize(found).map(({ gap, seeds }) => [Number(gap.toFixed(6)), seeds])).toEqual([
      [0.03, 2],
      [0.06, 2],
    ])
    const page = writePage(found, {
      command: '--rows 5000:2',
      auditSeeds: 10,
      threads: 2,
      versions: { MCGrad: '0.1.5' },
    })
    expect(page).toContain('| pair | 5,000 | 2 | 0.0300 | 0.0600 | 0.50 ± 0.17 |')
    expect(page).toContain('npx tsx bench/planted.ts --rows 5000:2')
  })
})
