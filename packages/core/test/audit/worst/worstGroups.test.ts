// The search against row-by-row brute force on small tables: every group of one or two declared splits, at every level.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankFamily } from '../../../src/audit/worst/candidates.ts'
import { openDraws } from '../../../src/audit/worst/nullMaximum.ts'
import { Ranking } from '../../../src/audit/worst/ranking.ts'
import { declaredSpace, treeSpace } from '../../../src/audit/worst/space.ts'
import { TopList } from '../../../src/audit/worst/topList.ts'
import { trees } from '../../../src/classes/auditors.ts'
import { declaredSteps } from '../../../src/classes/splits.ts'
import type { EngineRows, Noise } from '../../../src/engine/engine.ts'
import { referenceEngine } from '../../../src/engine/reference/reference.ts'
import { openFamily } from '../../../src/oracle/groups/family.ts'
import type { Condition } from '../../../src/update/update.ts'
import {
  naiveChance,
  naiveDrawn,
  naiveLevel,
  naiveSquare,
  naiveTakesYes,
  naiveVariance,
  naiveWeight,
} from '../../support/naive.ts'
import { FEW_BINS, MANY_BINS, prepare, tablesArbitrary } from '../../support/tables.ts'

const anyFamily = fc.record({
  table: tablesArbitrary(),
  bins: fc.constantFrom(FEW_BINS, MANY_BINS),
  levels: fc.integer({ min: 1, max: 3 }),
  depth: fc.constantFrom(1 as const, 2 as const),
  noise: fc.constantFrom('labels' as const, { errors: 2 ** 20 }),
  least: fc.constantFrom(1, 2 ** 21, 2 ** 23),
})

/** Every different set of conditions: none, one, or two on whatever columns. */
function allPaths(splits: readonly Condition['split'][], depth: number): Condition[][] {
  const sides = splits.flatMap(split => [true, false].map((yes): Condition => ({ split, yes })))
  const pairs =
    depth < 2 ? [] : sides.flatMap((one, index) => sides.slice(index + 1).map(other => [one, other]))
  return [[], ...sides.map(side => [side]), ...pairs]
}

interface Cell {
  readonly level: number | undefined
  readonly count: number
  readonly residual: number
  readonly variance: number
}

/** Sums of one group at one level, or at all. */
function sumCell(
  rows: EngineRows,
  path: readonly Condition[],
  levels: number,
  level: number | undefined,
  outcomeOf: (row: number) => number,
  noise: Noise,
): Cell {
  let [count, residual, variance] = [0, 0, 0]
  for (let row = 0; row < rows.rowCount; row++) {
    const prediction = rows.start[row]
    if ((rows.fold?.[row] ?? 0) !== 0) continue
    if (level !== undefined && naiveLevel(prediction, levels) !== level) continue
    if (!path.every(({ split, yes }) => naiveTakesYes(split, rows, row, prediction) === yes)) continue
    count += naiveWeight(rows, row)
    residual += naiveWeight(rows, row) * (outcomeOf(row) - naiveChance(noise, prediction))
    variance += naiveSquare(rows, row, 0) * naiveVariance(noise, rows.label[row], prediction)
  }
  return { level, count, residual, variance }
}

