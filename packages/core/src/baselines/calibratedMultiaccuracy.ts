// Calibrated multiaccuracy: Gopalan, Hu, Kim, Reingold, Wieder 2022. Two kinds of steps take turns until neither error is above
// alpha: a group or a small tree whose leaves move to their mean labels (multiaccuracy), and bins of the prediction, each shifted
// to its mean label (calibration). Bins are shifted, not flattened: what tells the rows of a bin apart stays, and so every step of
// either kind lowers the squared error by at least alpha^2.

import { throwIfCancelled } from '../common/cancel.ts'
import { levelOf, ONE } from '../common/units.ts'
import { applyUpdates } from '../update/move.ts'
import { leafCount, ROOT, type TableUpdate } from '../update/update.ts'
import type { Baseline, BaselineRows, BaselineSettings } from './baseline.ts'
import { meanUnits } from './rows/scores.ts'
import { errorOf, type Partition, Partitions } from './trees/partitions.ts'

export const calibratedMultiaccuracy: Baseline = {
  name: 'calibrated-multiaccuracy',
  title: 'Calibrated multiaccuracy',
  help: 'Corrects groups and small trees, and prediction bins of everyone, until both errors are within 0.01 (Gopalan et al. 2022).',
  reads: ['roundLimit'],
  run: (rows, settings) => alternate(rows, settings).updates,
}

const BINS = 10
const ALPHA = 0.01

export function alternate(
  rows: BaselineRows,
  { bins = BINS, onRound, roundLimit = Number.POSITIVE_INFINITY, signal }: BaselineSettings,
  alpha = ALPHA,
): { updates: TableUpdate[]; predictions: Int32Array } {
  const binCounts = rows.features.map(feature => feature.bins)
  const partitions = new Partitions(rows)
  const most = alpha * ONE * partitions.weight
  const updates: TableUpdate[] = []
  let predictions = rows.start
  while (updates.length < roundLimit) {
    throwIfCancelled(signal, 'calibrated multiaccuracy')
    const residuals = rows.label.map((label, row) => label - predictions[row])
    const worst = partitions.worst(residuals)
    const wrong = errorOf(worst) > most ? worst : binsOf(rows, predictions, residuals, bins)
    if (errorOf(wrong) <= most) break
    updates.push(moveToMeans(wrong))
    predictions = applyUpdates(updates.slice(-1), { bins: rows.bins, binCounts }, predictions)
    onRound?.(updates.length)
  }
  return { updates, predictions }
}

/** Bins of the prediction: the levels of one leaf. */
function binsOf(
  { rowCount, weight }: BaselineRows,
  predictions: Int32Array,
  residuals: Int32Array,
  bins: number,
): Partition {
  const leaves = Array.from({ length: bins }, () => ({ count: 0, sum: 0 }))
  for (let row = 0; row < rowCount; row++) {
    const leaf = leaves[levelOf(predictions[row], bins)]
    const counted = weight === undefined ? 1 : weight[row]
    leaf.count += counted
    leaf.sum += counted * residuals[row]
  }
  return { tree: ROOT, leaves }
}

function moveToMeans({ leaves, tree }: Partition): TableUpdate {
  const values = leaves.map(({ count, sum }) => (count === 0 ? 0 : meanUnits(sum, count)))
  return { kind: 'table', tree, levels: leaves.length / leafCount(tree), values }
}
