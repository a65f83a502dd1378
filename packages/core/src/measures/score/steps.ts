// The rows sorted once, and merged to "steps": one for each distinct prediction. Every row-based measure starts here.
//
// Rows are ordered by (prediction, label, weight). Rows equal in all three are interchangeable, so every sum taken in
// this order is the same to the bit however the rows were given; and a measure that looks only at whole steps cannot
// depend on the order of ties.

import { sortByKeys } from './order.ts'
import { checkRows, type ScoredRows } from './scoredRows.ts'

export interface Steps {
  /** Rows given, those of weight 0 included. */
  readonly givenCount: number
  /** The rows that count, as indexes into those given, in canonical order; `labels` and `weights` follow it. */
  readonly rows: Uint32Array
  readonly labels: Float64Array
  readonly weights: Float64Array
  /** Where each step's rows begin in that order, and where the last one's end. */
  readonly starts: Uint32Array

  /** One entry a step, ascending. */
  readonly predictions: Float64Array
  /** Sums of w. */
  readonly stepWeights: Float64Array
  /** Sums of w^2. */
  readonly stepWeightSquares: Float64Array
  /** Sums of w y. */
  readonly stepLabels: Float64Array
  /** Sums of w (y - f). */
  readonly residuals: Float64Array
  /** Sums of w^2 (y - f)^2: the variance of a step's residual sum around zero. */
  readonly residualSquares: Float64Array
  /** Sums of w^2 (y - f): how a step's residual sum goes with the total weight. */
  readonly residualCrosses: Float64Array

  /** Sum of w. */
  readonly weight: number
  /** Sum of w^2. */
  readonly weightSquares: number
  /** Every label is 0 or 1. */
  readonly binary: boolean
}

export function makeSteps(given: ScoredRows): Steps {
  checkRows(given)
  return stepsInOrder(given, sortByKeys(countedRows(given), canonicalKeys(given)))
}

/** Steps from an order the caller has: any refinement of the canonical one. */
export function stepsInOrder(given: ScoredRows, rows: Uint32Array): Steps {
  const labels = gather(rows, row => given.labels[row])
  const weights = gather(rows, row => given.weights?.[row] ?? 1)
  const starts = findStarts(given, rows)
  const predictions = gather(starts.subarray(0, -1), start => given.predictions[rows[start]])
  return {
    givenCount: given.predictions.length,
    rows,
    labels,
    weights,
    starts,
    predictions,
    ...sumSteps(labels, weights, starts, predictions),
    binary: labels.every(label => label === 0 || label === 1),
  }
}

/** Prediction, then label, then weight. */
export function canonicalKeys({ predictions, labels, weights }: ScoredRows): Float64Array[] {
  const keys = [toKey(predictions), toKey(labels)]
  return weights === undefined ? keys : [...keys, toKey(weights)]
}

/** Adding 0 turns -0, which sorts elsewhere, into 0. */
export function toKey(values: ArrayLike<number>): Float64Array {
  const key = new Float64Array(values.length)
  for (let row = 0; row < key.length; row++) key[row] = values[row] + 0
  return key
}

export function countedRows({ predictions, weights }: ScoredRows): Uint32Array {
  const rows = new Uint32Array(predictions.length)
  let count = 0
  for (let row = 0; row < rows.length; row++) {
    if (weights === undefined || weights[row] > 0) rows[count++] = row
  }
  return rows.subarray(0, count)
}

/** (sum w)^2 / sum w^2: so many equal weights would vary as much (Kish). */
export const effectiveCount = (steps: Steps): number => steps.weight ** 2 / steps.weightSquares

function gather(rows: Uint32Array, read: (row: number) => number): Float64Array {
  const values = new Float64Array(rows.length)
  for (let index = 0; index < values.length; index++) values[index] = read(rows[index]) + 0
  return values
}

function findStarts({ predictions }: ScoredRows, rows: Uint32Array): Uint32Array {
  const starts = new Uint32Array(rows.length + 1)
  let count = 0
  for (let index = 0; index < rows.length; index++) {
    if (index === 0 || predictions[rows[index]] !== predictions[rows[index - 1]]) starts[count++] = index
  }
  starts[count] = rows.length
  return starts.slice(0, count + 1)
}

function sumSteps(
  labels: Float64Array,
  weights: Float64Array,
  starts: Uint32Array,
  predictions: Float64Array,
) {
  const [stepWeights, stepWeightSquares, stepLabels, residuals, residualSquares, residualCrosses] =
    Array.from({ length: 6 }, () => new Float64Array(predictions.length))
  for (let step = 0; step < predictions.length; step++) {
    for (let index = starts[step]; index < starts[step + 1]; index++) {
      const w = weights[index]
      const residual = w * (labels[index] - predictions[step])
      stepWeights[step] += w
      stepWeightSquares[step] += w * w
      stepLabels[step] += w * labels[index]
      residuals[step] += residual
      residualSquares[step] += residual * residual
      residualCrosses[step] += w * residual
    }
  }
  const [weight, weightSquares] = [sumOf(stepWeights), sumOf(stepWeightSquares)]
  const sums = { stepWeights, stepWeightSquares, stepLabels, residuals, residualSquares, residualCrosses }
  return { ...sums, weight, weightSquares }
}

export function sumOf(values: Float64Array): number {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index]
  return sum
}
