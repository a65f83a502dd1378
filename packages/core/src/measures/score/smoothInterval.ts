// Limits for smooth ECE. At a fixed width s, N_s(D) = smECE_s is a seminorm as in seminorm.ts, a maximum over the signs of
// the points of [0,1]. smECE is the fixed point of a curve that never rises, so s0 = smECE(D) exceeds s exactly if
// N_s(D) > s, and limits come from shifted curves:
//
// Upper: N_s0(D^) >= N_s0(D) - z sigma = s0 - z sigma fails with probability delta/2 only, so s0 is at most the fixed
// point of N_s(D^) + z sigma.
//
// Lower: s0 >= min(s, N_s(D)) for every s, because the curve does not rise; and N_s(D) >= N_s(D^) - excess_s(G). A wide s
// has little noise, a narrow one sees more: so one bound q(s) = mean of excess_s(G) + k that holds for a whole ladder of
// widths at once is simulated, and the best rung taken. No rung lies below the level of the noise itself.
//
// For differences: |smECE(D^) - smECE(D)| <= N_s(G) if both are at least s, because a fixed point of such a curve moves no
// more than the curve does.

import type { Bins } from './bins.ts'
import { signedSum } from './eceSeminorm.ts'
import { type BlockNoise, type BlockSums, eachDraw, noiseOf, sumBlocks } from './multipliers.ts'
import { normalMultiple } from './normal.ts'
import type { Estimate } from './scoredRows.ts'
import { bandShare, quantile, residualError, type Seminorm, type SimulationOptions } from './seminorm.ts'
import { fixedPoint, type SmoothCurve, smoothCurve, smoothEce } from './smoothEce.ts'
import { gaussianKernel, makeSmoother } from './smoothing.ts'
import { type Steps, sumOf } from './steps.ts'

/** Noise needs no more than two nodes a width and five widths; more cells than this are not used. */
const FINENESS = 2
const REACH = 5
const CELL_LIMIT = 2048

/** smECE and what its limits are made of, from one pass over the steps. */
export interface SmoothEce {
  readonly value: number
  readonly curve: SmoothCurve
  /** The noise at width s on the smallest grid that does. */
  readonly noiseAt: (sigma: number) => BlockNoise
  readonly residualError: number
  /** By the options that they were drawn with: several limits are taken from the same draws. */
  readonly drawn: Map<string, DrawnExcess>
}

/** What noise adds on every rung of the ladder of widths. */
interface DrawnExcess {
  readonly widths: readonly number[]
  readonly means: readonly number[]
  /** The largest deviation from these of every draw, ascending. */
  readonly largest: Float64Array
}

export function measureSmoothEce(steps: Steps): SmoothEce {
  const curve = smoothCurve(steps)
  const finest = sumBlocks(steps, nodeBlocks(steps, CELL_LIMIT))
  const known = new Map<number, BlockNoise>()
  return {
    value: smoothEce(steps, curve),
    curve,
    noiseAt: sigma => {
      const cells = cellsFor(sigma, CELL_LIMIT)
      const noise = known.get(cells) ?? noiseOf(coarsenSums(finest, cells), steps)
      known.set(cells, noise)
      return noise
    },
    residualError: residualError(steps),
    drawn: new Map(),
  }
}

const coarsenSums = (sums: BlockSums, cells: number): BlockSums => ({
  squares: coarsen(sums.squares, cells),
  residuals: coarsen(sums.residuals, cells),
  crosses: coarsen(sums.crosses, cells),
  expected: coarsen(sums.expected, cells),
  events: coarsen(sums.events, cells),
})

export function smoothEceEstimate(measured: SmoothEce, options: SimulationOptions): Estimate {
  const share = (1 - options.confidence) / 2 - bandShare(options.confidence)
  return {
    value: measured.value,
    low: smoothLowerLimit(measured, share, options),
    high: upperLimit(measured, options.confidence),
  }
}

