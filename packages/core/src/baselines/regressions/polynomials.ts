// Least squares by polynomials of the prediction, one for each leaf of a tree. Powers and products are rounded to units row by row,
// so that all sums are of whole numbers.

import { ONE } from '../../common/units.ts'
import { solveSymmetric } from '../../oracle/linearAlgebra.ts'
import { leafCount, type PolynomialUpdate, type Tree } from '../../update/update.ts'
import { findLeaf, flattenTree } from '../../update/walk.ts'
import type { BaselineRows } from '../baseline.ts'

/** A product of two unit numbers, in units. */
const times = (a: number, b: number): number => Math.floor((a * b) / ONE + 0.5)

/** u^k (y - u) for k = 0 to the degree: one column each. */
export function residualMoments(label: Int32Array, predictions: Int32Array, degree: number): Int32Array[] {
  const moments = [label.map((one, row) => one - predictions[row])]
  while (moments.length <= degree) {
    moments.push(moments[moments.length - 1].map((moment, row) => times(moment, predictions[row])))
  }
  return moments
}

/** Added to the diagonal, as a share of the leaf's weight: powers that cannot be told apart share what there is. */
const RIDGE = 1e-6

export function fitPolynomials(
  rows: BaselineRows,
  predictions: Int32Array,
  moments: readonly Int32Array[],
  tree: Tree,
): PolynomialUpdate {
  const degree = moments.length - 1
  const { cross, powers } = sumByLeaf(rows, predictions, moments, tree)
  const values = powers.flatMap((sums, leaf) => [...solveLeaf(sums, cross[leaf])])
  return { kind: 'polynomial', tree, degree, values }
}

/** Per leaf: sums of u^0 to u^(2 degree), and of the moments, all in units. */
function sumByLeaf(
  { bins, features, rowCount, weight }: BaselineRows,
  predictions: Int32Array,
  moments: readonly Int32Array[],
  tree: Tree,
): { powers: Float64Array[]; cross: Float64Array[] } {
  const flat = flattenTree(
    tree,
    features.map(feature => feature.bins),
  )
  const size = moments.length
  const powers = Array.from({ length: leafCount(tree) }, () => new Float64Array(2 * size - 1))
  const cross = powers.map(() => new Float64Array(size))
  for (let row = 0; row < rowCount; row++) {
    const leaf = findLeaf(flat, bins, row, predictions[row])
    const counted = weight === undefined ? 1 : weight[row]
    let power = ONE
    for (let k = 0; k < 2 * size - 1; k++) {
      powers[leaf][k] += counted * power
      power = times(power, predictions[row])
    }
    for (let k = 0; k < size; k++) cross[leaf][k] += counted * moments[k][row]
  }
  return { powers, cross }
}

/** Coefficients in units. */
function solveLeaf(powers: Float64Array, cross: Float64Array): Float64Array {
  const size = cross.length
  const gram = Float64Array.from({ length: size * size }, (_, index) => {
    const [i, j] = [Math.floor(index / size), index % size]
    return powers[i + j] + (i === j ? RIDGE * powers[0] : 0)
  })
  return solveSymmetric(gram, cross).map(coefficient => Math.round(coefficient * ONE) + 0)
}
