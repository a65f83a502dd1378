// Small dense least squares. Gram matrices may be singular (a constant column, all categories of one column);
// directions without variance are left out.

/** The product of a symmetric matrix (rows in one array) and a vector. */
export function multiply(matrix: ArrayLike<number>, vector: ArrayLike<number>): Float64Array {
  const size = vector.length
  return Float64Array.from({ length: size }, (_, i) => {
    let sum = 0
    for (let j = 0; j < size; j++) sum += matrix[i * size + j] * vector[j]
    return sum
  })
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

const RANK_TOLERANCE = 1e-11

/** A solution of matrix * x = right for a positive semidefinite matrix: elimination with diagonal pivots. */
export function solveSymmetric(matrix: ArrayLike<number>, right: ArrayLike<number>): Float64Array {
  const size = right.length
  const rows = Float64Array.from(matrix)
  const values = Float64Array.from(right)
  const diagonal = Array.from({ length: size }, (_, i) => rows[i * size + i])
  const used = new Set<number>()
  const order: number[] = []
  for (let step = 0; step < size; step++) {
    const pivot = largestPivot(rows, diagonal, size, used)
    if (pivot === undefined) break
    used.add(pivot)
    order.push(pivot)
    eliminate(rows, values, size, pivot, used)
  }
  const solution = new Float64Array(size)
  for (const pivot of order.reverse()) {
    let sum = values[pivot]
    for (let j = 0; j < size; j++) if (j !== pivot) sum -= rows[pivot * size + j] * solution[j]
    solution[pivot] = sum / rows[pivot * size + pivot]
  }
  return solution
}

/** The unused row whose remaining diagonal is largest relative to what it was; undefined when none is left. */
function largestPivot(
  rows: Float64Array,
  diagonal: readonly number[],
  size: number,
  used: ReadonlySet<number>,
): number | undefined {
  let best: number | undefined
  let bestShare = RANK_TOLERANCE
  for (let i = 0; i < size; i++) {
    const share = used.has(i) || diagonal[i] <= 0 ? 0 : rows[i * size + i] / diagonal[i]
    if (share > bestShare) {
      best = i
      bestShare = share
    }
  }
  return best
}

function eliminate(
  rows: Float64Array,
  values: Float64Array,
  size: number,
  pivot: number,
  used: ReadonlySet<number>,
): void {
  for (let i = 0; i < size; i++) {
    if (used.has(i)) continue
    const factor = rows[i * size + pivot] / rows[pivot * size + pivot]
    for (let j = 0; j < size; j++) rows[i * size + j] -= factor * rows[pivot * size + j]
    rows[i * size + pivot] = 0
    values[i] -= factor * values[pivot]
  }
}