function upperLimit({ curve, residualError }: SmoothEce, confidence: number): number {
  const shift = normalMultiple(confidence) * residualError
  return Math.min(
    1,
    fixedPoint(sigma => curve(sigma) + shift, 1),
  )
}

/** Fails with probability `share`, and what the band costs. */
function smoothLowerLimit(measured: SmoothEce, share: number, options: SimulationOptions): number {
  const { largest, means, widths } = drawnExcess(measured, options)
  const spread = quantile(largest, 1 - share)
  const limits = widths.map((width, rung) => Math.min(width, measured.curve(width) - means[rung] - spread))
  return Math.max(0, ...limits)
}

function drawnExcess(measured: SmoothEce, options: SimulationOptions): DrawnExcess {
  const key = [options.confidence, options.draws, options.seed].join()
  const known = measured.drawn.get(key) ?? drawExcess(measured, options)
  measured.drawn.set(key, known)
  return known
}

function drawExcess(measured: SmoothEce, options: SimulationOptions): DrawnExcess {
  const widths = ladder(noiseLevel(measured))
  const confidence = 1 - (1 - options.confidence) / widths.length
  const excesses = widths.map(width => smoothExcess(measured.noiseAt(width), width, confidence))
  const finest = measured.noiseAt(widths[widths.length - 1])
  const coarsers = coarsersFor(widths, finest.scale.length - 1)
  const table = widths.map(() => new Float64Array(options.draws))
  eachDraw(finest, options, (drawn, draw) => {
    for (let rung = 0; rung < widths.length; rung++)
      table[rung][draw] = excesses[rung](coarsers[rung](drawn, draw))
  })
  const means = table.map(values => sumOf(values) / options.draws)
  const largest = new Float64Array(options.draws).fill(Number.NEGATIVE_INFINITY)
  table.forEach((values, rung) => {
    for (let draw = 0; draw < values.length; draw++) {
      largest[draw] = Math.max(largest[draw], values[draw] - means[rung])
    }
  })
  return { widths, means, largest: largest.sort() }
}

type Coarser = (values: Float64Array, draw: number) => Float64Array

/** For every width, what puts a draw on its grid; rungs of one grid share the work. */
function coarsersFor(widths: readonly number[], from: number): Coarser[] {
  const known = new Map<number, Coarser>()
  return widths.map(width => {
    const cells = cellsFor(width, CELL_LIMIT)
    const coarser = known.get(cells) ?? makeCoarser(from, cells)
    known.set(cells, coarser)
    return coarser
  })
}

/** As `coarsen` does it, in the same order, for draw after draw. */
function makeCoarser(from: number, cells: number): Coarser {
  if (from === cells) return values => values
  const nodes = Uint32Array.from({ length: from + 1 }, (_, node) => Math.round(node / (from / cells)))
  const merged = new Float64Array(cells + 1)
  let done = -1
  return (values, draw) => {
    if (draw === done) return merged
    done = draw
    merged.fill(0)
    for (let node = 0; node < nodes.length; node++) merged[nodes[node]] += values[node]
    return merged
  }
}

/** 1, 1/sqrt(2), 1/2, ... as long as above the level of the noise. */
function ladder(level: number): number[] {
  const count = Math.max(1, Math.ceil(-2 * Math.log2(Math.max(level, 1 / CELL_LIMIT))))
  return Array.from({ length: count }, (_, rung) => 2 ** (-rung / 2))
}

/** Where the mean of N_s(G), sqrt(2/pi) times the integral of its standard deviation, equals s. */
function noiseLevel({ noiseAt }: SmoothEce): number {
  const mean = (sigma: number) => Math.sqrt(2 / Math.PI) * trapezoid(smoothedErrors(noiseAt(sigma), sigma))
  return fixedPoint(mean, 1, 1e-3)
}

