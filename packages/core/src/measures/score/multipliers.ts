// Draws of the sampling error G of the residual measure, by Gaussian multipliers: every row's contribution
// w (r 1(f in A) - D^(A)) / W is multiplied with an independent standard normal. Sums over the rows of a block are normal
// too, so that blocks are drawn instead of rows and a draw costs no pass over the rows.

import { makeRandom } from '../../common/random.ts'
import type { Bins } from './bins.ts'
import { fillNormal } from './normal.ts'
import { type Steps, sumOf } from './steps.ts'

/**
 * G of block b = scale_b z_b - residual_b t, with t = sum of coupling_b z_b + rest z: t is the relative error of the
 * total weight, and `coupling` its regression on the residuals.
 */
export interface BlockNoise {
  readonly scale: Float64Array
  readonly residual: Float64Array
  readonly coupling: Float64Array
  readonly rest: number
}

/** Of each block: sums of w^2 r^2, of w r, of w^2 r; and, with q = f (1-f), of w^2 q and of w q. */
export interface BlockSums {
  readonly squares: Float64Array
  readonly residuals: Float64Array
  readonly crosses: Float64Array
  readonly expected: Float64Array
  readonly events: Float64Array
}

/** One pass over the steps: they are many, and their sums are needed for several kinds of blocks. */
export function sumBlocks(steps: Steps, blocks: Bins): BlockSums {
  const { predictions, residualCrosses, residualSquares, stepWeights, stepWeightSquares } = steps
  const make = () => new Float64Array(blocks.count)
  const [squares, residuals, crosses, expected, events] = [make(), make(), make(), make(), make()]
  for (let step = 0; step < predictions.length; step++) {
    const block = blocks.ofStep[step]
    const variance = predictions[step] * (1 - predictions[step])
    squares[block] += residualSquares[step]
    residuals[block] += steps.residuals[step]
    crosses[block] += residualCrosses[step]
    expected[block] += variance * stepWeightSquares[step]
    events[block] += variance * stepWeights[step]
  }
  return { squares, residuals, crosses, expected, events }
}

export const blockNoise = (steps: Steps, blocks: Bins): BlockNoise => noiseOf(sumBlocks(steps, blocks), steps)

export function noiseOf(sums: BlockSums, { weight, weightSquares, binary }: Steps): BlockNoise {
  const variances = binary ? shrunkVariances(sums) : sums.squares
  const scale = variances.map(variance => Math.sqrt(variance) / weight)
  const residual = sums.residuals.map(sum => sum / weight)
  const coupling = sums.crosses.map((cross, block) =>
    scale[block] > 0 ? cross / weight ** 2 / scale[block] : 0,
  )
  const explained = coupling.reduce((sum, each) => sum + each ** 2, 0)
  const rest = Math.sqrt(Math.max(0, weightSquares / weight ** 2 - explained))
  return { scale, residual, coupling, rest }
}

/** So many expected events weigh as much as what is expected beforehand. */
const PRIOR_EVENTS = 10

/**
 * With 0/1 labels a block where f says "rarely" and nothing happened has next to no squared residuals, yet its sum could
 * well have been otherwise. Where few events (sum of f (1-f)) are to be expected, the observed squares therefore give way to
 * the expected ones, scaled to what was observed over all; with many events nothing changes.
 */
function shrunkVariances({ squares, expected, events }: BlockSums): Float64Array {
  const [observed, foreseen] = [sumOf(squares), sumOf(expected)]
  const ratio = foreseen > 0 ? observed / foreseen : 1
  const scale = shrink(effectiveEvents(sumOf(events), foreseen), ratio, Math.max(1, ratio))
  // Where scores such as 5e-324 foresee next to nothing, the ratio is no number any more; shares of what was observed still are.
  const prior = Number.isFinite(scale)
    ? (variance: number) => scale * variance
    : (variance: number) => observed * (variance / foreseen)
  return squares.map((square, block) =>
    shrink(effectiveEvents(events[block], expected[block]), square, prior(expected[block])),
  )
}

const shrink = (count: number, observed: number, prior: number): number =>
  (count * observed + PRIOR_EVENTS * prior) / (count + PRIOR_EVENTS)

/** (sum w q)^2 / sum w^2 q: the sum of q if all weights are 1. */
const effectiveEvents = (events: number, expected: number): number =>
  expected > 0 ? events ** 2 / expected : 0

export interface DrawOptions {
  readonly draws: number
  readonly seed: number
}

/** Values of a functional of G, ascending. */
export function simulate(
  noise: BlockNoise,
  functional: (drawn: Float64Array) => number,
  options: DrawOptions,
): Float64Array {
  const values = new Float64Array(options.draws)
  eachDraw(noise, options, (drawn, draw) => {
    values[draw] = functional(drawn)
  })
  return values.sort()
}

/** The array given to `visit` is used again for the next draw. */
export function eachDraw(
  noise: BlockNoise,
  { draws, seed }: DrawOptions,
  visit: (drawn: Float64Array, draw: number) => void,
): void {
  const random = makeRandom(seed)
  const normals = new Float64Array(noise.scale.length + 1)
  const drawn = new Float64Array(noise.scale.length)
  for (let draw = 0; draw < draws; draw++) {
    fillNormal(normals, random)
    drawNoise(drawn, noise, normals)
    visit(drawn, draw)
  }
}

function drawNoise(drawn: Float64Array, noise: BlockNoise, normals: Float64Array): void {
  const { scale, residual, coupling, rest } = noise
  let total = rest * normals[drawn.length]
  for (let block = 0; block < drawn.length; block++) total += coupling[block] * normals[block]
  for (let block = 0; block < drawn.length; block++) {
    drawn[block] = scale[block] * normals[block] - residual[block] * total
  }
}
