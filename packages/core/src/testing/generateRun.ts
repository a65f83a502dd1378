// Engines in the middle of a run: rows, updates of every kind, and the predictions that these lead to.

import type { Random } from '../common/random.ts'
import { ONE } from '../common/units.ts'
import type { EngineRows } from '../engine/engine.ts'
import { type ForestTree, leafCount, type Update } from '../update/update.ts'
import {
  between,
  chance,
  generateLevels,
  generateRows,
  generateTree,
  generateUnits,
  listOf,
  pick,
  type RowsWanted,
} from './generate.ts'
import { naiveMoved } from './naive.ts'

export interface Run {
  readonly rows: EngineRows
  readonly updates: readonly Update[]
  /** Where the updates lead, in units. */
  readonly predictions: readonly number[]
}

/** Questions are asked in the middle of a run, not at its start alone. */
export function generateRun(random: Random, wanted: RowsWanted): Run {
  const rows = generateRows(random, wanted)
  const updates = listOf(random.integer(3), () => generateUpdate(random, rows))
  return updates.reduce(moveRun, startOf(rows))
}

/** Before any update. */
export const startOf = (rows: EngineRows): Run => ({
  rows,
  updates: [],
  predictions: Array.from(rows.start),
})

/** One update further. */
export const moveRun = ({ predictions, rows, updates }: Run, update: Update): Run => ({
  rows,
  updates: [...updates, update],
  predictions: predictions.map((prediction, row) => naiveMoved(update, rows, row, prediction)),
})

const GENERATORS = [tableUpdate, linearUpdate, forestUpdate, curveUpdate, polynomialUpdate]

export const generateUpdate = (random: Random, rows: EngineRows): Update =>
  pick(random, GENERATORS)(random, rows)

function tableUpdate(random: Random, rows: EngineRows): Update {
  const tree = generateTree(random, rows, 2)
  const levels = generateLevels(random)
  const values = listOf(leafCount(tree) * levels, () => between(random, -ONE, ONE))
  return { kind: 'table', tree, levels, values }
}

function linearUpdate(random: Random): Update {
  const levels = generateLevels(random)
  const coefficients = listOf(2 * levels, () => generateCoefficient(random))
  return { kind: 'linear', signals: [0, 1], levels, coefficients }
}

/** With halves a move lies between two units: it matters how it is rounded. */
const generateCoefficient = (random: Random): number =>
  chance(random, 3 / 4) ? 4 * random.next() - 2 : pick(random, [-2, -0.5, 0, 0.5, 1])

function forestUpdate(random: Random, rows: EngineRows): Update {
  const clip = between(random, 1, ONE / 4)
  const trees = listOf(random.integer(4), () => forestTree(random, rows))
  const scale = between(random, -4 * ONE, pick(random, [4, 60]) * ONE)
  return { kind: 'forest', clip, trees, ...pick(random, [{}, { link: 'identity' } as const, { scale }]) }
}

/** Steps that stay on the scale, or that leave it. */
function forestTree(random: Random, rows: EngineRows): ForestTree {
  const tree = generateTree(random, rows, 2)
  const most = pick(random, [2, 20]) * ONE
  return { tree, steps: listOf(leafCount(tree), () => between(random, -most, most)) }
}

/** Close neighbours among the places: a jump is two of them one unit apart. */
function curveUpdate(random: Random): Update {
  const place = () => (chance(random, 1 / 2) ? generateUnits(random) : between(random, 1, 3))
  const places = new Set([0, ...listOf(random.integer(7), place), ONE])
  const from = [...places].sort((a, b) => a - b)
  return { kind: 'curve', from, to: from.map(() => generateUnits(random)) }
}

function polynomialUpdate(random: Random, rows: EngineRows): Update {
  const tree = generateTree(random, rows, 2)
  const degree = between(random, 1, 4)
  const values = listOf(leafCount(tree) * (degree + 1), () => between(random, -4 * ONE, 4 * ONE))
  return { kind: 'polynomial', tree, degree, values }
}
