// The definitions, row by row and in BigInt, sharing no code with the engines: what every engine must answer.

import { expOfStep, lnOfUnits } from '../common/logistic.ts'
import type { EngineRows, Noise } from '../engine/engine.ts'
import type { SampleRequest } from '../engine/sample.ts'
import type { CurveUpdate, ForestUpdate, PolynomialUpdate, Split, Tree, Update } from '../update/update.ts'

const ONE = 16777216

export const naiveLevel = (units: number, levels: number): number =>
  Math.min(levels - 1, Number((BigInt(units) * BigInt(levels)) >> 24n))

export const naiveWeight = (rows: EngineRows, row: number): number => rows.weight?.[row] ?? 1

export const naiveFold = (rows: EngineRows, row: number): number => rows.fold?.[row] ?? 0

export function naiveTakesYes(split: Split, rows: EngineRows, row: number, prediction: number): boolean {
  if (split.kind === 'below') return prediction < split.units
  const bin = rows.bins[split.feature][row]
  const missing = bin === rows.binCounts[split.feature] - 1
  if (split.kind === 'missing') return missing
  if (split.kind === 'in') return split.bins.some(candidate => candidate === bin)
  return missing ? split.missing : bin <= split.bin
}

export function naiveLeaf(tree: Tree, rows: EngineRows, row: number, prediction: number): number {
  let node = tree
  while (!('leaf' in node)) node = naiveTakesYes(node.split, rows, row, prediction) ? node.yes : node.no
  return node.leaf
}

export function naiveMoved(update: Update, rows: EngineRows, row: number, prediction: number): number {
  if (update.kind === 'forest') return naiveForest(update, rows, row, prediction)
  if (update.kind === 'curve') return naiveCurve(update, prediction)
  if (update.kind === 'polynomial') return naivePolynomial(update, rows, row, prediction)
  const level = naiveLevel(prediction, update.levels)
  let move = 0
  if (update.kind === 'table') {
    move = update.values[naiveLeaf(update.tree, rows, row, prediction) * update.levels + level]
  } else {
    const width = update.signals.length
    update.signals.forEach((signal, k) => {
      move += update.coefficients[level * width + k] * rows.signals[signal][row]
    })
    move = Math.round(move)
  }
  return Math.max(0, Math.min(ONE, prediction + move))
}

/** exp and ln are those of the library, which have their own tests: at a half the last digit of another would decide. */
function naiveForest(
  { clip, link, scale, trees }: ForestUpdate,
  rows: EngineRows,
  row: number,
  prediction: number,
): number {
  let step = 0
  for (const { steps, tree } of trees) step += steps[naiveLeaf(tree, rows, row, prediction)]
  const inside = Math.min(ONE - clip, Math.max(clip, prediction))
  if (link === 'identity') return Math.min(ONE, Math.max(0, inside + step))
  const within32 = (units: number) => Math.min(32 * ONE, Math.max(-32 * ONE, units))
  if (scale === undefined) {
    const odds = inside * expOfStep(within32(step))
    return Math.round((ONE * odds) / (odds + ONE - inside))
  }
  const logit = Math.round((lnOfUnits(inside) - lnOfUnits(ONE - inside)) * ONE) + within32(step)
  const odds = (ONE / 2) * expOfStep(within32(Math.round((scale * logit) / ONE)))
  return Math.round((ONE * odds) / (odds + ONE / 2))
}

/** The first piece that reaches as far, in whole numbers without a limit. */
function naiveCurve({ from, to }: CurveUpdate, prediction: number): number {
  const high = Math.max(
    1,
    from.findIndex(units => units >= prediction),
  )
  const [x, x0, x1, y0, y1] = [prediction, from[high - 1], from[high], to[high - 1], to[high]].map(BigInt)
  const doubled = 2n * y0 * (x1 - x0) + 2n * (y1 - y0) * (x - x0) + (x1 - x0)
  return Number(doubled / (2n * (x1 - x0)))
}

