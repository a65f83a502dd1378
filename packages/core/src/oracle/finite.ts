// The oracle for a finite set of partitions: closed form on each, the first best wins, nothing is missed.

import type { Partition } from '../classes/compile.ts'
import type { FactorKind } from '../classes/factors.ts'
import { ONE } from '../common/units.ts'
import type { Engine, LevelSums } from '../engine/engine.ts'
import { leafCount, type TableUpdate } from '../update/update.ts'
import { type CellFit, fitCells } from './cells.ts'
import { gainOf, type Oracle } from './oracle.ts'
import type { CellTable } from './rankOne.ts'

export function finiteOracle(partitions: readonly Partition[], factors: FactorKind, levels: number): Oracle {
  return {
    kind: 'closed form',
    async propose(engine: Engine, fold: number) {
      const trees = partitions.map(partition => partition.tree)
      const sums = await engine.levelSums({ fold, levels, trees })
      let best = fitPartition(partitions[0], factors, sums[0], levels)
      let bestIndex = 0
      for (let index = 1; index < partitions.length; index++) {
        const fit = fitPartition(partitions[index], factors, sums[index], levels)
        if (fit.drop > best.drop) {
          best = fit
          bestIndex = index
        }
      }
      const weight = sums[0].counts.reduce((total, count) => total + count, 0)
      return {
        update: tableUpdate(partitions[bestIndex].tree, levels, best),
        gain: gainOf(best.drop, weight),
        slack: 0,
        importance: best.importance,
      }
    },
  }
}

/**
 * An indicator b is 1 on leaf 0 and 0 elsewhere, so only leaf 0 moves; tables and level sets also see the other
 * value of b. With one moving leaf the rank-one fits are exact.
 */
function fitPartition(partition: Partition, factors: FactorKind, sums: LevelSums, levels: number): CellFit {
  const leaves = leafCount(partition.tree)
  const bothValues = factors === 'table' || factors === 'level-sets' || !partition.indicator
  const cells: CellTable = { ...sums, leaves: bothValues ? leaves : 1, levels }
  const fit = fitCells(factors, cells)
  return bothValues ? fit : { ...fit, values: padded(fit.values, leaves * levels) }
}

function padded(values: Float64Array, length: number): Float64Array {
  const longer = new Float64Array(length)
  longer.set(values)
  return longer
}

export function tableUpdate(tree: TableUpdate['tree'], levels: number, fit: CellFit): TableUpdate {
  return { kind: 'table', tree, levels, values: Array.from(fit.values, roundMove) }
}

/** A whole number of units; beyond one, clipping makes no difference. -0 becomes 0: there is one way to write nothing. */
const roundMove = (value: number): number => Math.max(-ONE, Math.min(ONE, Math.round(value))) + 0
