// Logistic regression with a small ridge, by Newton's method: the ordinary model whose score the benches correct.
// Numbers are standardized, categories one-hot, missing values have their own indicator.

import type { Column } from './dataset.ts'

export interface LogisticOptions {
  readonly columns: Readonly<Record<string, Column>>
  readonly label: string
  /** Default: every column but the label. */
  readonly features?: readonly string[]
  /** The rows to fit on. */
  readonly rows: readonly number[]
  /** One for each row of the columns, not only the fitted ones. */
  readonly weights?: readonly number[]
  /** Half of this times the squared coefficients is added to the summed log loss; the intercept is free. */
  readonly ridge?: number
  /** A category seen in fewer fitted rows counts as unseen: all its indicators are 0. */
  readonly rareCount?: number
}

export interface LogisticModel {
  readonly encoders: readonly Encoder[]
  /** The intercept, then one coefficient for each encoded column. */
  readonly coefficients: Float64Array
}

type Encoder =
  | {
      readonly kind: 'number'
      readonly name: string
      readonly start: number
      readonly mean: number
      readonly scale: number
    }
  | {
      readonly kind: 'category'
      readonly name: string
      readonly start: number
      readonly levels: ReadonlyMap<string, number>
    }

/** Probabilities for every row of the columns, from a model fitted on the given rows. */
export function logisticScore(options: LogisticOptions): Float64Array {
  return predictLogistic(fitLogistic(options), options.columns)
}

const MAX_STEPS = 50
const CLOSE_ENOUGH = 1e-8

export function fitLogistic(options: LogisticOptions): LogisticModel {
  const { columns, label, rows, ridge = 1, rareCount = 10 } = options
  const features = options.features ?? Object.keys(columns).filter(name => name !== label)
  const { encoders, width } = makeEncoders(columns, features, rows, rareCount)
  const design = encodeRows(encoders, columns, rows)
  const labels = Float64Array.from(rows, row => columns[label][row] as number)
  const weights = Float64Array.from(rows, row => options.weights?.[row] ?? 1)
  const problem: Problem = { design, labels, weights, ridge, width }
  let coefficients = new Float64Array(width)
  let loss = penalizedLoss(problem, coefficients)
  for (let step = 0; step < MAX_STEPS; step++) {
    const direction = newtonDirection(problem, coefficients)
    const next = takeStep(problem, coefficients, direction, loss)
    if (next === undefined) break
    coefficients = next.coefficients
    loss = next.loss
    if (direction.every(value => Math.abs(value) < CLOSE_ENOUGH)) break
  }
  return { encoders, coefficients }
}

export function predictLogistic(
  model: LogisticModel,
  columns: Readonly<Record<string, Column>>,
): Float64Array {
  const rowCount = Object.values(columns)[0]?.length ?? 0
  const all = Array.from({ length: rowCount }, (_, row) => row)
  const design = encodeRows(model.encoders, columns, all)
  return Float64Array.from(all, row => sigmoid(logOddsOf(design, row, model.coefficients)))
}

function makeEncoders(
  columns: LogisticOptions['columns'],
  features: readonly string[],
  rows: readonly number[],
  rareCount: number,
): { encoders: Encoder[]; width: number } {
  const encoders: Encoder[] = []
  let width = 1
  for (const name of features) {
    const column = columns[name]
    if (column === undefined) throw new Error(`There is no column "${name}".`)
    const values = rows.map(row => column[row])
    if (column.some(value => typeof value === 'string')) {
      const levels = frequentLevels(values, rareCount)
      encoders.push({ kind: 'category', name, start: width, levels })
      width += levels.size + 1
    } else {
      encoders.push({ kind: 'number', name, start: width, ...momentsOf(values as (number | null)[]) })
      width += 2
    }
  }
  return { encoders, width }
}

function momentsOf(values: readonly (number | null)[]): { mean: number; scale: number } {
  const present = values.filter(value => value !== null)
  if (present.length === 0) return { mean: 0, scale: 1 }
  const mean = present.reduce((sum, value) => sum + value, 0) / present.length
  const variance = present.reduce((sum, value) => sum + (value - mean) ** 2, 0) / present.length
  return { mean, scale: Math.sqrt(variance) || 1 }
}

function frequentLevels(values: Column, rareCount: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values)
    if (value !== null) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  const frequent = [...counts].filter(([, count]) => count >= rareCount).map(([level]) => level)
  return new Map(frequent.sort().map((level, index) => [level, index]))
}

/** A sparse matrix: entries of row i stand at rowStart[i] to rowStart[i + 1], columns ascending, 0 the intercept. */
interface Design {
  readonly rowStart: Int32Array
  readonly columnAt: Int32Array
  readonly valueAt: Float64Array
}

