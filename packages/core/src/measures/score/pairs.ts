// Draws of the sampling errors of two scores on the same rows, with the same multiplier for both errors of a row.
//
// Rows are merged to cells by their block under one score and their block under the other. In a cell the two residual
// sums and the total weight are three correlated normals; they are written as R_a = first z1, R_b = shared z1 + second z2
// and t = couplings z1, z2 and a rest that all cells share (see BlockNoise for t).

import { makeRandom } from '../../common/random.ts'
import type { Bins } from './bins.ts'
import type { DrawOptions } from './multipliers.ts'
import { fillNormal } from './normal.ts'
import type { ScoredRows } from './scoredRows.ts'
import type { Seminorm } from './seminorm.ts'
import type { Steps } from './steps.ts'

export interface ScorePair {
  readonly a: ScoredRows
  readonly b: ScoredRows
  /** Of the same rows; the order of `aSteps` is canonical for both scores together. */
  readonly aSteps: Steps
  readonly bSteps: Steps
}

interface CellNoise {
  readonly aBlock: Uint32Array
  readonly bBlock: Uint32Array
  readonly first: Float64Array
  readonly shared: Float64Array
  readonly second: Float64Array
  readonly firstCoupling: Float64Array
  readonly secondCoupling: Float64Array
  readonly rest: number
  /** D^ of each block. */
  readonly aResidual: Float64Array
  readonly bResidual: Float64Array
}

/**
 * How far the difference N_a - N_b may be off: N_a(D_a) - N_b(D_b) exceeds its estimate by at most excess_a(-G_a) +
 * excess_b(G_b) and falls short of it by at most excess_a(G_a) + excess_b(-G_b). The larger of both, ascending.
 */
export function simulatePair(
  pair: ScorePair,
  aNorm: Seminorm,
  bNorm: Seminorm,
  { draws, seed }: DrawOptions,
): Float64Array {
  const noise = cellNoise(pair, aNorm.blocks, bNorm.blocks)
  const random = makeRandom(seed)
  const normals = new Float64Array(2 * noise.first.length + 1)
  const [aDrawn, bDrawn] = [new Float64Array(aNorm.blocks.count), new Float64Array(bNorm.blocks.count)]
  const values = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    fillNormal(normals, random)
    drawPair(aDrawn, bDrawn, noise, normals)
    const [aOver, bOver] = [aNorm.excess(aDrawn), bNorm.excess(bDrawn)]
    negate(aDrawn)
    negate(bDrawn)
    values[draw] = Math.max(aOver + bNorm.excess(bDrawn), aNorm.excess(aDrawn) + bOver)
  }
  return values.sort()
}

function negate(values: Float64Array): void {
  for (let index = 0; index < values.length; index++) values[index] = -values[index]
}

function drawPair(aDrawn: Float64Array, bDrawn: Float64Array, noise: CellNoise, normals: Float64Array): void {
  const { first, shared, second, firstCoupling, secondCoupling } = noise
  aDrawn.fill(0)
  bDrawn.fill(0)
  let total = noise.rest * normals[2 * first.length]
  for (let cell = 0; cell < first.length; cell++) {
    const z1 = normals[2 * cell]
    const z2 = normals[2 * cell + 1]
    aDrawn[noise.aBlock[cell]] += first[cell] * z1
    bDrawn[noise.bBlock[cell]] += shared[cell] * z1 + second[cell] * z2
    total += firstCoupling[cell] * z1 + secondCoupling[cell] * z2
  }
  for (let block = 0; block < aDrawn.length; block++) aDrawn[block] -= noise.aResidual[block] * total
  for (let block = 0; block < bDrawn.length; block++) bDrawn[block] -= noise.bResidual[block] * total
}

/** Sums of w^2 times: r_a^2, r_a r_b, r_b^2, r_a, r_b, for every pair of blocks. */
const SUMS = 5

function sumCells(pair: ScorePair, aBlocks: Bins, bBlocks: Bins): Float64Array {
  const { a, b, aSteps } = pair
  const aOfRow = blockOfRow(aSteps, aBlocks)
  const bOfRow = blockOfRow(pair.bSteps, bBlocks)
  const sums = new Float64Array(SUMS * aBlocks.count * bBlocks.count)
  for (let index = 0; index < aSteps.rows.length; index++) {
    const row = aSteps.rows[index]
    const w = aSteps.weights[index]
    const aResidual = w * (a.labels[row] - a.predictions[row])
    const bResidual = w * (b.labels[row] - b.predictions[row])
    const at = SUMS * (aOfRow[row] * bBlocks.count + bOfRow[row])
    sums[at] += aResidual * aResidual
    sums[at + 1] += aResidual * bResidual
    sums[at + 2] += bResidual * bResidual
    sums[at + 3] += w * aResidual
    sums[at + 4] += w * bResidual
  }
  return sums
}

function blockOfRow(steps: Steps, { ofStep }: Bins): Uint32Array {
  const blocks = new Uint32Array(steps.givenCount)
  for (let step = 0; step < ofStep.length; step++) {
    for (let index = steps.starts[step]; index < steps.starts[step + 1]; index++) {
      blocks[steps.rows[index]] = ofStep[step]
    }
  }
  return blocks
}

function cellNoise(pair: ScorePair, aBlocks: Bins, bBlocks: Bins): CellNoise {
  const sums = sumCells(pair, aBlocks, bBlocks)
  const { weight, weightSquares } = pair.aSteps
  const used: number[] = []
  for (let at = 0; at < sums.length; at += SUMS) if (sums[at] > 0 || sums[at + 2] > 0) used.push(at)
  const column = () => new Float64Array(used.length)
  const [first, shared, second, firstCoupling, secondCoupling] = [
    column(),
    column(),
    column(),
    column(),
    column(),
  ]
  let explained = 0
  used.forEach((at, cell) => {
    const [aSquare, product, bSquare, aCross, bCross] = sums.subarray(at, at + SUMS)
    first[cell] = Math.sqrt(aSquare) / weight
    shared[cell] = over(product, weight ** 2 * first[cell])
    second[cell] = Math.sqrt(Math.max(0, bSquare / weight ** 2 - shared[cell] ** 2))
    // Where the two residuals of a cell go together, rounding leaves a second part that is none.
    if (second[cell] ** 2 < (1e-12 * bSquare) / weight ** 2) second[cell] = 0
    firstCoupling[cell] = over(aCross, weight ** 2 * first[cell])
    secondCoupling[cell] = over(bCross / weight ** 2 - shared[cell] * firstCoupling[cell], second[cell])
    explained += firstCoupling[cell] ** 2 + secondCoupling[cell] ** 2
  })
  return {
    aBlock: Uint32Array.from(used, at => Math.floor(at / SUMS / bBlocks.count)),
    bBlock: Uint32Array.from(used, at => (at / SUMS) % bBlocks.count),
    first,
    shared,
    second,
    firstCoupling,
    secondCoupling,
    rest: Math.sqrt(Math.max(0, weightSquares / weight ** 2 - explained)),
    aResidual: residualsOf(pair.aSteps, aBlocks),
    bResidual: residualsOf(pair.bSteps, bBlocks),
  }
}

const over = (top: number, bottom: number): number => (bottom > 0 ? top / bottom : 0)

function residualsOf(steps: Steps, { ofStep, count }: Bins): Float64Array {
  const residuals = new Float64Array(count)
  ofStep.forEach((block, step) => {
    residuals[block] += steps.residuals[step] / steps.weight
  })
  return residuals
}
