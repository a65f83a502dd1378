// Low-degree multicalibration: Gopalan, Kim, Singhal, Zhao 2022. Predictions u are right for every auditor c(x) times a power of
// the prediction: |E[c(x) u^k (y - u)]| <= alpha for k from 0 to the degree. (In their count, where a constant has degree 1, that is
// one degree more.) While one is wrong, the predictions of its group or tree move by the polynomial of u, leaf by leaf, that
// lowers the squared error most: by at least alpha^2.

import { throwIfCancelled } from '../common/cancel.ts'
import { ONE } from '../common/units.ts'
import { applyUpdates } from '../update/move.ts'
import type { PolynomialUpdate } from '../update/update.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { fitPolynomials, residualMoments } from './regressions/polynomials.ts'
import { errorOf, Partitions, worseOf } from './trees/partitions.ts'

export const lowDegree: Baseline = {
  name: 'low-degree',
  title: 'Low-degree multicalibration',
  help: 'Corrects groups and small trees by polynomials of the prediction until all moments to degree 2 are within 0.01 (Gopalan et al. 2022).',
  reads: ['roundLimit'],
  run: (rows, settings) => correctMoments(rows, settings).updates,
}

const DEGREE = 2
const ALPHA = 0.01

export function correctMoments(
  rows: BaselineRows,
  { onRound, roundLimit = Number.POSITIVE_INFINITY, signal }: BaselineSettings,
  { alpha = ALPHA, degree = DEGREE } = {},
): { updates: PolynomialUpdate[]; predictions: Int32Array } {
  const binCounts = rows.features.map(feature => feature.bins)
  const partitions = new Partitions(rows)
  const updates: PolynomialUpdate[] = []
  let predictions = rows.start
  while (updates.length < roundLimit) {
    throwIfCancelled(signal, 'low-degree multicalibration')
    const moments = residualMoments(rows.label, predictions, degree)
    const worst = moments.map(targets => partitions.worst(targets)).reduce(worseOf)
    if (errorOf(worst) <= alpha * ONE * partitions.weight) break
    updates.push(fitPolynomials(rows, predictions, moments, worst.tree))
    predictions = applyUpdates(updates.slice(-1), { bins: rows.bins, binCounts }, predictions)
    onRound?.(updates.length)
  }
  return { updates, predictions }
}