/** The largest l(G) of N_s over functionals that could be the maximizer at D^; signs are known as in eceSeminorm.ts. */
function smoothExcess(noise: BlockNoise, sigma: number, confidence: number): Seminorm['excess'] {
  const cells = noise.scale.length - 1
  const smooth = makeSmoother(gaussianKernel(sigma, cells, REACH), cells)
  const smoothed = new Float64Array(cells + 1)
  smooth(smoothed, noise.residual)
  const signs = knownSigns(smoothed, smoothedErrors(noise, sigma), confidence)
  return drawn => {
    smooth(smoothed, drawn)
    smoothed[0] /= 2
    smoothed[cells] /= 2
    return signedSum(smoothed, signs) / cells
  }
}

/**
 * For differences: how far smECE may be from its value, at the width of a lower limit that holds but for the band's share.
 * Undefined without such a limit.
 */
export function smoothSeminorm(
  steps: Steps,
  measured: SmoothEce,
  options: SimulationOptions,
  cellLimit: number,
): Seminorm | undefined {
  const sigma = smoothLowerLimit(measured, bandShare(options.confidence), options)
  if (sigma === 0) return undefined
  const blocks = nodeBlocks(steps, cellsFor(sigma, cellLimit))
  const noise = noiseOf(sumBlocks(steps, blocks), steps)
  return { value: measured.value, blocks, excess: smoothExcess(noise, sigma, options.confidence) }
}

function knownSigns(smoothed: Float64Array, errors: Float64Array, confidence: number): Float64Array {
  const band = normalMultiple(1 - bandShare(confidence) / smoothed.length)
  return smoothed.map((value, node) =>
    errors[node] > 0 && Math.abs(value) >= 2 * band * errors[node] ? Math.sign(value) : 0,
  )
}

const cellsFor = (sigma: number, limit: number): number =>
  Math.min(limit, 2 ** Math.max(2, Math.ceil(Math.log2(FINENESS / sigma))))

function nodeBlocks({ predictions }: Steps, cells: number): Bins {
  const ofStep = new Uint32Array(predictions.length)
  for (let step = 0; step < ofStep.length; step++) ofStep[step] = Math.round(predictions[step] * cells)
  return { ofStep, count: cells + 1 }
}

/** Sums at the nodes of a coarser grid: each node goes to the nearest one. */
function coarsen(values: Float64Array, cells: number): Float64Array {
  const factor = (values.length - 1) / cells
  if (factor === 1) return values
  const merged = new Float64Array(cells + 1)
  for (let node = 0; node < values.length; node++) merged[Math.round(node / factor)] += values[node]
  return merged
}

/**
 * The standard deviation of the smoothed noise at each node: sum of variances times the squared kernel. The square of a
 * sum of mirror images has mixed terms, 2 phi(t-x) phi(t+x) = exp(-(t^2 + x^2)/sigma^2) / (pi sigma^2), near each end.
 */
function smoothedErrors({ scale }: BlockNoise, sigma: number): Float64Array {
  const cells = scale.length - 1
  const variances = scale.map(each => each * each)
  const kernel = gaussianKernel(sigma, cells, REACH).map(each => each * each)
  const errors = new Float64Array(cells + 1)
  makeSmoother(kernel, cells)(errors, variances)
  const fade = (node: number) => Math.exp(-((node / cells / sigma) ** 2))
  let [atZero, atOne] = [0, 0]
  for (let node = 0; node <= cells; node++) {
    atZero += variances[node] * fade(node)
    atOne += variances[node] * fade(cells - node)
  }
  const mixed = 1 / (Math.PI * sigma * sigma)
  return errors.map((variance, node) =>
    Math.sqrt(variance + mixed * (atZero * fade(node) + atOne * fade(cells - node))),
  )
}

function trapezoid(grid: Float64Array): number {
  const cells = grid.length - 1
  let sum = -(grid[0] + grid[cells]) / 2
  for (let node = 0; node <= cells; node++) sum += grid[node]
  return sum / cells
}
