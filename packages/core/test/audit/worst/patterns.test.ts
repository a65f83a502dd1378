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
})
