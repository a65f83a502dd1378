// The four quadrants of two splits, against rows that are counted one by one.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  aroundPair,
  largeQuadrants,
  largestOfMargins,
  largestSquare,
  quadrantOf,
  testedQuadrants,
} from '../../../src/audit/worst/quadrants.ts'

/** Each row: its side of every split of A and of B, its level, and two quantities. */
interface Case {
  readonly splitsA: number
  readonly splitsB: number
  readonly width: number
  readonly rows: readonly { a: boolean[]; b: boolean[]; level: number; r: number; v: number }[]
}

const anyCase: fc.Arbitrary<Case> = fc
  .record({
    splitsA: fc.integer({ min: 1, max: 3 }),
    splitsB: fc.integer({ min: 1, max: 3 }),
    width: fc.integer({ min: 1, max: 3 }),
  })
  .chain(({ splitsA, splitsB, width }) =>
    fc
      .array(
        fc.record({
          a: fc.array(fc.boolean(), { minLength: splitsA, maxLength: splitsA }),
          b: fc.array(fc.boolean(), { minLength: splitsB, maxLength: splitsB }),
          level: fc.integer({ min: 0, max: width - 1 }),
          r: fc.integer({ min: -9, max: 9 }),
          v: fc.integer({ min: 1, max: 5 }),
        }),
        { maxLength: 25 },
      )
      .map(rows => ({ splitsA, splitsB, width, rows })),
  )

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

function sumsOf({ rows, splitsA, splitsB, width }: Case, of: 'r' | 'v') {
  const sum = (level: number, holds: (row: Case['rows'][number]) => boolean) =>
    rows.reduce((total, row) => total + (row.level === level && holds(row) ? row[of] : 0), 0)
  const perLevel = (holds: (row: Case['rows'][number]) => boolean) =>
    range(width).map(level => sum(level, holds))
  const margins = {
    all: Float64Array.from(perLevel(() => true)),
    axes: [
      Float64Array.from(range(splitsA).flatMap(a => perLevel(row => row.a[a]))),
      Float64Array.from(range(splitsB).flatMap(b => perLevel(row => row.b[b]))),
    ],
  }
  const both = Float64Array.from(
    range(splitsA).flatMap(a => range(splitsB).flatMap(b => perLevel(row => row.a[a] && row.b[b]))),
  )
  return { margins, around: aroundPair(margins, 0, 1, both) }
}

/** Of every two splits, level and quadrant; bit 1 is the no side of A, bit 0 that of B. */
const cellsOf = ({ rows, splitsA, splitsB, width }: Case) =>
  range(splitsA).flatMap(a =>
    range(splitsB).flatMap(b =>
      range(width).map(level => ({
        ...{ a, b, level },
        quadrants: range(4).map(quadrant => {
          const inside = rows.filter(
            row => row.level === level && row.a[a] === quadrant < 2 && row.b[b] === (quadrant % 2 === 0),
          )
          const total = (of: 'r' | 'v') => inside.reduce((sum, row) => sum + row[of], 0)
          return { r: total('r'), v: total('v') }
        }),
      })),
    ),
  )

const squares = (cells: readonly { r: number; v: number }[], least: number) =>
  cells.map(({ r, v }) => (v >= least ? (r * r) / v : 0))

describe('quadrants', () => {
  it('have the sums of their rows, are large where these have enough variance, and give the largest square', () => {
    fc.assert(
      fc.property(
        anyCase,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 20 }),
        (each, least, best) => {
          const { splitsA, splitsB, width } = each
          const [r, v] = [sumsOf(each, 'r'), sumsOf(each, 'v')]
          const cells = cellsOf(each)
          const tested = new Map<string, number>()
          for (const { a, b, level, quadrants } of cells) {
            const at = [
              a * width + level,
              b * width + level,
              (a * splitsB + b) * width + level,
              level,
            ] as const
            quadrants.forEach((expected, quadrant) => {
              expect(quadrantOf(r.around, quadrant, ...at)).toBe(expected.r)
              expect(quadrantOf(v.around, quadrant, ...at)).toBe(expected.v)
            })
            const bits = quadrants.reduce((all, { v }, quadrant) => all + (v >= least ? 2 ** quadrant : 0), 0)
            expect(largeQuadrants(v.around, ...at, least)).toBe(bits)
            tested.set(`${a} ${level}`, (tested.get(`${a} ${level}`) ?? 0) | bits)
          }
          const shape = { splitsA, splitsB, width }
          for (const a of range(splitsA))
            for (const level of range(width))
              expect(testedQuadrants(v.around, shape, a, level, least)).toBe(tested.get(`${a} ${level}`))
          const largest = Math.max(best, ...cells.flatMap(({ quadrants }) => squares(quadrants, least)))
          expect(largestSquare(best, r.around, v.around, shape, least)).toBe(largest)
          const sides = cells.flatMap(({ a, b, level }) => {
            const of = (holds: (row: Case['rows'][number]) => boolean) => {
              const inside = each.rows.filter(row => row.level === level && holds(row))
              const total = (key: 'r' | 'v') => inside.reduce((sum, row) => sum + row[key], 0)
              return { r: total('r'), v: total('v') }
            }
            return [
              ...[of(() => true), of(row => row.a[a]), of(row => !row.a[a])],
              ...[of(row => row.b[b]), of(row => !row.b[b])],
            ]
          })
          expect(largestOfMargins(best, r.margins, v.margins, width, least)).toBe(
            Math.max(best, ...squares(sides, least)),
          )
        },
      ),
    )
  })
})
