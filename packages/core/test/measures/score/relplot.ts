// Smooth ECE as the Python package relplot 1.0.3 discretizes it, so that figures can be compared digit for digit; weights
// are ours. It differs from smoothEce.ts: the width is a multiple of 1/1024 and at least 0.001, the kernel is cut off at
// distance 1/2, a mass at exactly 0 or 1 is smoothed without its mirror image, the density is raised by 1e-4 of a row.

import type { Steps } from '../../../src/measures/score/steps.ts'

const HALVINGS = 10
const SMALLEST_WIDTH = 0.001
const DENSITY_FLOOR = 1e-4

interface RelplotSmoothEce {
  readonly value: number
  /** The width the search ended with. */
  readonly width: number
}

export function relplotSmoothEce(steps: Steps): RelplotSmoothEce {
  const tooNarrow = (width: number) => width < SMALLEST_WIDTH || width < relplotAtWidth(steps, width)
  let [wide, narrow] = [1, tooNarrow(1) ? 1 : 0]
  for (let round = 0; round < HALVINGS; round++) {
    const middle = (wide + narrow) / 2
    if (tooNarrow(middle)) narrow = middle
    else wide = middle
  }
  return { value: relplotAtWidth(steps, wide), width: wide }
}

/**
 * sum |smoothed residual| / sum (smoothed weight + 1e-4) over a mesh of [0,1]. Halves, which Python rounds to the even
 * number, do not come up at multiples of 1/1024.
 */
export function relplotAtWidth(steps: Steps, width: number): number {
  const nodes = Math.floor(Math.max(2000, Math.round(20 / width)) / 2) + 1
  const kernel = cutKernel(width, nodes)
  const smooth = (values: Float64Array) => convolve(spreadLinearly(steps.predictions, values, nodes), kernel)
  const residuals = smooth(steps.residuals)
  const density = smooth(steps.stepWeights)
  // In units of one row of mean weight.
  const floor = (DENSITY_FLOOR * steps.weight) / steps.labels.length
  const points = Math.max(Math.round(10 / width), 200)
  let [top, bottom] = [0, 0]
  for (let point = 0; point < points; point++) {
    const t = point / (points - 1)
    top += Math.abs(interpolate(residuals, t))
    bottom += interpolate(density, t) + floor
  }
  return top / bottom
}

interface CutKernel {
  readonly values: Float64Array
  /** Values before this one and, mirrored, after the last but as many are too small to matter. */
  readonly first: number
}

/** The Gaussian around 1/2 at the nodes; values below 1e-20 of the height are left out. */
function cutKernel(width: number, nodes: number): CutKernel {
  const values = new Float64Array(nodes)
  for (let node = 0; node < nodes; node++) {
    const distance = node / (nodes - 1) - 0.5
    values[node] = Math.exp((-distance * distance) / (2 * width * width)) / (Math.sqrt(2 * Math.PI) * width)
  }
  const reach = Math.ceil(9.6 * width * (nodes - 1))
  return { values, first: Math.max(0, Math.floor((nodes - 1) / 2) - reach) }
}

function spreadLinearly(points: Float64Array, masses: Float64Array, nodes: number): Float64Array {
  const grid = new Float64Array(nodes)
  for (let index = 0; index < points.length; index++) {
    const place = points[index] * (nodes - 1)
    const node = Math.min(nodes - 2, Math.floor(place))
    const share = place - node
    grid[node] += (1 - share) * masses[index]
    grid[node + 1] += share * masses[index]
  }
  return grid
}

/** Mirrored once at each end, the end nodes not repeated. With an even number of nodes the result is half a node off, as theirs. */
function convolve(grid: Float64Array, { values, first }: CutKernel): Float64Array {
  const nodes = grid.length
  const mirrored = new Float64Array(3 * nodes - 2)
  for (let node = 0; node < nodes; node++) {
    mirrored[nodes - 1 - node] = mirrored[nodes - 1 + node] = mirrored[3 * nodes - 3 - node] = grid[node]
  }
  const out = new Float64Array(nodes)
  const offset = Math.floor(nodes / 2)
  for (let node = 0; node < nodes; node++) {
    let sum = 0
    for (let tap = first; tap < nodes - first; tap++) sum += mirrored[offset + node + tap] * values[tap]
    out[node] = sum
  }
  return out
}

function interpolate(grid: Float64Array, t: number): number {
  const place = t * (grid.length - 1)
  const node = Math.min(grid.length - 2, Math.floor(place))
  return grid[node] * (1 - (place - node)) + grid[node + 1] * (place - node)
}
