// Gaussian smoothing on [0,1] with reflection at both ends, on the grid 0, 1/cells, ..., 1: what smooth ECE is made of.

/** Node numbers beyond the ends, reflected as often as needed. */
function reflect(node: number, cells: number): number {
  return node >= 0 && node <= cells ? node : reflectFar(node, cells)
}

function reflectFar(node: number, cells: number): number {
  const turn = ((node % (2 * cells)) + 2 * cells) % (2 * cells)
  return turn > cells ? 2 * cells - turn : turn
}

/**
 * Moves point masses to the nodes so that smoothing the nodes is smoothing the points: each mass goes to six neighbours
 * with the weights of Lagrange's interpolation, which reproduces a kernel 16 nodes wide to about 1e-8 of its height.
 */
export function spreadToGrid(points: Float64Array, masses: Float64Array, cells: number): Float64Array {
  const grid = new Float64Array(cells + 1)
  for (let index = 0; index < points.length; index++) {
    const place = points[index] * cells
    const node = Math.min(cells - 1, Math.floor(place))
    const mass = masses[index]
    const u = place - node
    const a = u + 2
    const b = u + 1
    const c = u - 1
    const d = u - 2
    const e = u - 3
    grid[reflect(node - 2, cells)] -= (mass * b * u * c * d * e) / 120
    grid[reflect(node - 1, cells)] += (mass * a * u * c * d * e) / 24
    grid[node] -= (mass * a * b * c * d * e) / 12
    grid[node + 1] += (mass * a * b * u * d * e) / 12
    grid[reflect(node + 2, cells)] -= (mass * a * b * u * c * e) / 24
    grid[reflect(node + 3, cells)] += (mass * a * b * u * c * d) / 120
  }
  return grid
}

/** The Gaussian density at 0, 1, 2, ... nodes from its middle, up to `reach` standard deviations. */
export function gaussianKernel(sigma: number, cells: number, reach: number): Float64Array {
  const kernel = new Float64Array(Math.ceil(reach * sigma * cells) + 1)
  for (let node = 0; node < kernel.length; node++) {
    kernel[node] = Math.exp(-0.5 * (node / cells / sigma) ** 2) / (Math.sqrt(2 * Math.PI) * sigma)
  }
  return kernel
}

type Smoother = (out: Float64Array, grid: Float64Array) => void

/** Smooths grid after grid with one kernel, without allocating: masses in, a density out. */
export function makeSmoother(kernel: Float64Array, cells: number): Smoother {
  const reach = kernel.length - 1
  const padded = new Float64Array(cells + 1 + 2 * reach)
  const source = new Uint32Array(padded.length)
  for (let index = 0; index < source.length; index++) source[index] = reflect(index - reach, cells)
  return (out, grid) => {
    for (let index = 0; index < padded.length; index++) {
      const node = source[index]
      // A mass at an end coincides with its mirror image, so it counts twice.
      padded[index] = node === 0 || node === cells ? 2 * grid[node] : grid[node]
    }
    for (let node = 0; node <= cells; node++) {
      const middle = node + reach
      let sum = kernel[0] * padded[middle]
      for (let far = 1; far <= reach; far++) {
        sum += kernel[far] * (padded[middle - far] + padded[middle + far])
      }
      out[node] = sum
    }
  }
}

/** The integral of |g| from values at the nodes of a smooth g with zero slope at both ends: cubic pieces, split at zeros. */
export function integrateAbsolute(grid: Float64Array): number {
  const cells = grid.length - 1
  let sum = 0
  for (let cell = 0; cell < cells; cell++) {
    const before = grid[reflect(cell - 1, cells)]
    const after = grid[reflect(cell + 2, cells)]
    sum += cubicAbsolute(before, grid[cell], grid[cell + 1], after)
  }
  return sum / cells
}

/** The integral of |p| over [0,1] for the cubic p through (-1,a), (0,b), (1,c), (2,d); at most one zero inside is seen. */
function cubicAbsolute(a: number, b: number, c: number, d: number): number {
  const whole = (13 * (b + c) - a - d) / 24
  if (b * c >= 0) return Math.abs(whole)
  const c1 = c - a / 3 - b / 2 - d / 6
  const c2 = (a + c) / 2 - b
  const c3 = (d - a) / 6 + (b - c) / 2
  let low = 0
  let high = 1
  for (let round = 0; round < 30; round++) {
    const middle = (low + high) / 2
    const value = b + middle * (c1 + middle * (c2 + middle * c3))
    if (value * b > 0) low = middle
    else high = middle
  }
  const u = (low + high) / 2
  const first = u * (b + u * (c1 / 2 + u * (c2 / 3 + (u * c3) / 4)))
  return Math.abs(first) + Math.abs(whole - first)
}
