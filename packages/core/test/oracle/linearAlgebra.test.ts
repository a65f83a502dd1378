import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRandom } from '../../src/common/random.ts'
import { dot, multiply, solveSymmetric } from '../../src/oracle/linearAlgebra.ts'
import { range, sum } from '../support/bruteForce.ts'

const entry = fc.integer({ min: -5, max: 5 })

/** B'B for integer rows B: positive semidefinite, and singular where B has few or dependent rows. */
function gramOf(rows: readonly (readonly number[])[], size: number): number[] {
  return range(size * size).map(at => sum(rows.map(row => row[Math.floor(at / size)] * row[at % size])))
}

const designs = fc.integer({ min: 1, max: 5 }).chain(size =>
  fc.record({
    size: fc.constant(size),
    rows: fc.array(fc.array(entry, { minLength: size, maxLength: size }), { minLength: 1, maxLength: 7 }),
    solution: fc.array(entry, { minLength: size, maxLength: size }),
  }),
)

describe('solveSymmetric', () => {
  it('solves a system with a known solution', () => {
    // 4x + 2y = 10, 2x + 3y = 11
    expect(Array.from(solveSymmetric([4, 2, 2, 3], [10, 11]))).toEqual([1, 3])
    expect(Array.from(solveSymmetric([2, 0, 0, 0, 5, 0, 0, 0, 8], [2, 10, -8]))).toEqual([1, 2, -1])
  })

  it('solves every consistent system, singular ones among them', () => {
    const property = fc.property(designs, ({ rows, size, solution }) => {
      const matrix = gramOf(rows, size)
      const right = multiply(matrix, solution)
      const solved = multiply(matrix, solveSymmetric(matrix, right))
      right.forEach((value, index) => {
        expect(Math.abs(solved[index] - value)).toBeLessThan(1e-7)
      })
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('leaves directions without variance at 0', () => {
    expect(Array.from(solveSymmetric([0, 0, 0, 4], [0, 8]))).toEqual([0, 2])
    expect(Array.from(solveSymmetric([0], [0]))).toEqual([0])
    // Two equal columns: one carries the whole coefficient.
    expect(Array.from(solveSymmetric([1, 1, 1, 1], [3, 3]))).toEqual([3, 0])
  })

  it('is not disturbed by columns of very different scale', () => {
    const solved = solveSymmetric([1e-8, 0, 0, 1e8], [1e-8, 1e8])
    expect(Array.from(solved)).toEqual([1, 1])
  })

  it('puts no weight on a column that only rounding keeps from depending on the others', () => {
    const random = makeRandom(1)
    for (const _ of range(2000)) {
      const rows = range(6).map(() => {
        const [x, y] = [random.next(), random.next()]
        return [1, x, y, 0.3 * x - 0.7 * y + 0.1]
      })
      const matrix = gramOf(rows, 4)
      const labels = rows.map(() => random.next() - 0.5)
      const right = range(4).map(k => sum(rows.map((row, i) => row[k] * labels[i])))
      const solution = solveSymmetric(matrix, right)
      // Fitted with the fourth column, coefficients of 50 and more would stand against each other.
      expect(Math.max(...Array.from(solution, Math.abs))).toBeLessThan(20)
      const solved = multiply(matrix, solution)
      expect(Math.max(...right.map((value, k) => Math.abs(solved[k] - value)))).toBeLessThan(1e-12)
    }
  })

  it('changes neither of its arguments', () => {
    const [matrix, right] = [
      [4, 2, 2, 3],
      [10, 11],
    ]
    solveSymmetric(matrix, right)
    expect([matrix, right]).toEqual([
      [4, 2, 2, 3],
      [10, 11],
    ])
  })
})

describe('products', () => {
  it('are those of the definition', () => {
    expect(dot([1, 2, 3], [4, -5, 6])).toBe(12)
    expect(Array.from(multiply([1, 2, 3, 4], [10, 100]))).toEqual([210, 430])
  })
})
