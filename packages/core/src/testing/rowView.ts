// Rows as a question sees them: which leaf, bin and level each is in, what it weighs, and what it adds to the residuals.

import type { EngineRows, HistogramRequest, Outcome } from '../engine/engine.ts'
import { leafCount, type Tree } from '../update/update.ts'
import type { Axis } from './compare.ts'
import type { Run } from './generateRun.ts'
import { naiveChance, naiveDrawn, naiveLeaf, naiveLevel, naiveSquare, naiveVariance } from './naive.ts'

/** What questions say of the rows, each some of it. */
export type Counted = Pick<
  HistogramRequest,
  'fold' | 'levels' | 'levelCuts' | 'levelValues' | 'levelSigns' | 'outcome'
>

export function leafAxis({ predictions, rows }: Run, tree: Tree, leaves?: readonly number[]): Axis {
  const leafOf = (row: number) => naiveLeaf(tree, rows, row, predictions[row])
  if (leaves === undefined) return { name: 'leaf', size: leafCount(tree), placeOf: leafOf }
  return { name: 'leaf at place', size: leaves.length, placeOf: row => leaves.indexOf(leafOf(row)) }
}

export function binAxis(rows: EngineRows, feature: number, resolution: 'fine' | 'coarse'): Axis {
  const { binCounts, bins, coarseCounts, coarseOf } = rows
  const binOf = (row: number) => bins[feature][row]
  if (resolution === 'fine') return { name: 'bin', size: binCounts[feature], placeOf: binOf }
  return { name: 'coarse bin', size: coarseCounts[feature], placeOf: row => coarseOf[feature][binOf(row)] }
}

export function levelAxis({ predictions }: Run, { levelCuts, levels }: Counted): Axis {
  const levelOf = (row: number) =>
    levelCuts === undefined
      ? naiveLevel(predictions[row], levels)
      : levelCuts.filter(cut => cut <= predictions[row]).length
  return { name: 'level', size: levels, placeOf: levelOf }
}

/** Variances count with squared weights. */
export function countedRows(rows: EngineRows, outcome?: Outcome): EngineRows {
  if (outcome?.kind !== 'variance') return rows
  return { ...rows, weight: rows.label.map((_, row) => naiveSquare(rows, row, outcome.shift)) }
}

export function residualAt(
  { predictions, rows }: Run,
  { levels, levelSigns, levelValues, outcome }: Counted,
): (row: number) => number {
  return row => {
    const prediction = predictions[row]
    if (outcome?.kind === 'variance') return naiveVariance(outcome.noise, rows.label[row], prediction)
    const level = naiveLevel(prediction, levelSigns?.length ?? levels)
    const residual = outcomeAt(rows, row, prediction, outcome) - (levelValues?.[level] ?? prediction)
    return (levelSigns?.[level] ?? 1) * residual
  }
}

/** The label, or what was drawn for it, with the prediction in the place of its chance. */
function outcomeAt({ key, label }: EngineRows, row: number, prediction: number, outcome?: Outcome): number {
  if (outcome?.kind !== 'drawn' && outcome?.kind !== 'centred') return label[row]
  const { noise } = outcome
  const found = outcome.kind === 'drawn' ? naiveDrawn(noise, prediction, key![row], outcome.draw) : label[row]
  return found - naiveChance(noise, prediction) + prediction
}
