// The definitions, row by row and in BigInt, sharing no code with the engines: what every engine must answer.

import type { EngineRows } from '../../src/engine/engine.ts'
import type { Split, Tree, Update } from '../../src/engine/update.ts'

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

/** Weighted sums over the rows that a key sends to each cell. */
export function naiveSums(
  rows: EngineRows,
  fold: number,
  cellCount: number,
  cellOf: (row: number) => number,
  valueAt: (row: number) => number,
): number[] {
  const sums = Array.from({ length: cellCount }, () => 0n)
  for (let row = 0; row < rows.rowCount; row++) {
    if (naiveFold(rows, row) !== fold) continue
    sums[cellOf(row)] += BigInt(naiveWeight(rows, row)) * BigInt(valueAt(row))
  }
  return sums.map(Number)
}
