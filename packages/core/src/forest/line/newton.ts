// Newton's method for smooth convex losses of a few coefficients, with halved steps where a whole one does not help. It ends
// on separable data too, where the best coefficients are infinite: after a fixed number of steps.

import { dot, solveSymmetric } from '../../oracle/linearAlgebra.ts'

/** A loss and its first two derivatives at one place. */
export interface Derivatives {
  readonly value: number
  readonly gradient: Float64Array
  /** Symmetric, row after row. */
  readonly hessian: Float64Array
}

interface NewtonRules {
  /** How far two values of one loss may differ by rounding. */
  readonly noise: number
  readonly solve?: (matrix: Float64Array, right: Float64Array) => Float64Array
  /** Told after every step how many there were. */
  readonly onStep?: (steps: number) => void
}

const MAX_STEPS = 100
const MAX_HALVINGS = 60

export function minimizeConvex(
  start: readonly number[],
  look: (at: Float64Array) => Derivatives,
  { noise, onStep, solve = solveSymmetric }: NewtonRules,
): Float64Array {
  let at: Float64Array = Float64Array.from(start)
  let here = look(at)
  for (let step = 0; step < MAX_STEPS; step++) {
    const direction = solve(here.hessian, here.gradient)
    // About twice what is left to gain. It is squared in every step near the end, so the square of the noise is near enough.
    const promise = dot(here.gradient, direction)
    if (!(promise > noise * noise)) break
    const found = searchLine(at, direction, here.value + noise, look)
    if (found === undefined) break
    at = found.at
    here = found.there
    onStep?.(step + 1)
  }
  return at
}

function searchLine(
  from: Float64Array,
  direction: Float64Array,
  atMost: number,
  look: (at: Float64Array) => Derivatives,
): { at: Float64Array; there: Derivatives } | undefined {
  for (let halving = 0, share = 1; halving < MAX_HALVINGS; halving++, share /= 2) {
    const at = from.map((value, index) => value - share * direction[index])
    const there = look(at)
    if (there.value <= atMost) return { at, there }
  }
  return undefined
}
