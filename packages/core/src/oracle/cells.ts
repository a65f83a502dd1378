// The best move of each factor class on a fixed partition, from its cell sums alone (THEORY section 4).

import type { FactorKind } from '../classes/factors.ts'
import { bestLeafFactors, type CellTable, fitRankOne } from './rankOne.ts'

export interface CellFit {
  /** Moves in (unrounded) units at [leaf * levels + level]. */
  readonly values: Float64Array
  /** The drop of the sum of squares, and each cell's part of it. */
  readonly drop: number
  readonly importance: Float64Array
}

/** What one cell gains by its best move R/N: R^2/N. */
export const cellGain = (count: number, residual: number): number =>
  count > 0 ? (residual * residual) / count : 0

export function fitCells(factors: FactorKind, cells: CellTable): CellFit {
  switch (factors) {
    case 'constant':
      return fitConstant(cells)
    case 'signed':
    case 'weighted': {
      const { leafFactors, levelFactors } = fitRankOne(cells, factors === 'signed')
      return fitProduct(cells, leafFactors, levelFactors)
    }
    case 'intervals':
      return keepCells(cells, (cell, best) => cell % cells.levels === best, levelGains(cells))
    case 'level-sets':
      return keepCells(cells, (cell, best) => cell === best, cellGains(cells))
    case 'table':
      return keepCells(cells, () => true, cellGains(cells))
  }
}

function cellGains(cells: CellTable): Float64Array {
  const size = cells.leaves * cells.levels
  return Float64Array.from({ length: size }, (_, cell) => cellGain(cells.counts[cell], cells.residuals[cell]))
}

function levelGains(cells: CellTable): Float64Array {
  const gains = new Float64Array(cells.levels)
  cellGains(cells).forEach((gain, cell) => {
    gains[cell % cells.levels] += gain
  })
  return gains
}

/** R/N in the cells that are kept, nothing elsewhere. The first best wins. */
function keepCells(
  cells: CellTable,
  keeps: (cell: number, best: number) => boolean,
  gains: Float64Array,
): CellFit {
  let best = 0
  gains.forEach((gain, index) => {
    if (gain > gains[best]) best = index
  })
  const values = new Float64Array(cells.leaves * cells.levels)
  for (let cell = 0; cell < values.length; cell++) {
    if (keeps(cell, best) && cells.counts[cell] > 0) values[cell] = cells.residuals[cell] / cells.counts[cell]
  }
  return withImportance(cells, values)
}

function fitConstant(cells: CellTable): CellFit {
  const levelFactors = new Float64Array(cells.levels).fill(1)
  return fitProduct(cells, bestLeafFactors(cells, levelFactors), levelFactors)
}

function fitProduct(cells: CellTable, leafFactors: Float64Array, levelFactors: Float64Array): CellFit {
  const values = new Float64Array(cells.leaves * cells.levels)
  for (let cell = 0; cell < values.length; cell++) {
    values[cell] = leafFactors[Math.floor(cell / cells.levels)] * levelFactors[cell % cells.levels]
  }
  return withImportance(cells, values)
}

function withImportance(cells: CellTable, values: Float64Array): CellFit {
  const importance = values.map(
    (value, cell) => value * (2 * cells.residuals[cell] - cells.counts[cell] * value),
  )
  return { values, importance, drop: importance.reduce((sum, part) => sum + part, 0) }
}