function encodeRows(
  encoders: readonly Encoder[],
  columns: LogisticOptions['columns'],
  rows: readonly number[],
): Design {
  const capacity = rows.length * (encoders.length + 1)
  const columnAt = new Int32Array(capacity)
  const valueAt = new Float64Array(capacity)
  const rowStart = new Int32Array(rows.length + 1)
  let end = 0
  rows.forEach((row, i) => {
    columnAt[end] = 0
    valueAt[end++] = 1
    for (const encoder of encoders) {
      const [column, value] = encodeValue(encoder, columns[encoder.name][row])
      if (value === 0) continue
      columnAt[end] = column
      valueAt[end++] = value
    }
    rowStart[i + 1] = end
  })
  return { rowStart, columnAt, valueAt }
}

/** The one column of the encoding that is not 0, and what it holds. The last column of each encoder is "missing". */
function encodeValue(encoder: Encoder, value: number | string | null): [column: number, value: number] {
  if (encoder.kind === 'number') {
    if (value === null) return [encoder.start + 1, 1]
    return [encoder.start, ((value as number) - encoder.mean) / encoder.scale]
  }
  if (value === null) return [encoder.start + encoder.levels.size, 1]
  const level = encoder.levels.get(String(value))
  return level === undefined ? [encoder.start, 0] : [encoder.start + level, 1]
}

interface Problem {
  readonly design: Design
  readonly labels: Float64Array
  readonly weights: Float64Array
  readonly ridge: number
  readonly width: number
}

function logOddsOf({ rowStart, columnAt, valueAt }: Design, row: number, coefficients: Float64Array): number {
  let sum = 0
  for (let at = rowStart[row]; at < rowStart[row + 1]; at++) sum += valueAt[at] * coefficients[columnAt[at]]
  return sum
}

function penalizedLoss(
  { design, labels, weights, ridge, width }: Problem,
  coefficients: Float64Array,
): number {
  let loss = 0
  for (let i = 0; i < labels.length; i++) {
    const logOdds = logOddsOf(design, i, coefficients)
    // log(1 + exp(z)) - y z, written so that exp never overflows.
    loss +=
      weights[i] * (Math.max(logOdds, 0) + Math.log1p(Math.exp(-Math.abs(logOdds))) - labels[i] * logOdds)
  }
  for (let j = 1; j < width; j++) loss += (ridge / 2) * coefficients[j] ** 2
  return loss
}

/** The inverse Hessian times the negative gradient. */
function newtonDirection(problem: Problem, coefficients: Float64Array): Float64Array {
  const { design, labels, weights, ridge, width } = problem
  const { rowStart, columnAt, valueAt } = design
  const direction = new Float64Array(width)
  const hessian = new Float64Array(width * width)
  for (let i = 0; i < labels.length; i++) {
    const probability = sigmoid(logOddsOf(design, i, coefficients))
    const residual = weights[i] * (labels[i] - probability)
    const curvature = weights[i] * probability * (1 - probability)
    for (let a = rowStart[i]; a < rowStart[i + 1]; a++) {
      direction[columnAt[a]] += residual * valueAt[a]
      const scaled = curvature * valueAt[a]
      for (let b = rowStart[i]; b <= a; b++) hessian[columnAt[a] * width + columnAt[b]] += scaled * valueAt[b]
    }
  }
  for (let j = 1; j < width; j++) {
    direction[j] -= ridge * coefficients[j]
    hessian[j * width + j] += ridge
  }
  solveByCholesky(hessian, direction)
  return direction
}

/** The longest of 1, 1/2, 1/4, ... of the direction that does not raise the loss; undefined at the optimum. */
function takeStep(
  problem: Problem,
  coefficients: Float64Array,
  direction: Float64Array,
  loss: number,
): { coefficients: Float64Array<ArrayBuffer>; loss: number } | undefined {
  for (let length = 1; length > 1e-6; length /= 2) {
    const moved = coefficients.map((value, j) => value + length * direction[j])
    const movedLoss = penalizedLoss(problem, moved)
    if (movedLoss <= loss) return { coefficients: moved, loss: movedLoss }
  }
  return undefined
}

/** Solves matrix * x = vector in place; only the lower triangle of the matrix is read, and it is overwritten. */
function solveByCholesky(matrix: Float64Array, vector: Float64Array): void {
  const size = vector.length
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]
      for (let k = 0; k < j; k++) sum -= matrix[i * size + k] * matrix[j * size + k]
      if (i !== j) matrix[i * size + j] = sum / matrix[j * size + j]
      else if (sum > 0) matrix[i * size + i] = Math.sqrt(sum)
      else throw new Error('The Hessian is not positive definite: raise the ridge.')
    }
  }
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) vector[i] -= matrix[i * size + k] * vector[k]
    vector[i] /= matrix[i * size + i]
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) vector[i] -= matrix[k * size + i] * vector[k]
    vector[i] /= matrix[i * size + i]
  }
}

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))
