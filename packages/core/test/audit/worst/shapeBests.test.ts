// Of every shape the best, against all that was visited.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candidate, Ranking } from '../../../src/audit/worst/ranking.ts'
import { ShapeBests } from '../../../src/audit/worst/shapeBests.ts'
import type { Condition, FeatureSplit } from '../../../src/update/update.ts'

const cut = (feature: number, bin: number): FeatureSplit => ({ kind: 'atMost', feature, bin, missing: false })
const value = (feature: number, bin: number): FeatureSplit => ({ kind: 'in', feature, bins: [bin] })

/** Two cuts and two values; three cuts and one value. */
const A = [cut(0, 1), cut(0, 2), value(0, 7), value(0, 8)]
const B = [value(1, 3), cut(1, 1), cut(1, 2), cut(1, 4)]

const [LEVELS, WIDTH, LEAST] = [2, 3, 10]
const rankingOf = (kept: number, criticalSquare = 0) =>
  new Ranking(LEVELS, { noise: 'labels', shift: 0, leastVariance: LEAST, criticalSquare, kept }, 1)

const visits = (splits: number) =>
  fc.array(
    fc.record({
      quadrant: fc.integer({ min: 0, max: 3 }),
      a: fc.integer({ min: 0, max: A.length - 1 }),
      b: fc.integer({ min: 0, max: splits - 1 }),
      column: fc.integer({ min: 0, max: WIDTH - 1 }),
      count: fc.integer({ min: 1, max: 50 }),
      residual: fc.integer({ min: -40, max: 40 }),
      variance: fc.integer({ min: LEAST - 2, max: LEAST + 20 }),
    }),
    { minLength: 1, maxLength: 40 },
  )

const shapeOf = (path: readonly Condition[], level: number | undefined) =>
  JSON.stringify([
    path.map(({ split, yes }) => (split.kind === 'atMost' ? [split.feature, yes] : [split, yes])),
    level ?? null,
  ])
const squareOf = ({ residual, variance }: Pick<Candidate, 'residual' | 'variance'>) =>
  residual ** 2 / variance

describe('the best of every shape', () => {
  for (const paired of [true, false]) {
    it(`is listed, and no other of that shape (${paired ? 'two columns' : 'one column'})`, () => {
      fc.assert(
        fc.property(visits(paired ? B.length : 1), all => {
          const ranking = rankingOf(1000)
          const bests = new ShapeBests(ranking, paired ? [A, B] : [A], WIDTH)
          const expected = new Map<string, object>()
          const small: number[] = []
          for (const { a, b, column, count, quadrant, residual, variance } of all) {
            bests.visit(quadrant, a, paired ? b : 0, column, count, residual, variance)
            const path: Condition[] = [
              { split: A[a], yes: quadrant < 2 },
              ...(paired ? [{ split: B[b], yes: quadrant % 2 === 0 }] : []),
            ]
            const level = column === WIDTH - 1 ? undefined : column
            if (variance < LEAST) {
              if (!paired && level === undefined) small.push(count)
              continue
            }
            // Of one column, quadrants 0 and 1 are the same side; they are kept apart.
            const shape = `${shapeOf(path, level)} ${quadrant}`
            const known = expected.get(shape) as Candidate | undefined
            if (known === undefined || squareOf({ residual, variance }) > squareOf(known))
              expected.set(shape, { path, level, count, residual, variance })
          }
          bests.finish()
          const { bySignificance, tooSmall } = ranking.finish()
          const sorted = (list: readonly object[]) =>
            list.map(each => JSON.stringify(each, Object.keys(each).sort())).sort()
          expect(bySignificance).toHaveLength(expected.size)
          const key = ({ path, ...rest }: Candidate) =>
            JSON.stringify([shapeOf(path, rest.level), path, rest.count, rest.residual, rest.variance])
          expect(bySignificance.map(key).sort()).toEqual(
            [...expected.values()].map(each => key(each as Candidate)).sort(),
          )
          expect(sorted(tooSmall.map(({ count }) => ({ count })))).toEqual(
            sorted(small.map(count => ({ count }))),
          )
        }),
      )
    })
  }

  it('is listed also where its residual is 0, and not where no list has a place for it', () => {
    const ranking = rankingOf(1, 4)
    const bests = new ShapeBests(ranking, [A], WIDTH)
    bests.visit(0, 0, 0, 0, 10, 0, 20)
    bests.finish()
    expect(ranking.finish().bySignificance).toHaveLength(1)
    const more = new ShapeBests(ranking, [B], WIDTH)
    more.visit(0, 1, 0, 2, 10, 10, 20)
    more.visit(2, 1, 0, 2, 10, 8, 20)
    more.finish()
    const { bySignificance, tooLow } = ranking.finish()
    expect(bySignificance.map(({ residual }) => residual)).toEqual([10])
    expect(tooLow.map(({ residual }) => residual)).toEqual([10])
  })
})