describe('the search over trees', () => {
  it('finds the largest statistic there is, of the labels and of any draw, and counts every group once', async () => {
    await fc.assert(
      fc.asyncProperty(anyFamily, async ({ table, bins, levels, depth, noise, least }) => {
        const prepared = prepare(table, trees({ depth }), 'table', bins)
        const key = Int32Array.from(prepared.rows.label, (_, row) => Math.imul(row + 7, 0x9e3779b1))
        const rows: EngineRows = { ...prepared.rows, key }
        const schemas = prepared.compiled.encoding.features
        const engine = referenceEngine(rows)
        const features = schemas.map((_, feature) => feature)
        const family = await openFamily(engine, { fold: 0, levels, depth, schemas, features })
        const options = { noise, shift: 0, leastVariance: least, criticalSquare: 0, kept: 1000 }
        const ranked = await rankFamily(family, options)
        const splits = schemas.flatMap((schema, feature) =>
          declaredSteps(schema, feature, true).flatMap(({ split }) => (split === undefined ? [] : [split])),
        )
        const paths = allPaths(splits, depth)
        const at =
          levels === 1 ? [undefined] : [undefined, ...Array.from({ length: levels }, (_, level) => level)]
        const largest = (outcome: (row: number) => number) =>
          Math.max(
            0,
            ...paths.flatMap(path =>
              at.map(level => {
                const cell = sumCell(rows, path, levels, level, outcome, noise)
                return cell.variance >= least ? cell.residual ** 2 / cell.variance : 0
              }),
            ),
          )
        expect(ranked.largestSquare).toBe(largest(row => rows.label[row]))
        const drawn = (row: number) => naiveDrawn(noise, rows.start[row], key[row], 3)
        for (const choice of [undefined, 'wasm', 'twin'] as const) {
          const drawMaximum = await openDraws(family, options, choice)
          expect(await drawMaximum(3)).toBe(largest(drawn))
        }
        // Of every shape the best is listed: no group at any level is more significant than the listed one of its shape.
        const shapeOf = (path: readonly Condition[]) =>
          path
            .map(({ split, yes }) => (split.kind === 'atMost' ? [split.feature, yes] : [split, yes]))
            .map(part => JSON.stringify(part))
            .sort()
            .join()
        const best = new Map<string, number>()
        for (const { level, path, residual, variance: v } of ranked.bySignificance) {
          const key = `${shapeOf(path)} ${level}`
          best.set(key, Math.max(best.get(key) ?? 0, residual ** 2 / v))
        }
        const strongest = Math.max(0, ...best.values())
        expect(strongest).toBe(ranked.largestSquare)
        // Two conditions on one feature can be one of them; such groups are listed under the shape of that one.
        const feature = ({ split }: Condition) => (split.kind === 'below' ? -1 : split.feature)
        for (const path of paths.filter(([one, other]) => !other || feature(one) !== feature(other))) {
          for (const level of at) {
            const cell = sumCell(rows, path, levels, level, row => rows.label[row], noise)
            const known = best.get(`${shapeOf(path)} ${level}`)
            if (cell.variance < least || known === undefined) continue
            expect(cell.residual ** 2 / cell.variance).toBeLessThanOrEqual(known)
          }
        }
        for (const candidate of [...ranked.bySignificance, ...ranked.tooLow, ...ranked.tooHigh]) {
          const cell = sumCell(rows, candidate.path, levels, candidate.level, row => rows.label[row], noise)
          expect(candidate).toMatchObject({
            count: cell.count,
            residual: cell.residual,
            variance: cell.variance,
          })
        }
        expect(treeSpace(family).size).toBeGreaterThanOrEqual(ranked.testCount)
      }),
      { numRuns: 60 },
    )
  })

  it('finds the same in declared groups', async () => {
    await fc.assert(
      fc.asyncProperty(anyFamily, async ({ table, bins, levels, noise, least }) => {
        const prepared = prepare(table, trees(), 'table', bins)
        const key = Int32Array.from(prepared.rows.label, (_, row) => Math.imul(row + 7, 0x9e3779b1))
        const rows: EngineRows = { ...prepared.rows, key }
        const schemas = prepared.compiled.encoding.features
        const splits = schemas.flatMap((schema, feature) =>
          declaredSteps(schema, feature, true).flatMap(({ split }) => (split === undefined ? [] : [split])),
        )
        const paths = allPaths(splits, 1)
        const space = declaredSpace(
          referenceEngine(rows),
          0,
          levels,
          paths.map(path => ({ path, words: '' })),
        )
        const ranked = await space.rank({
          noise,
          shift: 0,
          leastVariance: least,
          criticalSquare: 0,
          kept: 50,
        })
        const at =
          levels === 1 ? [undefined] : [undefined, ...Array.from({ length: levels }, (_, level) => level)]
        const squares = (outcome: (row: number) => number) =>
          paths.flatMap(path =>
            at.flatMap(level => {
              const cell = sumCell(rows, path, levels, level, outcome, noise)
              return cell.variance >= least ? [cell.residual ** 2 / cell.variance] : []
            }),
          )
        const observed = squares(row => rows.label[row])
        expect(ranked.largestSquare).toBe(Math.max(0, ...observed))
        expect(ranked.testCount).toBe(observed.length)
        const drawn = (row: number) => naiveDrawn(noise, rows.start[row], key[row], 1)
        expect(await ranked.drawMaximum(1)).toBe(Math.max(0, ...squares(drawn)))
      }),
      { numRuns: 40 },
    )
  })
})

describe('a ranking', () => {
  const options = { noise: 'labels', shift: 0, leastVariance: 10, criticalSquare: 4, kept: 2 } as const

  it('lists what is too small apart, and never tests it', () => {
    const ranking = new Ranking(1, options)
    ranking.visit([], 0, 100, 50, 9.99)
    ranking.visit([], 0, 100, 5, 10)
    const { groupsTested, groupsTooSmall, largestSquare, testCount, tooSmall } = ranking.finish()
    expect({ groupsTested, groupsTooSmall, testCount, largestSquare }).toEqual({
      groupsTested: 1,
      groupsTooSmall: 1,
      testCount: 1,
      largestSquare: 2.5,
    })
    expect(tooSmall).toMatchObject([{ count: 100, residual: 50 }])
  })

  it('ranks by gap only what is beyond the critical value, on its own side', () => {
    const ranking = new Ranking(1, options)
    ranking.visit([], 0, 10, 5, 10)
    ranking.visit([], 0, 1000, 100, 100)
    ranking.visit([], 0, 10, -90, 100)
    ranking.visit([], 0, 10, 80, 100)
    const { tooHigh, tooLow } = ranking.finish()
    expect(tooLow.map(candidate => candidate.residual)).toEqual([80, 100])
    expect(tooHigh.map(candidate => candidate.residual)).toEqual([-90])
  })
})

describe('a top list', () => {
  it('keeps the largest, and of equal ones the first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 })),
        fc.integer({ min: 1, max: 5 }),
        (scores, capacity) => {
          const list = new TopList<number>(capacity)
          scores.forEach((score, index) => {
            list.add(score, index)
          })
          const expected = scores
            .map((score, index) => ({ score, index }))
            .sort((a, b) => b.score - a.score || a.index - b.index)
            .slice(0, capacity)
          expect(list.values()).toEqual(expected.map(({ index }) => index))
        },
      ),
    )
  })
})
