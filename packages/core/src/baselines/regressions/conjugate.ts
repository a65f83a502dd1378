// Conjugate gradients for the Newton steps of regressions with hundreds of coefficients: a positive definite matrix, made
// round by its diagonal first.

import { dot, multiply } from '../../oracle/linearAlgebra.ts'

const ENOUGH = 1e-24
const MAX_STEPS = 1000

/** Doubles are added in a fixed order, so the answer is the same everywhere. */
export function solveByGradients(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length
  const solution = new Float64Array(size)
  const rest = Float64Array.from(right)
  const even = () => rest.map((value, index) => value / matrix[index * size + index])
  const direction = even()
  let energy = dot(rest, direction)
  const enough = ENOUGH * energy
  for (let step = 0; step < MAX_STEPS && energy > enough; step++) {
    const turned = multiply(matrix, direction)
    const length = energy / dot(direction, turned)
    for (let i = 0; i < size; i++) {
      solution[i] += length * direction[i]
      rest[i] -= length * turned[i]
    }
    const next = even()
    const now = dot(rest, next)
    for (let i = 0; i < size; i++) direction[i] = next[i] + (now / energy) * direction[i]
    energy = now
  }
  return solution
}