/** Every term by itself would round otherwise: the order of additions is part of the definition. */
function naivePolynomial(
  { degree, tree, values }: PolynomialUpdate,
  rows: EngineRows,
  row: number,
  prediction: number,
): number {
  const leaf = naiveLeaf(tree, rows, row, prediction)
  const coefficients = values.slice(leaf * (degree + 1), (leaf + 1) * (degree + 1))
  const move = coefficients.reduceRight((sum, value) => sum * (prediction / ONE) + value, 0)
  return Math.max(0, Math.min(ONE, prediction + Math.floor(move + 0.5)))
}

/** Weighted sums over the rows of each cell; a row of the cell -1 is in none. */
export function naiveSums(
  rows: EngineRows,
  fold: number,
  cellCount: number,
  cellOf: (row: number) => number,
  valueAt: (row: number) => number,
): number[] {
  const sums = Array.from({ length: cellCount }, () => 0n)
  for (let row = 0; row < rows.rowCount; row++) {
    const cell = naiveFold(rows, row) === fold ? cellOf(row) : -1
    if (cell >= 0) sums[cell] += BigInt(naiveWeight(rows, row)) * BigInt(valueAt(row))
  }
  return sums.map(Number)
}

/** A weighted sum over the rows that are meant, without a limit. */
export function naiveExactSum(
  rows: EngineRows,
  isMeant: (row: number) => boolean,
  valueAt: (row: number) => bigint,
): bigint {
  let sum = 0n
  for (let row = 0; row < rows.rowCount; row++) {
    if (isMeant(row)) sum += BigInt(naiveWeight(rows, row)) * valueAt(row)
  }
  return sum
}

const MASK = 0xffffffffn

/** Of two multiplications and the shift between them: 32 bits in, 32 bits out. */
function naiveMix(value: bigint, first: bigint, shift: bigint, second: bigint): bigint {
  let hash = value & MASK
  hash ^= hash >> 16n
  hash = (hash * first) & MASK
  hash ^= hash >> shift
  hash = (hash * second) & MASK
  return hash ^ (hash >> 16n)
}

/** The finalizer of MurmurHash3. */
const naiveFinish = (value: bigint): bigint => naiveMix(value, 0x85ebca6bn, 13n, 0xc2b2ae35n)

/** 1 with its chance, else 0. */
export function naiveDrawn(noise: Noise, prediction: number, key: number, draw: number): number {
  const salt = naiveFinish(BigInt(draw) + 0x9e3779b9n)
  const hash = naiveFinish((BigInt(key) & MASK) ^ salt)
  return hash * BigInt(ONE) < BigInt(naiveChance(noise, prediction)) * 2n ** 32n ? ONE : 0
}

export function naiveVariance(noise: Noise | 'squares', label: number, prediction: number): number {
  const r = BigInt(label - prediction)
  if (noise === 'squares') return Number((r * r) >> 24n)
  const f = BigInt(naiveChance(noise, prediction))
  return Number((f * (BigInt(ONE) - f)) >> 24n)
}

export function naiveChance(noise: Noise, prediction: number): number {
  if (noise === 'labels') return prediction
  if (prediction < noise.errors) return noise.errors
  return prediction > ONE - noise.errors ? ONE - noise.errors : prediction
}

export const naiveSquare = (rows: EngineRows, row: number, shift: number): number => {
  const weight = naiveWeight(rows, row)
  return weight === 0 ? 0 : Math.max(1, Math.floor(weight ** 2 / 2 ** shift + 0.5))
}

const naiveSampleHash = (key: number, salt: bigint): bigint =>
  naiveMix((BigInt(key) & MASK) ^ salt, 0x7feb352dn, 15n, 0x846ca68bn)

/** Which rows a sample takes. */
export const naiveSampled = ({ rowLimit }: SampleRequest, rows: EngineRows, row: number): boolean =>
  naiveFold(rows, row) === 0 &&
  naiveWeight(rows, row) > 0 &&
  naiveSampleHash(rows.key![row], 0x2545f491n) * BigInt(naiveCounted(rows)) < BigInt(rowLimit) * 2n ** 32n

/** Rows that weigh something. */
const naiveCounted = (rows: EngineRows): number =>
  Array.from({ length: rows.rowCount }, (_, row) => row).filter(row => naiveWeight(rows, row) > 0).length

export const naivePart = ({ parts }: SampleRequest, rows: EngineRows, row: number): number =>
  Number(naiveSampleHash(rows.key![row], 0x51ed270bn) % BigInt(parts))
