// Patterns: what was planted is found, as many groups as there are and hardly another row; and hundreds of findings become these few.

import { describe, expect, it } from 'vitest'
import { mergeFindings } from '../../../src/audit/worst/patterns.ts'
import type { Candidate } from '../../../src/audit/worst/ranking.ts'
import { audit, makeTable, memoryEngine, referenceEngine } from '../../../src/index.ts'
import { makeRandom } from '../../../src/internal.ts'
import { isRecovered, plantWorld, recover } from './planted.ts'

describe('patterns', () => {
  it('are the groups that were planted, in number and in rows', async () => {
    const found = []
    for (let seed = 1; seed <= 4; seed++) found.push(await recover(plantWorld(seed, 6000, [0.1, 0.25])))
    expect(found.filter(isRecovered).length).toBeGreaterThanOrEqual(3)
    for (const { explained, findings } of found) {
      expect(findings).toBeGreaterThan(10)
      expect(explained).toBeGreaterThan(findings / 2)
    }
  })

  it('are the same on every engine, lead the worst groups, and are said with how many they explain', async () => {
    const { table } = plantWorld(7, 3000, [0.15, 0.3])
    const asked = { label: 'y', prediction: 'score', draws: 0, bins: 4, coarseBins: 6 } as const
    const one = await audit(table, { ...asked, engine: referenceEngine })
    const two = await audit(table, { ...asked, engine: memoryEngine({ threads: 2, chunkRows: 500 }) })
    expect(two.patterns).toEqual(one.patterns)
    const { explained, findings, groups } = one.patterns
    expect(groups.reduce((sum, { explains }) => sum + explains, 0)).toBe(explained)
    expect(explained).toBeLessThanOrEqual(findings)
    const names = groups.map(({ group }) => group)
    expect(one.worst.slice(0, groups.length).map(({ group }) => group)).toEqual(names)
    expect(one.verdict.startsWith(`${names[0]}: the score says `)).toBe(true)
    expect(one.verdict).toContain(
      `of ${findings} kinds of group`.replace(/^of/, explained === findings ? 'all' : 'of the'),
    )
  })

  it('are none where nothing is surely off', async () => {
    const random = makeRandom(3)
    const score = Array.from({ length: 1500 }, () => 0.2 + 0.6 * random.next())
    const a = score.map(() => random.integer(5))
    const y = score.map(chance => Number(random.next() < chance))
    const { patterns } = await audit(makeTable({ a, score, y }), { label: 'y', prediction: 'score', bins: 2 })
    expect(patterns).toEqual({ groups: [], findings: 0, explained: 0, isAll: true })
  })
})

