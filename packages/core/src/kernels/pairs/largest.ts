// What the kernel `largestQuadrant` means, in plain TypeScript on the same memory: of one draw of the noise, the largest R^2 / V of
// all quadrants of all pairs, at all levels that have tests.

import { readSteps, type Steps } from './cells.ts'

/**
 * Words of an axis: column, bins, steps and where they are, padded splits, residuals and variances of the yes sides. Two more say where it
 * is in a joined column: here every pair is counted by itself.
 */
const AXIS_WORDS = 9

/** Words of a pair: two axes, levels with tests and where they are listed, quadrants with tests, variances of both yes sides. */
const PAIR_WORDS = 6

/** Splits take the room of an even number. */
export const padded = (splits: number): number => splits + (splits % 2)

interface AxisInMemory {
  readonly column: number
  readonly bins: number
  readonly steps: Steps
  /** Where splits of one level are padded to. */
  readonly stride: number
  readonly residuals: number
  readonly variances: number
}

export function largestQuadrant(
  buffer: ArrayBuffer,
  pairs: number,
  pairCount: number,
  _blocks: number,
  axes: number,
  levels: number,
  starts: number,
  values: number,
  alls: number,
  leastVariance: number,
  best: number,
  enough: number,
  // The kernel's scratch: here there is none.
  _scratch: number,
  _tables: number,
): number {
  const [bytes, ints, doubles] = [new Uint8Array(buffer), new Int32Array(buffer), new Float64Array(buffer)]
  const double = (address: number, index: number) => doubles[(address >>> 3) + index]
  const readAxis = (axis: number): AxisInMemory => {
    const [column, bins, stepCount, steps, stride, residuals, variances] = ints.subarray(
      (axes >>> 2) + axis * AXIS_WORDS,
    )
    const words = ints.subarray(steps >>> 2, (steps >>> 2) + stepCount)
    return { column, bins, steps: readSteps(words), stride, residuals, variances }
  }
  const width = levels > 1 ? levels + 1 : 1
  let largest = best
  for (let pair = 0; pair < pairCount && (pair === 0 || largest < enough); pair++) {
    const [axisA, axisB, listed, list, , variances] = ints.subarray((pairs >>> 2) + pair * PAIR_WORDS)
    const [a, b] = [readAxis(axisA), readAxis(axisB)]
    for (let index = 0; index < listed; index++) {
      const column = ints[(list >>> 2) + index]
      const whole = column === width - 1
      const from = ints[(starts >>> 2) + (whole ? 0 : column)]
      const to = ints[(starts >>> 2) + (whole ? levels : column + 1)]
      const cells = new Float64Array(a.bins * b.bins)
      for (let row = from; row < to; row++)
        cells[bytes[a.column + row] * b.bins + bytes[b.column + row]] += double(values, row)
      const [rAll, vAll] = [double(alls, column), double(alls, width + column)]
      eachYesSide(a, b, cells, (splitA, splitB, r0) => {
        const v0 = double(variances, (index * a.stride + splitA) * b.stride + splitB)
        const [atA, atB] = [column * a.stride + splitA, column * b.stride + splitB]
        const [rA, vA] = [double(a.residuals, atA), double(a.variances, atA)]
        const [rB, vB] = [double(b.residuals, atB), double(b.variances, atB)]
        const squareOf = (r: number, v: number) => (v >= leastVariance ? (r * r) / v : 0)
        largest = Math.max(largest, squareOf(r0, v0), squareOf(rA - r0, vA - v0), squareOf(rB - r0, vB - v0))
        largest = Math.max(largest, squareOf(rAll - rA - rB + r0, vAll - vA - vB + v0))
      })
    }
  }
  return largest
}

/** Every two splits, with the sum over the rows on both yes sides. */
function eachYesSide(
  a: AxisInMemory,
  b: AxisInMemory,
  cells: Float64Array,
  visit: (splitA: number, splitB: number, sum: number) => void,
): void {
  const side = new Float64Array(b.bins)
  for (let stepA = 0; stepA < a.steps.bins.length; stepA++) {
    if (a.steps.resets[stepA] === 1) side.fill(0)
    for (let bin = 0; bin < b.bins; bin++) side[bin] += cells[a.steps.bins[stepA] * b.bins + bin]
    if (a.steps.splitIndexes[stepA] < 0) continue
    let sum = 0
    for (let stepB = 0; stepB < b.steps.bins.length; stepB++) {
      sum = (b.steps.resets[stepB] === 1 ? 0 : sum) + side[b.steps.bins[stepB]]
      const splitB = b.steps.splitIndexes[stepB]
      if (splitB >= 0) visit(a.steps.splitIndexes[stepA], splitB, sum)
    }
  }
}
