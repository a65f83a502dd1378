// The true value of every measure of a score in a world, by its definition: plain sums over the population.

/** Rows of one score: the score, its share of the population and the share that has it and a label of 1. */
interface Step {
  readonly score: number
  share: number
  ones: number
}

export interface ScoreTruth {
  /** E[(y - f)^2]. */
  readonly brier: number
  /** E[-ln of the probability given to what happened]. */
  readonly logLoss: number
  /** Var(y). */
  readonly uncertainty: number
  /** P(a row labelled 1 scores above a row labelled 0), ties counting half. */
  readonly auc: number
  /** Mean, over rows labelled 1, of the share of 1s among rows that score no less. */
  readonly prAuc: number
  /** Sum over the ten bins [0,0.1), ..., [0.9,1] of |E[(p - f) 1(f in bin)]|. */
  readonly eceWidth: number
  /** The width s of a reflected Gaussian kernel at which the integral of |smoothed E[(p - f); f]| is s. */
  readonly smoothEce: number
  /** The largest |E[(p - f) 1(f in I)]| over intervals I. */
  readonly ecce: number
}

export function scoreTruth(score: Float64Array, chance: Float64Array): ScoreTruth {
  const steps = mergeRows(score, chance)
  return {
    brier: expected(steps, (f, y) => (y - f) ** 2),
    logLoss: expected(steps, (f, y) => -Math.log(y === 1 ? f : 1 - f)),
    uncertainty: uncertaintyOf(steps),
    auc: aucOf(steps),
    prAuc: precisionOf(steps),
    eceWidth: binnedError(score, chance, f => Math.min(9, Math.floor(f * 10))),
    smoothEce: smoothErrorOf(steps),
    ecce: walkRange(score, chance),
  }
}

/** Ascending. */
function mergeRows(score: Float64Array, chance: Float64Array): Step[] {
  const steps = new Map<number, Step>()
  score.forEach((f, row) => {
    const step = steps.get(f) ?? { score: f, share: 0, ones: 0 }
    step.share += 1 / score.length
    step.ones += chance[row] / score.length
    steps.set(f, step)
  })
  return [...steps.values()].sort((a, b) => a.score - b.score)
}

const expected = (steps: readonly Step[], loss: (f: number, y: 0 | 1) => number): number =>
  steps.reduce(
    (sum, { score, share, ones }) => sum + ones * loss(score, 1) + (share - ones) * loss(score, 0),
    0,
  )

const sumOnes = (steps: readonly Step[]): number => steps.reduce((sum, { ones }) => sum + ones, 0)

function uncertaintyOf(steps: readonly Step[]): number {
  const ones = sumOnes(steps)
  return ones * (1 - ones)
}

function aucOf(steps: readonly Step[]): number {
  let [zerosBelow, pairs] = [0, 0]
  for (const { share, ones } of steps) {
    pairs += ones * (zerosBelow + (share - ones) / 2)
    zerosBelow += share - ones
  }
  return pairs / sumOnes(steps) / zerosBelow
}

function precisionOf(steps: readonly Step[]): number {
  let [onesAbove, above, sum] = [0, 0, 0]
  for (const { share, ones } of steps.toReversed()) {
    onesAbove += ones
    above += share
    sum += (ones * onesAbove) / above
  }
  return sum / onesAbove
}

/** ECE on any bins. */
export function binnedError(
  score: Float64Array,
  chance: Float64Array,
  binOf: (score: number) => number,
): number {
  const sums = new Map<number, number>()
  score.forEach((f, row) => {
    const bin = binOf(f)
    sums.set(bin, (sums.get(bin) ?? 0) + chance[row] - f)
  })
  return [...sums.values()].reduce((sum, residual) => sum + Math.abs(residual), 0) / score.length
}

/** ECCE, of everyone or of some rows among themselves. */
export function walkRange(score: Float64Array, chance: Float64Array, members?: Uint8Array): number {
  const rows = Array.from(score.keys()).filter(row => members === undefined || members[row] === 1)
  rows.sort((a, b) => score[a] - score[b])
  let [sum, high, low] = [0, 0, 0]
  rows.forEach((row, index) => {
    sum += chance[row] - score[row]
    if (index + 1 < rows.length && score[rows[index + 1]] === score[row]) return
    high = Math.max(high, sum)
    low = Math.min(low, sum)
  })
  return (high - low) / rows.length
}

/** By bisection: the integral does not grow with the width. */
function smoothErrorOf(steps: readonly Step[]): number {
  const most = steps.reduce((sum, { score, share, ones }) => sum + Math.abs(ones - share * score), 0)
  let [low, high] = [0, most]
  while (high - low > 1e-5) {
    const width = (low + high) / 2
    if (smoothedError(steps, width) > width) low = width
    else high = width
  }
  return (low + high) / 2
}

/** Where the kernel ends, in widths; what lies beyond is 1e-6 of it. */
const REACH = 5

/** The trapezoidal rule with five nodes or more in a width. Mirror images of every row stand at -f, 2 - f, 2 + f, ... */
function smoothedError(steps: readonly Step[], width: number): number {
  const cells = Math.max(200, Math.ceil(5 / width))
  const density = new Float64Array(cells + 1)
  const mirrors = Math.ceil(REACH * width)
  for (const { score, share, ones } of steps) {
    const residual = ones - share * score
    if (residual === 0) continue
    for (let turn = -2 * mirrors; turn <= 2 * mirrors; turn += 2) {
      addKernel(density, turn + score, width, residual)
      addKernel(density, turn - score, width, residual)
    }
  }
  return density.reduce((sum, value, node) => {
    return sum + (Math.abs(value) * (node === 0 || node === cells ? 0.5 : 1)) / cells
  }, 0)
}

function addKernel(density: Float64Array, center: number, width: number, mass: number): void {
  const cells = density.length - 1
  const from = Math.max(0, Math.ceil((center - REACH * width) * cells))
  const to = Math.min(cells, Math.floor((center + REACH * width) * cells))
  const height = mass / (width * Math.sqrt(2 * Math.PI))
  for (let node = from; node <= to; node++) {
    density[node] += height * Math.exp(-0.5 * ((node / cells - center) / width) ** 2)
  }
}