describe('merging', () => {
  /** Groups are sets of the rows 0 to 9, which weigh 100 each and are named by the path; an engine that counts what two share. */
  const rowsOf = (path: Candidate['path']) =>
    path.map(({ split }) => new Set((split as unknown as { rows: number[] }).rows))
  const group = (rows: number[], residual: number): Candidate => ({
    path: [{ split: { kind: 'in', feature: 0, bins: [], missing: false, rows } as never, yes: true }],
    ...{ level: undefined, count: 100 * rows.length, residual, variance: 100 * rows.length },
  })
  const engine = (candidates: readonly Candidate[]) =>
    ({
      shape: { rowCount: 1000 },
      levelSums: async ({
        trees,
      }: {
        trees: { split: { rows: number[] }; yes: { split: { rows: number[] } } }[]
      }) =>
        trees.map(({ split, yes }) => {
          const other = new Set(yes.split.rows)
          return { counts: Float64Array.of(100 * split.rows.filter(row => other.has(row)).length) }
        }),
      candidates,
    }) as never
  const merge = (candidates: readonly Candidate[]) =>
    mergeFindings(candidates, { engine: engine(candidates), fold: 0, levels: 1, criticalSquare: 25 })

  it('takes the rows of a pattern for what they explain, and no more', async () => {
    expect(rowsOf(group([1], 0).path)[0]).toEqual(new Set([1]))
    const [young, everyone] = [group([0, 1], 300), group([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 310)]
    const one = await merge([young, everyone])
    expect(one).toMatchObject({ patterns: [young], explainedBy: [2], findings: 2 })
    // The others are off as well: everyone is more than the young.
    const both = await merge([young, group([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 900)])
    expect(both.patterns).toHaveLength(2)
    // To the other side, shared rows explain nothing.
    const apart = await merge([young, group([1, 2, 3], -200)])
    expect(apart.patterns).toHaveLength(2)
  })

  it('begins with the surest, and of equal ones with the first', async () => {
    const [one, other, surest] = [group([0, 1], 200), group([2, 3], 200), group([4, 5], 300)]
    expect((await merge([one, other, surest])).patterns).toEqual([surest, one, other])
    expect((await merge([one, other])).explainedBy).toEqual([1, 1])
  })

  it('takes for explained what a gap of twice the size in the shared rows would make, and what is left within noise', async () => {
    // The pattern is off by 1 a row; of the other 500 rows, 100 are shared, which may make up 200.
    const pattern = group([0, 1, 2, 3, 4, 5, 6], 700)
    const left = (residual: number) => (residual - 200) ** 2 / 500
    const near = group([6, 7, 8, 9, 10], 200 + Math.sqrt(25 * 500) - 1)
    expect(left(near.residual)).toBeLessThan(25)
    expect(await merge([pattern, near])).toMatchObject({ patterns: [pattern], explainedBy: [2] })
    const far = group([6, 7, 8, 9, 10], 200 + Math.sqrt(25 * 500) + 1)
    expect(left(far.residual)).toBeGreaterThan(25)
    expect(await merge([pattern, far])).toMatchObject({ patterns: [pattern, far], explainedBy: [1, 1] })
    // The same on the other side.
    const [low, lower] = [group([0, 1, 2, 3, 4, 5, 6], -700), group([6, 7, 8, 9, 10], -near.residual)]
    expect(await merge([low, lower])).toMatchObject({ patterns: [low], explainedBy: [2] })
  })

  it('takes a group within the surest for it, where its gap is larger by two fifths and surely larger than that of the rest', async () => {
    const everyone = group([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 400)
    // All of the gap is in four of ten rows, which are as sure.
    const core = group([0, 1, 2, 3], 250)
    expect((await merge([everyone, core])).patterns[0]).toBe(core)
    // Not larger by two fifths.
    const alike = group([0, 1, 2, 3], 220)
    expect((await merge([everyone, alike])).patterns[0]).toBe(everyone)
    // Nine tenths of it within are enough, eight of ten are not.
    const mostly = group([0, 1, 2, 3, 4, 5, 6, 7, 8, 20], 700)
    const larger = group([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], 800)
    expect((await merge([larger, mostly])).patterns[0]).toBe(mostly)
    const partly = group([0, 1, 2, 3, 4, 5, 6, 7, 30, 31], 640)
    expect((await merge([larger, partly])).patterns[0]).toBe(larger)
    // The gap is larger, and three of its four parts are shared: not enough.
    const [wide, outer] = [
      group([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], 900),
      group([0, 1, 2, 30], 360),
    ]
    expect((await merge([wide, outer])).patterns[0]).toBe(wide)
    // Larger, but not surely.
    const few = { ...group([0], 60), variance: 2000 }
    expect((await merge([everyone, few])).patterns[0]).toBe(everyone)
    // The surest of several, and from there on again.
    const [inner, second] = [group([0, 1, 2, 3, 4], 290), group([5, 6, 7, 8], 240)]
    expect((await merge([everyone, second, inner])).patterns[0]).toBe(inner)
    const innermost = group([0, 1], 240)
    expect((await merge([everyone, inner, innermost])).patterns[0]).toBe(innermost)
  })

  it('never takes a group for its own core, nor one of as many rows', async () => {
    const [one, same] = [group([0, 1, 2], 300), group([0, 1, 2], 290)]
    expect(await merge([one, same])).toMatchObject({ patterns: [one], explainedBy: [2] })
  })

  it('looks at no more findings than there is work for, and finds no more patterns than anyone reads', async () => {
    const many = Array.from({ length: 600 }, (_, row) => group([row + 20], 80 + row / 100))
    const found = await merge(many)
    expect(found).toMatchObject({ findings: 512, isAll: false })
    expect(found.patterns).toHaveLength(12)
    expect(found.patterns[0]).toBe(many[511])
    const few = await merge(many.slice(0, 512))
    expect(few).toMatchObject({ findings: 512, isAll: true })
    const wide = { ...(engine([]) as object), shape: { rowCount: 2 ** 27 } } as never
    const options = { engine: wide, fold: 0, levels: 1, criticalSquare: 25 }
    expect(await mergeFindings(many, options)).toMatchObject({ findings: 64, isAll: false })
    const medium = { ...(engine([]) as object), shape: { rowCount: 2 ** 20 } } as never
    expect(await mergeFindings(many, { ...options, engine: medium })).toMatchObject({ findings: 128 })
    expect(await merge([])).toEqual({ patterns: [], explainedBy: [], findings: 0, isAll: true })
  })

  it('looks for shared rows at the level of a finding, and for none where levels are different', async () => {
    const at = (level: number | undefined, rows: number[], residual: number) => ({
      ...group(rows, residual),
      level,
    })
    const asked: number[] = []
    const leveled = {
      shape: { rowCount: 1000 },
      levelSums: async ({
        levels,
        trees,
      }: {
        levels: number
        trees: { split: { rows: number[] }; yes: { split: { rows: number[] } } }[]
      }) => {
        asked.push(trees.length)
        // Even rows are at level 0, and odd ones at level 1.
        return trees.map(({ split, yes }) => {
          const both = split.rows.filter(row => yes.split.rows.includes(row))
          const counts = [0, 1].map(level => 100 * both.filter(row => row % 2 === level).length)
          return { counts: Float64Array.from([...counts, 999, 999]).subarray(0, 2 * levels) }
        })
      },
    } as never
    const mergeAt = (candidates: readonly Candidate[]) =>
      mergeFindings(candidates, { engine: leveled, fold: 0, levels: 2, criticalSquare: 25 })
    const pattern = at(0, [0, 2, 4], 300)
    // Of the other, 100 rows at level 0 are shared: they may make up 200.
    const [explained, apart] = [at(undefined, [3, 4, 5], 260), at(1, [0, 2, 4], 250)]
    expect(await mergeAt([pattern, explained])).toMatchObject({ patterns: [pattern], explainedBy: [2] })
    asked.length = 0
    expect(await mergeAt([pattern, apart])).toMatchObject({ patterns: [pattern, apart] })
    expect(asked[0]).toBe(1)
    const whole = at(undefined, [0, 1, 2], 300)
    expect(await mergeAt([whole, at(undefined, [1, 2, 3, 5], 300)])).toMatchObject({ patterns: [whole] })
    expect(await mergeAt([whole, at(1, [1, 3, 5], 280)])).toMatchObject({ patterns: [whole] })
  })
})
